/* Fuzz target: the parser and the formatter. Any text ends in a tree or in diagnostics; what parses is
 * formatted into a text that parses to the same tree and formats to itself. */
#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  struct memory memory;
  struct arena arena;
  struct names names;
  struct sources sources;
  struct diagnostics diagnostics;
};

static void render(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  struct reader *reader = user;
  diagnostic_render(&reader->arena, sources, diagnostic, DIAGNOSTIC_FULL, true, 60);
  diagnostic_render(&reader->arena, sources, diagnostic, DIAGNOSTIC_JSON, false, 0);
}

static void reader_open(struct reader *reader) {
  *reader = (struct reader){.memory.limit = 256 << 20};
  arena_open(&reader->arena, &reader->memory);
  names_open(&reader->names, &reader->arena);
  reader->sources = (struct sources){.arena = &reader->arena, .end = 1};
  reader->diagnostics = (struct diagnostics){.sources = &reader->sources, .sink = render, .user = reader, .limit = 20};
  arena_open(&reader->diagnostics.arena, &reader->memory);
}

static struct file *read_text(struct reader *reader, const char *name, const char *text, size_t size) {
  const struct source *source = source_add(&reader->sources, name, text, size);
  if (!source) return NULL;
  struct file *file = parse_file(&reader->arena, &reader->names, &reader->diagnostics, source);
  diagnostic_flush(&reader->diagnostics);
  return file;
}

static _Noreturn void finding(const char *what, const char *before, const char *after) {
  fprintf(stderr, "%s:\n%s\n----\n%s\n", what, before, after);
  abort();
}

static const char *text_of(const struct text *text) { return text->data ? text->data : ""; }

static void check_layout(struct reader *reader, const struct file *file) {
  struct text tree = {.arena = &reader->arena}, layout = tree, tree_again = tree, layout_again = tree;
  ast_dump(&tree, file, false);
  ast_format(&layout, file);
  const struct file *again = read_text(reader, "input.psl", text_of(&layout), layout.size);
  if (!again || again->broken) finding("the layout does not parse", text_of(&tree), text_of(&layout));
  ast_dump(&tree_again, again, false);
  ast_format(&layout_again, again);
  if (strcmp(text_of(&tree), text_of(&tree_again))) finding("another tree", text_of(&tree), text_of(&tree_again));
  if (strcmp(text_of(&layout), text_of(&layout_again)))
    finding("another layout", text_of(&layout), text_of(&layout_again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct reader reader; /* outlives the jump */
  jmp_buf guard;
  reader_open(&reader);
  reader.memory.guard = &guard;
  if (!setjmp(guard)) {
    struct file *file = read_text(&reader, "input.psl", (const char *)data, size);
    if (file && !file->broken) check_layout(&reader, file);
  }
  arena_close(&reader.diagnostics.arena);
  arena_close(&reader.arena);
  return 0;
}
