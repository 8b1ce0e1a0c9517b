/* Choices of many ways (switch, select case) as tests, one behind the other: then there are conditions alone. */
#include "interp/compile/mpi_program.h"

#include <string.h>

/* A block more, of one test; true leads to `yes`, false to what is added next. */
static int add_test(struct program *program, const struct statement *choice, const char *comparison,
                    const struct value *with) {
  struct room *room = program->room;
  struct statement *test = ROOM_ARRAY(room, struct statement, 1);
  struct value *value = ROOM_ARRAY(room, struct value, 1);
  int at = program->block_count++;
  struct block *block = &program->blocks[at];
  *test = *choice;
  *value = (struct value){.kind = VALUE_OP, .text = comparison, .type = 'b', .width = 1, .count = 2};
  value->arguments = ROOM_ARRAY(room, struct value *, 2);
  value->arguments[0] = choice->value;
  value->arguments[1] = (struct value *)with;
  test->kind = STATEMENT_CONDITION;
  test->id = program->id_count++;
  test->block = at;
  test->value = value;
  program->by_id[test->id] = test;
  block->there = true;
  block->loop = program->blocks[choice->block].loop;
  block->ways = ROOM_ARRAY(room, struct way, 2);
  block->statements = ROOM_ARRAY(room, struct statement *, 1);
  block->statements[block->count++] = test;
  return at;
}

static void lead(struct program *program, int from, bool when, int to) {
  struct block *block = &program->blocks[from];
  block->ways[block->way_count++] = (struct way){.to = to, .when = when ? WAY_TRUE : WAY_FALSE};
}

/* What comes to the block from the choice comes from its tests. */
static void move_phis(struct program *program, int to, int choice, const int *tests, size_t count) {
  struct block *block = &program->blocks[to];
  for (size_t i = 0; i < block->count && block->statements[i]->kind == STATEMENT_PHI; i++) {
    struct statement *phi = block->statements[i];
    struct argument *arguments = ROOM_ARRAY(program->room, struct argument, phi->argument_count + count);
    size_t kept = 0;
    const struct argument *own = NULL;
    for (size_t k = 0; k < phi->argument_count; k++) {
      if (phi->arguments[k].block == choice)
        own = &phi->arguments[k];
      else
        arguments[kept++] = phi->arguments[k];
    }
    for (size_t k = 0; own && k < count; k++) {
      arguments[kept] = *own;
      arguments[kept++].block = tests[k];
    }
    phi->arguments = arguments;
    phi->argument_count = kept;
  }
}

static void move_exits(struct program *program, int to, int choice, const int *tests, size_t count) {
  for (int l = 1; l < program->loop_count; l++) {
    struct loop *loop = &program->loops[l];
    size_t own = 0;
    for (size_t i = 0; i < loop->exit_count; i++)
      own += loop->exits[i].from == choice && loop->exits[i].to == to;
    if (!own) continue;
    struct loop_exit *exits = ROOM_ARRAY(program->room, struct loop_exit, loop->exit_count + count);
    size_t kept = 0;
    for (size_t i = 0; i < loop->exit_count; i++)
      if (loop->exits[i].from != choice || loop->exits[i].to != to) exits[kept++] = loop->exits[i];
    for (size_t k = 0; k < count; k++)
      exits[kept++] = (struct loop_exit){.from = tests[k], .to = to};
    loop->exits = exits;
    loop->exit_count = kept;
  }
}

void switch_split(struct program *program, int at) {
  struct block *block = &program->blocks[at];
  struct statement *choice = block->count ? block->statements[block->count - 1] : NULL;
  if (!choice || choice->kind != STATEMENT_SWITCH) return;
  struct way *ways = block->ways;
  size_t way_count = block->way_count, cases = 0;
  int other = 0; /* the way of all others */
  for (size_t w = 0; w < way_count; w++) {
    cases += ways[w].case_count;
    for (size_t k = 0; k < ways[w].case_count; k++)
      if (!ways[w].cases[2 * k]) other = (int)w;
  }
  int **tests = ROOM_ARRAY(program->room, int *, way_count);
  size_t *counts = ROOM_ARRAY(program->room, size_t, way_count);
  int first = -1, *open = ROOM_ARRAY(program->room, int, 2 * cases + 1);
  size_t open_count = 0;
  for (size_t w = 0; w < way_count; w++) {
    tests[w] = ROOM_ARRAY(program->room, int, 2 * cases + 1);
    for (size_t k = 0; (int)w != other && k < ways[w].case_count; k++) {
      const struct value *low = ways[w].cases[2 * k], *high = ways[w].cases[2 * k + 1];
      int test = add_test(program, choice, high ? "ge_expr" : "eq_expr", low);
      for (size_t i = 0; i < open_count; i++)
        lead(program, open[i], false, test);
      open_count = 0;
      open[open_count++] = test;
      if (first < 0) first = test;
      if (high) {
        int below = add_test(program, choice, "le_expr", high);
        lead(program, test, true, below);
        open[open_count++] = test = below;
      }
      lead(program, test, true, ways[w].to);
      tests[w][counts[w]++] = test;
    }
  }
  for (size_t i = 0; i < open_count; i++) {
    lead(program, open[i], false, ways[other].to);
    tests[other][counts[other]++] = open[i];
  }
  for (size_t w = 0; first >= 0 && w < way_count; w++) {
    move_phis(program, ways[w].to, at, tests[w], counts[w]);
    move_exits(program, ways[w].to, at, tests[w], counts[w]);
  }
  program->by_id[choice->id] = NULL;
  block = &program->blocks[at];
  block->count--;
  block->many = false;
  block->ways = ROOM_ARRAY(program->room, struct way, 1);
  block->ways[0] = (struct way){.to = first < 0 ? ways[other].to : first, .when = WAY_ALWAYS};
  block->way_count = 1;
}
