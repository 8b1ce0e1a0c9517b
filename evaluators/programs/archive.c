/* OTF2, by a program of its own: an archive becomes a trace of PSL's when it is opened, and such a trace an archive. */
#include "evaluators/programs/archive.h"
#include "evaluators/programs/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What it says goes to the error; it names the file itself. */
static bool ended_well(pid_t process, int said, const char *name, struct program_error *error) {
  char text[sizeof error->text];
  size_t size = 0;
  int status;
  for (ssize_t got; size < sizeof text - 1 && (got = read(said, text + size, sizeof text - 1 - size)) > 0;)
    size += (size_t)got;
  text[size] = '\0';
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    continue;
  if (WIFEXITED(status) && !WEXITSTATUS(status)) return true;
  if (WIFSIGNALED(status))
    snprintf(error->text, sizeof error->text, "%.60s: libotf2 ends by signal %d", name, WTERMSIG(status));
  else if (size)
    memcpy(error->text, text, sizeof text);
  else
    snprintf(error->text, sizeof error->text, "%.60s: libotf2 cannot be loaded: install libotf2-trace-dev", name);
  return false;
}

static bool run(const char *program, const char *what, const char *from, const char *to, const char *name,
                struct program_error *error) {
  posix_spawn_file_actions_t files;
  char *const words[] = {(char *)program, (char *)what, (char *)from, (char *)to, NULL};
  pid_t process;
  int said[2];
  if (!*program || pipe2(said, O_CLOEXEC) < 0) {
    snprintf(error->text, sizeof error->text, "psl was built without libotf2 (Debian: libotf2-trace-dev)");
    return false;
  }
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, said[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int wrong = posix_spawn(&process, *words, &files, NULL, words, environ);
  posix_spawn_file_actions_destroy(&files);
  close(said[1]);
  bool fine = !wrong && ended_well(process, said[0], name, error);
  if (wrong) snprintf(error->text, sizeof error->text, "psl-otf2 cannot be started: %s", strerror(wrong));
  close(said[0]);
  return fine;
}

/* ---- reading ---- */

static bool otf2_recognise(const char *path, const char *head, size_t size) {
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".otf2") == 0 && memmem(head, size < 16 ? size : 16, "OTF2", 4);
}

bool archive_is(const char *path) { return program_source_kind_of(path) == &otf2_source; }

struct import *archive_import(const char *program, const char *path, struct program_error *error) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  struct import *import = import_open(0, error);
  if (!import || run(program, "read", path, import_path(import), name, error)) return import;
  import_drop(import);
  return NULL;
}

struct program_source *archive_open(const char *program, const char *path, struct program_error *error) {
  struct import *import = archive_import(program, path, error);
  return import ? import_source(import, &otf2_source, error) : NULL;
}

/* It would start a program. */
static struct program_source *otf2_open(const char *path, struct program_error *error) {
  const char *slash = strrchr(path, '/');
  snprintf(error->text, sizeof error->text,
           "%.50s is an archive in OTF2, which is read where the command line names it, or made another trace by psl "
           "trace convert",
           slash ? slash + 1 : path);
  return NULL;
}

const struct program_source_kind otf2_source = {
    .name = "trace in OTF2",
    .recognise = otf2_recognise,
    .open = otf2_open,
    .next = imported_next,
    .place = imported_place,
    .close = imported_close,
};

/* ---- writing ---- */

struct archive {
  struct trace_output output;
  struct import *trace; /* that it is made of */
  char *path, *name;
};

static void otf2_close(struct trace_output *output) {
  struct archive *archive = (struct archive *)output;
  import_drop(archive->trace);
  free(archive->path), free(archive->name);
  free(archive);
}

static struct trace_output *otf2_new(const char *path, const char *name, uint32_t ranks, struct program_error *error) {
  struct archive *archive = calloc(1, sizeof *archive);
  if (!archive) return NULL;
  archive->path = strdup(path), archive->name = strdup(name);
  archive->trace = import_open(ranks, error);
  if (archive->trace && archive->path && archive->name) return &archive->output;
  otf2_close(&archive->output);
  return NULL;
}

static bool otf2_write(struct trace_output *output, uint32_t rank, const struct program_operation *operation,
                       struct program_error *error) {
  return import_put(((struct archive *)output)->trace, rank, operation, error);
}

static bool otf2_end(struct trace_output *output, uint32_t rank, struct program_error *error) {
  (void)output, (void)rank, (void)error;
  return true;
}

/* Its first file goes where the others will look for it. */
static bool otf2_finish(struct trace_output *output, struct program_error *error) {
  struct archive *archive = (struct archive *)output;
  if (!import_flush(archive->trace, error)) return false;
  if (!run(output->archive_program, "write", import_path(archive->trace), archive->name, archive->name, error))
    return false;
  if (strcmp(archive->path, archive->name) == 0 || rename(archive->name, archive->path) == 0) return true;
  snprintf(error->text, sizeof error->text, "%.80s cannot be written: %s", archive->name, strerror(errno));
  return false;
}

const struct trace_output_kind otf2_output = {
    .name = "trace in OTF2",
    .endings = ".otf2",
    .counts = true,
    .open = otf2_new,
    .write = otf2_write,
    .end = otf2_end,
    .finish = otf2_finish,
    .close = otf2_close,
};
