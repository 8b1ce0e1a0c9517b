/* The entries of psl.h that make traces of programs: of a real run, and in another format. */
#include "evaluators/programs/archive.h"
#include "evaluators/programs/collect.h"
#include "evaluators/programs/outputs.h"
#include "evaluators/programs/paraver.h"
#include "interp/library/handle.h"
#include "interp/library/modules.h"
#include "interp/library/trace_info.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static enum psl_code fail(struct psl *psl, const char *text) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s", text);
  return PSL_WRONG;
}

bool psl_is_trace(const char *path) { return program_source_is(path); }

/* Of whom psl-otf2 is started. */
static const char *archive_program(char room[PATH_MAX]) { return module_find(room, "psl-otf2") ? room : ""; }

struct program_source *trace_source_open(const char *path, struct program_error *error) {
  char program[PATH_MAX];
  return archive_is(path) ? archive_open(archive_program(program), path, error) : program_source_open(path, error);
}

/* ---- another format ---- */

struct convert_given {
  const char *from, *to, *name;
  struct program_source *source;
  struct trace_output *output;
};

static enum psl_code unknown_format(struct psl *psl, const char *name) {
  struct text endings = {.arena = &psl->work};
  const struct trace_output_kind *kind;
  for (size_t k = 0; (kind = trace_output_listed(k)); k++)
    text_printf(&endings, "%s%.*s, a %s", k ? "; " : "", (int)strcspn(kind->endings, " "), kind->endings, kind->name);
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "'%s' has no name of a trace", name);
  diagnostic_help(&psl->diagnostics, (struct span){0}, "it ends by %s", endings.data);
  return PSL_MISUSE;
}

static void say_losses(struct psl *psl, const struct convert_given *given) {
  const struct trace_output *output = given->output;
  for (uint32_t k = 0; k < output->loss_count; k++) {
    uint64_t count = output->losses[k].count;
    diagnostic_add(&psl->diagnostics, SEVERITY_WARNING, (struct span){0}, "a %s cannot hold %s (%llu operation%s)",
                   output->kind->name, output->losses[k].what, (unsigned long long)count, count == 1 ? "" : "s");
  }
}

static enum psl_code work_convert(struct psl *psl, void *arguments) {
  struct convert_given *given = arguments;
  struct program_error error;
  const struct trace_output_kind *kind = trace_output_named(given->name);
  char program[PATH_MAX];
  if (!kind) return unknown_format(psl, given->name);
  if (paraver_is_of_run(given->from)) return fail(psl, PARAVER_NOT_AGAIN);
  given->source = trace_source_open(given->from, &error);
  if (!given->source) return fail(psl, error.text);
  given->output = kind->open(given->to, given->name, given->source->ranks, &error);
  if (!given->output) return fail(psl, error.text);
  given->output->kind = kind;
  given->output->ranks = given->source->ranks;
  given->output->archive_program = archive_program(program);
  bool fine = trace_convert(given->source, given->output, &error);
  say_losses(psl, given);
  return fine ? PSL_OK : fail(psl, error.text);
}

struct format_given {
  const char *name;
  int *own;
};

static enum psl_code work_format(struct psl *psl, void *arguments) {
  const struct format_given *given = arguments;
  const char *slash = strrchr(given->name, '/');
  const struct trace_output_kind *kind = trace_output_named(given->name);
  *given->own = !kind || kind == &own_trace_output;
  return kind || !strchr(slash ? slash : given->name, '.') ? PSL_OK : unknown_format(psl, given->name);
}

enum psl_code psl_trace_format(struct psl *psl, const char *name, int *own) {
  return handle_enter(psl, work_format, &(struct format_given){name, own});
}

enum psl_code psl_trace_convert(struct psl *psl, const char *from, const char *to, const char *name) {
  struct convert_given given = {from, to, name, NULL, NULL};
  enum psl_code code = handle_enter(psl, work_convert, &given);
  if (given.output) given.output->kind->close(given.output);
  if (given.source) given.source->kind->close(given.source);
  return code;
}

/* ---- a trace of a real run ---- */

struct program_given {
  const char *const *words;
  const char *ranks, *to;
  bool folder;
  int *status;
};

char **recording_environment(struct psl *psl, const char *folder, const char *emulator, const char *plugin) {
  char arm[PATH_MAX], mpich[PATH_MAX], openmpi[PATH_MAX];
  const char *before = getenv("LD_PRELOAD");
  size_t count = 0, used = 0;
  while (environ[count])
    count++;
  if (!module_find(arm, "psl-record.so")) return NULL;
  if (!module_find(mpich, "psl-record-mpich.so")) *mpich = '\0';
  if (!module_find(openmpi, "psl-record-openmpi.so")) *openmpi = '\0';
  char **made = ARENA_ARRAY(&psl->work, char *, count + 7);
  for (size_t k = 0; k < count; k++)
    if (strncmp(environ[k], "LD_PRELOAD=", 11) && strncmp(environ[k], "PSL_TRACE", 9)) made[used++] = environ[k];
  made[used++] = arena_printf(&psl->work, "LD_PRELOAD=%s%s%s", arm, before ? ":" : "", before ? before : "");
  made[used++] = arena_printf(&psl->work, "PSL_TRACE=%s", folder);
  made[used++] = arena_printf(&psl->work, "PSL_TRACE_MPICH=%s", mpich);
  made[used++] = arena_printf(&psl->work, "PSL_TRACE_OPENMPI=%s", openmpi);
  if (emulator) {
    made[used++] = arena_printf(&psl->work, "PSL_TRACE_QEMU=%s", emulator);
    made[used++] = arena_printf(&psl->work, "PSL_TRACE_PLUGIN=%s", plugin);
  }
  made[used] = NULL;
  return made;
}

static enum psl_code run_command(struct psl *psl, const struct program_given *given) {
  char folder[PATH_MAX];
  pid_t process;
  int status;
  char **environment = realpath(given->ranks, folder) ? recording_environment(psl, folder, NULL, NULL) : NULL;
  if (!environment) return fail(psl, "psl is not installed whole: its library psl-record.so is missing");
  int wrong = posix_spawnp(&process, *given->words, NULL, NULL, (char **)given->words, environment);
  if (wrong) return fail(psl, arena_printf(&psl->work, "%s cannot be started: %s", *given->words, strerror(wrong)));
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return fail(psl, strerror(errno));
  *given->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return PSL_OK;
}

/* Nothing has been traced: why? */
static enum psl_code nothing_traced(struct psl *psl, const char *ranks) {
  static const char *const mpis[][3] = {{"mpich", "MPICH", "libmpich-dev"}, {"openmpi", "Open MPI", "libopenmpi-dev"}};
  for (size_t k = 0; k < 2; k++)
    if (access(arena_printf(&psl->work, "%s/%s", ranks, mpis[k][0]), F_OK) == 0)
      return fail(psl, arena_printf(&psl->work, "the program is one of %s, and psl was built without that (Debian: %s)",
                                    mpis[k][1], mpis[k][2]));
  return fail(psl, "the command has run no program that is linked with a library of MPICH or Open MPI");
}

/* Two processes that were the same rank: there are no ranks of one program. */
enum psl_code ranks_meet(struct psl *psl, const char *folder) {
  char mpi[16] = "";
  unsigned ranks = 0;
  FILE *again = fopen(arena_printf(&psl->work, "%s/again", folder), "re");
  if (!again) return PSL_OK;
  bool alone = fscanf(again, "%u %15[A-Z a-z]", &ranks, mpi) == 2 && ranks == 1;
  fclose(again);
  if (!alone) return fail(psl, "the command runs several programs of MPI: trace each of them by itself");
  return fail(psl, arena_printf(&psl->work,
                                "each process is rank 0 of 1: the program is one of %s, and what starts it is not, as "
                                "mpirun of another MPI; or the command runs several programs, one after another",
                                mpi));
}

static enum psl_code work_program(struct psl *psl, void *arguments) {
  const struct program_given *given = arguments;
  struct trace_collected collected;
  struct program_error error;
  enum psl_code code = run_command(psl, given);
  if (code != PSL_OK) return code;
  if (access(arena_printf(&psl->work, "%s/0.trace", given->ranks), F_OK) < 0) return nothing_traced(psl, given->ranks);
  if ((code = ranks_meet(psl, given->ranks)) != PSL_OK) return code;
  if (!trace_collect(given->ranks, given->to, given->folder, &collected, &error)) return fail(psl, error.text);
  if (collected.cut)
    diagnostic_add(&psl->diagnostics, SEVERITY_WARNING, (struct span){0},
                   "%u of the %u ranks did not come to MPI_Finalize: what they did till then is in the trace",
                   collected.cut, collected.ranks);
  return PSL_OK;
}

enum psl_code psl_trace_program(struct psl *psl, const char *const *words, const char *ranks, const char *to,
                                int folder, int *status) {
  struct program_given given = {words, ranks, to, folder != 0, status};
  return handle_enter(psl, work_program, &given);
}
