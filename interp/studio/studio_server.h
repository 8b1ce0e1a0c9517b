/* What the files of the studio share.  All memory is from malloc; where there is none the program ends, and says so. */
#ifndef PSL_STUDIO_SERVER_H
#define PSL_STUDIO_SERVER_H
#include "interp/lsp/server.h"
#include "interp/studio/slice_windows.h"
#include "interp/studio/studio.h"
#include <pthread.h>
#include <sys/types.h>

enum { SECRET = 32, LARGEST_BODY = 16 << 20 }; /* letters of a token; bytes of a request */

struct studio {
  const struct studio_options *options;
  int folder;                 /* the descriptor of the folder that is served */
  char *folder_path;          /* without links */
  char **include, **readable; /* the folders of the options, as programs elsewhere name them; ended by NULL */
  char *first;                /* the model that is shown first, in the folder; NULL: none is */
  char token[SECRET + 1];     /* who has it is the page */
  char hosts[2][32];          /* as requests name this server: 127.0.0.1:PORT, localhost:PORT */
  char scratch[1000];         /* a folder for what programs write; "": not made yet */
  mode_t mask;                /* of the permissions of new files: threads cannot ask for it */
  pthread_mutex_t lock;       /* of all that is below */
  pthread_cond_t changed;     /* something is there for who waits */
  bool stopping;              /* who waits, or runs, comes to an end */
  struct editor *editors;     /* language servers, one for each page */
  struct job *jobs;           /* runs and studies, the newest first */
  unsigned last_number;       /* of editors and jobs */
};

/* Why a request is not done: the status of HTTP, and a text for people. */
struct refusal {
  unsigned status; /* 0: it is done */
  char text[1000];
};
json_t *decline(struct refusal *refusal, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What a request of the page is answered by, which is given away; NULL: see *refusal. */
typedef json_t *api_answer(struct studio *studio, json_t *params, struct refusal *refusal);
/* The same of an answer in bytes that are no JSON, which go to *bytes; false: see *refusal. */
typedef bool api_bytes(struct studio *studio, json_t *params, struct chars *bytes, struct refusal *refusal);
/* A text of the params; NULL after a refusal. */
const char *param_text(json_t *params, const char *name, struct refusal *refusal);
void secret_make(char secret[SECRET + 1]);
/* Waits for a change, for so many milliseconds at most; the lock is held. False: the time is over. */
bool studio_wait(struct studio *studio, int milliseconds);

/* ---- assets.c: what is served by its name ---- */
struct asset {
  const char *address, *type;
  const char *text;
  size_t size;
};
const struct asset *asset_find(const char *address); /* NULL: there is none */
bool assets_have_editor(void);                       /* was the program built with CodeMirror? */
/* A page with a nonce, of SECRET letters, in the place of the letters that stand for it; it is to be freed. */
#define NONCE_PLACE "00000000000000000000000000000000"
char *asset_page(const struct asset *asset, const char *nonce);

/* ---- studio_folder.c: the files of the folder, and no others ---- */
api_answer answer_files, answer_read, answer_write;
/* Is it the name of a model in the folder, as the page may write it? False after a refusal. */
bool name_sound(const char *name, struct refusal *refusal);
/* The folder that a file is in, opened without following links, and its last name; -1 after a refusal, of a file that
 * is a link, too. */
int folder_of(const struct studio *studio, const char *name, const char **last, struct refusal *refusal);
/* The same of a database of studies. */
int folder_of_database(const struct studio *studio, const char *name, const char **last, struct refusal *refusal);
bool database_named(const char *name); /* does the name end in .db? */

/* ---- child_programs.c: psl's own commands ---- */
struct words {
  const struct studio *studio;
  const char **items; /* ended by NULL */
  size_t count;
  char sizes[32];
};
void word_add(struct words *words, const char *word);
void words_begin(struct words *words, const struct studio *studio, const char *command);
void words_drop(struct words *words);
/* Starts psl by the words in a folder (its descriptor); what it reads and writes are descriptors. -1: it does not.
 * Where the path of a terminal is given, errors go there: the program ends when its other side is closed, in whatever
 * way the studio may come to its end. */
pid_t program_start(const struct words *words, int folder, int input, int output, int errors, const char *terminal);
int program_end(pid_t process); /* waits for its end: its exit status, 128 and more for a signal */
/* Runs psl to its end with a text as its input; false after a refusal, of what it has said or that it took too long. */
bool program_perform(const struct words *words, int folder, const char *input, size_t size, struct chars *output,
                     struct refusal *refusal);
/* The name of a system or a study, which stands among the words; false after a refusal. */
bool word_sound(const char *name, struct refusal *refusal);
api_answer answer_graph, answer_params, answer_explain, answer_studies;

/* The same, with what it says on standard error behind what it writes, whatever it ends with; false after a refusal. */
bool program_say(const struct words *words, int folder, const char *input, size_t size, struct chars *output,
                 struct refusal *refusal);

/* ---- diagrams.c: activity diagrams ---- */
bool diagram_named(const char *name); /* does the name end in .uml or .xmi? */
bool trace_named(const char *name);   /* ... in .prv, .trace or .tit? */
api_answer answer_diagram, answer_toolbar;

/* ---- jobs.c: runs and studies, which take as long as they take ---- */
struct settings {
  char **items; /* NAME=VALUE */
  size_t count;
};
/* Params with texts, as the page gives them; false after a refusal. */
bool settings_take(struct settings *to, json_t *settings, struct refusal *refusal);
void settings_add(const struct settings *settings, const char *option, struct words *words);
void settings_drop(struct settings *settings);
api_answer answer_run, answer_job, answer_stop, answer_points;
/* A page that a job has written, with its type; it lives as long as *copy, which is to be freed. */
const char *page_find(struct studio *studio, const char *secret, const char **type, size_t *size, char **copy);
void jobs_end(struct studio *studio);
/* The database of a study that runs, or has run: its name, and the folder that it is in; -1 after a refusal. */
int job_database(struct studio *studio, json_t *params, struct chars *name, struct refusal *refusal);
/* What each process of a run did, which the caller drops; NULL after a refusal. */
struct slices *job_slices(struct studio *studio, json_t *params, struct refusal *refusal);
/* What a run was made of: its model, if that is as it was, since others may use it by its name; else what was kept. */
struct run_copy {
  int place;           /* the folder that the text is in */
  char *text, *folder; /* its name there; the folder of the model, whose other files it may use */
  char *system;        /* NULL: its own */
  char **settings;     /* NAME=VALUE */
  size_t setting_count;
};
bool run_copy_take(struct studio *studio, json_t *params, struct run_copy *copy, struct refusal *refusal);
void run_copy_drop(struct run_copy *copy); /* zero is fine */

/* ---- timelines.c: what each process of a run did when, and why ---- */
api_answer answer_timeline, answer_times, answer_slice, answer_why;
api_bytes bytes_picture;

/* ---- editors.c: language servers ---- */
api_answer answer_editor, answer_tell, answer_hear, answer_leave;
void editors_stop(struct studio *studio); /* kills them, so that nobody waits for one */
void editors_end(struct studio *studio);
#endif
