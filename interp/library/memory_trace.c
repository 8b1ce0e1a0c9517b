/* psl_trace_memory: a program is run under QEMU with psl's plugin, and what that finds out is written as a signature in
 * PSL. The two meet in a folder of their own: `wanted` says what is to be simulated, `found` what was. */
#include "evaluators/programs/program_file.h"
#include "evaluators/programs/signature.h"
#include "interp/library/handle.h"
#include "interp/library/modules.h"
#include "interp/library/profile_name.h"
#include "interp/library/signature_text.h"

#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct processor;

struct tracing {
  struct psl *psl;
  const struct psl_signature_options *options;
  psl_write *write;
  void *user;
  int *status;
  const struct processor *processor;
  struct cache_machine machines[MACHINES_MOST];
  char folder[64], emulator[PATH_MAX], program[PATH_MAX], plugin[PATH_MAX];
};

static enum psl_code fail(struct tracing *t, const char *text) {
  diagnostic_add(&t->psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s", text);
  return PSL_WRONG;
}

/* ---- what is wanted ---- */

static enum psl_code read_machines(struct tracing *t) {
  static const char *const no_endings[] = {NULL};
  if (t->options->cache_count > MACHINES_MOST) return fail(t, "at most 16 machines can be simulated at once");
  for (size_t k = 0; k < t->options->cache_count; k++) {
    const char *text = t->options->caches[k], *wrong = cache_text_read(text, &t->machines[k]);
    for (size_t before = 0; before < k && !wrong; before++)
      if (!strcmp(t->machines[before].name, t->machines[k].name)) wrong = "two machines of one name";
    if (!wrong && (wrong = profile_name_wrong(t->psl, t->machines[k].name, no_endings)))
      wrong = arena_printf(&t->psl->work, "'%s' %s", t->machines[k].name, wrong);
    if (wrong) {
      diagnostic_add(&t->psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "--caches %s: %s",
                     shown_line(&t->psl->work, text), wrong);
      return PSL_WRONG;
    }
  }
  return PSL_OK;
}

static void put_level(FILE *file, const char *what, const struct cache_level *level) {
  fprintf(file, "%s %llu %llu %llu %d %d\n", what, (unsigned long long)level->size, (unsigned long long)level->ways,
          (unsigned long long)level->line, level->replacement, level->around);
}

static bool write_wanted(const struct tracing *t) {
  FILE *file = fopen(arena_printf(&t->psl->work, "%s/wanted", t->folder), "we");
  if (!file) return false;
  if (t->options->bursts) fputs("bursts\n", file);
  if (t->options->chains) fprintf(file, "chains %llu\n", t->options->chains);
  if (t->options->distances) fprintf(file, "distances %d %llu\n", SIGNATURE_LINE, t->options->distances);
  for (size_t k = 0; k < t->options->cache_count; k++) {
    const struct cache_machine *machine = &t->machines[k];
    fputs("machine\n", file);
    for (unsigned level = 0; level < machine->levels; level++)
      put_level(file, "level", &machine->level[level]);
    if (machine->tlb.size) put_level(file, "tlb", &machine->tlb);
  }
  return fclose(file) == 0;
}

/* ---- the run ---- */

/* Which of QEMU's programs runs one that is compiled for that processor, as which of its models, and where Debian has
 * its shared libraries. */
static const struct processor {
  unsigned number;
  const char *emulator, *model, *libraries;
} processors[] = {{EM_X86_64, "qemu-x86_64", "max", NULL},
                  {EM_AARCH64, "qemu-aarch64", "max", "/usr/aarch64-linux-gnu"},
                  {EM_RISCV, "qemu-riscv64", "rv64", "/usr/riscv64-linux-gnu"}};

static const char *const those_traced = "psl trace --memory runs those of x86-64, AArch64 and 64-bit RISC-V";

/* NULL: there is none. */
static const struct processor *processor_of(unsigned number) {
  for (size_t k = 0; k < sizeof processors / sizeof *processors; k++)
    if (processors[k].number == number) return &processors[k];
  return NULL;
}

/* QEMU runs none but these: what else the file is, and what helps. */
static enum psl_code refuse_program(struct tracing *t) {
  char what[300] = "";
  struct arena *arena = &t->psl->work;
  const char *name = shown_line(arena, *t->options->words);
  switch (program_file_form(t->program, what, sizeof what)) {
  case FORM_ELF: return fail(t, arena_printf(arena, "%s is a program of %s: %s", name, what, those_traced));
  case FORM_SCRIPT:
    fail(t, arena_printf(arena, "%s is a script: what is traced is a program, such as the script's interpreter", name));
    diagnostic_help(&t->psl->diagnostics, (struct span){0}, "psl trace --memory -- %s %s", shown_line(arena, what),
                    name);
    return PSL_WRONG;
  case FORM_EMPTY: return fail(t, arena_printf(arena, "%s is an empty file", name));
  case FORM_UNREADABLE: return fail(t, arena_printf(arena, "%s cannot be read", name));
  case FORM_UNKNOWN: break;
  }
  return fail(t, arena_printf(arena, "%s does not begin as a program does: %s", name, those_traced));
}

/* The first word of the command that names a program, behind that of who starts ranks: NULL if it is one that the
 * library that records calls can stand in. */
static const char *foreign_rank(const struct tracing *t) {
  const char *const *words = t->options->words;
  char what[64];
  for (size_t k = 0; words[k]; k++) {
    if (access(words[k], X_OK) < 0 || program_file_form(words[k], what, sizeof what) != FORM_ELF) continue;
    if (program_file_processor(words[k]) != processors->number) return words[k];
    if (k) return NULL;
  }
  return NULL;
}

static const char *const name_endings[] = {"-signature", NULL}; /* of what is written */

/* The name that a file of that name gives, as far as letters, digits and '_' go. */
static const char *name_of_file(struct tracing *t, const char *path) {
  const char *slash = strrchr(path, '/');
  char *name = arena_printf(&t->psl->work, "%s", slash ? slash + 1 : path);
  for (char *at = name; *at; at++)
    if (!isalnum((unsigned char)*at)) *at = at[1] ? '_' : '\0';
  return isalpha((unsigned char)*name) ? name : arena_printf(&t->psl->work, "program_%s", name);
}

/* Before the run, which may take long. What ranks are is known behind it. */
static enum psl_code check_name(struct tracing *t) {
  const char *given = t->options->name, *name = given || t->options->bursts ? given : name_of_file(t, t->program);
  const char *wrong = name ? profile_name_wrong(t->psl, name, name_endings) : NULL;
  if (!wrong) return PSL_OK;
  diagnostic_add(&t->psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s'%s' %s",
                 given ? "--name: " : "the program's name ", shown_line(&t->psl->work, name), wrong);
  diagnostic_help(&t->psl->diagnostics, (struct span){0}, "give it another one: --name NAME");
  return PSL_WRONG;
}

static enum psl_code find_files(struct tracing *t) {
  char error[PATH_MAX + 80];
  if (!module_find(t->plugin, "psl-memory.so"))
    return fail(t, "psl is not installed whole: its library psl-memory.so is missing");
  bool found = program_file_find(*t->options->words, t->program, error, sizeof error);
  const char *foreign = t->options->bursts ? foreign_rank(t) : NULL;
  if (foreign)
    return fail(t,
                arena_printf(&t->psl->work, "bursts are found of programs for x86-64 alone: trace %s without --bursts",
                             shown_line(&t->psl->work, foreign)));
  t->processor = found && !t->options->bursts ? processor_of(program_file_processor(t->program)) : processors;
  if (!t->processor) return refuse_program(t);
  if (t->options->chains && t->processor != processors)
    return fail(t, "chains are found of programs for x86-64 alone: trace this one without --chains");
  char missing[PATH_MAX + 80];
  if (!program_file_find(t->processor->emulator, t->emulator, missing, sizeof missing))
    return fail(t, arena_printf(&t->psl->work, "memory cannot be traced: there is no %s (Debian: qemu-user)",
                                t->processor->emulator));
  return found ? check_name(t) : fail(t, error);
}

static enum psl_code await(struct tracing *t, pid_t process) {
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return fail(t, strerror(errno));
  *t->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (!WIFSIGNALED(status)) return PSL_OK;
  return fail(t, arena_printf(&t->psl->work, "the program ends by signal %d (%s)%s", WTERMSIG(status),
                              strsignal(WTERMSIG(status)),
                              WTERMSIG(status) == SIGILL
                                  ? ": QEMU does not know the instruction; those of AVX-512 it has not: compile without"
                                  : ""));
}

static char *plugin_of(struct tracing *t) {
  return arena_printf(&t->psl->work, "file=%s,folder=%s", t->plugin, t->folder);
}

/* The command runs as it is; those of its processes that are ranks of MPI start themselves again under QEMU. */
static enum psl_code run_ranks(struct tracing *t) {
  pid_t process;
  char **environment = recording_environment(t->psl, t->folder, t->emulator, plugin_of(t));
  if (!environment) return fail(t, "psl is not installed whole: its library psl-record.so is missing");
  int wrong = posix_spawn(&process, t->program, NULL, NULL, (char **)t->options->words, environment);
  if (wrong) return fail(t, arena_printf(&t->psl->work, "%s cannot be started: %s", t->program, strerror(wrong)));
  enum psl_code code = await(t, process);
  return code == PSL_OK ? ranks_meet(t->psl, t->folder) : code;
}

/* QEMU's options, before the program: where QEMU_LD_PREFIX says nothing, shared libraries are those of Debian's
 * compiler. */
static size_t put_head(struct tracing *t, const char **words) {
  const char *const head[] = {t->emulator, "-cpu", t->processor->model, "-plugin", plugin_of(t)};
  size_t count = sizeof head / sizeof *head;
  memcpy(words, head, sizeof head);
  if (!t->processor->libraries || getenv("QEMU_LD_PREFIX") || access(t->processor->libraries, F_OK) < 0) return count;
  words[count++] = "-L";
  words[count++] = t->processor->libraries;
  return count;
}

static enum psl_code run(struct tracing *t) {
  size_t count = 0;
  while (t->options->words[count])
    count++;
  const char **words = ARENA_ARRAY(&t->psl->work, const char *, count + 8);
  size_t head = put_head(t, words);
  memcpy(words + head, t->options->words, (count + 1) * sizeof *words);
  words[head] = t->program;
  pid_t process;
  int wrong = posix_spawn(&process, t->emulator, NULL, NULL, (char **)words, environ);
  if (wrong) return fail(t, arena_printf(&t->psl->work, "%s cannot be started: %s", t->program, strerror(wrong)));
  return await(t, process);
}

/* ---- the signature ---- */

/* What was started, or what its ranks are. */
static const char *program_name(struct tracing *t, const struct memory_signature *signature) {
  if (t->options->name) return t->options->name;
  const char *program = t->options->bursts && signature->count ? signature_program(signature->bursts) : NULL;
  const char *name = name_of_file(t, program ? program : t->program);
  return profile_name_wrong(t->psl, name, name_endings) ? arena_printf(&t->psl->work, "program_%s", name) : name;
}

static bool has_instructions(const struct memory_signature *signature) {
  for (size_t b = 0; b < signature->count; b++)
    for (size_t k = 0; k < signature->bursts[b].count; k++)
      if (signature->bursts[b].blocks[k].instructions) return true;
  return false;
}

/* The files of all ranks, from 0 on; how many there are. */
static bool read_ranks(const struct tracing *t, struct memory_signature *signature, unsigned *ranks, const char **why) {
  bool fine = true;
  for (*ranks = 0; fine; ++*ranks) {
    const char *path = arena_printf(&t->psl->work, "%s/found.%u", t->folder, *ranks);
    if (access(path, F_OK) < 0) break;
    fine = signature_read(path, *ranks, signature, why);
  }
  if (fine && !*ranks) *why = "the command has run no rank that is linked with a library of MPICH or Open MPI";
  return fine && *ranks;
}

static enum psl_code write_signature(struct tracing *t) {
  struct memory_signature signature = {.machines = (unsigned)t->options->cache_count, .one_of = t->options->distances};
  struct text out = {.arena = &t->psl->work};
  unsigned ranks = 0;
  const char *why;
  for (unsigned m = 0; m < signature.machines; m++)
    signature.levels[m] = t->machines[m].levels;
  bool fine = t->options->bursts
                  ? read_ranks(t, &signature, &ranks, &why)
                  : signature_read(arena_printf(&t->psl->work, "%s/found", t->folder), 0, &signature, &why);
  if (fine && !has_instructions(&signature)) {
    fine = false;
    why = "QEMU has run no instruction of it";
  }
  if (fine) {
    struct signature_origin origin = {program_name(t, &signature), t->options->words,  t->machines, t->options->caches,
                                      t->options->distances,       t->options->chains, ranks};
    signature_text(&out, &signature, &origin);
  }
  signature_close(&signature);
  if (!fine) return fail(t, arena_printf(&t->psl->work, "there is no signature of the program: %s", why));
  return t->write(t->user, out.data, out.size) ? PSL_STOPPED : PSL_OK;
}

static void remove_folder(const char *path) {
  DIR *folder = opendir(path);
  const struct dirent *entry;
  while (folder && (entry = readdir(folder)))
    if (entry->d_name[0] != '.') unlinkat(dirfd(folder), entry->d_name, 0);
  if (folder) closedir(folder);
  rmdir(path);
}

static enum psl_code trace_in_folder(struct tracing *t) {
  snprintf(t->folder, sizeof t->folder, "/tmp/psl-memory-XXXXXX");
  if (!mkdtemp(t->folder)) return fail(t, arena_printf(&t->psl->work, "/tmp cannot be written: %s", strerror(errno)));
  enum psl_code code = !write_wanted(t) ? fail(t, strerror(errno)) : t->options->bursts ? run_ranks(t) : run(t);
  if (code == PSL_OK) code = write_signature(t);
  remove_folder(t->folder);
  return code;
}

static enum psl_code work_trace(struct psl *psl, void *arguments) {
  struct tracing *t = arguments;
  t->psl = psl;
  enum psl_code code = read_machines(t);
  if (code == PSL_OK) code = find_files(t);
  return code == PSL_OK ? trace_in_folder(t) : code;
}

enum psl_code psl_trace_memory(struct psl *psl, const struct psl_signature_options *options, psl_write *write,
                               void *user, int *status) {
  struct tracing *t = calloc(1, sizeof *t);
  if (!t) return PSL_MEMORY;
  *t = (struct tracing){.options = options, .write = write, .user = user, .status = status};
  enum psl_code code = handle_enter(psl, work_trace, t);
  free(t);
  return code;
}
