/* How often loops are passed, and how many operations the nests among them take, as expressions in what the program
 * knows when it comes to a nest. What a branch inside of one leads to counts by the chance that a pass comes to it; the
 * test that ends a loop counts with its passes. */
#include "interp/compile/emit.h"

#include <string.h>

/* ---- what is known ---- */

static struct value *tested_value(const struct program *program, const struct loop_exit *exit, bool left) {
  const struct block *block = &program->blocks[exit->from];
  const struct statement *last = block->count ? block->statements[block->count - 1] : NULL;
  return last && last->kind == STATEMENT_CONDITION ? last->value->arguments[!left] : NULL;
}

static bool is_counter(const struct program *program, unsigned ssa, int at) {
  const struct loop *loop = &program->loops[at];
  for (size_t i = 0; i < loop->counter_count; i++)
    if (loop->counters[i].ssa == ssa) return true;
  for (size_t i = 0; i < loop->exit_count; i++)
    for (int left = 0; left < 2; left++) {
      const struct induction *side = left ? &loop->exits[i].left : &loop->exits[i].right;
      const struct value *value = side->factor ? tested_value(program, &loop->exits[i], left) : NULL;
      if (value && value->kind == VALUE_SSA && value->ssa == ssa) return true;
    }
  return false;
}

enum { OFFSETS = 8 };

/* What a pointer is counted from, and the bytes that are added to it; false: there are too many. */
static bool split_pointer(const struct program *program, const struct value *value, unsigned *root,
                          const struct value **offsets, size_t *count) {
  *count = 0;
  for (int depth = 0; depth < 30 && value->kind == VALUE_SSA; depth++) {
    const struct statement *statement = source_definition(program, value->ssa);
    const struct value *made = statement && statement->kind == STATEMENT_ASSIGN ? statement->value : NULL;
    const struct value *same = statement && statement->kind == STATEMENT_PHI ? slice_same(program, statement) : NULL;
    if (made && made->kind == VALUE_MEMORY) same = inputs_stored(program, statement, &statement->load, made->memory);
    *root = value->ssa;
    if (same) {
      value = same;
    } else if (made && made->kind == VALUE_SSA) {
      value = made;
    } else if (made && made->kind == VALUE_OP && !strcmp(made->text, "pointer_plus_expr")) {
      if (*count == OFFSETS) return false;
      offsets[(*count)++] = made->arguments[1];
      value = made->arguments[0];
    } else {
      return true;
    }
  }
  return false;
}

static bool is_pointer(const struct program *program, const struct value *value) {
  return value->kind == VALUE_SSA && program->names[value->ssa].type == 'p';
}

/* Marks what the value is made of outside of the nest; false: it depends on what the nest computes. */
static bool mark_outer(struct program *program, const struct value *value, int nest, const char *reason, int depth) {
  if (!value || depth > 40) return false;
  if (value->kind == VALUE_INT || value->kind == VALUE_REAL) return true;
  if (value->kind == VALUE_OP) {
    for (size_t i = 0; i < value->count; i++)
      if (!mark_outer(program, value->arguments[i], nest, reason, depth + 1)) return false;
    return true;
  }
  if (value->kind != VALUE_SSA) return false;
  const struct statement *statement = source_definition(program, value->ssa);
  if (!statement) return false;
  if (is_pointer(program, value) &&
      !flow_in_loop(program, statement->block, nest)) { /* where it points to is no matter */
    const struct value *offsets[OFFSETS];
    unsigned root;
    size_t count;
    if (!split_pointer(program, value, &root, offsets, &count)) return false;
    for (size_t i = 0; i < count; i++)
      if (!mark_outer(program, offsets[i], nest, reason, depth + 1)) return false;
    return true;
  }
  if (!flow_in_loop(program, statement->block, nest)) {
    slice_mark_value(program, value, NULL, reason);
    return true;
  }
  if (statement->kind == STATEMENT_PHI) return is_counter(program, value->ssa, program->blocks[statement->block].loop);
  if (statement->kind == STATEMENT_ASSIGN && statement->value->kind == VALUE_MEMORY) {
    const struct value *stored = inputs_stored(program, statement, &statement->load, statement->value->memory);
    if (stored) return mark_outer(program, stored, nest, reason, depth + 1);
    if (!expression_fixed(program, statement)) return false;
    slice_mark_value(program, value, NULL, reason);
    return true;
  }
  return statement->kind == STATEMENT_ASSIGN && statement->value->kind == VALUE_OP &&
         mark_outer(program, statement->value, nest, reason, depth + 1);
}

static bool live_exit(const struct program *program, const struct loop_exit *exit) {
  const struct block *block = &program->blocks[exit->from];
  for (size_t i = 0; block->reached && i < block->way_count; i++)
    if (block->ways[i].to == exit->to) return !block->ways[i].pruned;
  return false;
}

static bool is_steady(const struct induction *side) {
  return side->known && !side->factor && side->step && side->step->kind == VALUE_INT && side->step->number == 0;
}

static bool side_known(struct program *program, const struct induction *side, int nest, const char *reason) {
  if (!side->known || !mark_outer(program, side->base, nest, reason, 0)) return false;
  return side->factor || mark_outer(program, side->step, nest, reason, 0);
}

/* May the sides of its exits be said? */
static bool exits_known(struct program *program, const struct loop *loop, int nest, const char *reason) {
  size_t counted = 0;
  for (size_t i = 0; i < loop->exit_count; i++) {
    const struct loop_exit *exit = &loop->exits[i];
    if (!live_exit(program, exit)) continue;
    if (!exit->stays || !side_known(program, &exit->left, nest, reason) ||
        !side_known(program, &exit->right, nest, reason))
      return false;
    if (exit->left.base && is_pointer(program, exit->left.base) && exit->right.base &&
        is_pointer(program, exit->right.base)) { /* they have to be of one array */
      const struct value *offsets[OFFSETS];
      unsigned roots[2] = {0, 1};
      size_t many;
      split_pointer(program, exit->left.base, &roots[0], offsets, &many);
      split_pointer(program, exit->right.base, &roots[1], offsets, &many);
      if (roots[0] != roots[1]) return false;
    }
    if (is_steady(&exit->left) != is_steady(&exit->right))
      counted++;
    else if (!is_steady(&exit->left))
      return false;
  }
  return counted > 0;
}

void counts_mark(struct program *program, int nest) {
  for (int l = 1; l < program->loop_count; l++) {
    struct loop *loop = &program->loops[l];
    if (!loop->there || !flow_in_loop(program, loop->header, nest) || !program->blocks[loop->header].reached) continue;
    const char *reason =
        room_printf(program->room, "bounds the loop at %s:%d, which computes", source_base(loop->file), loop->line);
    loop->known = loop->said || exits_known(program, loop, nest, reason);
  }
}

/* ---- passes ---- */

bool counts_known(struct program *program, int at) {
  const struct loop *loop = &program->loops[at];
  return loop->said || loop->known || exits_known(program, loop, at, "");
}

struct passes {
  const char *count; /* NULL: without an end, as far as this exit goes */
  enum level level;
  const char *guard; /* what has to hold, or there is none; NULL: nothing */
  const struct value *base;
  long step, factor; /* of the counter; step 0: it is symbolic, or there is a factor */
  const char *step_text;
  unsigned ssa; /* of the counter */
  bool has_ssa;
};

static const char *flipped(const char *comparison) {
  if (!strcmp(comparison, "lt_expr")) return "gt_expr";
  if (!strcmp(comparison, "gt_expr")) return "lt_expr";
  if (!strcmp(comparison, "le_expr")) return "ge_expr";
  if (!strcmp(comparison, "ge_expr")) return "le_expr";
  return comparison;
}

/* What a value without a text of its own is: behind names for the same, and conversions of whole numbers. */
static const struct value *behind_names(const struct program *program, const struct value *value) {
  for (;;) {
    if (value->kind == VALUE_OP && value->count == 1 && !strcmp(value->text, "nop_expr") &&
        (value->type == 'i' || value->type == 'u') && value->width >= 32) {
      const struct value *from = value->arguments[0];
      if (from->kind == VALUE_SSA && !strchr("iu", program->names[from->ssa].type)) return value;
      value = from;
      continue;
    }
    if (value->kind != VALUE_SSA || program->names[value->ssa].text) return value;
    const struct statement *statement = source_definition(program, value->ssa);
    if (statement && statement->kind == STATEMENT_PHI && slice_same(program, statement))
      value = slice_same(program, statement);
    else if (statement && statement->kind == STATEMENT_ASSIGN && statement->value->kind == VALUE_OP)
      value = statement->value;
    else
      return value;
  }
}

/* A sum without the constants in it. */
static const struct value *without_constants(struct model *model, const struct value *value, long *constant) {
  for (;;) {
    const struct value *whole = behind_names(model->program, value);
    if (whole->kind != VALUE_OP || whole->count != 2 || whole->arguments[1]->kind != VALUE_INT) return value;
    bool plus = !strcmp(whole->text, "plus_expr");
    if (!plus && strcmp(whole->text, "minus_expr")) return value;
    *constant += plus ? whole->arguments[1]->number : -whole->arguments[1]->number;
    value = whole->arguments[0];
  }
}

/* The bytes between a pointer and what it is counted from. */
static struct value pointer_bytes(struct model *model, const struct value *pointer) {
  const struct value *offsets[OFFSETS];
  unsigned root;
  size_t count;
  struct value sum = {.kind = VALUE_INT, .type = 'i'};
  split_pointer(model->program, pointer, &root, offsets, &count);
  for (size_t i = 0; i < count; i++) {
    struct value *left = ROOM_ARRAY(model->room, struct value, 1);
    struct value **both = ROOM_ARRAY(model->room, struct value *, 2);
    *left = sum;
    both[0] = left;
    both[1] = (struct value *)offsets[i];
    bool first = sum.kind == VALUE_INT && sum.number == 0;
    struct value more = {
        .kind = VALUE_OP, .text = "plus_expr", .type = 'i', .width = 64, .arguments = both, .count = 2};
    sum = first ? *offsets[i] : more;
  }
  return sum;
}

static const char *difference(struct model *model, const struct value *from, const struct value *to, long more) {
  long less = 0;
  if (is_pointer(model->program, to)) {
    struct value from_bytes = pointer_bytes(model, from), to_bytes = pointer_bytes(model, to);
    return difference(model, &from_bytes, &to_bytes, more);
  }
  if (to->kind == VALUE_SSA) { /* n + rest - n */
    const struct statement *sum = source_definition(model->program, to->ssa);
    const struct value *value = sum && sum->kind == STATEMENT_ASSIGN ? sum->value : NULL;
    if (value && value->kind == VALUE_OP && !strcmp(value->text, "plus_expr") && from->kind == VALUE_SSA)
      for (int i = 0; i < 2; i++)
        if (value->arguments[i]->kind == VALUE_SSA && value->arguments[i]->ssa == from->ssa) {
          struct value none = {.kind = VALUE_INT};
          return difference(model, &none, value->arguments[1 - i], more);
        }
  }
  to = without_constants(model, to, &more);
  from = without_constants(model, from, &less);
  more -= less;
  if (from->kind == VALUE_INT) {
    more -= from->number;
    if (to->kind == VALUE_INT) return room_printf(model->room, "%ld", to->number + more);
    const char *text = expression_text(model, to, LEVEL_SUM);
    return more ? room_printf(model->room, "%s %c %ld", text, more > 0 ? '+' : '-', more > 0 ? more : -more) : text;
  }
  if (to->kind == VALUE_INT && more == -to->number)
    return room_printf(model->room, "-%s", expression_text(model, from, LEVEL_POWER));
  const char *text = room_printf(model->room, "%s - %s", expression_text(model, to, LEVEL_SUM),
                                 expression_text(model, from, LEVEL_TERM));
  return more ? room_printf(model->room, "%s %c %ld", text, more > 0 ? '+' : '-', more > 0 ? more : -more) : text;
}

/* Is the test behind all that the loop does? */
static bool tests_last(const struct program *program, const struct loop *loop, const struct loop_exit *exit) {
  const struct block *latch = loop->latch >= 0 ? &program->blocks[loop->latch] : NULL;
  if (exit->from == loop->latch) return true;
  for (size_t i = 0; latch && i < program->blocks[exit->from].way_count; i++)
    if (program->blocks[exit->from].ways[i].to == loop->latch) return latch->count == 0 && exit->from != loop->header;
  return false;
}

static const char *clipped(struct model *model, const char *text, bool positive) {
  return positive ? text : room_printf(model->room, "max(0, %s)", text);
}

static void count_exit(struct model *model, const struct loop *loop, const struct loop_exit *exit,
                       struct passes *passes) {
  bool left = !is_steady(&exit->left);
  const struct induction *moves = left ? &exit->left : &exit->right, *bound = left ? &exit->right : &exit->left;
  const char *stays = left ? exit->stays : flipped(exit->stays);
  const struct value *value = tested_value(model->program, exit, left);
  passes->base = moves->base;
  passes->factor = moves->factor;
  passes->has_ssa =
      value && value->kind == VALUE_SSA && is_counter(model->program, value->ssa, (int)(loop - model->program->loops));
  passes->ssa = passes->has_ssa ? value->ssa : 0;
  bool less = !strcmp(stays, "lt_expr") || !strcmp(stays, "le_expr"), equal = stays[1] == 'e';
  if (moves->factor) {
    if (!less) {
      source_error_at(model->program, loop->file, loop->line, NULL, "how often this loop is passed is not known");
      return;
    }
    model->steps = true;
    const char *to = expression_text(model, bound->base, LEVEL_SUM);
    passes->count = room_printf(model->room, "doublings(%s, %s%s, %ld)", expression_text(model, moves->base, LEVEL_IF),
                                to, equal ? "" : " - 1", moves->factor);
    passes->level = LEVEL_WORD;
    return;
  }
  bool whole = moves->step->kind == VALUE_INT;
  long step = whole ? moves->step->number : 0;
  bool up = whole ? step > 0 : less;
  passes->step = step;
  passes->step_text = whole ? NULL : expression_text(model, moves->step, LEVEL_SIGN);
  long by = step < 0 ? -step : step;
  long last = tests_last(model->program, loop, exit);
  long more = (equal ? 1 : 0) + (whole && by > 1 ? by - 1 : 0) + (whole ? last * by : 0);
  const struct value *from = up ? moves->base : bound->base, *to = up ? bound->base : moves->base;
  const char *text = difference(model, from, to, more);
  bool positive = from->kind == VALUE_INT && from->number <= more && expression_positive(model->program, to, 0);
  passes->level = LEVEL_WORD;
  if (whole && by == 1) {
    bool plain = positive && !strchr(text, ' ');
    passes->count = clipped(model, text, positive);
    passes->level = !positive || plain ? LEVEL_WORD : LEVEL_SUM;
    return;
  }
  const char *divisor = whole ? room_printf(model->room, "%ld", by) : passes->step_text;
  const char *top = whole ? text : room_printf(model->room, "%s + %s - 1", text, divisor);
  passes->count = clipped(model, room_printf(model->room, "(%s) div %s", top, divisor), positive);
  passes->level = positive ? LEVEL_TERM : LEVEL_WORD;
}

static struct passes passes_of(struct model *model, const struct loop *loop) {
  struct passes all = {.count = NULL};
  if (loop->said) {
    all.count = loop->said->text;
    all.level = LEVEL_WORD;
    return all;
  }
  for (size_t i = 0; loop->known && i < loop->exit_count; i++) {
    const struct loop_exit *exit = &loop->exits[i];
    if (!live_exit(model->program, exit)) continue;
    if (is_steady(&exit->left) && is_steady(&exit->right)) {
      struct value *sides[] = {exit->left.base, exit->right.base};
      struct value holds = {
          .kind = VALUE_OP, .text = exit->stays, .type = 'b', .width = 1, .arguments = sides, .count = 2};
      const char *text = expression_condition(model, &holds, false, LEVEL_NOT);
      all.guard = all.guard ? room_printf(model->room, "%s and %s", all.guard, text) : text;
      continue;
    }
    struct passes one = {.count = NULL};
    count_exit(model, loop, exit, &one);
    const char *guard = all.guard;
    if (all.count) {
      one.count = room_printf(model->room, "min(%s, %s)", all.count, one.count);
      one.level = LEVEL_WORD;
    }
    all = one;
    all.guard = guard;
  }
  if (!all.count) {
    source_error_at(
        model->program, loop->file, loop->line,
        room_printf(model->room, "--iterations %s:%d=EXPRESSION says it", source_base(loop->file), loop->line),
        "how often this loop is passed depends on what it computes");
    all.count = "0";
    all.level = LEVEL_WORD;
  }
  return all;
}

/* ---- nests ---- */

static bool follows(const struct program *program, const struct value *value, int at, int depth) {
  if (!value || depth > 40) return false;
  if (value->kind == VALUE_SSA) {
    const struct statement *statement = source_definition(program, value->ssa);
    if (!statement || !flow_in_loop(program, statement->block, at)) return false;
    if (statement->kind == STATEMENT_PHI) return statement->block == program->loops[at].header;
    return statement->kind == STATEMENT_ASSIGN && follows(program, statement->value, at, depth + 1);
  }
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    if (follows(program, value->arguments[i], at, depth + 1)) return true;
  return false;
}

/* Do loops inside of it go by its counter? */
static bool counts_vary(const struct program *program, int at) {
  for (int l = 1; l < program->loop_count; l++) {
    const struct loop *loop = &program->loops[l];
    if (!loop->there || l == at || loop->said || !flow_in_loop(program, loop->header, at)) continue;
    for (size_t i = 0; i < loop->exit_count; i++) {
      const struct loop_exit *exit = &loop->exits[i];
      if (follows(program, exit->left.base, at, 0) || follows(program, exit->left.step, at, 0) ||
          follows(program, exit->right.base, at, 0) || follows(program, exit->right.step, at, 0))
        return true;
    }
  }
  return false;
}

void counts_own(struct model *model, int at, int branch, long counts[4]) {
  static const char *const words[] = {"int", "float", "load", "store"};
  for (int b = 0; b < model->program->block_count; b++) {
    const struct block *block = &model->program->blocks[b];
    if (!block->reached || block->loop != at || nest_branch(model, b) != branch) continue;
    for (size_t i = 0; i < block->count; i++)
      for (int k = 0; k < 4; k++)
        if (block->statements[i]->operation && !strcmp(block->statements[i]->operation, words[k])) counts[k]++;
  }
}

static const char *own_operations(struct model *model, int at, int branch, bool *none) {
  long counts[4] = {0};
  counts_own(model, at, branch, counts);
  *none = !counts[0] && !counts[1] && !counts[2] && !counts[3];
  return room_printf(model->room, "operations(%ld, %ld, %ld, %ld)", counts[0], counts[1], counts[2], counts[3]);
}

static const char *nest_text(struct model *model, int at);

static const char *body_text(struct model *model, int at, bool *several) {
  const struct block *blocks = model->program->blocks;
  bool none;
  const char *text = own_operations(model, at, -1, &none);
  *several = false;
  for (int b = 0; b < model->program->block_count; b++) {
    int branch = blocks[b].reached && blocks[b].loop == at ? nest_branch(model, b) : -1;
    if (branch < 0 || model->branches[branch].block != b) continue;
    const char *own = own_operations(model, at, branch, &none);
    if (none) continue;
    text = room_printf(model->room, "%s + %s * %s", text, nest_chance(model, branch), own);
    *several = true;
  }
  for (int l = 1; l < model->program->loop_count; l++) {
    const struct loop *loop = &model->program->loops[l];
    if (!loop->there || loop->outer != at || !blocks[loop->header].reached) continue;
    int before = slice_before(model->program, l);
    int branch = before >= 0 && blocks[before].loop == at ? nest_branch(model, before) : -1;
    const char *inner = nest_text(model, l);
    if (branch >= 0) inner = room_printf(model->room, "%s * %s", nest_chance(model, branch), inner);
    text = room_printf(model->room, "%s + %s", inner, text);
    *several = true;
  }
  return text;
}

static void name_counters(struct model *model, const struct loop *loop, const struct passes *passes, const char *step) {
  struct ssa *names = model->program->names;
  for (size_t i = 0; i < loop->counter_count; i++) {
    const struct counter *counter = &loop->counters[i];
    const char *base = expression_text(model, counter->base, LEVEL_SUM),
               *by = expression_text(model, counter->step, LEVEL_TERM);
    bool zero = counter->base->kind == VALUE_INT && counter->base->number == 0;
    bool one = counter->step->kind == VALUE_INT && counter->step->number == 1;
    names[counter->ssa].text = zero && one ? step
                               : zero      ? room_printf(model->room, "%s * %s", step, by)
                               : one       ? room_printf(model->room, "%s + %s", base, step)
                                           : room_printf(model->room, "%s + %s * %s", base, step, by);
    names[counter->ssa].precedence = zero && one ? LEVEL_WORD : zero ? LEVEL_TERM : LEVEL_SUM;
  }
  if (passes->factor && passes->has_ssa) {
    names[passes->ssa].text = room_printf(model->room, "%s * %ld ^ %s",
                                          expression_text(model, passes->base, LEVEL_TERM), passes->factor, step);
    names[passes->ssa].precedence = LEVEL_TERM;
  }
}

static void forget_counters(struct model *model, const struct loop *loop, const struct passes *passes) {
  for (size_t i = 0; i < loop->counter_count; i++)
    model->program->names[loop->counters[i].ssa].text = NULL;
  if (passes->has_ssa) model->program->names[passes->ssa].text = NULL;
}

static const char *nest_text(struct model *model, int at) {
  const struct loop *loop = &model->program->loops[at];
  struct passes passes = passes_of(model, loop);
  bool several;
  const char *text;
  if (counts_vary(model->program, at)) {
    const char *step = expression_name(model, "pass");
    name_counters(model, loop, &passes, step);
    const char *body = body_text(model, at, &several);
    forget_counters(model, loop, &passes);
    const char *last = passes.level < LEVEL_SUM ? room_printf(model->room, "(%s)", passes.count) : passes.count;
    text = room_printf(model->room, "sum(%s in 0 .. %s - 1 : %s)", step, last, body);
  } else {
    const char *body = body_text(model, at, &several);
    const char *count = passes.level < LEVEL_TERM ? room_printf(model->room, "(%s)", passes.count) : passes.count;
    text = room_printf(model->room, several ? "%s * (%s)" : "%s * %s", count, body);
  }
  return passes.guard ? room_printf(model->room, "(if %s then %s else 0 s)", passes.guard, text) : text;
}

const char *counts_text(struct model *model, int nest) {
  model->nest = nest;
  const char *text = nest_text(model, nest);
  model->nest = 0;
  return text;
}

/* -1: it is no constant. */
static long constant_passes(const struct program *program, const struct loop *loop) {
  long most = -1;
  for (size_t i = 0; i < loop->exit_count; i++) {
    const struct loop_exit *exit = &loop->exits[i];
    if (!live_exit(program, exit) || !exit->left.known || !exit->right.known || exit->left.factor || exit->right.factor)
      continue;
    const struct value *a = exit->left.base, *b = exit->right.base;
    if (a->kind != VALUE_INT || b->kind != VALUE_INT || is_steady(&exit->left) == is_steady(&exit->right)) continue;
    long between = a->number > b->number ? a->number - b->number : b->number - a->number;
    if (most < 0 || between + 1 < most) most = between + 1;
  }
  return most;
}

bool counts_trivial(const struct program *program, int nest) {
  long all = 1;
  for (int l = 1; l < program->loop_count; l++) {
    const struct loop *loop = &program->loops[l];
    if (!loop->there || !flow_in_loop(program, loop->header, nest)) continue;
    long passes = constant_passes(program, loop);
    if (passes < 0) return false;
    all *= passes < 100 ? passes : 100;
    if (all > 16) return false;
  }
  return true;
}
