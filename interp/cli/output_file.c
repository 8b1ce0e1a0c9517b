/* Files of the command line: read whole, and written so that a failure leaves what was there, and what is not whole
 * goes beside it.  Until then a file has no name, where the file system knows such files: nothing is left of it however
 * psl ends. Others have one that the next psl takes for the same file. */
#include "interp/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char *text_name(const char *path) { return strcmp(path, "-") == 0 ? "standard-input" : path; }

static bool file_failed(struct cli *cli, const char *verb, const char *path) {
  const char *why = errno ? strerror(errno) : "not all of it was written";
  cli_error(cli, NULL, "%s cannot be %s: %s", path, verb, why);
  return false;
}

/* ---- files with a name, for a signal to remove ---- */

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

bool is_database_file(const char *path) {
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

/* A name that was mistaken for another's costs neither a model nor the runs of a database, nor the trace of a run. */
static bool may_replace(struct cli *cli, const char *path, const char *use, enum contents contents) {
  bool traced = contents == CONTENTS_REPORT || contents == CONTENTS_MODEL;
  const char *kind = is_database_file(path)                        ? "database"
                     : contents < CONTENTS_MODEL && is_model(path) ? "model"
                     : traced && psl_is_trace(path)                ? "trace"
                                                                   : NULL;
  if (kind)
    cli_error(cli, "remove it first, or name another file", "%s is a %s: %s does not replace it", path, kind, use);
  return !kind;
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

static bool has_name(int file, const char *name) {
  struct stat named, opened;
  return lstat(name, &named) == 0 && fstat(file, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

/* What has the name is left of a psl that was killed, unless another one has locked it: then a number comes behind it.
 */
static int open_named(struct cli *cli, struct sink *sink) {
  const char *name = scope_printf(cli->scope, "%s.unfinished", sink->path);
  for (unsigned number = 2;;) {
    int file = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return file;
    bool own = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, there = has_name(file, name);
    if (own && there && ftruncate(file, 0) == 0) {
      remember(name);
      sink->temporary = name;
      return file;
    }
    close(file);
    if (!own) name = scope_printf(cli->scope, "%s.unfinished-%u", sink->path, number++);
  }
}

/* In the same folder, from which it can be moved to its place. */
static int open_nameless(struct cli *cli, struct sink *sink) {
  const char *slash = strrchr(sink->path, '/');
  const char *folder = slash ? scope_copy(cli->scope, sink->path, (size_t)(slash - sink->path) + 1) : ".";
  if (access("/proc/self/fd", X_OK) != 0) return -1;
  return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
}

static int open_beside(struct cli *cli, struct sink *sink, const struct stat *replaced, enum contents contents) {
  int file = contents == CONTENTS_TRACE ? -1 : open_nameless(cli, sink);
  if (file < 0) file = open_named(cli, sink);
  if (file < 0) return file;
  sink->held = fcntl(file, F_DUPFD_CLOEXEC, 0);
  mode_t mask = umask(0);
  umask(mask);
  if (replaced)
    adopt(file, replaced);
  else
    fchmod(file, 0666 & ~mask);
  return file;
}

static void let_go(struct sink *sink) {
  if (sink->temporary) remove_temporary(sink->temporary);
  if (sink->held >= 0) close(sink->held);
}

bool sink_open(struct cli *cli, struct sink *sink, const char *path, const char *use, enum contents contents) {
  struct stat status;
  *sink = (struct sink){.file = stdout, .held = -1};
  if (!path || strcmp(path, "-") == 0 || files_is_output(path)) return true;
  sink->use = use;
  sink->path = target(cli, path);
  if (!sink->path || !files_write(cli, sink->path, use, contents == CONTENTS_BACK)) return false;
  bool there = stat(sink->path, &status) == 0, plain = !there || S_ISREG(status.st_mode);
  if (there && plain && !(may_replace(cli, path, use, contents) && is_writable(cli, path))) return false;
  int file = plain ? open_beside(cli, sink, there ? &status : NULL, contents)
                   : open(path, O_WRONLY | O_CLOEXEC); /* a device, a pipe: there is nothing to replace */
  sink->file = file < 0 ? NULL : fdopen(file, "w");
  if (sink->file && (!plain || sink->held >= 0)) return true;
  file_failed(cli, "written", path);
  if (sink->file)
    fclose(sink->file);
  else if (file >= 0)
    close(file);
  let_go(sink);
  return false;
}

bool sink_page(struct cli *cli, struct sink *sink) {
  if (sink->path || !cli->paged) return true;
  sink->page = SCOPE_ARRAY(cli->scope, struct page, 1);
  sink->file = page_open(sink->page);
  return sink->file || file_failed(cli, "written", "standard output");
}

/* A link replaces no file: where one is there, it is made beside that and moved. */
static bool name_it(struct cli *cli, const struct sink *sink, const char *path) {
  const char *file = scope_printf(cli->scope, "/proc/self/fd/%d", sink->held);
  const char *beside = scope_printf(cli->scope, "%s.unfinished", path);
  if (linkat(AT_FDCWD, file, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno != EEXIST) return false;
  unlink(beside);
  return linkat(AT_FDCWD, file, AT_FDCWD, beside, AT_SYMLINK_FOLLOW) == 0 && rename(beside, path) == 0;
}

static bool put_at(struct cli *cli, struct sink *sink, const char *path) {
  if (!sink->temporary) return name_it(cli, sink, path);
  if (rename(sink->temporary, path) != 0) return false;
  forget(sink->temporary);
  sink->temporary = NULL;
  return true;
}

/* What is not whole takes the place of nothing that is. */
static bool put_partial(struct cli *cli, struct sink *sink, const char *path) {
  if (is_database_file(path) || !files_write(cli, path, sink->use, false)) return true; /* it is lost */
  if (!put_at(cli, sink, path)) return false;
  const char *stays = access(sink->path, F_OK) == 0 ? ", and %s stays as it was" : "";
  const char *said =
      scope_printf(cli->scope, "%s has what there is%s", path, scope_printf(cli->scope, stays, sink->path));
  psl_say(&cli->options, PSL_NOTE, said, NULL);
  return true;
}

/* Of an earlier command, which this one has done better. */
static void remove_partial(const struct cli *cli, const char *path) {
  struct stat there;
  if (lstat(path, &there) == 0 && S_ISREG(there.st_mode) && !is_database_file(path) && !files_uses(cli->files, path))
    unlink(path);
}

static bool put(struct cli *cli, struct sink *sink) {
  const char *partial = scope_printf(cli->scope, "%s.partial", sink->path);
  if (sink->partial) return put_partial(cli, sink, partial);
  if (!put_at(cli, sink, sink->path)) return false;
  remove_partial(cli, partial);
  return true;
}

bool sink_keep(struct cli *cli, struct sink *sink) {
  if (sink->page) page_show(sink->page);
  if (!sink->path) return true; /* standard output is tested when psl ends */
  errno = 0;
  bool good = !ferror(sink->file);
  good &= fclose(sink->file) == 0;
  if (good && sink->held >= 0) good = put(cli, sink);
  if (!good) file_failed(cli, "written", sink->path);
  let_go(sink);
  return good;
}

void sink_drop(struct sink *sink) {
  if (sink->page) page_drop(sink->page);
  if (!sink->path) return;
  fclose(sink->file);
  let_go(sink);
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

int sink_end(struct cli *cli, struct sink *sink, enum psl_code code) {
  if (code == PSL_OK || code == PSL_STOPPED) {
    sink->partial |= code == PSL_STOPPED;
    return sink_keep(cli, sink) ? exit_of(code) : EXIT_MODEL;
  }
  sink_drop(sink);
  return exit_of(code);
}

char *file_read(struct cli *cli, const char *path, size_t *size) { return file_read_most(cli, path, SIZE_MAX, size); }

char *file_read_most(struct cli *cli, const char *path, size_t most, size_t *size) {
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
  while (text.size <= most && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
    buffer_put(&text, buffer, got);
  bool good = !ferror(file);
  if (!good) file_failed(cli, "read", path);
  if (text.size > most) {
    cli_error(cli, NULL, "%s has more than %zu bytes, too many for what it is to be", shown(cli, path), most);
    good = false;
  }
  if (!standard) fclose(file);
  *size = text.size;
  return !good ? NULL : text.data ? text.data : scope_copy(cli->scope, "", 0);
}

bool trace_sink_open(struct cli *cli, struct sink *sink, const char *path, const char *option) {
  if (!sink_open(cli, sink, path, option, CONTENTS_TRACE)) return false;
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
