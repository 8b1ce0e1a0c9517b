/* What the files of the language server share. All memory is from malloc; where there is none the server ends, and says
 * so. */
#ifndef PSL_SERVER_H
#define PSL_SERVER_H
#include "interp/lsp/lsp.h"
#include <jansson.h>

/* ---- chars.c ---- */
void *memory_more(void *block, size_t size);
char *memory_copy(const char *text, size_t size); /* with a NUL behind it */
struct chars {
  char *data; /* ended by NUL where there is anything; NULL: empty */
  size_t size, capacity;
};
void chars_add(struct chars *chars, const char *text, size_t size);
void chars_put(struct chars *chars, const char *format, ...) __attribute__((format(printf, 2, 3)));
int chars_take(void *buffer, const char *text, size_t size); /* a psl_write */
void chars_drop(struct chars *chars);

/* ---- transport.c ---- */
struct message {
  struct message *next;
  json_t *json;
};
struct transport {
  struct chars input;
  size_t taken;          /* of the input: it has been read */
  struct message *first; /* read, and not yet treated */
  struct message **last;
  bool ended; /* the input has */
};
void transport_open(struct transport *t);
/* Waits so many milliseconds (-1: for ever) for input and takes in what there is; false: nothing has come. */
bool transport_wait(struct transport *t, int milliseconds);
/* Owned by the caller; NULL: none is there. */
json_t *transport_next(struct transport *t);
void transport_send(json_t *message); /* takes it over */
/* The answer to the request of that id, whose result is JSON already. */
void transport_answer(json_t *id, const struct chars *result);
void transport_close(struct transport *t);

/* ---- documents.c: texts, and where things stand in them ---- */
enum encoding { ENCODING_UTF16, ENCODING_UTF8, ENCODING_UTF32 }; /* that characters of a line are counted in */
struct text {
  char *data; /* ended by NUL, may hold others */
  size_t size;
  size_t *lines, line_count;   /* where lines begin, as the protocol has them: behind \n, \r\n and \r */
  size_t *places, place_count; /* and as psl has them: behind \n */
};
struct text text_of(char *data, size_t size); /* takes the data over */
void text_drop(struct text *text);
struct position { /* as the protocol has it, from 0 on */
  size_t line, character;
};
size_t text_offset(const struct text *text, enum encoding encoding, size_t line, size_t character);
struct position position_in(const struct text *text, enum encoding encoding, size_t offset);
json_t *text_position(const struct text *text, enum encoding encoding, size_t offset);
json_t *text_range(const struct text *text, enum encoding encoding, size_t begin, size_t end);
size_t text_at(const struct text *text, unsigned line, unsigned column); /* of a place of psl */
void text_place(const struct text *text, size_t offset, unsigned *line, unsigned *column);

struct diagnosed { /* what was said of a document's model */
  enum psl_severity severity;
  char *path; /* of the file that it is about; NULL: of none */
  struct psl_place place;
  char *message;
  struct noted {
    char *path;
    struct psl_place place, replaced;            /* replaced: in the file of `replaced_path` */
    char *message, *replacement, *replaced_path; /* replacement: NULL: none */
  } * notes;
  size_t note_count;
};
struct document {
  struct document *next;
  struct server *server;
  char *uri, *path; /* path: without links; of what is no file the URI */
  json_int_t version;
  struct text text;
  struct psl *psl; /* that has read it */
  bool stale;      /* it, or what it uses, has changed since */
  bool untold;     /* what was said of it when it was read is not yet published */
  bool unproved;   /* psl_check is still to be done, */
  bool slow;       /* and took long when it was done last */
  bool hushed;     /* what psl says now is of no interest */
  struct diagnosed *said;
  size_t said_count, said_capacity;
  char **files; /* that the model was read from */
  size_t file_count;
  char **published; /* URIs of other files, of which something was said */
  size_t published_count;
};
/* Of a place of psl in the text of the document. */
struct position document_position(const struct document *document, unsigned line, unsigned column);
struct server {
  struct psl_options options;
  struct transport transport;
  struct document *documents;
  enum encoding encoding;
  char **roots; /* folders of the workspace */
  size_t root_count;
  bool initialized, shut_down, exited;
  bool snippets, resolves_edits; /* what the client can do */
  struct child *children;        /* programs that run for it */
  volatile int interrupted;
};
struct document *document_find(struct server *server, const char *uri);
struct document *document_of_path(struct server *server, const char *path);
struct document *document_open(struct server *server, const char *uri, json_int_t version, char *data, size_t size);
void document_close(struct document *document);
/* Changes it as the protocol says; false: it says nothing sensible. */
bool document_change(struct document *document, json_t *changes);
char *uri_path(const char *uri); /* without links; of what is no file the URI itself */
char *path_uri(const char *path);
char *file_uri(struct server *server, const char *path); /* as the client calls it, where it has opened it */
/* The text of a file, that of a document where it is open, else what is on the disk, which *own then keeps; NULL: there
 * is none. */
const struct text *text_of_path(struct server *server, const char *path, struct text *own);

/* ---- analysis.c ---- */
/* The handle that has read the document as it is now. */
struct psl *document_model(struct document *document);
struct psl *handle_open(struct document *document); /* what it says belongs to the document */
/* What has been said in the order of places, so that it is the same before and after it is published. */
void document_sort_said(struct document *d);
json_t *diagnosed_json(struct document *document, const struct diagnosed *said);
enum psl_code document_matches(struct document *document, const struct psl_match **matches, size_t *count);
/* Those of another handle; given up when it takes too long, and where nobody waits for it, when input comes. */
enum psl_code matches_in_time(struct document *document, struct psl *psl, bool wanted, const struct psl_match **matches,
                              size_t *count);
/* Of the document, its model is read anew when it is asked for: and those of all that use it. */
void document_touch(struct document *document);
void documents_touch(struct server *server); /* a file has come or gone */
/* Publishes what is to be said, while no input waits. */
void documents_publish(struct server *server);
void document_unpublish(struct document *document);

/* ---- requests: each answers with a result that is given away; NULL: see *error ---- */
struct failure {
  int code; /* 0: none */
  char message[300];
};
typedef json_t *request_answer(struct server *server, json_t *params, struct failure *failure);
/* The same for what may be long; nothing written: the result is null. */
struct written;
typedef void request_written(struct server *server, json_t *params, struct written *out, struct failure *failure);
json_t *fail(struct failure *failure, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
enum {
  PARSE_ERROR = -32700,
  INVALID_REQUEST = -32600,
  METHOD_NOT_FOUND = -32601,
  INVALID_PARAMS = -32602,
  NOT_INITIALIZED = -32002,
  REQUEST_FAILED = -32803,
  REQUEST_CANCELLED = -32800,
};
/* The document that the params name; NULL after a failure. */
struct document *params_document(struct server *server, json_t *params, struct failure *failure);
/* And the place in it. */
struct document *params_place(struct server *server, json_t *params, unsigned *line, unsigned *column,
                              struct failure *failure);
json_t *location_of(struct server *server, const struct psl_place *place); /* NULL: its text is not there */
/* The range of a place in a text. */
json_t *range_of(const struct text *text, enum encoding encoding, const struct psl_place *place);

request_answer answer_hover, answer_definition, answer_completion, answer_resolve, answer_workspace_symbols,
    answer_formatting, answer_references, answer_highlight, answer_prepare_rename, answer_rename, answer_signature,
    answer_actions, answer_draw, answer_fields, answer_palette, answer_modes;
request_written write_symbols, write_tokens, write_hints, write_folds, write_lenses;
json_t *token_legend(void); /* of write_tokens */

/* ---- written.c ---- */
struct written {
  struct chars text;
  bool follows; /* a value stands before what comes next */
};
void written_open(struct written *w, char bracket); /* [ or { */
void written_close(struct written *w, char bracket);
void written_member(struct written *w, const char *name); /* its value is written next */
void written_number(struct written *w, json_int_t number);
void written_string(struct written *w, const char *text);
void written_position(struct written *w, const char *name, struct position position);
void written_range(struct written *w, const char *name, const struct document *d, const struct psl_place *place);

/* ---- outlines.c ---- */
/* Calls back for each file of a model in the folders of the workspace. */
void workspace_files(struct server *server, void (*visit)(void *user, const char *path), void *user);

/* ---- runs.c ---- */
json_t *run_commands(void);
/* Answered when the program has ended, but where it fails to start. */
void run_request(struct server *server, json_t *id, json_t *params, struct failure *failure);
bool run_cancel(struct server *server, json_t *id); /* false: none runs for that request */
void runs_wait(struct server *server);              /* for input, or the end of one */
void runs_end(struct server *server);
#endif
