/* Every .psl of the project that parses: its layout has the same tree, and is its own layout. */
#include "tests/unit/unit.h"

#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/text.h"
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned laid_out;

static struct file *parse(struct arena *arena, const char *path, const char *text, size_t size) {
  struct names *names = arena_alloc(arena, sizeof *names);
  struct sources *sources = arena_alloc(arena, sizeof *sources);
  struct diagnostics *diagnostics = arena_alloc(arena, sizeof *diagnostics);
  names_open(names, arena);
  *sources = (struct sources){.arena = arena, .end = 1};
  *diagnostics = (struct diagnostics){.sources = sources};
  arena_open(&diagnostics->arena, arena->memory);
  struct file *file = parse_file(arena, names, diagnostics, source_add(sources, path, text, size));
  arena_close(&diagnostics->arena);
  return file && !file->broken ? file : NULL;
}

static const char *text_of(const struct text *text) { return text->data ? text->data : ""; }

static const char *read_all(struct arena *arena, const char *path, size_t *size) {
  struct text text = {.arena = arena};
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  for (int c; (c = getc(file)) != EOF;)
    text_char(&text, (char)c);
  fclose(file);
  *size = text.size;
  return text_of(&text);
}

static void check_layout(struct arena *arena, const char *path) {
  size_t size;
  const char *source = read_all(arena, path, &size);
  const struct file *file = parse(arena, path, source, size);
  if (!file) return; /* a test of what the parser says */
  struct text tree = {.arena = arena}, layout = tree, tree_again = tree, layout_again = tree;
  ast_dump(&tree, file, false);
  ast_format(&layout, file);
  file = parse(arena, path, text_of(&layout), layout.size);
  if (!file) fail_msg("%s: the layout does not parse:\n%s", path, text_of(&layout));
  ast_dump(&tree_again, file, false);
  ast_format(&layout_again, file);
  if (strcmp(text_of(&tree), text_of(&tree_again))) fail_msg("%s: the layout has another tree", path);
  if (strcmp(text_of(&layout), text_of(&layout_again))) fail_msg("%s: the layout is laid out in another way", path);
  laid_out++;
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *where) {
  (void)status;
  const char *name = path + where->base, *dot = strrchr(name, '.');
  if (kind == FTW_D && where->level == 1 && (*name == '.' || strncmp(name, "build", 5) == 0)) return FTW_SKIP_SUBTREE;
  if (kind != FTW_F || *name == '.' || !dot || strcmp(dot, ".psl")) return FTW_CONTINUE;
  struct memory memory = {0};
  struct arena arena;
  arena_open(&arena, &memory);
  check_layout(&arena, path);
  arena_close(&arena);
  return FTW_CONTINUE;
}

static void layouts_keep_the_tree_and_themselves(void **state) {
  (void)state;
  assert_int_equal(nftw(".", visit, 20, FTW_PHYS | FTW_ACTIONRETVAL), 0);
  assert_in_range(laid_out, 300, 100000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(layouts_keep_the_tree_and_themselves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
