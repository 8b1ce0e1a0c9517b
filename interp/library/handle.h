/* What the files of the public library share: a handle, and how an entry of psl.h does its work. */
#ifndef PSL_HANDLE_H
#define PSL_HANDLE_H
#include "interp/include/psl.h"
#include "interp/check/check.h"
#include "interp/report/results.h"

enum { SESSION_STEPS = 100 }; /* that can be taken back */

/* What a session is made of; it outlives the models that are made of it. */
struct session {
  bool active; /* declarations or questions were given */
  struct arena arena;
  struct session_text {
    const char *name; /* of the file, or what stands for it in diagnostics */
    const char *text; /* NULL: of a file that was loaded */
    size_t size;
    uint32_t lines_before;
  } * texts; /* a later one replaces what earlier ones declare */
  uint32_t text_count, text_capacity;
  struct session_setting {
    const char *name, *expression;
  } * settings;
  uint32_t setting_count, setting_capacity;
  struct text_cache cache;               /* of all files that the model uses */
  struct last_result *last;              /* of the last run; NULL: none yet */
  struct arena last_arena;               /* that it stands in */
  struct session_setting *last_settings; /* at the first step since then; NULL: there is none */
  uint32_t last_setting_count;
  uint64_t runs;      /* so many came before it */
  bool changed;       /* the texts mean another model since then */
  const char *answer; /* the expression that `ans` stands for; NULL: none yet */
  struct arena answer_arena;
  struct session_step {         /* what the session was made of when a mark was set */
    struct arena arena;         /* of all that is here */
    const char *what;           /* came then, for people */
    struct session_text *texts; /* NULL: the first ones that the session has now */
    uint32_t text_count;
    struct session_setting *settings;
    uint32_t setting_count;
    struct text_cache cache;
    uint64_t runs; /* `changed` was so after that one */
    bool changed;
  } steps[SESSION_STEPS];
  uint32_t step_count;
  struct session_step undone[SESSION_STEPS]; /* what the session was made of before each was taken back */
  uint32_t undone_count;
  struct session_step returned; /* what it was made of behind the last that was: only from there it goes on again */
  uint64_t *warned;             /* hashes of the warnings that were said */
  uint32_t warned_count, warned_capacity;
  uint32_t questions; /* asked of the model: they grow it */
};

/* A model with all under it. */
struct loaded {
  struct arena arena, code;
  struct sources sources;
  struct names names;
  struct model model;
  bool has_model;
};

/* What a model is completed by from a database. */
struct completion {
  struct arena arena; /* of all here */
  struct load_extra *extras;
  uint32_t extra_count, extra_capacity;
  struct completion_choice {
    const char *component, *request; /* that it serves */
    const char *text;                /* how it came about, for who asks why */
  } * choices;
  uint32_t choice_count, choice_capacity;
};

struct psl {
  struct memory memory;
  struct arena lasting;    /* the options' texts */
  struct arena loaded;     /* the model and all under it */
  struct arena code;       /* functions compiled for the values that params have */
  struct arena kept;       /* what the last run leaves for the next */
  struct reuse *reuse;     /* in it; NULL: nothing */
  struct answers *answers; /* of evaluators, for all runs */
  struct arena handed;     /* params and names handed out till the next call */
  struct arena work;       /* of the call in hand: dropped when it ends */
  struct arena said;       /* a diagnostic while the callback has it */
  struct psl_options options;
  unsigned columns;      /* of the terminal that reports go to; 0: of none */
  const char **readable; /* folders: of the options, and those allowed later */
  uint32_t readable_count, readable_capacity;
  struct sources sources;
  struct names names;
  struct diagnostics diagnostics;
  struct model model;
  bool has_model;
  bool editing;             /* a model is loaded for an editor's questions: */
  bool has_text;            /* it is there, right or wrong */
  bool resolving;           /* what is said now, the resolver says */
  bool of_file;             /* psl_load_file has loaded it */
  struct text_cache *texts; /* what stands there is loaded in the place of files; NULL: nothing does */
  struct session session;
  struct completion completion;
  struct loaded before;      /* the model in hand, while another is made that may take its place */
  struct results *results;   /* newest first */
  unsigned errors, warnings; /* of the calls before this one */
};

struct folders {
  const char **items;
  uint32_t count, capacity;
};
/* Adds the folders that `use` searches, in order: those of the options, then the standard library's. */
void library_folders(struct psl *psl, struct folders *folders);

typedef enum psl_code entry_work(struct psl *psl, void *arguments);
/* Does the work on a thread with a big stack, under a guard for failed allocations. */
enum psl_code handle_enter(struct psl *psl, entry_work *work, void *arguments);
/* Is a model loaded? A session's is made again if it was lost. If not, says so. */
bool handle_model(struct psl *psl);
/* The system of that name, or where it is NULL the only one of the file; NULL after a diagnostic. */
struct model_component *handle_system(struct psl *psl, const char *name);
/* Binds the params and resolves the system, in psl->work; NULL after diagnostics. */
struct graph *handle_resolve(struct psl *psl, const char *system, const struct resolve_options *options);
struct effects_options;
/* Says of each param that was set, and of each open one, which are varied, where it cannot affect the system's
 * result. The model is bound. */
/* A note for each component that no request of these systems reaches. */
void handle_note_unreached(struct psl *psl, struct model_component *const *systems, size_t count);
void handle_note_settings(struct psl *psl, struct model_component *system, const struct effects_options *options);
/* What an entry works on: an empty handle prepared for loading; the folders and evaluators that loading takes. */
void handle_prepare(struct psl *psl);
struct load_options handle_load_options(struct psl *psl);
void handle_drop_results(struct psl *psl);
void handle_drop_model(struct psl *psl); /* with the libraries that it has loaded; `before` stays */
void handle_drop_before(struct psl *psl);
void handle_drop_completion(struct psl *psl);

/* ---- editing.c ---- */
/* What could stand at the cursor, in psl->handed; decl: that the line is of, or NULL. */
struct psl_completion *handle_complete(struct psl *psl, const char *line, size_t cursor, const struct decl *decl);

/* ---- say.c ---- */
struct psl_place handle_place(const struct sources *sources, struct span span);
struct psl_place handle_place_near(const struct sources *sources, struct span span, struct source_near *near);
/* The diagnostic_sink of a handle. */
void handle_say(void *user, const struct sources *sources, const struct diagnostic *diagnostic);
void handle_say_plainly(struct psl *psl, const char *message); /* an error; where there is no memory */
/* What is said between the two is caught and not counted. */
struct handle_catch {
  struct psl *psl;
  struct diagnostics kept;
  struct text said;     /* in psl->said; all of it, as the user wants it */
  char error[400];      /* the first error's message; "": there was none */
  struct text warnings; /* in psl->said; the messages of all, a line each, but for the resolver's: it says them once for
                         * all runs that share its graph */
  struct text notes;    /* in psl->said; those of notes, likewise */
};
void handle_catch(struct handle_catch *caught, struct psl *psl);
void handle_release(struct handle_catch *caught);
/* Hands over what was said while it was caught, as a text. */
void handle_say_again(struct psl *psl, enum psl_severity severity, const char *text);

/* ---- fits.c ---- */
/* Says of each fit of the files asked for what came of it. */
void handle_note_fits(struct psl *psl);
/* Reports the fit of that name; false, and nothing is said: there is none. */
struct output;
bool handle_explain_fit(struct psl *psl, const char *name, struct output *out);

/* ---- texts.c ---- */
/* A file's text, which `options.read` allows ("-": standard input); NULL after a diagnostic. */
const char *handle_read(struct psl *psl, struct arena *arena, const char *path, size_t *size);
const char *handle_text_name(const char *path); /* as diagnostics name it */

/* ---- session.c ---- */
void session_open(struct psl *psl);
void session_close(struct psl *psl);
/* From now on what is loaded and set is kept, so that the model can be made again. */
void session_activate(struct psl *psl);
/* A model is about to be loaded in place of all that was there: a text, or a file (text NULL). */
void session_begin(struct psl *psl, const char *name, const char *text, size_t size);
bool session_restore(struct psl *psl); /* makes the model that its texts and settings stand for */
void session_note_setting(struct psl *psl, const char *name, const char *expression); /* NULL: taken back */
bool session_said(struct psl *psl, const struct diagnostic *warning);                 /* before? */

/* Makes the model of what there was at that mark, and goes on from there; false: it stays as it is. */
bool session_return(struct psl *psl, const struct session_step *step);

/* ---- undo.c ---- */
void session_drop_steps(struct session *session);
void session_keep_steps(struct session *session); /* the texts are about to change their places */
bool session_same_settings(const struct session *session, const struct session_setting *settings, uint32_t count);

/* ---- psl.c ---- */
enum psl_code handle_load_file(struct psl *psl, const char *path); /* psl_load_file, inside an entry */
/* The same, with what the model before was completed by. */
enum psl_code handle_load_again(struct psl *psl, const char *path);
/* One run, inside an entry; empties psl->work. */
enum psl_code handle_run(struct psl *psl, const char *system, const struct psl_run_options *options,
                         const struct psl_results **results);

/* ---- draw.c ---- */
/* Can plots be drawn? Asked before hours of runs. Draws them as the options say, and hands them over; false
 * after a diagnostic. */
struct plot;
bool handle_can_draw(struct psl *psl, const struct psl_plot_options *options);
bool handle_draw(struct psl *psl, struct plot *const *plots, size_t count, const struct psl_plot_options *options);

/* ---- last_text.c: the results of the last run, a record and its value ---- */
void last_put_short(struct text *out, const struct psl *psl, const struct type *last, struct value value);
/* A line a figure. */
void last_put_lines(struct text *out, const struct psl *psl, const char *name, const struct type *type,
                    struct value value);

/* ---- answer.c ---- */
void session_note_results(struct psl *psl, const struct psl_results *results);
/* `last` stands there: says so where the model is no longer the one that has been run. */
void session_note_stale(struct psl *psl, struct span last);
#endif
