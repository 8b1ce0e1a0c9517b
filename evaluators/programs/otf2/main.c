/* psl-otf2 write TRACE ARCHIVE.otf2 | read ARCHIVE.otf2 TRACE: prints the error, if there is one. */
#include "evaluators/programs/otf2/otf2.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static OTF2_ErrorCode keep_quiet(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                                 const char *format, va_list arguments) {
  (void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
  return code;
}

/* Files of an archive and their bytes: how many there are in its folder, by nftw. */
static struct { rlim_t count, bytes; } files;

static int add_file(const char *path, const struct stat *about, int kind, struct FTW *where) {
  (void)path, (void)where;
  if (kind == FTW_F) files.count++, files.bytes += (rlim_t)about->st_size;
  return 0;
}

/* libotf2 believes lengths that a damaged file says, up to all memory that there is. One that is whole takes a
 * chunk of at most 16 MiB a file, and what psl keeps of its definitions. */
static void limit_memory(const char *archive) {
#ifndef __SANITIZE_ADDRESS__ /* whose own memory has no such limit: tests/lib/Run.pm gives one for each allocation */
  enum { MIB = 1 << 20 };
  char folder[4096];
  snprintf(folder, sizeof folder, "%.*s", (int)strlen(archive) - (int)strlen(".otf2"), archive);
  nftw(folder, add_file, 16, FTW_PHYS);
  struct rlimit limit = {.rlim_cur = 512 * (rlim_t)MIB + 32 * MIB * files.count + 100 * files.bytes};
  limit.rlim_max = limit.rlim_cur;
  setrlimit(RLIMIT_AS, &limit);
#else
  (void)archive, (void)add_file;
#endif
}

int main(int count, char **words) {
  struct program_error error = {""};
  bool writes = count == 4 && strcmp(words[1], "write") == 0, reads = count == 4 && strcmp(words[1], "read") == 0;
  if (!writes && !reads) return 2;
  if (reads) limit_memory(words[2]);
  OTF2_Error_RegisterCallback(keep_quiet, NULL);
  if (writes ? archive_write(words[2], words[3], &error) : archive_read(words[2], words[3], &error)) return 0;
  printf("%s", error.text);
  return 1;
}
