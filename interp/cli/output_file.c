/* Files of the command line: read whole, and written so that a failure leaves what was there, and the end of
 * psl by a signal nothing beside it. */
#include "interp/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *text_name(const char *path) { return strcmp(path, "-") == 0 ? "standard-input" : path; }

static bool file_failed(struct cli *cli, const char *verb, const char *path) {
  const char *why = errno ? strerror(errno) : "not all of it was written";
  cli_error(cli, NULL, "%s cannot be %s: %s", path, verb, why);
  return false;
}

/* ---- temporary files, for a signal to remove ---- */

enum { TEMPORARIES = 8 };
static char temporaries[TEMPORARIES][PATH_MAX]; /* "": none */
static pid_t owner;                             /* a forked worker has no say in them */

/* The first character comes last: a signal in between finds nothing. */
static void remember(const char *path) {
  size_t length = strlen(path);
  owner = getpid();
  for (size_t t = 0; t < TEMPORARIES && length < PATH_MAX; t++) {
    if (*temporaries[t]) continue;
    memcpy(temporaries[t] + 1, path + 1, length);
    *temporaries[t] = *path;
    return;
  }
}

static void forget(const char *path) {
  for (size_t t = 0; t < TEMPORARIES; t++)
    if (strcmp(temporaries[t], path) == 0) *temporaries[t] = '\0';
}

void sinks_abandon(void) {
  for (size_t t = 0; t < TEMPORARIES && owner == getpid(); t++)
    if (*temporaries[t]) unlink(temporaries[t]);
}

static void remove_temporary(const char *path) {
  unlink(path);
  forget(path);
}

/* ---- sinks ---- */

/* What a symbolic link names is written, and the link stays. */
static const char *target(struct cli *cli, const char *path) {
  struct stat status;
  char resolved[PATH_MAX];
  if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode)) return path;
  if (realpath(path, resolved)) return scope_copy(cli->scope, resolved, strlen(resolved));
  if (errno == ENOENT)
    cli_error(cli, NULL, "%s is a symbolic link to a file that is not there", path);
  else
    file_failed(cli, "written", path);
  return NULL;
}

static bool is_database(const char *path) {
  char head[16];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  bool is = file >= 0 && read(file, head, sizeof head) == sizeof head && !memcmp(head, "SQLite format 3", sizeof head);
  if (file >= 0) close(file);
  return is;
}

static bool is_model(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".psl") == 0;
}

/* A name that was mistaken for another's costs neither a model nor the runs of a database. */
static bool may_replace(struct cli *cli, const char *path, const char *use, enum contents contents) {
  bool database = is_database(path), model = contents == CONTENTS_REPORT && is_model(path);
  if (database)
    cli_error(cli, "remove it first, or name another file", "%s is a database: %s does not replace it", path, use);
  else if (model)
    cli_error(cli, "remove it first, or name another file", "%s is a model: %s does not replace it", path, use);
  return !database && !model;
}

/* A file that may not be written is not replaced by another one, either. */
static bool is_writable(struct cli *cli, const char *path) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return file_failed(cli, "written", path);
  close(file);
  return true;
}

/* The temporary file is the owner's and has the mode of the one that it will replace. */
static void adopt(int file, const struct stat *replaced) {
  if (fchown(file, replaced->st_uid, replaced->st_gid) != 0 && fchown(file, (uid_t)-1, replaced->st_gid) != 0)
    errno = 0; /* then it is who writes it */
  fchmod(file, replaced->st_mode & 0777);
}

static int open_beside(struct cli *cli, struct sink *sink, const struct stat *replaced) {
  char *temporary = scope_printf(cli->scope, "%s.XXXXXX", sink->path);
  int file = mkostemp(temporary, O_CLOEXEC);
  if (file < 0) return file;
  remember(temporary);
  sink->temporary = temporary;
  mode_t mask = umask(0);
  umask(mask);
  if (replaced)
    adopt(file, replaced);
  else
    fchmod(file, 0666 & ~mask);
  return file;
}

bool sink_open(struct cli *cli, struct sink *sink, const char *path, const char *use, enum contents contents) {
  struct stat status;
  *sink = (struct sink){.file = stdout};
  if (!path || strcmp(path, "-") == 0 || files_is_output(path)) return true;
  sink->path = target(cli, path);
  if (!sink->path || !files_write(cli, sink->path, use, contents == CONTENTS_BACK)) return false;
  bool there = stat(sink->path, &status) == 0, plain = !there || S_ISREG(status.st_mode);
  if (there && plain && !(may_replace(cli, path, use, contents) && is_writable(cli, path))) return false;
  int file = plain ? open_beside(cli, sink, there ? &status : NULL)
                   : open(path, O_WRONLY | O_CLOEXEC); /* a device, a pipe: there is nothing to replace */
  sink->file = file < 0 ? NULL : fdopen(file, "w");
  if (sink->file) return true;
  file_failed(cli, "written", path);
  if (file >= 0) close(file);
  if (sink->temporary) remove_temporary(sink->temporary);
  return false;
}

bool sink_move(struct cli *cli, struct sink *sink, const char *path, const char *use) {
  const char *place = target(cli, path);
  if (!place || !files_write(cli, place, use, false)) return false;
  sink->path = place;
  return true;
}

bool outputs_check(struct cli *cli) {
  const struct {
    const char *path, *use;
  } outputs[] = {
      {cli->output, "--output"}, {cli->trace, "--trace"},         {cli->timeline, "--timeline"},
      {cli->record, "--record"}, {cli->plot_file, "--plot-file"}, {cli->table, "--table"},
  };
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    const char *path = outputs[i].path;
    bool file = path && strcmp(path, "-") != 0 && !files_is_output(path);
    if (file && !files_write(cli, path, outputs[i].use, false)) return false;
  }
  return !cli->study.database || files_write_database(cli, cli->study.database);
}

bool sink_page(struct cli *cli, struct sink *sink) {
  if (sink->path || !cli->paged) return true;
  sink->page = SCOPE_ARRAY(cli->scope, struct page, 1);
  sink->file = page_open(sink->page);
  return sink->file || file_failed(cli, "written", "standard output");
}

bool sink_keep(struct cli *cli, struct sink *sink) {
  if (sink->page) page_show(sink->page);
  if (!sink->path) return true; /* standard output is tested when psl ends */
  errno = 0;
  bool good = !ferror(sink->file);
  good &= fclose(sink->file) == 0;
  if (good && sink->temporary) good = rename(sink->temporary, sink->path) == 0;
  if (good && sink->temporary) forget(sink->temporary);
  if (good) return true;
  file_failed(cli, "written", sink->path);
  if (sink->temporary) remove_temporary(sink->temporary);
  return false;
}

void sink_drop(struct sink *sink) {
  if (sink->page) page_drop(sink->page);
  if (!sink->path) return;
  fclose(sink->file);
  if (sink->temporary) remove_temporary(sink->temporary);
}

char *file_read(struct cli *cli, const char *path, size_t *size) {
  bool standard = strcmp(path, "-") == 0;
  const char *why = standard ? NULL : files_read(cli->files, path);
  if (why) {
    cli_error(cli, NULL, "%s cannot be read: %s", path, why);
    return NULL;
  }
  FILE *file = standard ? stdin : fopen(path, "r");
  if (!file) {
    file_failed(cli, "read", path);
    return NULL;
  }
  struct buffer text = {.scope = cli->scope};
  char buffer[16 * 1024];
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
    buffer_put(&text, buffer, got);
  bool good = !ferror(file);
  if (!good) file_failed(cli, "read", path);
  if (!standard) fclose(file);
  *size = text.size;
  return !good ? NULL : text.data ? text.data : scope_copy(cli->scope, "", 0);
}

bool trace_sink_open(struct cli *cli, struct sink *sink, const char *path, const char *option) {
  if (!sink_open(cli, sink, path, option, CONTENTS_REPORT)) return false;
  if (sink->temporary) return true;
  sink_drop(sink);
  cli_error(cli, NULL, "'%s' is no file that can hold a trace", shown(cli, path));
  return false;
}

/* false after a diagnostic: the name is that of no format. */
static bool trace_is_own(struct cli *cli, const char *path, bool *own) {
  struct psl *psl = cli_open(cli);
  int is_own = 0;
  bool fine = psl && psl_trace_format(psl, path, &is_own) == PSL_OK;
  if (psl) cli_close(cli, psl);
  *own = is_own;
  return fine;
}

bool trace_record_open(struct cli *cli, struct sink *record, const char *path, const char *option) {
  bool own;
  return trace_is_own(cli, path, &own) && trace_sink_open(cli, record, path, option);
}

static bool keep_converted(struct cli *cli, struct sink *record, const char *path, const char *option) {
  struct sink sink;
  if (!trace_sink_open(cli, &sink, path, option)) return false;
  struct psl *psl = cli_open(cli);
  bool fine = psl && psl_trace_convert(psl, record->temporary, sink.temporary, path) == PSL_OK;
  if (psl) cli_close(cli, psl);
  if (!fine) sink_drop(&sink);
  return fine && sink_keep(cli, &sink);
}

bool trace_record_keep(struct cli *cli, struct sink *record, const char *path, const char *option) {
  bool own, fine = trace_is_own(cli, path, &own);
  if (fine && own) return sink_keep(cli, record);
  fine = fine && keep_converted(cli, record, path, option);
  sink_drop(record);
  return fine;
}

bool record_open(struct cli *cli, struct sink *record) {
  return !cli->record || trace_record_open(cli, record, cli->record, "--record");
}

int record_close(struct cli *cli, struct sink *record, int code) {
  if (!cli->record) return code;
  if (code == EXIT_FINE) return trace_record_keep(cli, record, cli->record, "--record") ? EXIT_FINE : EXIT_MODEL;
  sink_drop(record);
  return code;
}
