/* The memory of the ranks of a program, at the end of each: what is neither of files nor shared with psl, in kB, a line
 * a rank, in the file that RANK_MEMORY names. Who is not called as RANK_PROGRAM is no rank. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long own_memory(void) {
  char line[200];
  long memory = -1;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file && memory < 0 && fgets(line, sizeof line, file))
    sscanf(line, "Anonymous: %ld", &memory);
  if (file) fclose(file);
  return memory;
}

__attribute__((destructor)) static void say_memory(void) {
  const char *name = getenv("RANK_MEMORY"), *program = getenv("RANK_PROGRAM");
  char self[PATH_MAX] = "", line[40];
  if (!name || !program || readlink("/proc/self/exe", self, sizeof self - 1) < 0) return;
  const char *base = strrchr(self, '/');
  if (!base || strcmp(base + 1, program)) return;
  int length = snprintf(line, sizeof line, "%ld\n", own_memory());
  int file = open(name, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (file < 0 || write(file, line, (size_t)length) != length) abort();
  close(file);
}
