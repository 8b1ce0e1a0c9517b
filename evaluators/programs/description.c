/* Reads such a file, if it is sealed: only the program that links this library can have made that. */
#include "evaluators/programs/description.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *text_read(int file, size_t *size) {
  struct stat status;
  int seals = fcntl(file, F_GET_SEALS);
  if (seals < 0 || !(seals & F_SEAL_WRITE) || !(seals & F_SEAL_SEAL) || fstat(file, &status) < 0) return NULL;
  *size = (size_t)status.st_size;
  char *text = calloc(1, *size + 1);
  if (text && read(file, text, *size) == status.st_size) return text;
  free(text);
  return NULL;
}

char **description_read(const char *path, char **text, size_t *count) {
  size_t size = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  *text = text_read(file, &size);
  close(file);
  *count = 0;
  for (size_t k = 0; *text && k < size; k++)
    *count += (*text)[k] == '\0';
  char **words = *text ? calloc(*count + 1, sizeof *words) : NULL;
  char *word = *text;
  for (size_t k = 0; words && k < *count; k++, word += strlen(word) + 1)
    words[k] = word;
  return words;
}
