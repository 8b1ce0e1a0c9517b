/* psl-otf2 write TRACE ARCHIVE.otf2 | read ARCHIVE.otf2 TRACE: prints the error, if there is one. */
#include "evaluators/programs/otf2/otf2.h"

#include <stdio.h>
#include <string.h>

static OTF2_ErrorCode keep_quiet(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                                 const char *format, va_list arguments) {
  (void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
  return code;
}

int main(int count, char **words) {
  struct program_error error = {""};
  bool writes = count == 4 && strcmp(words[1], "write") == 0, reads = count == 4 && strcmp(words[1], "read") == 0;
  if (!writes && !reads) return 2;
  OTF2_Error_RegisterCallback(keep_quiet, NULL);
  if (writes ? archive_write(words[2], words[3], &error) : archive_read(words[2], words[3], &error)) return 0;
  printf("%s", error.text);
  return 1;
}
