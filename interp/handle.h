/* What the files of the public library share: a handle, and how an entry of psl.h does its work. */
#ifndef PSL_HANDLE_H
#define PSL_HANDLE_H
#include "interp/psl.h"
#include "interp/check/check.h"
#include "interp/report/report.h"

struct psl {
  struct memory memory;
  struct arena lasting; /* the options' texts */
  struct arena loaded;  /* the model and all under it */
  struct arena code;    /* functions compiled for the values that params have */
  struct arena handed;  /* params and names handed out till the next call */
  struct arena work;    /* of the call in hand: dropped when it ends */
  struct arena said;    /* a diagnostic while the callback has it */
  struct psl_options options;
  struct sources sources;
  struct names names;
  struct diagnostics diagnostics;
  struct model model;
  bool has_model;
  struct results *results;   /* newest first */
  unsigned errors, warnings; /* of the calls before this one */
  uintptr_t stack_limit;
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
/* Says that no model is loaded. */
enum psl_code handle_no_model(struct psl *psl);
/* The system of that name, or where it is NULL the only one of the file; NULL after a diagnostic. */
struct model_component *handle_system(struct psl *psl, const char *name);
/* Binds the params and resolves the system, in psl->work; NULL after diagnostics. */
struct graph *handle_resolve(struct psl *psl, const char *system, const struct resolve_options *options);
struct effects_options;
/* Says of each param that was set, but for the open ones, where it cannot affect the system's result. The
 * model is bound. */
void handle_note_settings(struct psl *psl, struct model_component *system,
                          const struct effects_options *options);
/* One run, inside an entry; empties psl->work. */
enum psl_code handle_run(struct psl *psl, const char *system, const struct psl_run_options *options,
                         const struct psl_results **results);
#endif
