/* A program that is to be run, or a replay that is to be recorded, as a file in memory that says so: what running.c,
 * simulated.c and recorded.c of evaluators/programs open, and Reflector. The file is sealed, by which these know that
 * it is made here, for somebody who has named the program or the trace, and not by a model. And an archive that has
 * become a trace. */
#include "evaluators/processor/instruction.h"
#include "evaluators/processor/parameters.h"
#include "evaluators/programs/archive.h"
#include "evaluators/programs/description.h"
#include "evaluators/programs/program_file.h"
#include "interp/include/psl.h"
#include "interp/library/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct psl_program {
  int file;
  struct import *import; /* of an archive, in the place of the file */
  char path[64];
};

static bool write_word(int file, const char *word) {
  size_t size = strlen(word) + 1;
  return write(file, word, size) == (ssize_t)size;
}

static bool seal(int file) {
  return fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
}

/* What a run needs besides the program: files, "" where one is not needed. */
struct needed {
  char library[PATH_MAX], emulator[PATH_MAX], counter[PATH_MAX];
};

static bool write_all(const struct psl_program *program, const struct psl_program_options *options, const char *path,
                      const struct needed *needed) {
  char ranks[16];
  snprintf(ranks, sizeof ranks, "%u", options->ranks);
  bool fine = write_word(program->file, RUNNING_MAGIC) && write_word(program->file, ranks) &&
              write_word(program->file, options->costs == PSL_COSTS_MEASURED ? "measured" : "none") &&
              write_word(program->file, options->inside ? "inside" : "processes") &&
              write_word(program->file, needed->library) &&
              write_word(program->file, options->record ? options->record : "") &&
              write_word(program->file, needed->emulator) && write_word(program->file, needed->counter) &&
              write_word(program->file, path);
  for (const char *const *word = options->words + 1; fine && *word; word++)
    fine = write_word(program->file, *word);
  return fine && seal(program->file);
}

static bool find_needed(struct needed *needed, bool counted, char *error, size_t error_size) {
  bool built = module_find(needed->library, "psl-mpich.so");
  *needed->emulator = *needed->counter = '\0';
  if (built && counted) {
    built = module_find(needed->counter, "psl-instructions.so");
    if (built && !program_file_find("qemu-x86_64", needed->emulator, error, error_size)) {
      snprintf(error, error_size, "instructions cannot be counted: there is no qemu-x86_64 (Debian: qemu-user)");
      return false;
    }
  }
  if (!built) snprintf(error, error_size, "programs cannot be run: psl was built without MPICH (Debian: libmpich-dev)");
  return built;
}

static struct psl_program *description_open(void) {
  struct psl_program *program = calloc(1, sizeof *program);
  if (!program) return NULL;
  program->file = memfd_create("psl-program", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  snprintf(program->path, sizeof program->path, "/proc/%d/fd/%d", (int)getpid(), program->file);
  if (program->file >= 0) return program;
  free(program);
  return NULL;
}

struct psl_program *psl_program_replayed(const char *trace, const char *record, char *error, size_t error_size) {
  struct psl_program *program = description_open();
  if (program && write_word(program->file, RECORDED_MAGIC) && write_word(program->file, trace) &&
      write_word(program->file, record) && seal(program->file))
    return program;
  snprintf(error, error_size, "the replay cannot be prepared: %s", strerror(errno));
  psl_program_close(program);
  return NULL;
}

/* ---- programs that ask the model ---- */

struct psl_program *psl_program_reflected(const struct psl_reflected_options *options, char *error, size_t error_size) {
  char path[PATH_MAX];
  if (!options->socket && !program_file_find(options->words[0], path, error, error_size)) return NULL;
  struct psl_program *program = description_open();
  bool fine = program && write_word(program->file, REFLECTED_MAGIC) &&
              write_word(program->file, options->simulated ? "none" : "measured") &&
              write_word(program->file, options->socket ? options->socket : "");
  if (fine && !options->socket) fine = write_word(program->file, path);
  for (const char *const *word = options->words + 1; fine && !options->socket && *word; word++)
    fine = write_word(program->file, *word);
  if (fine && seal(program->file)) return program;
  snprintf(error, error_size, "the program cannot be prepared: %s", strerror(errno));
  psl_program_close(program);
  return NULL;
}

/* ---- archives ---- */

bool psl_is_archive(const char *path) { return archive_is(path); }

struct psl_program *psl_program_archived(const char *archive, char *error, size_t error_size) {
  struct program_error why = {"there is no memory for it"};
  char tool[PATH_MAX];
  struct psl_program *program = calloc(1, sizeof *program);
  if (program) program->file = -1;
  if (program) program->import = archive_import(module_find(tool, "psl-otf2") ? tool : "", archive, &why);
  if (program && program->import) {
    snprintf(program->path, sizeof program->path, "%s", import_path(program->import));
    return program;
  }
  snprintf(error, error_size, "%s", why.text);
  psl_program_close(program);
  return NULL;
}

/* ---- programs for simulated processors ---- */

/* Their settings, which the source takes as they are. */
static bool settings_fine(const struct psl_program_options *options, char *error, size_t error_size) {
  struct parameters parameters;
  parameters_default(&parameters);
  for (size_t k = 0; k < options->setting_count; k++)
    if (!parameters_set(&parameters, options->settings[k].name, options->settings[k].value, error, error_size))
      return false;
  return parameters_check(&parameters, error, error_size);
}

static bool write_simulated(const struct psl_program *program, const struct psl_program_options *options,
                            const char *path) {
  static const char *const costs[] = {
      [PSL_COSTS_MEASURED] = "cycles", [PSL_COSTS_NONE] = "none", [PSL_COSTS_INSTRUCTIONS] = "instructions"};
  char ranks[16];
  snprintf(ranks, sizeof ranks, "%u", options->ranks);
  bool fine = write_word(program->file, SIMULATED_MAGIC) && write_word(program->file, ranks) &&
              write_word(program->file, costs[options->costs]) &&
              write_word(program->file, options->record ? options->record : "");
  for (size_t k = 0; fine && k < options->setting_count; k++)
    fine =
        write_word(program->file, options->settings[k].name) && write_word(program->file, options->settings[k].value);
  fine = fine && write_word(program->file, "") && write_word(program->file, path);
  for (const char *const *word = options->words + 1; fine && *word; word++)
    fine = write_word(program->file, *word);
  return fine && seal(program->file);
}

static struct psl_program *simulated_open(const struct psl_program_options *options, const char *path, char *error,
                                          size_t error_size) {
  if (!settings_fine(options, error, error_size)) return NULL;
  if (options->inside) {
    snprintf(error, error_size, "'%s' is for another processor, which is simulated: --ranks says nothing of it", path);
    return NULL;
  }
  struct psl_program *program = description_open();
  if (program && write_simulated(program, options, path)) return program;
  snprintf(error, error_size, "the program cannot be prepared: %s", strerror(errno));
  psl_program_close(program);
  return NULL;
}

/* ---- all ---- */

struct psl_program *psl_program_open(const struct psl_program_options *options, char *error, size_t error_size) {
  char path[PATH_MAX];
  struct needed needed;
  if (!program_file_find(options->words[0], path, error, error_size)) return NULL;
  if (program_is_known(path)) return simulated_open(options, path, error, error_size);
  if (options->setting_count) {
    snprintf(error, error_size, "'%s' runs on this computer's processor: --processor is for those that are simulated",
             path);
    return NULL;
  }
  if (options->inside && options->costs == PSL_COSTS_INSTRUCTIONS) {
    snprintf(error, error_size, "instructions are counted of ranks that are processes, not inside of psl");
    return NULL;
  }
  if (!find_needed(&needed, options->costs == PSL_COSTS_INSTRUCTIONS, error, error_size)) return NULL;
  if (!program_file_check(path, needed.library, error, error_size)) return NULL;
  if (options->inside && !program_file_inside(path, error, error_size)) return NULL;
  struct psl_program *program = description_open();
  if (program && write_all(program, options, path, &needed)) return program;
  snprintf(error, error_size, "the program cannot be prepared: %s", strerror(errno));
  psl_program_close(program);
  return NULL;
}

const char *psl_program_path(const struct psl_program *program) { return program->path; }

void psl_program_close(struct psl_program *program) {
  if (!program) return;
  if (program->file >= 0) close(program->file);
  import_drop(program->import);
  free(program);
}
