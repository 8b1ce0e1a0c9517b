/* PSL, the POEMS Specification Language, as a library: load a model, set its params, run a system
 * of it, read the prediction.
 *
 *   struct psl *psl = psl_open(NULL);
 *   const struct psl_results *results;
 *   if (psl_load_file(psl, "model.psl") == PSL_OK && psl_set(psl, "px", "4") == PSL_OK &&
 *       psl_run(psl, NULL, NULL, &results) == PSL_OK)
 *     printf("%g %s\n", results->makespan.value, results->makespan.unit);
 *   psl_close(psl);
 *
 * Ownership. A `struct psl *` is the caller's from psl_open to psl_close and owns all that it hands out:
 * strings, params, results. What is handed out is constant and lives until the call named beside it.
 * Everything the caller passes in is copied or used before the call returns.
 *
 * Errors. A function that can fail returns an enum psl_code; what is wrong has then been said to
 * the diagnostic callback. Nothing here ends or aborts the program: lack of memory is PSL_MEMORY, and the
 * handle stays good for psl_load_file or psl_close.
 *
 * Threads. There is no global state. A handle is used by one thread at a time; two handles by two threads at
 * once are fine. An entry does its work on a thread of its own, which has a big stack, and returns when that
 * has ended: callbacks are called on that thread, never two at once, and must not call the handle they are
 * called for. */
#ifndef PSL_H
#define PSL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined __GNUC__
#define PSL_API __attribute__((visibility("default")))
#else
#define PSL_API
#endif

struct psl;

enum psl_code {
  PSL_OK,
  PSL_WRONG,       /* the model is wrong, a file, or a value that is given; diagnostics say what */
  PSL_STOPPED,     /* a run did not reach its end, an assertion failed: there are results as far as it came */
  PSL_MEMORY,      /* no memory, or the limit of the options was reached; the model is unloaded */
  PSL_INTERRUPTED, /* options.interrupted before there was any result; the model is unloaded */
  PSL_MISUSE, /* called out of order (no model loaded); an option that is out of its range or cannot be read, or names
                    * what is not there: a param, a system */
};

PSL_API const char *psl_version(void); /* "0.1.0" */
/* The best of the candidates for a misspelt word, the first of equals; NULL: none is near. */
PSL_API const char *psl_nearest(const char *word, const char *const *candidates, size_t count);
/* What to write at a prompt in place of a command of another one, as in "'study --vary n=4..6' runs the points" for
 * "sweep"; NULL: nothing is known of it. */
PSL_API const char *psl_advice(const char *word);

struct psl_word {
  const char *text;           /* while, call-return, firing rule */
  bool reserved;              /* no name can be one; others are words in their places alone */
  const char *form, *meaning; /* how it is written, and a line on it */
};
/* The words of the language, in the order of the alphabet; false: there are not so many. */
PSL_API bool psl_word(size_t number, struct psl_word *word);

/* ---- diagnostics ---- */

enum psl_severity { PSL_ERROR, PSL_WARNING, PSL_NOTE, PSL_HELP };
enum psl_diagnostic_format { PSL_FULL, PSL_SHORT, PSL_JSON_LINES };

struct psl_place {
  const char *file;              /* NULL: no place in a text (the next four are 0) */
  unsigned line, column;         /* from 1; columns count characters */
  unsigned end_line, end_column; /* just behind the last character */
};
struct psl_note {
  enum psl_severity severity; /* PSL_NOTE or PSL_HELP */
  struct psl_place place;
  const char *message;
  struct psl_place replaced; /* of help that says what was meant: what stands there... */
  const char *replacement;   /* ... gives way to this; NULL: it says something else */
};
struct psl_diagnostic {
  enum psl_severity severity;
  struct psl_place place;
  const char *message;
  const struct psl_note *notes;
  size_t note_count;
  const char *text; /* all of it as options.diagnostic_format says, with a line feed at the end */
};
/* All of a diagnostic lives for the call only. */
typedef void psl_diagnostic_callback(void *user, const struct psl_diagnostic *diagnostic);
/* Asked before a file is read for a model, or as measurements. Not NULL: why it must not be, which is then said where
 * the file is named. */
typedef const char *psl_read_callback(void *user, const char *path);
/* Asked what stands in a file, by its whole path without links, before it is read for a model. NULL: what is on the
 * disk, else a text which has not been saved there and which lives till the next call with the handle. */
typedef const char *psl_unsaved_callback(void *user, const char *path, size_t *size);

/* ---- a handle ---- */

struct psl_options {                   /* zero is a good value for each */
  psl_diagnostic_callback *diagnostic; /* NULL: they are counted only */
  psl_read_callback *read;             /* NULL: any file may be */
  psl_unsaved_callback *unsaved;       /* NULL: all files are as they are on the disk */
  void *user;
  enum psl_diagnostic_format diagnostic_format;
  bool diagnostic_color;       /* ANSI colours in `text` */
  unsigned diagnostic_columns; /* of the terminal, at which lines of `text` are broken between words; 0: none */
  unsigned max_errors;         /* after so many of one call the rest is counted only; 0: 20 */
  size_t max_memory;           /* bytes; 0: no limit */
  const char *const *folders;  /* searched by `use NAME`, after the using file's own folder */
  size_t folder_count;
  bool no_library;             /* the standard library is not loaded */
  const char *setting_name;    /* stands before the param's name where the text of a setting is wrong; NULL: --set */
  const char *const *commands; /* commands that the caller of a session has, with a colon before those that are
                                * written so, ended by NULL: where one is an unknown name, it is said how it is
                                * written; lives as long as the handle; may be NULL */
  bool verbose;                /* psl_check says what it cannot prove, and why */
  /* Models may load libraries of C (`extern`, evaluators of their own). Such code can do whatever the program
   * can; without this none is loaded, nor looked for, and a call of it is an error of the model. */
  bool allow_native;
  /* A model reads files of the folders of the files that it is loaded from, and of `folders` and the standard
   * library; what is hidden there (.git/config) it does not, nor what a link there names outside of them. These it
   * reads, too. */
  const char *const *readable;
  size_t readable_count;
  const char *alias, *alias_path; /* the name by which models read this file, wherever it is; NULL: none */
  const char *database;           /* that psl_complete_model looks in; lives as long as the handle; NULL: none */
  bool search;                    /* it does so for models that do not say `use from database`, too */
  volatile int *interrupted; /* set to 1 by who wants an end, such as a handler of signals: soon the call in hand comes
                              * to it, with what there is so far, and sets it to 2 when it has seen it; may be NULL */
};
/* Says something of the caller's own, about no text, in the way of the library: to options->diagnostic, in the format
 * that the options want. `help` may be NULL. */
PSL_API void psl_say(const struct psl_options *options, enum psl_severity severity, const char *message,
                     const char *help);
/* The path of a file that is installed beside psl's modules, to be freed; NULL: it is not there. */
PSL_API char *psl_module(const char *name);
/* NULL only if there is no memory; `options` may be NULL. */
PSL_API struct psl *psl_open(const struct psl_options *options);
PSL_API void psl_close(struct psl *psl); /* and all that it owns; NULL is fine */
/* options.allow_native for the models that are loaded from now on. */
PSL_API void psl_allow_native(struct psl *psl, bool allow);
/* Adds one to options.readable, for what is read from now on. */
PSL_API enum psl_code psl_allow_read(struct psl *psl, const char *folder);
/* The function of C that the calling thread is in through `extern`; NULL: none. May be called by a handler of
 * signals, to say what has crashed. */
PSL_API const char *psl_native(void);
/* Errors and warnings said since psl_open. */
PSL_API unsigned psl_errors(const struct psl *psl);
PSL_API unsigned psl_warnings(const struct psl *psl);
/* Bytes held at most since psl_open. */
PSL_API size_t psl_peak_memory(const struct psl *psl);

/* ---- a model ---- */

/* Reads a model with all that it uses and checks it: names, types, dimensions. Takes the place of the model
 * loaded before. `path` "-" is standard input. */
PSL_API enum psl_code psl_load_file(struct psl *psl, const char *path);
/* The same for a text; `name` stands for the file's in diagnostics. */
PSL_API enum psl_code psl_load_text(struct psl *psl, const char *name, const char *text, size_t size);
/* The same for all that the library has, so that psl_help knows its names. */
PSL_API enum psl_code psl_load_library(struct psl *psl);

struct psl_quantity {
  double value;
  const char *unit; /* SI base units: s, byte, byte/s, ...; "" for a number */
};
struct psl_param {
  const char *name;       /* as --set takes it: `px`, or `file.px` where two files have one */
  const char *type;       /* int, time, time/data, term, [int], ... */
  const char *value;      /* as PSL writes it, its unit with it: the default or what was set */
  double number;          /* that, in base units; NaN where it is no single number or fails */
  const char *unit;       /* of `number`; NULL: none */
  const char *expression; /* what the value is computed by; NULL: it is written as it is */
  const char *range;      /* what `in` says; NULL: none */
  const char *doc;        /* NULL: none */
  const char *file;       /* that declares it */
  unsigned line;
  bool set;
};
/* The model's params in the order of files and declarations. They live until the next call with this handle
 * that loads, sets or runs. */
PSL_API enum psl_code psl_params(struct psl *psl, const struct psl_param **params, size_t *count);
enum psl_effect {
  PSL_EFFECT_NONE,   /* nothing that the system runs reads the param */
  PSL_EFFECT_CHECK,  /* assertions and ranges of params alone do: they can refuse a value */
  PSL_EFFECT_RESULT, /* it can change what a run gives */
};
/* What each of the params of psl_params can do to the result of the system, as long as the others keep their values.
 * system NULL: that of the model, NULL in *effects where it has not just one, or the params are not good for a run.
 * They live as long as the params. */
PSL_API enum psl_code psl_effects(struct psl *psl, const char *system, const enum psl_effect **effects);
/* Gives a param a value, an expression of PSL: "4", "1.5 us", "analysis[LogGP]", "[1, 2]". The value is
 * checked against its type now, against its range and the model's assertions by psl_check and psl_run. */
PSL_API enum psl_code psl_set(struct psl *psl, const char *name, const char *expression);
/* The same by a line of a file, `NAME = VALUE`, the file and the number of which diagnostics name. */
PSL_API enum psl_code psl_set_line(struct psl *psl, const char *file, unsigned number, const char *text);
/* Computes params and lets, tests ranges and assertions, and proves of each system of the file, for all
 * values of the params, that every instance is given what it waits for. Networks are solved where an analysis is to do
 * so. */
PSL_API enum psl_code psl_check(struct psl *psl);
/* Computes what the first 100 studies of the file vary over, and warns of points that cannot be run: where a param is
 * outside of its range, or an assertion of the model does not hold. After psl_check. */
PSL_API enum psl_code psl_check_studies(struct psl *psl);
/* Names of the systems of the file that was loaded, then of those that it uses; live until the next load. */
PSL_API enum psl_code psl_systems(struct psl *psl, const char *const **names, size_t *count);

/* What psl_set has given a param, or NULL; it lives until the next call with this handle. */
PSL_API enum psl_code psl_setting(struct psl *psl, const char *name, const char **expression);
/* Is the param's value within its range, and one that what asks for no other param takes: an assertion of it alone, the
 * networks that it says the solver of? PSL_WRONG after a diagnostic. */
PSL_API enum psl_code psl_check_param(struct psl *psl, const char *name);
/* Takes it back. */
PSL_API enum psl_code psl_unset(struct psl *psl, const char *name);

/* ---- a session ----
 *
 * A model may also come piece by piece: declarations one after another, in an empty handle or on top of a model that
 * was loaded, with questions and runs between them. A declaration replaces the one that the session has of its name
 * (a model's own files belong to it, what they use does not), and what depends on it is checked again; if something
 * is then wrong, that is said, and the model stays as it was. When it is lost a session's model is made again by the
 * next call that wants it. */

/* Declarations; `name` and `line` say in diagnostics where the text stands: the file, or what stands for it, and the
 * number of the text's first line (from 1). Results of runs are dropped. `last.…` is taken as of now. */
PSL_API enum psl_code psl_declare(struct psl *psl, const char *name, unsigned line, const char *text, size_t size);
/* Loads a file beneath what was declared, in place of one loaded before. */
PSL_API enum psl_code psl_open_file(struct psl *psl, const char *path);
/* Reads all files again: till then changes on disk are not seen. */
PSL_API enum psl_code psl_reload(struct psl *psl);
/* Empties the session: nothing is loaded, declared or set. */
PSL_API enum psl_code psl_clear(struct psl *psl);

struct psl_answer {
  const char *text;  /* for people: 2.003 ms, in the unit that was asked for or one that reads well */
  const char *exact; /* as PSL writes it, all digits in base units: 0.002003 s */
  const char *type;  /* int, time, [data], term, ... */
  bool is_number;    /* an int, a real, a quantity: its value in base units */
  struct psl_quantity quantity;
  bool names_last; /* it depends on the last run, or on the last answer */
};
/* The value of an expression over params, lets, functions and `last`, the results of the last psl_run: a record of
 * makespan, messages, bytes, firings, compute, communicate, wait, and what was recorded, by its name, each
 * component and each figure, as in `last.disk-drive.wait`. `EXPR -> UNIT` gives it in that unit. `line` is the text's
 * first one; 0: that is put there by the caller. The answer lives until the next call with this handle. */
PSL_API enum psl_code psl_evaluate(struct psl *psl, const char *name, unsigned line, const char *text, size_t size,
                                   const struct psl_answer **answer);

/* Takes a piece of text; not 0 stops the writing, which is no error here. */
typedef int psl_write(void *user, const char *text, size_t size);
/* Writes the results of the last run, a line a figure: `last.worker.wait = 2 s`. of: those of `worker` alone, as it
 * says; "": all. */
PSL_API enum psl_code psl_last(struct psl *psl, const char *of, psl_write *write, void *user);

/* What `ans` stands for from now on: the answer's `exact`. */
PSL_API enum psl_code psl_set_answer(struct psl *psl, const char *expression);

/* Sets a mark before a change of the session: what is declared, loaded or set behind it can be taken back. `what` is
 * for people. The last 100 marks count. */
PSL_API enum psl_code psl_mark(struct psl *psl, const char *what);
/* Returns to the newest mark behind which the session has changed. *what, which lives until the next call with this
 * handle, is that mark's; NULL: there is none. */
PSL_API enum psl_code psl_undo(struct psl *psl, const char **what);
/* Makes again what psl_undo took back last, where the session is still as that left it. *what is as there. */
PSL_API enum psl_code psl_redo(struct psl *psl, const char **what);

enum psl_input_kind {
  PSL_INPUT_NOTHING,      /* blanks and comments */
  PSL_INPUT_DECLARATIONS, /* one or several, to the end of a line: for psl_declare */
  PSL_INPUT_EXPRESSION,   /* for psl_evaluate */
  PSL_INPUT_MORE,         /* it goes on in the next line */
};
struct psl_input {
  enum psl_input_kind kind;
  size_t size;          /* bytes that the piece takes of the text; MORE: all */
  bool declares;        /* MORE: declarations, not an expression */
  bool ends;            /* MORE: what there is could be all of it */
  bool lacks_semicolon; /* MORE: it could with a `;` put behind it */
  bool open;            /* MORE: brackets or a comment are open */
  bool parts;           /* MORE: clauses of a component without a name, which have no end of their own */
  bool wrong;           /* MORE: an error has been met inside brackets that are still open */
};
/* What the first piece of a text is, and where it ends. What is wrong with it is for psl_declare and psl_evaluate to
 * say: it then ends where the text does, or the brackets that are open. */
PSL_API enum psl_code psl_next_input(struct psl *psl, const char *text, size_t size, struct psl_input *input);

/* What a name stands for. */
enum psl_name_kind {
  PSL_NAME_FILE,
  PSL_NAME_PARAM,
  PSL_NAME_LET,
  PSL_NAME_VAR,
  PSL_NAME_LOCAL, /* of a body or a function: a let, a parameter, what `for` and sums count by */
  PSL_NAME_INDEX,
  PSL_NAME_FUNCTION, /* of PSL, of C, of an evaluator, or built in */
  PSL_NAME_EVALUATOR,
  PSL_NAME_UNIT,
  PSL_NAME_TYPE,
  PSL_NAME_DOMAIN,
  PSL_NAME_ATTRIBUTE,
  PSL_NAME_TERM,
  PSL_NAME_TRANSACTION,
  PSL_NAME_COMPONENT,
  PSL_NAME_SYSTEM,
  PSL_NAME_REQUEST, /* the label of one */
  PSL_NAME_STUDY,
  PSL_NAME_RECORD, /* what a body records, what a study reports */
  PSL_NAME_FIELD,  /* of a record; a parameter of a transaction */
  PSL_NAME_WORD,   /* of the language */
  PSL_NAME_PROTOCOL,
};
struct psl_completion {
  size_t begin; /* of the word in the line; bytes */
  const char *const *words;
  const enum psl_name_kind *kinds; /* of each */
  size_t count;
};
/* What could stand where the cursor is in a line: names, fields, units, attributes, files for `use`. It lives until
 * the next call with this handle. */
PSL_API enum psl_code psl_complete(struct psl *psl, const char *line, size_t cursor,
                                   const struct psl_completion **completion);
/* The values that a param of words may have, as PSL writes them: those that its declaration lists, or that components
 * offer to whoever asks by it, as machines do; none where it may have any. They live until the next call. */
PSL_API enum psl_code psl_choices(struct psl *psl, const char *param, const char *const **values, size_t *count);
/* Writes what is known of a name: declarations with their documentation, units, built-in functions, evaluators,
 * attributes, files of the library. Where nothing is, that is fine if it may be; else what a word of other languages
 * and simulators is in PSL is written, or where the manuals have the words, and that there is neither is an error. */
PSL_API enum psl_code psl_help(struct psl *psl, const char *name, bool optional, psl_write *write, void *user);
/* Writes the declaration of that name as the session has it, with its documentation. */
PSL_API enum psl_code psl_declaration(struct psl *psl, const char *name, psl_write *write, void *user);
/* The session as one text: what is declared, as it holds now, with what is set as defaults. Settings of params of
 * used files stand in it as comments of the form `// :set NAME = VALUE`, which psl_open_file heeds. `folder` is where
 * the text is to stand: files are named as seen from there. */
PSL_API enum psl_code psl_session_text(struct psl *psl, const char *folder, psl_write *write, void *user);

/* ---- editors ----
 *
 * What an editor asks about texts while they are written. The answers are of the model that psl_edit_file has read
 * last, also where it is wrong, as far as it could be read. Files are named by paths: as the model names them, or
 * without links. What is handed out lives until the next call with the handle. */

/* Reads a model as psl_load_file does. PSL_WRONG: something is wrong with it, which has been said; other calls than
 * those below want one that is right. */
PSL_API enum psl_code psl_edit_file(struct psl *psl, const char *path);
/* The files that the model was read from, without links in their paths; the one that was asked for is the first. */
PSL_API enum psl_code psl_files(struct psl *psl, const char *const **paths, size_t *count);

struct psl_name {
  const char *name;
  enum psl_name_kind kind;
  struct psl_place place;    /* where it stands */
  struct psl_place declared; /* file NULL: in no text, since it is built in or needs no declaration */
  bool declares;             /* it is declared where it stands */
  bool assigned;             /* a statement gives it a value there */
  bool library;              /* it is PSL's own: built in, or of its library */
};
/* All names of a file, in the order of its text; file NULL: of all files of the model but PSL's library. */
PSL_API enum psl_code psl_names(struct psl *psl, const char *file, const struct psl_name **names, size_t *count);
/* The name at a place, or right before it; NULL: there is none. */
PSL_API enum psl_code psl_name_at(struct psl *psl, const char *file, unsigned line, unsigned column,
                                  const struct psl_name **name);
/* Writes what is known of the name at a place: what psl_help writes, or the type of what is known there alone. *place
 * is the name's; file NULL: there is none, and nothing is written. */
PSL_API enum psl_code psl_describe(struct psl *psl, const char *file, unsigned line, unsigned column,
                                   struct psl_place *place, psl_write *write, void *user);

/* What psl_help writes of a name, if there is anything. */
PSL_API enum psl_code psl_describe_name(struct psl *psl, const char *name, psl_write *write, void *user);

struct psl_outlined {
  const char *name, *detail; /* detail: "like disk", "" */
  enum psl_name_kind kind;
  struct psl_place place, name_place;
  struct psl_place
      value_place;     /* of a param, let or var what it is given, of a request its selector; file NULL: none */
  const char *profile; /* of a component: the selector that asks for all of its first profile, of a transaction that is
                          accepted: of its own; NULL: not known */
  const char *accepts; /* and the transaction that it accepts there, as it is written; NULL: not known */
  struct psl_place body_place; /* of a component: its own first body; file NULL: none */
  int requests_last;           /* of a component or system: its requests end it */
  unsigned depth;
};
/* What a file declares, also where it has errors: each thing before what is in it, which is one deeper. */
PSL_API enum psl_code psl_outline(struct psl *psl, const char *file, const struct psl_outlined **items, size_t *count);

enum psl_field_kind {
  PSL_FIELD_VALUE,
  PSL_FIELD_ATTRIBUTE, /* of a profile or a selector */
  PSL_FIELD_SET,       /* of the indices of a component's instances */
  PSL_FIELD_GIVEN      /* what stands between the parentheses of a call or a request, maybe nothing */
};
struct psl_field {
  const char *part, *label; /* "request store", "node type" */
  enum psl_field_kind kind;
  struct psl_place place;
  struct psl_place whole; /* the statement or the request that it is of, else the place */
  const char *calls;      /* of a statement that is but a call: what it calls; else NULL */
  const char *requested;  /* of a request: its transaction; else NULL */
  unsigned request;       /* and which of those of its component, from 1 on; else 0 */
};
/* The values that stand in the text of a component or a system, which a form could show, in the order of the text. One
 * that is in another has the names of those that it is in before its own: office.clerk. */
PSL_API enum psl_code psl_fields(struct psl *psl, const char *file, const char *component,
                                 const struct psl_field **fields, size_t *count);

struct psl_fold {
  struct psl_place place;
  bool comment;
};
/* Parts of a file that take several lines: declarations, blocks, comments. */
PSL_API enum psl_code psl_folds(struct psl *psl, const char *file, const struct psl_fold **folds, size_t *count);

/* What could stand where a word is written in a file. `begin` of the completion counts characters of the line. */
PSL_API enum psl_code psl_complete_at(struct psl *psl, const char *file, unsigned line, unsigned column,
                                      const struct psl_completion **completion);

struct psl_signature {
  const char *label, *doc; /* solve(part : time); doc: NULL: none */
  struct psl_signature_part {
    size_t begin, end; /* of a parameter, in the label; characters */
  } * parts;
  size_t count, active; /* active: the parameter that is written; count: none of them */
};
/* What the call takes in whose parentheses a place is; NULL: it is in none. */
PSL_API enum psl_code psl_signature_at(struct psl *psl, const char *file, unsigned line, unsigned column,
                                       const struct psl_signature **signature);

struct psl_hint {
  unsigned line, column;
  const char *text; /* ": time" */
};
/* Types of what a file declares without one, by the places where they could stand. */
PSL_API enum psl_code psl_hints(struct psl *psl, const char *file, const struct psl_hint **hints, size_t *count);

struct psl_match {
  struct psl_place place; /* of the request's label, or where it begins */
  const char *text;       /* "goes to disk (4 instances)" */
};
/* Where the requests of a file go, for the params as they are, in the systems of the files that were asked for. Of a
 * model that is wrong, nothing. */
PSL_API enum psl_code psl_matches(struct psl *psl, const char *file, const struct psl_match **matches, size_t *count);

/* ---- a run ---- */

/* How far a run has come. */
#define PSL_RUN_PARTS 3
struct psl_run_progress {
  double seconds;    /* of simulated time that lie behind */
  uint64_t events;   /* holds, sends and receives */
  size_t part_count; /* components in whose bodies the most time has been spent so far, the first one first */
  struct psl_run_part {
    const char *component;
    double share; /* of all time of processes */
  } parts[PSL_RUN_PARTS];
};
/* It must not use the handle. */
typedef void psl_run_told(void *user, const struct psl_run_progress *progress);
#define PSL_CAUSES 10000000 /* 1 GB of memory where all are there */
struct psl_peers;           /* psl_ranks_peers */
struct psl_run_options {    /* zero is a good value for each */
  bool reference;           /* walk the syntax tree in place of compiled code: slow, the same results */
  bool deny_lossy;          /* a coercion that loses something is an error */
  bool trace;               /* keep what psl_write_trace and psl_write_timeline need */
  size_t trace_processes;   /* of so many processes at most, or about; 0: of all (up to 20 million stretches) */
  /* Keep what psl_write_why needs, for up to so many processes, stretches of their time and causes, of each; a run that
   * has more is stopped. 0: keep nothing. It is made as under `reference`, on one processor. */
  size_t causes;
  bool profile;          /* find where this computer's time goes: host_times of the results */
  bool levels;           /* keep what psl_plot_levels needs: */
  const char *levels_of; /* of a component, or an instance of it, tank[2]; NULL: of all */
  uint64_t max_firings;  /* where it comes the run has not reached its end, PSL_STOPPED; 0: no limit */
  double max_time;       /* s of simulated time, an end as good as another, PSL_OK; 0: no limit */
  double warm_up;        /* s: what happens before does not count in figures; 0: as the system says */
  uint64_t seed;
  size_t threads;          /* processors to simulate on at once, at most, where what runs has no order between them;
                            * 0: one */
  size_t partition_ranks;  /* that each of these simulates at least: fewer take longer than with one; 0: 64 */
  struct psl_peers *peers; /* which make the first run, too, in the place of `threads`; NULL: there are none */
  /* Called soon after `tell` has become 1, which then is 0 again; also a handler of signals may set it. A run on
   * several processors tells nothing. NULL: nobody is told. */
  psl_run_told *told;
  void *told_user;
  volatile int *tell;
  /* Is given the tasks and edges of task graphs that are walked, as lines, see psl-task-graph(7); NULL: nobody is. */
  psl_write *tasks;
  void *tasks_user;
  /* Params, by name alone, whose values the report says even where they are those by default; ended by NULL. NULL:
   * none. */
  const char *const *named;
};

struct psl_share { /* s; NaN: not known */
  double compute, communicate, wait;
  double communication; /* `communicate` and what is waited for messages */
  /* Parts of `wait`; the rest is for servers, rules and what else there is. NaN: nothing that ran tells of it. */
  double late_sender, late_receiver, collective, transfer, contention; /* for a message */
  double starved, blocked; /* to get what nobody has put, and to put where there is no room */
};
struct psl_process { /* an instance on a clock of its own: a rank, a task */
  const char *name;  /* rank[2, 3] */
  struct psl_share share;
  double end; /* s: its clock at its end */
};
struct psl_component {
  const char *name;
  uint64_t firings;
  struct psl_share share; /* of all its instances together */
  uint64_t servers;       /* of all its instances, where they serve one after another and call nobody; 0: none */
  uint64_t left;          /* calls that gave up, or were given up, before they had a server or their rule held: */
  double left_wait;       /* no firings, and how long all of them waited is part of the wait, s */
  const char *only;       /* its instance, where it has indices and but one: desk[0]; else NULL */
};
struct psl_facility { /* the servers of a component's accepts, by calls that have ended; NaN: none has */
  const char *component;
  const char *instance; /* whose they are: desk[2]; NULL: of all together */
  const char *class;    /* of who calls: the parameter of that name, or the attribute; NULL: all callers together */
  double servers;       /* of the instances that were asked; where rates are stated, the greatest work a second */
  uint64_t served, left;
  double throughput;                 /* served in a second */
  double utilisation;                /* part of the servers' time that is taken */
  double waiting, service, response; /* of those who were served, on the mean, s */
  double left_after;                 /* how long those were there who left, on the mean, s */
  double queue;                      /* how many are there, waiting and served, on the mean over time */
};
struct psl_quantile { /* of what was recorded a part of 0 .. 1 is not greater than the value, within 0.4 % of it */
  const char *name;   /* p95, p99_9 */
  double part, value;
};
struct psl_histogram_class { /* from low to high, the first one with the least, the last one with the greatest */
  double low, high;
  uint64_t count;
};
struct psl_record { /* `record NAME = E;` over all its executions */
  const char *name, *component, *unit;
  const char *instance; /* whose it is alone: stage[2]; NULL: all of the component's together */
  uint64_t count;
  double sum, mean, minimum, maximum, deviation, last; /* deviation: of the sample, 0 for one */
  bool level;                                          /* mean and deviation are weighted by time */
  bool states_time;  /* its component records by compute, communicate and wait where its time goes */
  double half_width; /* of the mean's 95 % confidence interval by batch means; NaN: not known, or not asked for */
  const struct psl_quantile *quantiles;
  size_t quantile_count;
  const struct psl_histogram_class *classes; /* of the histogram */
  size_t class_count;
  const struct psl_record *own; /* of single instances that have recorded it, without a histogram, where the component
                                 * has several and not more than a thousand */
  size_t own_count;
};
struct psl_asked { /* a param that is asked for */
  const char *name, *component;
  const char *from;        /* components that may answer, or the evaluator: work-in-table */
  const char *evidence;    /* simulated, analytic, measured, table: of these, and of whom they ask */
  double minimum, maximum; /* of the answers, in the unit of the record of that name; of one that is a range, its ends;
                              NaN: they are no numbers */
};
#define PSL_ALL_PROCESSES UINT32_MAX
struct psl_element {       /* a named element of a program, in one process or in all */
  const char *kind, *name; /* ActionPlus, solve */
  uint32_t process;        /* index into processes, or PSL_ALL_PROCESSES */
  uint64_t count;          /* executions */
  double time, own;        /* s, of all executions; own: in no element inside this one */
  double minimum, maximum; /* of one execution, s */
};
struct psl_figure { /* of an evaluator: messages, handshakes, ... */
  const char *name;
  struct psl_quantity quantity;
  bool whole;
};
struct psl_assumed {
  const char *evaluator, *text; /* or a component, of what it takes its values for */
};
struct psl_waiting { /* where a run stopped before its end: who waits for what */
  const char *name, *text;
  struct psl_place place;
};

/* A figure of a queueing network: low and high are its bounds where only these are known, the ends of its
 * confidence interval where it was simulated, else itself. */
struct psl_estimate {
  double value, low, high;
};
struct psl_queueing_station {
  const char *name, *component, *discipline;          /* disk[0]; disk; fcfs */
  double servers;                                     /* infinity: a delay, nobody waits */
  struct psl_estimate utilisation, queue, throughput; /* of all classes together */
  struct psl_estimate response;                       /* s a visit, likewise */
};
struct psl_queueing_class {
  const char *name, *component; /* customer[c=0]; customer */
  const char *class;            /* its customers' attribute of that name; NULL: they have none */
  bool open;
  uint64_t population;                      /* closed */
  double think;                             /* s a cycle, away from the stations */
  double rate;                              /* open: arrivals a second */
  struct psl_estimate throughput, response; /* cycles a second; s a cycle at all stations together */
};
struct psl_queueing_cell {         /* a class at a station */
  double visits;                   /* a cycle */
  struct psl_estimate throughput;  /* visits a second */
  struct psl_estimate response;    /* s a cycle there, waiting and served */
  struct psl_estimate queue;       /* mean number there, waiting and served */
  struct psl_estimate utilisation; /* part of the servers that is busy with it; a delay: servers */
};
struct psl_queueing_response { /* how long single cycles, or single visits, last: not greater than the value is a part
                                * of them; low and high are NaN where an interval is not known */
  const char *name, *component;
  bool visit;                       /* of a visit to a station, else of a cycle of a class */
  bool any;                         /* of all stations or classes of the component together, which has several */
  struct psl_estimate *percentiles; /* by part; NaN: not known */
  bool fractional;                  /* its cycles have drawn whether they make requests of fractional `visits` */
};
struct psl_queueing {
  const char *solver;        /* "analysis[MVA]" */
  const char *approximation; /* what is approximated and how; NULL: exact, or simulated */
  bool bounds;               /* throughputs and responses of classes are bounds, and the rest is not known */
  bool intervals;            /* low and high are the ends of confidence intervals */
  double confidence;         /* of these: 0.95 */
  double half_width;         /* wished of those of classes, relative */
  double begin, end;         /* s: of the time that they are of; before it is the warm-up */
  uint64_t replications;     /* runs that they are of; 1: one run, in batches */
  uint64_t limit;            /* firings after which it is content with what it has */
  uint32_t iterations;       /* of an iterative method, else 0 */
  double residual;           /* greatest change of a queue length in the last one, customers */
  struct psl_queueing_station *stations;
  size_t station_count;
  struct psl_queueing_class *classes;
  size_t class_count;
  struct psl_queueing_cell *cells; /* by station and class: station * class_count + class */
  const double *parts;             /* of 0 .. 1, ascending: whose percentiles are known */
  size_t part_count;
  bool parts_asked; /* by the model or a setting: a simulation has lasted till those of cycles were known, too */
  struct psl_queueing_response *responses; /* of classes, of stations, then of components that have several */
  size_t response_count;                   /* 0: none are known */
  const char *unknown; /* whose percentiles an analysis leaves out, and who knows them; NULL: it has all, or none */
};

/* A body, or a request or call that is part of its code, and what this computer spends there. */
struct psl_host_time {
  const char *name; /* of the component, request, or function of an evaluator; NULL: what is in no body */
  unsigned depth;   /* 0: a body; rows that follow and are deeper are part of it */
  struct psl_place place;
  const char *how; /* in line */
  const char *why; /* it is not faster; NULL: nothing is known */
  struct psl_place why_place;
  const char *second;     /* the call of an evaluator that is made as one with this; NULL: none */
  uint64_t paired, apart; /* so often has it been, and has it not */
  double seconds, own;    /* of the processor; own: in no row below it */
};

struct psl_results {
  const char *model, *system;
  struct psl_quantity makespan;  /* predicted time, s; of a queueing network the mean response of a cycle. NaN where
                                    no customer has ended one, and of a run that could have gone on, which max_time or
                                    means that are known as well as wished have ended */
  struct psl_quantity simulated; /* time, s: how far the run has come; of an analysis NaN */
  bool uncertain;                /* ranges took part: makespan is with their middles, these with their ends: */
  struct psl_quantity makespan_low, makespan_high; /* NaN, for a reason, which is NULL where they are known: */
  const char *unbounded;
  double warm_up;        /* s: shares, counts and figures are of the time from then on; the makespan is whole */
  bool messages_counted; /* false: nothing that ran counts messages */
  uint64_t messages, bytes;
  uint64_t firings, events;       /* events: holds, sends, receives */
  const char *stop;               /* "end of the model", "deadlock", ... */
  const char *stop_detail;        /* NULL: nothing more to say */
  bool complete;                  /* the run reached its end */
  bool passing;                   /* processes come and go, which have no rows */
  size_t assertions;              /* of the model, before the run: all held */
  const char *evidence;           /* analytic, simulated, measured, and of what is asked for: see psl(5) */
  struct psl_share mean, maximum; /* over processes */
  uint32_t slowest_compute, slowest_communicate, slowest_wait; /* the process of each maximum */
  const struct psl_process *processes;
  size_t process_count;
  const struct psl_component *components;
  size_t component_count;
  const struct psl_facility *facilities; /* a row of all together before those of its classes and instances */
  size_t facility_count;
  const struct psl_record *records;
  size_t record_count;
  const struct psl_asked *asked; /* params that were asked for */
  size_t asked_count;
  const struct psl_element *elements; /* of all processes together: what takes most of its own time first */
  size_t element_count;
  const struct psl_element *process_elements; /* by process, then likewise */
  size_t process_element_count;
  const struct psl_figure *figures;
  size_t figure_count;
  const struct psl_assumed *assumptions;
  size_t assumption_count;
  const struct psl_waiting *waiting;
  size_t waiting_count;
  const char *const *critical; /* the critical path by instance, where an evaluator found one */
  size_t critical_count;
  const struct psl_queueing *queueing; /* NULL: the model was not taken for a queueing network */
  const struct psl_param *set;         /* params that were given a value */
  size_t set_count;
  const struct psl_param *unset; /* of those that the options named, the ones that nobody has set */
  size_t unset_count;
  struct {                        /* of this computer, not of the model: differs from run to run */
    double resolve, run;          /* wall-clock s */
    size_t peak_memory;           /* bytes */
    uint64_t frame_memory;        /* bytes of frames, tokens and queues at their peak */
    uint64_t instances, requests; /* resolved */
    uint64_t paired_calls;        /* calls of evaluators that were made two at once */
    uint64_t partitions;          /* that were simulated at once; their own memory is not in the figures of it */
  } timing;
  const struct psl_host_time *host_times; /* where profile was asked for */
  size_t host_time_count;
};

/* Runs a system: matches, fires, predicts. `system` NULL: the only one of the file that was loaded.
 * On PSL_OK and PSL_STOPPED *results is set; it lives until psl_drop, the next load, or psl_close. Several
 * results may be held at once. A run that is refused before anything comes out is PSL_WRONG and has none.
 * `options` may be NULL. */
PSL_API enum psl_code psl_run(struct psl *psl, const char *system, const struct psl_run_options *options,
                              const struct psl_results **results);
PSL_API void psl_drop(struct psl *psl, const struct psl_results *results);

/* ---- texts ---- */

/* Writes a name, of a file or anything else, as people are to be shown it: on one line, where what would steer a
 * terminal or turn the direction of the text stands as \u{1b}, bytes that are no UTF-8 as \x{ff}. So are names in all
 * texts that the library writes but JSON, which has escapes of its own. */
PSL_API int psl_write_shown(psl_write *write, void *user, const char *text, size_t size);
/* A psl_write on a `FILE *` as its user; not 0 if the file took less. */
PSL_API int psl_write_file(void *file, const char *text, size_t size);

/* VERTICAL is text with a line a figure, in place of tables. */
enum psl_format { PSL_TEXT, PSL_JSON, PSL_CSV, PSL_HTML, PSL_JSONL, PSL_VERTICAL, PSL_MARKDOWN, PSL_LATEX };
/* As options and users name it: "json"; NULL: there is no such format. */
PSL_API const char *psl_format_name(enum psl_format format);
PSL_API bool psl_format_is_text(enum psl_format format); /* TEXT, VERTICAL */
/* Reports go to a terminal of so many columns: tables of TEXT leave out those for which there is no room, and say
 * which; 0, as at first: they are as wide as they come. */
PSL_API void psl_set_columns(struct psl *psl, unsigned columns);
struct psl_report_options { /* zero is a good value for each */
  enum psl_format format;
  bool by_rank; /* a row a process */
  bool timing;  /* wall-clock figures, which differ from run to run */
};
/* The report of a run. Text gives 4 digits; JSON, JSON lines and CSV all of them in base units.
 * Evidence: `measured` where only measurements took part, `analytic` where only equations did (evaluators
 * that are analytic, components with `evaluation mode = analysis[...]`), else `simulated`. */
PSL_API enum psl_code psl_report(struct psl *psl, const struct psl_results *results,
                                 const struct psl_report_options *options, psl_write *write, void *user);
/* The params of the model, with what psl_effects says of them for the system. */
PSL_API enum psl_code psl_write_params(struct psl *psl, const char *system, enum psl_format format, psl_write *write,
                                       void *user);
/* What each process did when: Chrome's trace format (JSON), and a picture (SVG). PSL_MISUSE if
 * the run was made without options.trace. The picture draws PSL_TIMELINE_PROCESSES at most. */
#define PSL_TIMELINE_PROCESSES 400
PSL_API enum psl_code psl_write_trace(struct psl *psl, const struct psl_results *results, psl_write *write, void *user);
PSL_API enum psl_code psl_write_timeline(struct psl *psl, const struct psl_results *results, psl_write *write,
                                         void *user);
/* The same in a compact form for programs, which the studio shows: interp/include/slices.h is its format. */
PSL_API enum psl_code psl_write_slices(struct psl *psl, const struct psl_results *results, psl_write *write,
                                       void *user);
/* The same as a dynamic task graph, a task or an edge a line: what processes have computed, and sent to each other. */
PSL_API enum psl_code psl_write_tasks(struct psl *psl, const struct psl_results *results, psl_write *write, void *user);
/* Why a process was where it was at a time: the chain of what caused what, back from there, each step a stretch of one
 * process with what let it begin. Errors: PSL_MISUSE where the run was made without options.causes, or has no such
 * process, or a time that it had not come to. Text fits psl_set_columns; PSL_JSON has times in s; there is no other
 * format. */
struct psl_why_options { /* zero is a good value for each */
  const char *process;   /* an instance that fires on a clock of its own, rank[3, 4]; NULL: that which ends last */
  double at;             /* s; 0: its end */
  size_t depth;          /* so many steps are written, and all are counted; 0: 10 */
  enum psl_format format;
};
PSL_API enum psl_code psl_write_why(struct psl *psl, const struct psl_results *results,
                                    const struct psl_why_options *options, psl_write *write, void *user);
/* The same for Paraver, in three files: the trace (.prv), what its numbers mean (.pcf), and its rows (.row). */
PSL_API enum psl_code psl_write_paraver(struct psl *psl, const struct psl_results *results, psl_write *write,
                                        void *user);
PSL_API enum psl_code psl_write_paraver_names(struct psl *psl, const struct psl_results *results, psl_write *write,
                                              void *user);
PSL_API enum psl_code psl_write_paraver_rows(struct psl *psl, const struct psl_results *results, psl_write *write,
                                             void *user);

/* Runs a system under each value of a param and reports the differences, in total and by component.
 * Fails with PSL_STOPPED where the makespans spread wider than `tolerance` (largest over smallest, minus 1),
 * or an assertion on `spread(makespan)` of a study of this system does not hold. */
struct psl_compare_options {
  const char *param;
  const char *const *values;  /* expressions of PSL */
  size_t value_count;         /* 0: all terms that the accepts in question offer for a param that a selector asks for */
  double tolerance;           /* 0.07 is 7 %; negative: none */
  uint64_t repetitions;       /* under each value, with seeds one after another, whose mean is taken; 0: 1 */
  struct psl_run_options run; /* trace is ignored */
  enum psl_format format;
};
PSL_API enum psl_code psl_compare(struct psl *psl, const char *system, const struct psl_compare_options *options,
                                  psl_write *write, void *user);

/* MPI: where mpirun starts a program of several ranks, all of them open the ranks, load the same model and begin
 * the same studies. Points are then run by the other ranks; rank 0 hands them out and has the results. On
 * another rank a study serves rank 0 and comes to nothing itself: whatever is written there is to be dropped. */
struct psl_ranks;
/* How many processes Open MPI's or MPICH's launcher started as one job with this one, as its environment says;
 * 1: there is no job. *rank is which of them this is, from 0. */
PSL_API size_t psl_ranks_launched(size_t *rank);
/* Begins MPI. NULL with a text in `error`, or "" where there is no job. Once in a process. */
PSL_API struct psl_ranks *psl_ranks_open(char *error, size_t error_size);
PSL_API size_t psl_ranks_rank(const struct psl_ranks *ranks);
/* Ends MPI: rank 0 waits for all others. Another rank says with `farewell` why it has served no study, where that
 * is so; rank 0 finds in `said` (may be NULL) what the first such rank has to say, "" where all is well. */
PSL_API void psl_ranks_close(struct psl_ranks *ranks, const char *farewell, char *said, size_t said_size);
/* Those who make a run together: all of them begin it, with the same options; only rank 0 has its results. */
PSL_API struct psl_peers *psl_ranks_peers(struct psl_ranks *ranks);
/* Ends the whole job at once, this process too. */
PSL_API void psl_ranks_abort(struct psl_ranks *ranks, int code);

/* A program of MPI that is to be run on simulated ranks, by a model that takes its path for that of a trace (as param
 * `trace` of stdlib/program.psl is, or an alias of it). It is run once, when the model asks for its operations. */
struct psl_program;
struct psl_simulation_setting {
  const char *name, *value; /* a parameter of the simulated processor, as psl-processor(7) has it */
};
struct psl_program_options {
  unsigned ranks;
  const char *const *words; /* the program and its arguments, ended by NULL */
  /* What its bursts of computing take: the time that they take here, none, or as many instructions as QEMU counts. */
  enum { PSL_COSTS_MEASURED, PSL_COSTS_NONE, PSL_COSTS_INSTRUCTIONS } costs;
  bool inside;        /* its ranks are in this process; else they are processes */
  const char *record; /* a file that gets a trace of the run; NULL: none */
  /* Of a program of RISC-V, whose ranks run on simulated processors: what is measured then are their cycles. */
  const struct psl_simulation_setting *settings;
  size_t setting_count;
};
/* NULL with a text in `error`: there is no such program, or it is none that can be run. */
PSL_API struct psl_program *psl_program_open(const struct psl_program_options *options, char *error, size_t error_size);
/* The same for a program that asks the model what its uses of resources take, by libpsl-reflector; the model takes the
 * path for its param `program` of stdlib/reflector.psl. */
struct psl_reflected_options {
  const char *const *words; /* the program and its arguments, ended by NULL; none where `socket` is given */
  const char *socket;       /* of a program that somebody else starts: the path of a socket that is made; NULL: none */
  bool simulated;           /* time that is measured does not count */
};
PSL_API struct psl_program *psl_program_reflected(const struct psl_reflected_options *options, char *error,
                                                  size_t error_size);
/* The same for a trace that is replayed, of which one is made with the times of the replay. */
PSL_API struct psl_program *psl_program_replayed(const char *trace, const char *record, char *error, size_t error_size);
/* The same for an archive in OTF2, of which a trace is made that models can read: psl-otf2 is started for that. */
PSL_API bool psl_is_archive(const char *path);
PSL_API struct psl_program *psl_program_archived(const char *archive, char *error, size_t error_size);
PSL_API const char *psl_program_path(const struct psl_program *program);
PSL_API void psl_program_close(struct psl_program *program); /* NULL is fine */

/* Runs a command, an mpirun or the like, with its words ended by NULL, and traces the programs of MPI that it starts:
 * `to` is a file, or with `folder` a folder that is there. While it runs each rank writes a file in `ranks`, a folder
 * that is there, too; these stay if the trace cannot be made of them. *status: how the command has ended, as the shell
 * has it. Notes say what is in the trace. */
PSL_API enum psl_code psl_trace_program(struct psl *psl, const char *const *words, const char *ranks, const char *to,
                                        int folder, int *status);
/* Runs a program under QEMU, which sees each access to memory, and writes what its blocks do, its signature, as PSL. A
 * cache is "NAME=32KiB/8/64,1MiB/16,tlb:64/4/4KiB", levels of one machine; see psl-trace(1). */
struct psl_signature_options {
  const char *const *words; /* the program and its arguments, ended by NULL */
  const char *name;         /* of the program in PSL; NULL: that of its file */
  const char *const *caches;
  size_t cache_count;
  unsigned long long distances; /* stack distances of one line in so many; 0: none */
  unsigned long long chains;    /* of instructions that wait for each other, in a window of so many; 0: none */
  /* The words start ranks of MPI: what each of these does is told by burst, that is between two calls of MPI. */
  int bursts;
};
PSL_API enum psl_code psl_trace_memory(struct psl *psl, const struct psl_signature_options *options, psl_write *write,
                                       void *user, int *status);
struct psl_simulation_options {
  const char *const *words; /* a file of a program and its arguments, ended by NULL */
  const struct psl_simulation_setting *settings;
  size_t setting_count;
  enum psl_format format;
};
/* Runs a program of PISA or RISC-V on a simulated out-of-order processor, and writes a report. The program reads
 * and writes files of this computer, standard output among them, as its user may. *status: its own at its end.
 * PSL_STOPPED: it went wrong, and the report goes as far as that. */
PSL_API enum psl_code psl_simulate(struct psl *psl, const struct psl_simulation_options *options, int *status,
                                   psl_write *write, void *user);
/* What a trace of a program holds: ranks, operations by kind, messages by size, time, regions, and whether it is whole;
 * by_rank: time and messages by rank, too. */
PSL_API enum psl_code psl_trace_info(struct psl *psl, const char *path, const struct psl_report_options *options,
                                     psl_write *write, void *user);
/* The same for people, as one HTML page: when its ranks did what and where, what was under way, its messages, how long
 * bursts were and how fast messages. */
PSL_API enum psl_code psl_trace_page(struct psl *psl, const char *path, psl_write *write, void *user);
/* Does the ending of a name say PSL's own format of traces, or nothing? Misuse: it is that of no format. */
PSL_API enum psl_code psl_trace_format(struct psl *psl, const char *name, int *own);
/* A trace in the format that the ending of `name` says, written to `to`, whose name that will be. What it cannot hold
 * is said by warnings. */
PSL_API enum psl_code psl_trace_convert(struct psl *psl, const char *from, const char *to, const char *name);

struct psl_vary { /* an axis */
  const char *param;
  const char *values; /* expressions of PSL: "4,8,16", "analysis[LogGP],simulation[MPI-Sim]", or a range: "1..9",
                         "1..9+2", "5us..25us+5us", "1..16*2" */
};
struct psl_study_item { /* as a study has it, `report a = makespan / n, disk.wait;`, without the word and the `;` */
  enum {
    PSL_ITEM_REPORT,
    PSL_ITEM_MINIMIZE,
    PSL_ITEM_MAXIMIZE,
    PSL_ITEM_WHERE,
    PSL_ITEM_ASSERT,
    PSL_ITEM_FIGURE, /* a report of one column, which messages call --of, as of psl_sensitivity */
    PSL_ITEM_GOAL    /* a condition that choices are to fulfil, of psl_recommend */
  } kind;
  const char *text;
};
struct psl_progress {
  uint64_t done, failed; /* runs so far */
  uint64_t known;        /* of these, what was in the database, or what `where` leaves out: it has taken no time */
  uint64_t count;        /* of all runs; of a large study with what `where` leaves out, which is done at once */
  bool ended;            /* no call comes after this one, and the report is written now */
};
enum psl_search {
  PSL_SEARCH_LARGE, /* where there are more than 100,000 points */
  PSL_SEARCH_ALWAYS,
  PSL_SEARCH_NEVER, /* all points are run */
};
/* Called after each run. It must not use the handle. */
typedef void psl_progress_callback(void *user, const struct psl_progress *progress);
enum psl_plot_format { PSL_PLOT_NONE, PSL_PLOT_TERMINAL, PSL_PLOT_SVG, PSL_PLOT_PNG };
struct psl_plot_options {      /* zero is a good value for each */
  enum psl_plot_format format; /* SVG and PNG start the program gnuplot */
  const char *what;            /* "makespan against px by mk, log x": this in place of the study's plots; NULL: these,
                                  or the makespan against the first axis of numbers where it has none */
  unsigned columns;            /* of the terminal; 0: 80 */
  bool color;                  /* ANSI colours in the terminal */
  /* Takes each plot, counted from 0, after the report; not 0: no more are wanted. */
  int (*take)(void *user, size_t number, const char *picture, size_t size);
  void *user;
};
/* How levels go over the time of a run that was made with `levels`: of stores, containers and the like, of lines at
 * servers, and what bodies record so. A plot a component. */
PSL_API enum psl_code psl_plot_levels(struct psl *psl, const struct psl_results *results,
                                      const struct psl_plot_options *options);
struct psl_study_options {     /* zero is a good value for each */
  const char *name;            /* of the study, in its database, too; NULL: its own, or the system's */
  const struct psl_vary *vary; /* these in the place of the study's of the same params, and besides them */
  size_t vary_count;
  const struct psl_study_item *items; /* besides the study's own */
  size_t item_count;
  uint64_t repetitions;       /* of each point; 0: what the study says, else 1 */
  bool seeded;                /* run.seed is meant, whatever the study says */
  struct psl_run_options run; /* trace is ignored */
  struct psl_ranks *ranks;    /* NULL: none; else `jobs` does not count */
  size_t jobs;                /* worker processes; 0, 1: none */
  const char *database;       /* a file: what is there is not run again, what is run is kept; NULL: none */
  bool dry_run;               /* the points are listed, with what of them the database has; nothing is run or written */
  enum psl_format format;     /* JSON lines, CSV: a line a point, as it comes */
  bool best;                  /* the report has the points alone that are minimized or maximized for */
  bool pareto;                /* and those that no other one beats by all of several objectives: CSV and JSON lines have
                               * these alone */
  struct psl_plot_options plot;
  enum psl_search search; /* for the best points, where the study minimizes or maximizes */
  size_t evaluations;     /* points that a search runs at most for each of these; 0: 300 */
  psl_progress_callback *progress;
  void *progress_user;
};
/* Runs a study: `name` is that of a study, or of a system that is studied by options->vary alone; NULL: of the
 * only study of the file that was loaded, else of its only system. Writes a line a point, in the order of the
 * points, JSON and CSV as they come. A param that psl_set has set is not varied. PSL_STOPPED where points failed
 * or an assertion of the study does not hold, or when it was interrupted. */
PSL_API enum psl_code psl_study(struct psl *psl, const char *name, const struct psl_study_options *options,
                                psl_write *write, void *user);

/* Is there a study or a system of that name, for psl_study? Nothing is said where there is none. */
PSL_API enum psl_code psl_can_study(struct psl *psl, const char *name, bool *can);
/* The params that the study varies by itself, as psl_set takes them: none where `name` is that of a system. They live
 * until the next call with this handle. */
PSL_API enum psl_code psl_varied(struct psl *psl, const char *name, const char *const **params, size_t *count);

struct psl_recommend_options { /* zero is a good value for each */
  enum {
    PSL_RECOMMEND_CHOICES, /* for the problem that psl_set has stated: what it has not, is as the model has it */
    PSL_RECOMMEND_RULES,   /* what was learnt, and how good it is */
    PSL_RECOMMEND_DATA,    /* what is learnt from: a row a case */
    PSL_RECOMMEND_UNSEEN   /* how good choices are for problems that nothing was learnt from */
  } what;
  const struct psl_study_item *items; /* WHERE: which choices, or of DATA which cases, are wanted; GOAL */
  size_t item_count;
  const char *from;           /* a table of cases, CSV or JSON, in the place of runs; NULL: none */
  const char *database;       /* as of psl_study; rules are kept there as knowledge; NULL: none */
  size_t runs;                /* that are planned at most; 0: 1,000 */
  size_t choices;             /* that are recommended; 0: 5 */
  size_t unseen;              /* problems of UNSEEN; 0: 20 */
  size_t evaluations;         /* runs of a search where rules do not reach; 0: 300 */
  double tolerance;           /* what is so near to the best is as good; 0: 5 % */
  bool verify;                /* the choices that are recommended are run */
  bool seeded;                /* run.seed is meant, whatever the study says */
  struct psl_run_options run; /* trace is ignored */
  size_t jobs;                /* as of psl_study */
  enum psl_format format;
  psl_progress_callback *progress;
  void *progress_user;
};
/* Learns from runs of a study that says which of its params state a problem and which are chosen, and recommends
 * choices: see psl-recommend(1). `name` is that of the study; NULL: the only one of the file that has choices. */
PSL_API enum psl_code psl_recommend(struct psl *psl, const char *name, const struct psl_recommend_options *options,
                                    psl_write *write, void *user);

struct psl_page_options { /* zero is a good value for each */
  const char *study;      /* of the database; NULL: the only one */
  bool chosen;            /* `point` is shown in detail; else the best one, or the first */
  uint64_t point;
  bool timing; /* what its runs have cost, and when the database was written last: else the same study, with the same
                  results, is the same page */
};
/* Writes a study of a database as one HTML page that needs nothing but itself. Its plots are drawn by the program
 * gnuplot. The point that is shown in detail is run again: the study's model takes the place of the one loaded before.
 * Where it cannot be run again, or gnuplot is missing, the page says why. */
PSL_API enum psl_code psl_page(struct psl *psl, const char *database, const struct psl_page_options *options,
                               psl_write *write, void *user);
/* What such pages are made of, for who shows points in a page of their own: "tables.js", "explore.js", "explore.css".
 * NULL: there is no such part. */
PSL_API const char *psl_page_part(const char *name, size_t *size);

/* Writes what studies a database has: of each the name by which psl_page and psl_diff_studies take it, its system, its
 * model file as it was named, and how many points it has. */
PSL_API enum psl_code psl_kept_studies(struct psl *psl, const char *database, enum psl_format format, psl_write *write,
                                       void *user);

/* ---- a repository ---- */

/* A database keeps components and instances of them, static task graphs, descriptions of how tasks are executed (TEDs),
 * knowledge, measurements and predictions: see psl-db(1). Those that only read open the file for reading; it is made by
 * psl_db_add where it is not there. NAME of an entry may be KIND/NAME, where several kinds have it. */
struct psl_db_add {        /* zero is a good value for each but `path` */
  const char *path;        /* the file; "-": standard input */
  const char *kind;        /* NULL: by what is in it */
  const char *name;        /* NULL: the file's, of PSL each component's */
  const char *description; /* NULL: of PSL what stands in ///, else none */
  const char *attributes;  /* "kind = disk, machine = SP2", to be found by; NULL: none */
  bool replace;            /* an entry of the same kind and name */
};
struct psl_db_search {       /* zero is a good value for each */
  const char *kind;          /* NULL: all */
  const char *const *wanted; /* selectors, "domain = hardware, kind = disk", and words, which all have to fit */
  size_t wanted_count;
  enum psl_format format;
};
/* The kinds of entries, by place; NULL behind the last. */
PSL_API const char *psl_db_kind(size_t place);
/* Adds what a file holds, all of it or nothing, and writes a line for each entry. */
PSL_API enum psl_code psl_db_add(struct psl *psl, const char *database, const struct psl_db_add *add, psl_write *write,
                                 void *user);
/* Writes a table of the entries that fit. */
PSL_API enum psl_code psl_db_search(struct psl *psl, const char *database, const struct psl_db_search *search,
                                    psl_write *write, void *user);
/* Writes all that is known of an entry but its content; PSL_TEXT or PSL_JSON. */
PSL_API enum psl_code psl_db_show(struct psl *psl, const char *database, const char *name, enum psl_format format,
                                  psl_write *write, void *user);
/* Writes its content: of a component the text of PSL that declares it. */
PSL_API enum psl_code psl_db_export(struct psl *psl, const char *database, const char *name, psl_write *write,
                                    void *user);
/* Writes what two entries differ by. */
PSL_API enum psl_code psl_db_diff(struct psl *psl, const char *database, const char *a, const char *b,
                                  enum psl_format format, psl_write *write, void *user);
PSL_API enum psl_code psl_db_remove(struct psl *psl, const char *database, const char *name);
/* Looks in options.database for what nothing in the loaded model accepts, by the selectors of its requests with the
 * values that its params have now: where the model says `use from database`, or options.search. What is chosen becomes
 * part of the model, and is written down in a file beside it, MODEL.lock, by which the next time the same is chosen. */
PSL_API enum psl_code psl_complete_model(struct psl *psl);

struct psl_sensitivity_options { /* zero is a good value for each */
  const char *of;       /* a figure, as a study reports it: "desk.wait", "cost = n * makespan"; NULL: the predicted
                                    time */
  double step;          /* a part of each param's value; 0: 0.1 */
  uint64_t repetitions; /* of each run, with seeds one after another, whose mean is taken; 0: 1 */
  size_t jobs;          /* worker processes; 0, 1: none */
  struct psl_run_options run; /* trace is ignored */
  enum psl_format format;
  psl_progress_callback *progress;
  void *progress_user;
};
/* Moves each param that is a number a step down and a step up, within its range, and reports the elasticity of the
 * predicted time, or of another figure, the greatest first; apart from these, what does not change it, and what
 * cannot. PSL_STOPPED where a run failed. */
PSL_API enum psl_code psl_sensitivity(struct psl *psl, const char *system,
                                      const struct psl_sensitivity_options *options, psl_write *write, void *user);

struct psl_pair { /* of a param and an expression of PSL */
  const char *param, *value;
};
struct psl_diff_options {     /* zero is a good value for each but `first` */
  const char *first, *second; /* files; second NULL: the first, under other settings */
  const struct psl_pair *set; /* of both sides */
  size_t set_count;
  const struct psl_pair *against; /* of the second side besides, or in the place of those */
  size_t against_count;
  const char *system;         /* NULL: the only one of each file */
  uint64_t repetitions;       /* of each model, with seeds one after another, whose mean is taken; 0: 1 */
  size_t jobs;                /* worker processes; 0, 1: none */
  struct psl_run_options run; /* trace is ignored */
  enum psl_format format;
  psl_progress_callback *progress; /* of the models in between: more may come where some cannot be run */
  void *progress_user;
};
/* Sets the figures of two models' runs side by side, and attributes the difference of their predicted times to what is
 * not alike in them: settings, params, components, coercions and the other declarations. The shares add up to the
 * whole: Shapley values for up to 8 changes, beyond that what each does after those before it. Changes that do not hold
 * without each other are one. Leaves the handle's own model alone. Where a side has no predicted time there are no
 * shares. */
PSL_API enum psl_code psl_diff(struct psl *psl, const struct psl_diff_options *options, psl_write *write, void *user);

struct psl_study_diff_options {
  const char *first, *second;             /* databases; second NULL: the first */
  const char *first_study, *second_study; /* NULL: the only one */
  enum psl_format format;
};
/* Sets two studies side by side: what they were made of that is not alike, and at each point that both have, by its
 * params, their figures, differences and ratios; with intervals where they have such, of repetitions with the same
 * seeds by pairs of runs. As HTML any of these is drawn against any other one. */
PSL_API enum psl_code psl_diff_studies(struct psl *psl, const struct psl_study_diff_options *options, psl_write *write,
                                       void *user);

/* Is the file a trace of a program, by its content? */
PSL_API bool psl_is_trace(const char *path);
struct psl_mismatch_options {
  const char *measured, *predicted; /* traces with times, of one program */
  double least;                     /* differences count from this part of the measured time on; 0: 0.01 */
  enum psl_format format;
};
/* Where a measured run and a predicted one differ beyond what they spread: by rank, region, communicator and what time
 * was spent for, the greatest first. */
PSL_API enum psl_code psl_mismatch(struct psl *psl, const struct psl_mismatch_options *options, psl_write *write,
                                   void *user);

enum psl_fit_table { PSL_FIT_POINTS, PSL_FIT_TERMS, PSL_FIT_FITS };
struct psl_fit_options {    /* zero is a good value for each */
  const char *const *terms; /* "1, n, n * log2(n)"; of several lists the one that predicts best what is left out; none:
                                * searched for */
  size_t terms_count;
  const char *where;           /* "n > 4 and p == 1": these measurements alone; NULL: all */
  bool log;                    /* the logarithm of what was measured is fitted */
  bool relative, absolute;     /* errors count as parts of what was measured, or as they are; neither: as they are with
                                * terms, as the measurements of one point differ in a search */
  const char *parameters;      /* columns, "n,p"; NULL: those that `terms` and `where` name; for a search all that hold
                           * nothing but numbers, without the fitted one */
  const char *column;          /* the fitted one; NULL: the last */
  const char *region, *metric; /* of Extra-P's files; NULL: each */
  const char *unit;            /* of the measurements where the file has none: "ms" */
  const char *name;            /* of the function; NULL: made of the column's */
  bool negative;               /* the search takes powers from -1 on as well */
  unsigned max_terms;          /* of the search; 0: 2 */
  unsigned folds;              /* of the cross-validation; 0: a point is left out at a time */
  double level;                /* of intervals; 0: 0.95 */
  const char *const *at;       /* points to add: "n=100" or "n=100,m=4 MB" */
  size_t at_count;
  enum psl_format format;
  enum psl_fit_table table; /* what CSV and JSON lines have, a row a line; the other formats have all */
  bool functions;           /* as PSL, in place of a report */
};
/* Fits functions to a file of measurements, CSV or Extra-P's formats ("-": standard input), and reports them.
 * Leaves the handle's own model alone. */
PSL_API enum psl_code psl_fit(struct psl *psl, const char *path, const struct psl_fit_options *options,
                              psl_write *write, void *user);

struct psl_probe_options {
  const char
      *launcher; /* of messages: words for the shell, "mpirun -n 2", that start the ranks of a program behind them */
  uint64_t repetitions;            /* samples of each size; 0: 30 */
  psl_progress_callback *progress; /* NULL: nobody is told; runs are samples of messages, tests of others */
  void *progress_user;
};
enum { PSL_PROBE_REPETITIONS = 30 };
/* Measures what messages of MPI take: runs a program of psl's own by the launcher, and writes what that has measured as
 * CSV, a sample a line. */
PSL_API enum psl_code psl_probe_messages(struct psl *psl, const struct psl_probe_options *options, psl_write *write,
                                         void *user);
/* The same of accesses to memory, and of floating-point operations, on this computer. */
PSL_API enum psl_code psl_probe_memory(struct psl *psl, const struct psl_probe_options *options, psl_write *write,
                                       void *user);
/* Of floating-point operations, by kind, of one number and of vectors, each waiting for the one before or not. */
PSL_API enum psl_code psl_probe_compute(struct psl *psl, const struct psl_probe_options *options, psl_write *write,
                                        void *user);
/* Of what threads cost: to create and join one, to lock, to change what another processor has had. */
PSL_API enum psl_code psl_probe_threads(struct psl *psl, const struct psl_probe_options *options, psl_write *write,
                                        void *user);
struct psl_measure_options { /* zero is a good value for each */
  const char *name;          /* of the machine; NULL: "measured" */
};
/* Can a machine that is measured have that name? To be asked before the measurement; all of those below ask, too. */
PSL_API enum psl_code psl_measure_name(struct psl *psl, const char *name);
/* Finds LogGP's figures from such a table (text NULL: of the file of that name) and writes them as a machine of PSL.
 * Leaves the handle's own model alone. */
PSL_API enum psl_code psl_measure_messages(struct psl *psl, const char *name, const char *text, size_t size,
                                           const struct psl_measure_options *options, psl_write *write, void *user);
/* The profile of a memory, the same way. */
PSL_API enum psl_code psl_measure_memory(struct psl *psl, const char *name, const char *text, size_t size,
                                         const struct psl_measure_options *options, psl_write *write, void *user);
/* And of a processor's floating-point operations. */
PSL_API enum psl_code psl_measure_compute(struct psl *psl, const char *name, const char *text, size_t size,
                                          const struct psl_measure_options *options, psl_write *write, void *user);
/* And what threads cost. */
PSL_API enum psl_code psl_measure_threads(struct psl *psl, const char *name, const char *text, size_t size,
                                          const struct psl_measure_options *options, psl_write *write, void *user);

/* Why each request of a component (NULL: of all) goes where it goes: accepts considered, why each was
 * refused, the one taken, coercions with their cost and loss. `subject` is COMPONENT or COMPONENT.REQUEST. */
PSL_API enum psl_code psl_explain(struct psl *psl, const char *system, const char *subject, bool deny_lossy,
                                  psl_write *write, void *user);
/* The dependence graph in Graphviz' DOT: of components (static), or of instances (dynamic), where a component of
 * more than `max_instances` (0: 24) is one node with their number. */
PSL_API enum psl_code psl_graph(struct psl *psl, const char *system, bool dynamic, size_t max_instances,
                                psl_write *write, void *user);
/* That of components as JSON: an object of "system", "components" and "edges", see psl-explain(1). */
PSL_API enum psl_code psl_graph_json(struct psl *psl, const char *system, psl_write *write, void *user);

/* The static task graph of a system: what its processes compute and send, as loops, branches, tasks with their scaling
 * functions, and edges as mappings of instances; see psl-explain(1). */
enum psl_static_format { PSL_STATIC_TEXT, PSL_STATIC_JSON, PSL_STATIC_DOT };
struct psl_static_options { /* zero is a good value for each */
  enum psl_static_format format;
  bool condense; /* all that a process computes between two communications becomes one task */
};
PSL_API enum psl_code psl_static_graph(struct psl *psl, const char *system, const struct psl_static_options *options,
                                       psl_write *write, void *user);
/* Runs the system and writes its dynamic task graph, a task or an edge a line: of the task graphs that it walks, else
 * of what its processes have computed, and sent to each other. */
PSL_API enum psl_code psl_dynamic_graph(struct psl *psl, const char *system, const struct psl_run_options *options,
                                        psl_write *write, void *user);
/* Condenses the bodies of the model that was loaded from a file, for the values that its params have; it is loaded
 * anew, without settings. */
PSL_API enum psl_code psl_condense(struct psl *psl, const char *system);
/* One that was stored as JSON: `text`, or where it is NULL what the file `name` holds. No model need be loaded. */
PSL_API enum psl_code psl_static_graph_text(struct psl *psl, const char *name, const char *text, size_t size,
                                            const struct psl_static_options *options, psl_write *write, void *user);

/* What each process of a system spends its own time for, without waiting for others, as expressions in the params:
 * compute, memory, input and output, communication; see psl-derive(1). */
enum psl_derive_format { PSL_DERIVE_TEXT, PSL_DERIVE_LATEX, PSL_DERIVE_PSL, PSL_DERIVE_JSON };
struct psl_derive_options { /* zero is a good value for each */
  enum psl_derive_format format;
  const char *section;       /* a request by its label, or a statement by its line; NULL: whole bodies */
  const char *process;       /* a component, or an instance: rank[2, 3]; NULL: all */
  const char *const *memory; /* params whose terms count as memory, beside those of the usual names */
  size_t memory_count;
  bool decide;               /* comparisons of params by the values that these have, which is said */
  const char *const *ranges; /* NAME=LOW..HIGH */
  size_t range_count;
  const struct psl_results *run; /* of the system, to be compared with; NULL: none */
};
PSL_API enum psl_code psl_derive(struct psl *psl, const char *system, const struct psl_derive_options *options,
                                 psl_write *write, void *user);

/* Texts that are not loaded: `name` stands for the file's in diagnostics; where `text` is NULL, the file of that name
 * is read ("-": standard input), and counts as memory of the handle. */

/* A text of UML as an editor exports it (XMI): its activities in Graphviz' DOT, as the declarations of PSL that a model
 * has which uses the file, as XMI in one spelling, as XML in which elements stand in the order of execution, or as JSON
 * for who draws them. XMI and JSON need no sound flows. */
enum psl_activity_form { PSL_ACTIVITY_DOT, PSL_ACTIVITY_PSL, PSL_ACTIVITY_XMI, PSL_ACTIVITY_XML, PSL_ACTIVITY_JSON };
PSL_API enum psl_code psl_activity(struct psl *psl, const char *name, const char *text, size_t size,
                                   enum psl_activity_form form, psl_write *write, void *user);
/* Says what the rules of a file find wrong with such a text, each at its element; `rules` NULL: those of the standard
 * library, see psl-prophet(7). */
PSL_API enum psl_code psl_check_activity(struct psl *psl, const char *name, const char *text, size_t size,
                                         const char *rules);
/* The loaded model's processes, threads and nodes of stdlib's prophet as a program in C++, whose run predicts what
 * the model's does: see psl-prophet(7). `system` NULL: the only one. */
PSL_API enum psl_code psl_program(struct psl *psl, const char *system, psl_write *write, void *user);

/* A text, parsed alone (nothing that it uses is read), in the one layout, or as its syntax tree, a node a
 * line. *same, if not NULL, is set before anything is written: does the text have that layout already? */
PSL_API enum psl_code psl_format_text(struct psl *psl, const char *name, const char *text, size_t size, bool *same,
                                      psl_write *write, void *user);
PSL_API enum psl_code psl_syntax_tree(struct psl *psl, const char *name, const char *text, size_t size, bool spans,
                                      psl_write *write, void *user);

#ifdef __cplusplus
}
#endif
#endif
