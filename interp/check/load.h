/* What load.c leaves for the checks: the files with their links, and the evaluators used. */
#ifndef PSL_LOAD_H
#define PSL_LOAD_H
#include "interp/include/evaluator.h"
#include "interp/check/check.h"

struct loaded_file {
  struct file *file;
  const char *identity; /* the same file by another path has the same */
  const char *path;
  uint32_t place;                 /* in model->files */
  bool prelude;                   /* every file uses it */
  bool library;                   /* it is one of PSL's own: what it does not use means nothing in it */
  bool script;                    /* lines given to a session: one may replace what one before it declares */
  const struct load_extra *extra; /* of which it is, or a part; NULL: it is a file on the disk */
  struct loaded_file **uses;
  uint32_t use_count, use_capacity;
};

struct loaded_evaluator {
  const struct psl_evaluator *evaluator;
  struct span span;        /* of the first `use` */
  struct file *signatures; /* its functions, parsed as an extern; NULL till the check */
};

/* ---- user_evaluator.c ---- */
bool is_native(const char *path); /* NAME.so, NAME.so.1 */
/* The evaluator of a shared object, sound as far as can be told; it is called `name` (NULL: as it says). NULL
 * after a diagnostic at `span`. */
const struct psl_evaluator *evaluator_load(struct model *model, const char *file, const char *folder, const char *name,
                                           struct span span);

/* ---- load.c ---- */
struct loaded_data { /* measurements that fits read */
  const char *identity;
  const struct source *source;
};

struct model_loading {
  struct load_options options;
  struct loaded_file **files; /* as model->files */
  uint32_t count, capacity, file_capacity;
  struct loaded_evaluator *used;
  uint32_t used_count, used_capacity;
  struct loaded_data *data;
  uint32_t data_count, data_capacity;
  const struct source *measured; /* options.measured, once a fit reads it */
  const char **readable;         /* folders that may be read, canonical */
  uint32_t readable_count, readable_capacity;
  struct checker *checker;    /* of the last check: its tables serve settings */
  uint32_t extras;            /* of options.extras, that are loaded */
  struct span setting_name;   /* of the setting in hand, where it stands in a file */
  struct shelved_file *shelf; /* read at the first question */
  uint32_t shelf_count, shelf_capacity;
  bool stale;  /* a setting has changed a type since */
  bool broken; /* a syntax error or a missing file: what is unknown may be there */
};
/* What `use` calls a file of PSL's own library, read for what it declares. */
struct shelved_file {
  const char *name;
  const struct file *file;
};
/* The files of the library that the model does not use, sorted by folder and name. */
uint32_t library_shelf(struct model *model, const struct shelved_file **out);
/* The file that `use NAME` means in the model in the place of the library's; NULL: it means that. */
const char *library_hidden(struct model *model, const char *name);
/* The .psl files of a folder ("": the current one), without the ending, sorted. */
uint32_t list_folder(struct arena *arena, const char *folder, const char ***out);

/* ---- reading.c ---- */
void reading_open(struct model *model);                    /* what the options allow may be read */
void reading_named(struct model *model, const char *path); /* what stands beside a file that the user has named, too */
bool reading_allowed(const struct model *model, const char *canonical);
/* model->readable: looked for from the current folder, and beside the model's first file. */
const char *reading_path(struct model *model, struct arena *arena, const char *name, const char **why);
/* The text of a file, read once where a cache is kept; NULL with why. */
const char *reading_text(struct model *model, const char *identity, const char *path, size_t *size, const char **why);
/* The text that stands in the place of the file's; NULL: there is none. */
const char *reading_unsaved(const struct load_options *options, struct arena *arena, const char *path, size_t *size);
/* The path without links and dots; as it is where there is no such file. */
const char *file_canonical(struct arena *arena, const char *path);
const char *file_folder(struct arena *arena, const char *path); /* "": the current one, or that of all files */
/* The bytes of a file; NULL with errno. */
char *file_text(struct arena *arena, const char *path, size_t *size);
/* Of a plain file that has no more than `most`: nothing that it could wait for is read. NULL with why, and errno, which
 * is ENOENT where there is none. */
char *plain_file_text(struct arena *arena, const char *path, size_t most, size_t *size, const char **why);
char *standard_input_text(struct arena *arena, size_t *size); /* what comes from now on */
#endif
