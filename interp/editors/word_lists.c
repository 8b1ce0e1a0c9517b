/* Writes a file for an editor with the language's words in it: `@LIST SEPARATOR@` in what it reads becomes the words of
 * the list with the separator between them, a blank where none is given. The words are those of the library that this
 * is linked with, and of the models that it finds: nobody has to write them down twice.
 *
 *   word-lists < FILE.in > FILE */
#include "interp/include/psl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which words a list has: those of the language, or those that could be written behind a text. */
static const struct list {
  const char *name;
  enum { RESERVED, PLACED, PHRASES, OFFERED } what;
  const char *behind;
  enum psl_name_kind kind;
} lists[] = {
    {"reserved", RESERVED},
    {"placed", PLACED},   /* words that mean something in their places, and are names elsewhere */
    {"phrases", PHRASES}, /* those of several words */
    {"types", OFFERED, "let x : ", PSL_NAME_TYPE},
    {"functions", OFFERED, "", PSL_NAME_FUNCTION},
    {"units", OFFERED, "1 ", PSL_NAME_UNIT},
    {"disciplines", OFFERED, "discipline = ", PSL_NAME_WORD},
};
enum { LISTS = sizeof lists / sizeof *lists };

static bool first;

static void put(const char *word, const char *separator) {
  if (!first) fputs(separator, stdout);
  first = false;
  fputs(word, stdout);
}

static void put_words(const struct list *list, const char *separator) {
  struct psl_word word;
  for (size_t i = 0; psl_word(i, &word); i++) {
    bool phrase = strchr(word.text, ' ');
    bool wanted = list->what == PHRASES ? phrase : !phrase && word.reserved == (list->what == RESERVED);
    if (wanted) put(word.text, separator);
  }
}

static bool put_offered(struct psl *psl, const struct list *list, const char *separator) {
  const struct psl_completion *completion;
  if (psl_complete(psl, list->behind, strlen(list->behind), &completion) != PSL_OK) return false;
  for (size_t i = 0; i < completion->count; i++)
    if (completion->kinds[i] == list->kind) put(completion->words[i], separator);
  return true;
}

/* Functions are those that are built in; units and types those of the whole library, too. */
static bool put_list(struct psl *bare, struct psl *library, const char *name, size_t length, const char *separator) {
  const struct list *list = lists;
  while (list < lists + LISTS && (strlen(list->name) != length || strncmp(list->name, name, length)))
    list++;
  if (list == lists + LISTS) return false;
  first = true;
  if (list->what == OFFERED) return put_offered(list->kind == PSL_NAME_FUNCTION ? bare : library, list, separator);
  put_words(list, separator);
  return true;
}

/* `@LIST@` or `@LIST SEPARATOR@` at the head of the text; how long it is, 0: something else stands there. */
static size_t put_place(struct psl *bare, struct psl *library, const char *text) {
  const char *end = strpbrk(text + 1, "@\n");
  if (!end || *end != '@') return 0;
  size_t name = strcspn(text + 1, " @");
  char separator[64] = " ";
  const char *after = text + 1 + name;
  if (*after == ' ') snprintf(separator, sizeof separator, "%.*s", (int)(end - after - 1), after + 1);
  return put_list(bare, library, text + 1, name, separator) ? (size_t)(end - text) + 1 : 0;
}

int main(void) {
  static char text[1 << 20];
  struct psl_options options = {.no_library = true};
  struct psl *bare = psl_open(&options), *library = psl_open(NULL);
  size_t size = fread(text, 1, sizeof text - 1, stdin);
  if (!bare || !library || psl_load_text(bare, "empty", "", 0) != PSL_OK || psl_load_library(library) != PSL_OK) {
    fputs("word-lists: the library cannot be loaded\n", stderr);
    return EXIT_FAILURE;
  }
  for (size_t at = 0; at < size;) {
    size_t place = text[at] == '@' ? put_place(bare, library, text + at) : 0;
    if (!place) putchar(text[at]);
    at += place ? place : 1;
  }
  psl_close(bare);
  psl_close(library);
  return ferror(stdout) || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
