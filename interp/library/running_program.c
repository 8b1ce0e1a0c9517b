/* A program that is to be run, as a file in memory that says so: what evaluators/programs/running.c opens. The file is
 * sealed, by which that knows that it is made here, for somebody who has named the program, and not by a model. */
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
  char path[64];
};

static bool write_word(int file, const char *word) {
  size_t size = strlen(word) + 1;
  return write(file, word, size) == (ssize_t)size;
}

static bool write_all(const struct psl_program *program, const struct psl_program_options *options, const char *path,
                      const char *library) {
  char ranks[16];
  snprintf(ranks, sizeof ranks, "%u", options->ranks);
  bool fine = write_word(program->file, RUNNING_MAGIC) && write_word(program->file, ranks) &&
              write_word(program->file, options->measured ? "measured" : "none") &&
              write_word(program->file, library) && write_word(program->file, options->record ? options->record : "") &&
              write_word(program->file, path);
  for (const char *const *word = options->words + 1; fine && *word; word++)
    fine = write_word(program->file, *word);
  return fine && fcntl(program->file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
}

struct psl_program *psl_program_open(const struct psl_program_options *options, char *error, size_t error_size) {
  char library[PATH_MAX], path[PATH_MAX];
  if (!module_find(library, "psl-mpich.so")) {
    snprintf(error, error_size, "programs cannot be run: psl was built without MPICH (Debian: libmpich-dev)");
    return NULL;
  }
  if (!program_file_find(options->words[0], path, error, error_size)) return NULL;
  if (!program_file_check(path, library, error, error_size)) return NULL;
  struct psl_program *program = calloc(1, sizeof *program);
  if (program) program->file = memfd_create("psl-program", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (program && program->file >= 0 && write_all(program, options, path, library)) {
    snprintf(program->path, sizeof program->path, "/proc/%d/fd/%d", (int)getpid(), program->file);
    return program;
  }
  snprintf(error, error_size, "the program cannot be prepared: %s", strerror(errno));
  psl_program_close(program);
  return NULL;
}

const char *psl_program_path(const struct psl_program *program) { return program->path; }

void psl_program_close(struct psl_program *program) {
  if (!program) return;
  if (program->file >= 0) close(program->file);
  free(program);
}
