/* Where a file system has no files without a name, one is made whose name goes at once. */
#include "evaluators/programs/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int temporary_open(void) {
  const char *folder = getenv("TMPDIR");
  char *name = NULL;
  if (!folder || !*folder) folder = "/tmp";
  int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || asprintf(&name, "%s/psl-XXXXXX", folder) < 0) return file;
  file = mkostemp(name, O_CLOEXEC);
  if (file >= 0) unlink(name);
  free(name);
  return file;
}

FILE *temporary_file(void) {
  int file = temporary_open();
  FILE *stream = file < 0 ? NULL : fdopen(file, "w+");
  if (!stream && file >= 0) close(file);
  return stream;
}
