/* Files of the command line: read whole, and written so that a failure leaves what was there, and the end of
 * psl by a signal nothing beside it. */
#include "interp/cli/cli.h"

#include <errno.h>
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

/* Devices and pipes are written as they are: there is nothing to replace. */
static bool is_plain(const char *path) {
  struct stat status;
  return stat(path, &status) != 0 || S_ISREG(status.st_mode);
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

bool sink_open(struct cli *cli, struct sink *sink, const char *path) {
  *sink = (struct sink){.file = stdout};
  if (!path || strcmp(path, "-") == 0) return true;
  sink->path = path;
  if (!is_plain(path)) {
    sink->file = fopen(path, "w");
    return sink->file || file_failed(cli, "written", path);
  }
  char *temporary = scope_printf(cli->scope, "%s.XXXXXX", path);
  int descriptor = mkstemp(temporary);
  if (descriptor < 0) return file_failed(cli, "written", path);
  remember(temporary);
  struct stat status;
  mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, stat(path, &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask);
  sink->temporary = temporary;
  sink->file = fdopen(descriptor, "w");
  if (sink->file) return true;
  file_failed(cli, "written", path);
  close(descriptor);
  remove_temporary(temporary);
  return false;
}

bool sink_keep(struct cli *cli, struct sink *sink) {
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
  if (!sink->path) return;
  fclose(sink->file);
  if (sink->temporary) remove_temporary(sink->temporary);
}

char *file_read(struct cli *cli, const char *path, size_t *size) {
  bool standard = strcmp(path, "-") == 0;
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
