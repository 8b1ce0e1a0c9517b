/* The body of a rank: the slice as statements of PSL. The blocks of the program and the ways between them become ifs
 * and loops by the tree of dominators (Ramsey 2022): what several ways lead to stands behind what leads there, and
 * what is left early is said by variables, as PSL has no jump. */
#include "interp/compile/body.h"

#include <stdlib.h>
#include <string.h>

enum { BEGIN = 2, END = 1 };

struct jumps { /* blocks that are gone to beyond what stands next */
  int *list;
  size_t count, capacity;
};

static void add_jump(struct body *body, struct jumps *jumps, int to) {
  for (size_t i = 0; i < jumps->count; i++)
    if (jumps->list[i] == to) return;
  ROOM_PUSH(body->room, jumps->list, jumps->count, jumps->capacity, to);
}

static const char *flag(struct body *body, int block) {
  struct node *node = &body->nodes[block];
  if (node->flag) return node->flag;
  node->flag = expression_name(body->model, "leave");
  text_add(&body->model->vars, "var %s : bool = false;\n", node->flag);
  return node->flag;
}

static const char *condition_text(struct body *body, const struct condition *condition, bool negated,
                                  enum level level) {
  if (!condition->right) {
    body->model->at = condition->leaf;
    return expression_condition(body->model, condition->leaf->value, condition->negated != negated, level);
  }
  bool both = condition->both != negated;
  enum level own = both ? LEVEL_AND : LEVEL_OR;
  const char *left = condition_text(body, condition->left, negated, own);
  const char *right = condition_text(body, condition->right, negated, own + 1);
  const char *text = room_printf(body->room, "%s %s %s", left, both ? "and" : "or", right);
  return own < level ? room_printf(body->room, "(%s)", text) : text;
}

/* ---- phis ---- */

static const struct argument *phi_argument(const struct statement *phi, int from) {
  for (size_t i = 0; i < phi->argument_count; i++)
    if (phi->arguments[i].block == from) return &phi->arguments[i];
  return NULL;
}

static bool is_variable(struct body *body, const struct statement *phi) {
  return phi->kind == STATEMENT_PHI && phi->essential && body->as[phi->def] == AS_VARIABLE &&
         body->program->names[phi->def].type != 'p';
}

/* What the phis of a block become on the way to it. All are set at once: what is set from one that is set before it is
 * kept first. */
static void assign_phis(struct body *body, struct text *out, int from, int to) {
  const struct block *block = &body->program->blocks[to];
  size_t count = 0;
  for (size_t i = 0; i < block->count; i++)
    count += is_variable(body, block->statements[i]);
  const char **texts = ROOM_ARRAY(body->room, const char *, count);
  const char **names = ROOM_ARRAY(body->room, const char *, count);
  size_t at = 0;
  for (size_t i = 0; i < block->count; i++) {
    struct statement *phi = block->statements[i];
    const struct argument *argument = is_variable(body, phi) ? phi_argument(phi, from) : NULL;
    if (!argument || !body->program->names[phi->def].text) continue; /* one that a loop will count by */
    body->model->at = phi->line ? phi : body->model->at;
    const char *text = expression_as(body->model, argument->value, body->program->names[phi->def].type, LEVEL_IF);
    const char *name = body->program->names[phi->def].text;
    if (!strcmp(text, name)) continue;
    bool overwritten = false;
    for (size_t k = 0; k < at; k++)
      overwritten |= text_has_word(text, names[k]);
    if (overwritten) {
      const char *kept = expression_name(body->model, "next");
      text_add(out, "let %s = %s;\n", kept, text);
      text = kept;
    }
    names[at] = name;
    texts[at++] = text;
  }
  for (size_t i = 0; i < at; i++)
    text_add(out, "%s = %s;\n", names[i], texts[i]);
}

static void name_variable(struct body *body, unsigned ssa) {
  struct ssa *name = &body->program->names[ssa];
  bool truth = name->type == 'b', real = name->type == 'f';
  name->text = expression_name(body->model, name->name);
  name->precedence = LEVEL_WORD;
  text_add(&body->model->vars, "var %s : %s = %s;\n", name->text,
           truth  ? "bool"
           : real ? "real"
                  : "int",
           truth  ? "false"
           : real ? "0.0"
                  : "0");
}

/* ---- statements ---- */

static const char *place(struct body *body, const struct statement *statement) {
  return statement->line ? room_printf(body->room, "  // %s:%d", source_base(statement->file), statement->line) : "";
}

static void emit_definition(struct body *body, struct text *out, const struct statement *statement) {
  struct ssa *name = &body->program->names[statement->def];
  body->model->at = statement;
  if (body->as[statement->def] == AS_EXPRESSION || name->type == 'p') return;
  const char *text = expression_of(body->model, statement, LEVEL_IF);
  if (body->as[statement->def] == AS_VARIABLE) {
    text_add(out, "%s = %s;\n", name->text, text);
    return;
  }
  bool read = statement->value && statement->value->kind == VALUE_MEMORY; /* a variable that may be set later */
  bool word = !read && !strpbrk(text, " ([");
  if (word) {
    name->text = text; /* a param, a number */
  } else {
    name->text = expression_name(body->model, name->name);
    text_add(out, "let %s = %s;%s\n", name->text, text, place(body, statement));
  }
  name->precedence = LEVEL_WORD;
}

static void emit_store(struct body *body, struct text *out, const struct statement *statement) {
  body->model->at = statement;
  if (statement->to->type == 'a') {
    source_error(body->program, statement, NULL,
                 "what decides about messages is set with all of '%s', which a model cannot say",
                 statement->to->name ? statement->to->name : "a variable");
    return;
  }
  const char *to = expression_cell(body->model, statement->to);
  text_add(out, "%s = %s;  // %s:%d\n", to, expression_as(body->model, statement->value, statement->to->type, LEVEL_IF),
           source_base(statement->file), statement->line);
}

static void emit_nest(struct body *body, struct text *out, int nest) {
  const struct loop *loop = &body->program->loops[nest];
  struct statement at = {.file = loop->file, .line = loop->line};
  body->model->at = &at;
  const char *name = nest_begin(body->model, nest)->name, *text = counts_text(body->model, nest);
  body->model->at = NULL;
  body->computes = true;
  const char *first = nest_first(body->model, nest, body->first), *work = text;
  said_assert_within(body->program, nest, out);
  if (first) text_add(out, "let %s = %s;\n", work = expression_name(body->model, "work"), text);
  text_add(out, "call %s(%s);  // %s:%d %s\n", name, work, source_base(loop->file), loop->line, loop->function);
  if (first) text_add(out, "if %s { call touch(%s * %s-first); }\n", first, work, name);
}

static void emit_statements(struct body *body, struct text *out, int at) {
  const struct block *block = &body->program->blocks[at];
  for (size_t i = 0; i < block->count; i++) {
    const struct statement *statement = block->statements[i];
    if (!statement->essential) continue;
    if (statement->kind == STATEMENT_ASSIGN) emit_definition(body, out, statement);
    if (statement->kind == STATEMENT_STORE) emit_store(body, out, statement);
    if (statement->kind == STATEMENT_CALL) body_call(body, out, statement);
  }
  for (int l = 1; l < body->program->loop_count; l++)
    if (slice_is_nest(body->program, l) && slice_before(body->program, l) == at && !body->skipped[l])
      emit_nest(body, out, l);
}

/* ---- sequences ---- */

static void emit_tree(struct body *body, struct text *out, struct jumps *jumps, int at, int next);

static const char *guard_text(struct body *body, const struct jumps *jumps, int apart, const char *join) {
  struct text text = {.room = body->room};
  for (size_t i = 0; i < jumps->count; i++)
    if (jumps->list[i] != apart) text_add(&text, "%s%s", text.size ? join : "", flag(body, jumps->list[i]));
  return text.data;
}

/* What has begun, then the blocks that stand behind it. */
static void emit_behind(struct body *body, struct text *out, struct jumps *jumps, struct jumps *begun,
                        const int *behind, size_t count, int next) {
  struct jumps open = *begun;
  for (size_t i = 0; i < count; i++) {
    struct text text = {.room = body->room};
    struct jumps more = {0}, left = {0};
    const char *guard = guard_text(body, &open, behind[i], " or ");
    bool reset = false;
    for (size_t k = 0; k < open.count; k++) {
      if (open.list[k] == behind[i])
        reset = true;
      else
        add_jump(body, &left, open.list[k]);
    }
    if (reset) text_add(&text, "%s = false;\n", flag(body, behind[i]));
    emit_tree(body, &text, &more, behind[i], i + 1 < count ? behind[i + 1] : next);
    if (guard && text.size)
      text_add(out, strchr(guard, ' ') ? "if not (%s) {\n%s}\n" : "if not %s {\n%s}\n", guard, text.data);
    else if (text.size)
      text_add(out, "%s", text.data);
    open = left;
    for (size_t k = 0; k < more.count; k++)
      add_jump(body, &open, more.list[k]);
  }
  for (size_t k = 0; k < open.count; k++)
    add_jump(body, jumps, open.list[k]);
}

static void emit_branch(struct body *body, struct text *out, struct jumps *jumps, int from, int to, int next) {
  assign_phis(body, out, from, to);
  if (to == next) return;
  if (to == END) {
    text_add(out, "return;\n");
    return;
  }
  if (body->nodes[to].inlined) {
    emit_tree(body, out, jumps, to, next);
    return;
  }
  text_add(out, "%s = true;\n", flag(body, to));
  add_jump(body, jumps, to);
}

/* Is it a diamond whose two sides only choose values? Then these are expressions. */
static bool is_choice(struct body *body, int at, int *meet) {
  const struct node *node = &body->nodes[at];
  int sides[] = {node->t, node->f}, ends[2];
  for (int i = 0; i < 2; i++) {
    const struct node *side = &body->nodes[sides[i]];
    bool empty =
        side->there && !side->test && side->t != at && side->inlined && !side->header && body_is_quiet(body, sides[i]);
    ends[i] = empty && side->f < 0 ? side->t : sides[i];
  }
  if (ends[0] != ends[1] && ends[0] != sides[1] && ends[1] != sides[0]) return false;
  *meet = ends[0] == ends[1] ? ends[0] : ends[0] == sides[1] ? sides[1] : sides[0];
  const struct node *end = &body->nodes[*meet];
  if (*meet == END || end->header || end->forward != 2 || end->dominator != at) return false;
  const struct block *block = &body->program->blocks[*meet];
  for (size_t i = 0; i < block->count; i++)
    if (is_variable(body, block->statements[i]) && body->escapes[block->statements[i]->def]) return false;
  return true;
}

static int comes_from(struct body *body, int at, bool way, int meet) {
  const struct node *node = &body->nodes[at];
  int to = way ? node->t : node->f;
  return to == meet ? (way ? node->t_from : node->f_from) : to;
}

static void emit_choice(struct body *body, struct text *out, int at, int meet) {
  const char *condition = condition_text(body, body->nodes[at].test, false, LEVEL_OR);
  const struct block *block = &body->program->blocks[meet];
  for (size_t i = 0; i < block->count; i++) {
    struct statement *phi = block->statements[i];
    if (!is_variable(body, phi)) continue;
    const struct argument *yes = phi_argument(phi, comes_from(body, at, true, meet));
    const struct argument *no = phi_argument(phi, comes_from(body, at, false, meet));
    if (!yes || !no) continue;
    struct ssa *name = &body->program->names[phi->def];
    const char *a = expression_as(body->model, yes->value, name->type, LEVEL_OR);
    const char *b = expression_as(body->model, no->value, name->type, LEVEL_IF);
    body->as[phi->def] = AS_NAME;
    name->text = expression_name(body->model, name->name);
    name->precedence = LEVEL_WORD;
    const struct statement *test = body->program->blocks[at].statements[body->program->blocks[at].count - 1];
    text_add(out, "let %s = if %s then %s else %s;%s\n", name->text, condition, a, b, place(body, test));
  }
}

static void emit_within(struct body *body, struct text *out, struct jumps *jumps, int at, int next) {
  const struct node *node = &body->nodes[at];
  struct jumps begun = {0};
  int first = node->behind_count ? node->behind[0] : next, meet;
  emit_statements(body, out, at);
  if (!node->test) {
    emit_branch(body, out, &begun, node->t_from, node->t, first);
  } else if (is_choice(body, at, &meet)) {
    emit_choice(body, out, at, meet);
  } else {
    struct text yes = {.room = body->room}, no = {.room = body->room};
    const char *condition = condition_text(body, node->test, false, LEVEL_IF);
    const char *opposite = condition_text(body, node->test, true, LEVEL_IF);
    emit_branch(body, &yes, &begun, node->t_from, node->t, first);
    emit_branch(body, &no, &begun, node->f_from, node->f, first);
    if (yes.size && no.size)
      text_add(out, "if %s {\n%s} else {\n%s}\n", condition, yes.data, no.data);
    else if (yes.size)
      text_add(out, "if %s {\n%s}\n", condition, yes.data);
    else if (no.size)
      text_add(out, "if %s {\n%s}\n", opposite, no.data);
  }
  emit_behind(body, out, jumps, &begun, node->behind, node->behind_count, next);
}

/* ---- loops ---- */

static const struct counter *counter_of(struct body *body, int header, unsigned ssa) {
  for (int l = 1; l < body->program->loop_count; l++) {
    const struct loop *loop = &body->program->loops[l];
    for (size_t i = 0; loop->there && loop->header == header && i < loop->counter_count; i++)
      if (loop->counters[i].ssa == ssa) return &loop->counters[i];
  }
  return NULL;
}

static bool is_steady(struct body *body, const struct value *value, int header) {
  if (value->kind == VALUE_INT) return true;
  const struct statement *statement = value->kind == VALUE_SSA ? source_definition(body->program, value->ssa) : NULL;
  if (statement && statement->kind == STATEMENT_ASSIGN && statement->value->kind == VALUE_MEMORY) {
    const struct value *stored = inputs_stored(body->program, statement, &statement->load, statement->value->memory);
    return stored ? is_steady(body, stored, header) : expression_inline(body->model, statement);
  }
  if (statement && statement->kind == STATEMENT_PHI && slice_same(body->program, statement))
    return is_steady(body, slice_same(body->program, statement), header);
  if (statement && statement->input >= 0) return true;
  return statement && !body_in_loop(body, statement->block, header);
}

/* for k in base .. bound: the head; NULL: the loop is none of these. */
static const char *counted_head(struct body *body, int at, bool stays, const struct counter **counted) {
  const struct node *node = &body->nodes[at];
  if (node->test->right) return NULL;
  const struct value *value = node->test->leaf->value;
  bool negated = node->test->negated == stays;
  for (int left = 1; left >= 0; left--) {
    const struct value *moves = value->arguments[!left], *bound = value->arguments[left];
    const struct counter *counter = moves->kind == VALUE_SSA ? counter_of(body, at, moves->ssa) : NULL;
    if (!counter || counter->step->kind != VALUE_INT || counter->step->number == 0 || !is_steady(body, bound, at))
      continue;
    const struct ssa *counts = &body->program->names[counter->ssa];
    if (counts->type == 'u' && (counts->width < 32 || labs(counter->step->number) > 65536)) return NULL; /* may wrap */
    if (body->escapes[counter->ssa] || !body->program->names[counter->ssa].def->essential) continue;
    static const char *const codes[] = {"lt_expr", "le_expr", "gt_expr", "ge_expr"};
    int which = 0;
    while (which < 4 && strcmp(value->text, codes[which]))
      which++;
    bool unequal = !strcmp(value->text, negated ? "eq_expr" : "ne_expr");
    if (which == 4 && !unequal) return NULL;
    const struct value *least = counter->step->number > 0 ? counter->base : bound;
    if (unequal && counts->type == 'u' && (least->kind != VALUE_INT || least->number != 0)) return NULL;
    if (unequal) /* it comes to the bound by steps of one */
      which = counter->step->number == 1 ? 0 : counter->step->number == -1 ? 2 : 4;
    if (which == 4) return NULL;
    if (negated && !unequal) which = 3 - which; /* not < is >= */
    if (!left && !unequal) which = (which + 2) % 4;
    bool up = which < 2, equal = which % 2;
    if (up != (counter->step->number > 0)) return NULL;
    struct ssa *name = &body->program->names[counter->ssa];
    const char *base = expression_text(body->model, counter->base, LEVEL_SUM), *to;
    if (equal)
      to = expression_text(body->model, bound, LEVEL_SUM);
    else if (bound->kind == VALUE_INT)
      to = room_printf(body->room, "%ld", bound->number + (up ? -1 : 1));
    else
      to = room_printf(body->room, "%s %c 1", expression_text(body->model, bound, LEVEL_SUM), up ? '-' : '+');
    name->text = expression_name(body->model, name->name);
    name->precedence = LEVEL_WORD;
    body->as[counter->ssa] = AS_NAME;
    *counted = counter;
    const char *by = counter->step->number == 1 ? "" : room_printf(body->room, " by %ld", counter->step->number);
    return room_printf(body->room, "for %s in %s .. %s%s", name->text, base, to, by);
  }
  return NULL;
}

static const char *place_of(struct body *body, int header) {
  for (int l = 1; l < body->program->loop_count; l++)
    if (body->program->loops[l].there && body->program->loops[l].header == header)
      return room_printf(body->room, "  // %s:%d", source_base(body->program->loops[l].file),
                         body->program->loops[l].line);
  return "";
}

/* Is the first test of the loop its only end? */
static bool is_simple(struct body *body, int at) {
  const struct node *node = &body->nodes[at];
  if (!node->header || !node->test || node->waived) return false;
  if (body_in_loop(body, node->t, at) == body_in_loop(body, node->f, at) || !body_is_quiet(body, at)) return false;
  for (int b = 0; b < body->program->block_count; b++)
    if (b != at && body->nodes[b].there && body_in_loop(body, b, at) &&
        ((body->nodes[b].t >= 0 && !body_in_loop(body, body->nodes[b].t, at)) ||
         (body->nodes[b].f >= 0 && !body_in_loop(body, body->nodes[b].f, at))))
      return false;
  return true;
}

/* What holds in the first pass, in a loop in which `here` does; NULL: nothing is known of it. */
static const char *first_within(const struct body *body, const char *here) {
  if (!body->first || !here) return NULL;
  return *body->first ? room_printf(body->room, "%s and %s", body->first, here) : here;
}

static const char *first_counted(struct body *body, const struct counter *counter) {
  if (!counter) return NULL;
  return room_printf(body->room, "%s == %s", body->program->names[counter->ssa].text,
                     expression_text(body->model, counter->base, LEVEL_SUM));
}

static bool emit_simple(struct body *body, struct text *out, struct jumps *jumps, int at, int first) {
  struct node *node = &body->nodes[at];
  if (!is_simple(body, at)) return false;
  bool stays = body_in_loop(body, node->t, at);
  int leaves = stays ? node->f : node->t;
  const struct counter *counter = NULL;
  const char *head = counted_head(body, at, stays, &counter);
  if (!head) head = room_printf(body->room, "while %s", condition_text(body, node->test, !stays, LEVEL_IF));
  struct text text = {.room = body->room};
  struct jumps none = {0}, begun = {0};
  int inner = node->behind_count ? node->behind[0] : at;
  const char *first_outside = body->first;
  body->first = first_within(body, first_counted(body, counter));
  emit_branch(body, &text, &begun, stays ? node->t_from : node->f_from, stays ? node->t : node->f, inner);
  emit_behind(body, &text, &none, &begun, node->behind, node->behind_count, at);
  body->first = first_outside;
  text_add(out, "%s {%s\n%s}\n", head, place_of(body, at), text.data ? text.data : "");
  assign_phis(body, out, stays ? node->f_from : node->t_from, leaves);
  if (leaves == first) return true;
  if (leaves == END) {
    text_add(out, "return;\n");
    return true;
  }
  text_add(out, "%s = true;\n", flag(body, leaves));
  add_jump(body, jumps, leaves);
  return true;
}

static void emit_loop(struct body *body, struct text *out, struct jumps *jumps, int at, int next) {
  struct node *node = &body->nodes[at];
  struct jumps begun = {0}, outside = {0};
  int first = node->after_count ? node->after[0] : next;
  if (!emit_simple(body, out, &outside, at, first)) {
    struct text text = {.room = body->room};
    const char *first_outside = body->first;
    const char *pass = node->waived ? expression_name(body->model, "pass") : NULL;
    body->first = first_within(body, pass ? room_printf(body->room, "%s == 1", pass) : NULL);
    emit_within(body, &text, &begun, at, at);
    body->first = first_outside;
    for (size_t i = 0; i < begun.count; i++)
      add_jump(body, &outside, begun.list[i]);
    said_assert(node->waived, out);
    if (node->waived)
      text_add(out, "for %s in 1 .. %s {%s\n%s}\n", pass, node->waived->text, place_of(body, at),
               text.data ? text.data : "");
    else {
      const char *flags = guard_text(body, &outside, -1, " or ");
      text_add(out, outside.count > 1 ? "while not (%s) {%s\n%s}\n" : "while not %s {%s\n%s}\n",
               flags ? flags : "false", place_of(body, at), text.data ? text.data : "");
    }
    if (next == END && !node->after_count && outside.count == 0) return;
  }
  emit_behind(body, out, jumps, &outside, node->after, node->after_count, next);
}

static void emit_tree(struct body *body, struct text *out, struct jumps *jumps, int at, int next) {
  if (at == END) return;
  if (body->nodes[at].header)
    emit_loop(body, out, jumps, at, next);
  else
    emit_within(body, out, jumps, at, next);
}

/* ---- which form a name has ---- */

/* What stands for another value, that is used with it: a phi of one, or a read of what is stored. */
static const struct value *stands_for(const struct body *body, const struct statement *statement) {
  if (statement->kind == STATEMENT_PHI) return slice_same(body->program, statement);
  if (statement->kind != STATEMENT_ASSIGN || statement->value->kind != VALUE_MEMORY) return NULL;
  return inputs_stored(body->program, statement, &statement->load, statement->value->memory);
}

static void find_escapes(struct body *body, const struct value *value, int at, unsigned depth) {
  if (!value || depth > 60) return;
  if (value->kind == VALUE_SSA) {
    const struct statement *statement = source_definition(body->program, value->ssa);
    if (!statement) return;
    for (int h = 0; h < body->program->block_count; h++)
      if (body->nodes[h].header && body_in_loop(body, statement->block, h) && !body_in_loop(body, at, h))
        body->escapes[value->ssa] = true;
    find_escapes(body, stands_for(body, statement), at, depth + 1);
  }
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    find_escapes(body, value->arguments[i], at, depth + 1);
  if (value->kind == VALUE_MEMORY) find_escapes(body, value->memory->index, at, depth + 1);
}

/* What the program gives MPI and has no name for is called by what it is. */
static void name_arguments(struct body *body) {
  for (unsigned i = 0; i < body->program->id_count; i++) {
    const struct statement *call = body->program->by_id[i];
    if (!call || !call->essential || !call->mpi) continue;
    for (size_t k = 0; k < call->argument_count && call->mpi->roles[k]; k++) {
      const struct value *value = call->arguments[k].value;
      if (value->kind != VALUE_SSA || *body->program->names[value->ssa].name) continue;
      if (call->mpi->roles[k] == 'p') body->program->names[value->ssa].name = "peer";
      if (call->mpi->roles[k] == 'n') body->program->names[value->ssa].name = "items";
    }
  }
  for (unsigned ssa = 0; ssa < body->program->name_count; ssa++) {
    const struct statement *load = body->program->names[ssa].def;
    const struct value *value = load && load->kind == STATEMENT_ASSIGN ? load->value : NULL;
    if (!value || value->kind != VALUE_MEMORY || !value->memory->decl || !value->memory->path) continue;
    const char *dot = strrchr(value->memory->path, '.');
    const char *field =
        dot ? room_printf(body->room, "%.*s", (int)strcspn(dot + 1, "["), dot + 1) : value->memory->name;
    if (!*body->program->names[ssa].name) body->program->names[ssa].name = field;
  }
  for (unsigned i = 0; i < body->program->id_count; i++) {
    const struct statement *store = body->program->by_id[i];
    if (!store || store->kind != STATEMENT_STORE || store->value->kind != VALUE_SSA || !store->to->decl ||
        !store->to->path)
      continue;
    const char *dot = strrchr(store->to->path, '.');
    if (!*body->program->names[store->value->ssa].name && *store->to->name && !strchr(store->to->path, '['))
      body->program->names[store->value->ssa].name = dot ? dot + 1 : store->to->name;
  }
}

static void choose_forms(struct body *body) {
  struct program *program = body->program;
  for (int b = 0; b < program->block_count; b++)
    for (size_t i = 0; program->blocks[b].reached && i < program->blocks[b].count; i++) {
      const struct statement *statement = program->blocks[b].statements[i];
      if (!statement->essential) continue;
      bool chooses = statement->kind == STATEMENT_PHI && !slice_same(program, statement);
      find_escapes(body, statement->value, b, 0);
      if (statement->to) find_escapes(body, statement->to->index, b, 0);
      for (size_t k = 0; k < statement->argument_count; k++)
        find_escapes(body, statement->arguments[k].value, chooses ? statement->arguments[k].block : b, 0);
    }
  for (int b = 0; b < program->block_count; b++)
    for (size_t i = 0; program->blocks[b].reached && i < program->blocks[b].count; i++) {
      const struct statement *statement = program->blocks[b].statements[i];
      if (!statement->essential || statement->def < 0) continue;
      unsigned ssa = (unsigned)statement->def;
      bool expression = expression_inline(body->model, statement);
      if (statement->kind == STATEMENT_PHI)
        body->as[ssa] = expression ? AS_EXPRESSION : AS_VARIABLE;
      else if (statement->kind != STATEMENT_ASSIGN)
        body->as[ssa] = AS_EXPRESSION;
      else if (body->escapes[ssa] && statement->value->kind != VALUE_MEMORY)
        body->as[ssa] = AS_VARIABLE;
      else
        body->as[ssa] = expression ? AS_EXPRESSION : body->escapes[ssa] ? AS_VARIABLE : AS_NAME;
    }
}

static void name_variables(struct body *body) {
  for (unsigned ssa = 0; ssa < body->program->name_count; ssa++) {
    const struct statement *statement = body->program->names[ssa].def;
    if (statement && statement->essential && body->as[ssa] == AS_VARIABLE && body->nodes[statement->block].there &&
        body->program->names[ssa].type != 'p') {
      int meet;
      bool choice = false;
      for (int b = 0; b < body->program->block_count && statement->kind == STATEMENT_PHI; b++)
        choice |= body->nodes[b].there && body->nodes[b].test && is_choice(body, b, &meet) && meet == statement->block;
      const struct counter *counter = statement->kind == STATEMENT_PHI ? counter_of(body, statement->block, ssa) : NULL;
      bool counts = counter && body_counts(body, statement->block, ssa);
      if (!choice && !counts) name_variable(body, ssa);
    }
  }
}

/* Will the loop be one that counts by this name? */
bool body_counts(struct body *body, int header, unsigned ssa) {
  struct node *node = &body->nodes[header];
  if (!is_simple(body, header) || node->test->right) return false;
  bool stays = body_in_loop(body, node->t, header);
  enum body_form form = body->as[ssa];
  const struct counter *counted = NULL;
  size_t errors = body->program->error_count;
  const char *head = counted_head(body, header, stays, &counted);
  body->program->error_count = errors;
  if (counted) {
    expression_forget(body->model, body->program->names[counted->ssa].text);
    body->program->names[counted->ssa].text = NULL;
    body->as[counted->ssa] = AS_VARIABLE;
  }
  body->as[ssa] = form;
  return head && counted && counted->ssa == ssa;
}

/* Without names that nothing uses, as what used them was simplified. */
static bool drop_unused(struct body *body, struct text *text) {
  struct text kept = {.room = body->room};
  bool dropped = false;
  for (char *line = text->data; line && *line;) {
    char *end = strchr(line, '\n') + 1;
    size_t length = strncmp(line, "let ", 4) ? 0 : strcspn(line + 4, " ");
    const char *name = length ? room_printf(body->room, "%.*s", (int)length, line + 4) : "";
    bool used = !length || strstr(line, "= call ") || text_has_word(end, name);
    if (used)
      text_add(&kept, "%.*s", (int)(end - line), line);
    else
      dropped = true;
    line = end;
  }
  *text = kept;
  return dropped;
}

void body_emit(struct model *model, struct text *out) {
  struct program *program = model->program;
  struct body body = {.model = model, .program = program, .room = model->room, .first = ""};
  body.as = ROOM_ARRAY(model->room, enum body_form, program->name_count);
  body.escapes = ROOM_ARRAY(model->room, bool, program->name_count);
  body.skipped = ROOM_ARRAY(model->room, bool, program->loop_count);
  for (int l = 1; l < program->loop_count; l++)
    body.skipped[l] = program->loops[l].there && counts_trivial(program, l);
  if (!body_graph(&body)) return;
  name_arguments(&body);
  choose_forms(&body);
  body_merge(&body);
  body_places(&body);
  name_variables(&body);
  struct jumps jumps = {0};
  emit_tree(&body, out, &jumps, BEGIN, END);
  while (drop_unused(&body, out))
    ;
  model->computes = body.computes;
}
