/* Files of the command line: read whole, and written so that a failure leaves what was there. */
#include "interp/cli/cli.h"
#include "grammar/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *text_name(const char *path) {
  return strcmp(path, "-") == 0 ? "standard-input" : path;
}

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

bool sink_open(struct cli *cli, struct sink *sink, const char *path) {
  *sink = (struct sink){.file = stdout};
  if (!path || strcmp(path, "-") == 0) return true;
  sink->path = path;
  if (!is_plain(path)) {
    sink->file = fopen(path, "w");
    return sink->file || file_failed(cli, "written", path);
  }
  char *temporary = arena_printf(cli->arena, "%s.XXXXXX", path);
  int descriptor = mkstemp(temporary);
  if (descriptor < 0) return file_failed(cli, "written", path);
  struct stat status;
  mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, stat(path, &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask);
  sink->temporary = temporary;
  sink->file = fdopen(descriptor, "w");
  if (sink->file) return true;
  file_failed(cli, "written", path);
  close(descriptor);
  unlink(temporary);
  return false;
}

bool sink_keep(struct cli *cli, struct sink *sink) {
  if (!sink->path) return true; /* standard output is tested when psl ends */
  errno = 0;
  bool good = !ferror(sink->file);
  good &= fclose(sink->file) == 0;
  if (good && sink->temporary) good = rename(sink->temporary, sink->path) == 0;
  if (good) return true;
  file_failed(cli, "written", sink->path);
  if (sink->temporary) unlink(sink->temporary);
  return false;
}

void sink_drop(struct sink *sink) {
  if (!sink->path) return;
  fclose(sink->file);
  if (sink->temporary) unlink(sink->temporary);
}

char *file_read(struct cli *cli, const char *path, size_t *size) {
  bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : fopen(path, "r");
  if (!file) {
    file_failed(cli, "read", path);
    return NULL;
  }
  struct text text = {.arena = cli->arena};
  char buffer[16 * 1024];
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) text_put_n(&text, buffer, got);
  bool good = !ferror(file);
  if (!good) file_failed(cli, "read", path);
  if (!standard) fclose(file);
  *size = text.size;
  return !good ? NULL : text.data ? text.data : arena_copy(cli->arena, "", 0);
}
