/* psl_probe_messages: a program of psl's own, interp/fit/mpi/probe.c, is run by a launcher of MPI, and what it prints
 * becomes a table. There is one for each MPI; the launcher's is that whose ranks find each other. And psl_probe_memory,
 * psl_probe_compute, psl_probe_threads: the same with programs that need no launcher, in interp/fit/memory/ and
 * interp/fit/threads/. */
#include "interp/library/handle.h"
#include "interp/library/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MARK "psl-probe,"
enum { OUTPUT_MOST = 64 << 20 }; /* bytes; what prints more is not psl's program */
enum { NOT_STARTED = 127 };      /* as the shell and loaders say that */
extern char **environ;

struct probe_kind {                   /* of a program that needs no launcher */
  const char *program;                /* its name */
  const char *what;                   /* that one program of several kinds measures; NULL: it measures one */
  const char *of, *command, *columns; /* of the table: what of, by which word of psl measure, its columns */
};

struct probing {
  struct psl *psl;
  const struct psl_probe_options *options;
  psl_write *write;
  void *user;
  const struct probe_kind *kind; /* NULL: messages */
  struct text output;            /* of the program that was run last */
  int status;                    /* that it ended with */
  bool none;                     /* no probe was built */
};

static enum psl_code fail(struct probing *p, const char *help, const char *format, const char *what) {
  diagnostic_add(&p->psl->diagnostics, SEVERITY_ERROR, (struct span){0, 0}, format, what);
  if (help) diagnostic_help(&p->psl->diagnostics, (struct span){0, 0}, "%s", help);
  return PSL_WRONG;
}

/* ---- running it ---- */

/* The launcher is words for the shell; the program and its arguments stand behind them. */
static bool start(struct probing *p, const char *program, int output, pid_t *process) {
  char count[24];
  snprintf(count, sizeof count, "%llu",
           (unsigned long long)(p->options->repetitions ? p->options->repetitions : PSL_PROBE_REPETITIONS));
  const char *what = p->kind ? p->kind->what : NULL, *launcher = p->kind ? "" : p->options->launcher;
  const char *command = arena_printf(&p->psl->work, "%s \"$@\"", launcher);
  char *words[] = {"sh", "-c", (char *)command, "sh", (char *)program, count, (char *)what, NULL};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  errno = posix_spawn(process, "/bin/sh", &files, NULL, words, environ);
  posix_spawn_file_actions_destroy(&files);
  return errno == 0;
}

/* How many of its samples it has printed, or how many tests it has ended, once it has said how many there are. `seen`:
 * so much of the output, which are whole lines, has been looked through. */
static void tell(const struct probing *p, struct psl_progress *progress, size_t *seen) {
  const char *all = p->kind ? MARK "tests,0," : MARK "samples,0,", *one = p->kind ? MARK "tested," : MARK;
  const char *at = p->output.data + *seen;
  if (!p->options->progress) return;
  for (const char *end; (end = strchr(at, '\n')); at = end + 1) {
    if (!strncmp(at, all, strlen(all)))
      progress->count = strtoull(at + strlen(all), NULL, 10);
    else if (progress->done < progress->count)
      progress->done += !strncmp(at, one, strlen(one));
  }
  *seen = (size_t)(at - p->output.data);
  if (progress->count) p->options->progress(p->options->progress_user, progress);
}

static void tell_end(const struct probing *p, struct psl_progress *progress) {
  progress->ended = true;
  if (p->options->progress && progress->count) p->options->progress(p->options->progress_user, progress);
}

static bool run(struct probing *p, const char *program) {
  int ends[2];
  char bytes[4096];
  pid_t process;
  struct psl_progress progress = {.count = 0};
  size_t seen = 0;
  p->output = (struct text){.arena = &p->psl->work};
  text_put(&p->output, "");
  if (pipe2(ends, O_CLOEXEC) < 0) return false;
  bool started = start(p, program, ends[1], &process);
  close(ends[1]);
  for (ssize_t got; started && p->output.size < OUTPUT_MOST &&
                    ((got = read(ends[0], bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR));)
    if (got > 0) {
      text_put_n(&p->output, bytes, (size_t)got);
      tell(p, &progress, &seen);
    }
  tell_end(p, &progress);
  close(ends[0]);
  while (started && waitpid(process, &p->status, 0) < 0 && errno == EINTR)
    continue;
  return started;
}

/* ---- what it prints ---- */

/* The value of a line MARK NAME,BYTES,VALUE; NULL: there is none. */
static const char *line_of(const struct probing *p, const char *name) {
  const char *mark = arena_printf(&p->psl->work, "%s%s,0,", MARK, name);
  const char *at = strstr(p->output.data, mark);
  return at ? at + strlen(mark) : NULL;
}

static int ranks_found(const struct probing *p) {
  const char *ranks = line_of(p, "ranks");
  return ranks ? atoi(ranks) : 0;
}

static void put_line(struct text *out, const char *line) {
  text_put_n(out, line, strcspn(line, "\n"));
  text_char(out, '\n');
}

static void put_date(struct text *out, const char *what) {
  char date[40];
  time_t now = time(NULL);
  struct tm when;
  gmtime_r(&now, &when);
  strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &when);
  text_printf(out, "# %s, measured %s by psl measure", what, date);
}

static void put_origin(struct probing *p, struct text *out) {
  const char *hosts[] = {line_of(p, "host"), line_of(p, "other-host")}, *library = line_of(p, "library");
  put_date(out, "Messages of MPI");
  text_printf(out, " messages --mpirun '%s'\n", p->options->launcher);
  if (library) text_put(out, "# with "), put_line(out, library);
  for (int k = 0; k < 2; k++)
    if (hosts[k]) text_printf(out, "# rank %d on ", k), put_line(out, hosts[k]);
}

static void put_table(struct probing *p, struct text *out, const char *columns) {
  text_printf(out, "%s\n", columns);
  for (const char *at = p->output.data; (at = strstr(at, MARK)); at += strlen(MARK)) {
    const char *line = at + strlen(MARK);
    bool named = false;
    static const char *const names[] = {"ranks,",     "host,",     "other-host,", "library,", "end,",
                                        "processor,", "compiler,", "samples,",    "tests,",   "tested,"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      named |= strncmp(line, names[k], strlen(names[k])) == 0;
    if (!named) put_line(out, line);
  }
}

/* ---- which one ---- */

/* Until one finds the other rank, or fails for more than a library of MPI that is not there. */
static bool run_probes(struct probing *p) {
  static const char *const probes[] = {"psl-probe-mpich", "psl-probe-openmpi"};
  char path[PATH_MAX];
  p->none = true;
  for (size_t k = 0; k < sizeof probes / sizeof *probes; k++) {
    if (!module_find(path, probes[k])) continue;
    int before = p->none ? NOT_STARTED : p->status;
    p->none = false;
    if (!run(p, path)) return false;
    if (ranks_found(p) > 1) return true;
    bool not_started = WIFEXITED(p->status) && WEXITSTATUS(p->status) == NOT_STARTED;
    if (p->status && !not_started) { /* what the one before found out says more */
      if (before == 0) p->status = 0;
      return true;
    }
  }
  return !p->none;
}

static enum psl_code work_probe(struct psl *psl, void *arguments) {
  struct probing *p = arguments;
  struct text table = {.arena = &psl->work};
  const char *launcher = p->options->launcher;
  p->psl = psl;
  psl->memory.breakable = true;
  handle_prepare(psl);
  if (!run_probes(p) && p->none)
    return fail(p, "Debian: libmpich-dev or libopenmpi-dev", "messages cannot be measured: psl was built without %s",
                "MPI");
  if (WIFEXITED(p->status) && WEXITSTATUS(p->status) == NOT_STARTED)
    return fail(p, "Debian: mpich or openmpi-bin", "'%s' cannot be started", launcher);
  if (p->status) return fail(p, NULL, "'%s' fails", launcher);
  if (ranks_found(p) < 2) return fail(p, "as in --mpirun 'mpirun -n 2'", "'%s' starts no two ranks", launcher);
  if (!line_of(p, "end")) return fail(p, NULL, "'%s' ends before all is measured", launcher);
  put_origin(p, &table);
  put_table(p, &table, "test,bytes [byte],time [s]");
  return p->write(p->user, table.data, table.size) ? PSL_STOPPED : PSL_OK;
}

static void put_own_origin(struct probing *p, struct text *out) {
  static const char *const names[] = {"host", "processor", "compiler"}, *const words[] = {"on", "with",
                                                                                          "compiled by gcc"};
  put_date(out, p->kind->of);
  text_printf(out, " %s\n", p->kind->command);
  for (int k = 0; k < 3; k++) {
    const char *line = line_of(p, names[k]);
    if (line) text_printf(out, "# %s ", words[k]), put_line(out, line);
  }
}

static enum psl_code work_probe_own(struct psl *psl, void *arguments) {
  struct probing *p = arguments;
  struct text table = {.arena = &psl->work};
  char path[PATH_MAX];
  p->psl = psl;
  psl->memory.breakable = true;
  handle_prepare(psl);
  if (!module_find(path, p->kind->program))
    return fail(p, NULL, "psl is not installed whole: its program %s is missing", p->kind->program);
  if (!run(p, path) || p->status || !line_of(p, "end")) return fail(p, NULL, "'%s' fails", path);
  put_own_origin(p, &table);
  put_table(p, &table, p->kind->columns);
  return p->write(p->user, table.data, table.size) ? PSL_STOPPED : PSL_OK;
}

static enum psl_code probe(struct psl *psl, const struct psl_probe_options *options, const struct probe_kind *kind,
                           psl_write *write, void *user) {
  struct probing p = {.options = options, .write = write, .user = user, .kind = kind};
  struct psl *own = psl_open(&psl->options);
  if (!own) return PSL_MEMORY;
  enum psl_code code = handle_enter(own, kind ? work_probe_own : work_probe, &p);
  psl->errors += psl_errors(own);
  psl_close(own);
  return code;
}

enum psl_code psl_probe_messages(struct psl *psl, const struct psl_probe_options *options, psl_write *write,
                                 void *user) {
  return probe(psl, options, NULL, write, user);
}

enum psl_code psl_probe_memory(struct psl *psl, const struct psl_probe_options *options, psl_write *write, void *user) {
  static const struct probe_kind kind = {"psl-probe-memory", NULL, "Memory", "memory",
                                         "test,stride,processors,bytes [byte],time [s]"};
  return probe(psl, options, &kind, write, user);
}

enum psl_code psl_probe_compute(struct psl *psl, const struct psl_probe_options *options, psl_write *write,
                                void *user) {
  static const struct probe_kind kind = {"psl-probe-memory", "compute", "Operations", "compute",
                                         "operation,lanes,chains,time [s]"};
  return probe(psl, options, &kind, write, user);
}

enum psl_code psl_probe_threads(struct psl *psl, const struct psl_probe_options *options, psl_write *write,
                                void *user) {
  static const struct probe_kind kind = {"psl-probe-threads", NULL, "Threads", "threads", "test,time [s]"};
  return probe(psl, options, &kind, write, user);
}
