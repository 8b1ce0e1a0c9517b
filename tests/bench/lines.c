/* Lines of PSL parsed a second: a model file repeated to a million lines, read by the parser alone.
 *
 *   lines FILE   prints lines and the wall-clock seconds */
#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINES = 1000000 };

int main(int argc, char **argv) {
  struct memory memory = {0};
  struct arena arena;
  arena_open(&arena, &memory);
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file) return 2;
  struct text once = {.arena = &arena}, text = once;
  char buffer[4096];
  size_t got, lines = 0;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_put_n(&once, buffer, got);
  fclose(file);
  for (size_t i = 0; i < once.size; i++)
    lines += once.data[i] == '\n';
  if (!lines) return 2;
  size_t times = LINES / lines;
  for (size_t i = 0; i < times; i++)
    text_put_n(&text, once.data, once.size);

  struct names names;
  struct sources sources = {.arena = &arena, .end = 1};
  names_open(&names, &arena);
  struct diagnostics diagnostics = {.sources = &sources};
  arena_open(&diagnostics.arena, &memory);
  const struct source *source = source_add(&sources, argv[1], text.data, text.size);
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  struct file *tree = parse_file(&arena, &names, &diagnostics, source);
  clock_gettime(CLOCK_MONOTONIC, &end);
  diagnostic_flush(&diagnostics);
  printf("%zu %.6f\n", lines * times,
         (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9);
  bool good = !tree->broken;
  arena_close(&diagnostics.arena);
  arena_close(&arena);
  return !good;
}
