/* Nests of loops that compute, as requests of a model, each by a name of its own: that of its function and line. What
 * one takes is what its operations take, times a factor, which may change with how much it does at a time, as data fit
 * into a cache or not; branches inside of it have chances. All are params, which psl calibrate measures. */
#include "interp/compile/emit.h"

#include <string.h>

static bool same_place(const char *function, const char *file, int line, const char *other_function,
                       const char *other_file, int other_line) {
  return line == other_line && !strcmp(function, other_function) && !strcmp(file, other_file);
}

/* A function's name, without what a template is made for, and the line. */
static const char *place_name(struct model *model, const char *function, int line) {
  int length = (int)(strstr(function, "operator") ? strlen(function) : strcspn(function, "<"));
  return room_printf(model->room, "%.*s_%d", length, function, line);
}

const struct nest *nest_begin(struct model *model, int at) {
  const struct loop *loop = &model->program->loops[at];
  size_t n = 0;
  while (n < model->nest_count && !same_place(loop->function, loop->file, loop->line, model->nests[n].function,
                                              model->nests[n].file, model->nests[n].line))
    n++;
  if (n == model->nest_count) {
    struct nest nest = {.function = loop->function, .file = loop->file, .line = loop->line};
    nest.name = expression_name(model, place_name(model, loop->function, loop->line));
    ROOM_PUSH(model->room, model->nests, model->nest_count, model->nest_capacity, nest);
  }
  struct nest_loop one = {.loop = at, .nest = n};
  ROOM_PUSH(model->room, model->nest_loops, model->nest_loop_count, model->nest_loop_capacity, one);
  return &model->nests[n];
}

const char *nest_first(struct model *model, int at, const char *first) {
  const struct nest_loop *last = &model->nest_loops[model->nest_loop_count - 1];
  struct nest *nest = &model->nests[last->nest];
  bool is_begin = true;
  for (const struct nest_loop *other = model->nest_loops; other < last; other++)
    is_begin &= other->nest != last->nest;
  if (!is_begin || !first || !*first) return NULL;
  nest->begins = at;
  return first;
}

/* ---- branches ---- */

static bool postdominates(const struct program *program, int below, int above) {
  for (int at = above; at >= 0;) {
    if (at == below) return true;
    if (program->blocks[at].postdominator == at) return false;
    at = program->blocks[at].postdominator;
  }
  return false;
}

/* Does whoever comes to the one come to the other, in the same pass? */
static bool go_together(const struct program *program, int a, int b) {
  return (flow_dominates(program, a, b) && postdominates(program, b, a)) ||
         (flow_dominates(program, b, a) && postdominates(program, a, b));
}

/* The first statement that has a line, there or in what is reached from there alone. */
static const struct statement *placed_in(const struct program *program, int at) {
  const struct block *block = &program->blocks[at];
  for (size_t i = 0; i < block->count; i++)
    if (block->statements[i]->line) return block->statements[i];
  for (size_t i = 0; i < block->control_count; i++) {
    const struct block *decides = &program->blocks[block->controls[i]];
    const struct statement *last = decides->count ? decides->statements[decides->count - 1] : NULL;
    if (last && last->line) return last;
  }
  return NULL;
}

static int find_branch(struct model *model, int at) {
  const struct program *program = model->program;
  int l = program->blocks[at].loop, latch = program->loops[l].latch;
  if (latch < 0 || !program->blocks[latch].reached || flow_dominates(program, at, latch)) return -1;
  size_t nest_loop = model->nest_loop_count - 1;
  for (size_t i = 0; i < model->branch_count; i++) {
    const struct branch *known = &model->branches[i];
    if (known->nest_loop == nest_loop && known->loop == l && go_together(program, known->block, at)) return (int)i;
  }
  const struct statement *place = placed_in(program, at);
  const struct nest *nest = &model->nests[model->nest_loops[nest_loop].nest];
  struct branch branch = {.function = place && place->function ? place->function : nest->function,
                          .file = place ? place->file : nest->file,
                          .line = place ? place->line : program->loops[l].line,
                          .block = at,
                          .loop = l,
                          .nest_loop = nest_loop};
  for (size_t i = 0; i < model->branch_count; i++) {
    const struct branch *other = &model->branches[i];
    branch.same += other->nest_loop == nest_loop &&
                   same_place(branch.function, branch.file, branch.line, other->function, other->file, other->line);
  }
  ROOM_PUSH(model->room, model->branches, model->branch_count, model->branch_capacity, branch);
  return (int)model->branch_count - 1;
}

int nest_branch(struct model *model, int at) {
  if (!model->branch_of) model->branch_of = ROOM_ARRAY(model->room, int, model->program->block_count);
  int *branch = &model->branch_of[at];
  if (!*branch) {
    int found = find_branch(model, at);
    *branch = found < 0 ? -1 : found + 1;
  }
  return *branch < 0 ? -1 : *branch - 1;
}

const char *nest_chance(struct model *model, int at) {
  struct branch *branch = &model->branches[at];
  if (branch->name) return branch->name;
  size_t alike = 0; /* of the same name in other files, and at other calls */
  for (size_t i = 0; i < model->branch_count; i++) {
    const struct branch *other = &model->branches[i];
    if (!other->name || other->same != branch->same) continue;
    if (same_place(branch->function, branch->file, branch->line, other->function, other->file, other->line))
      return branch->name = other->name;
    alike += other->line == branch->line && !strcmp(other->function, branch->function);
  }
  struct text name = {.room = model->room};
  const char *word = expression_word(model, place_name(model, branch->function, branch->line));
  text_add(&name, "%s-chance", word);
  if (branch->same + alike) text_add(&name, "_%zu", branch->same + alike + 1);
  return branch->name = name.data;
}

/* ---- what the model says of them ---- */

void nest_params(const struct model *model, struct text *out) {
  text_add(out,
           "// How much longer each nest of loops takes than its operations do. Of several factors each is that of "
           "an entry\n// with so much work; between them it is interpolated.\n");
  for (size_t i = 0; i < model->nest_count; i++) {
    const struct nest *nest = &model->nests[i];
    text_add(out, "param %s-factor : [real] = [1.0];  /// %s:%d\nparam %s-work : [time] = [0 s];\n", nest->name,
             source_base(nest->file), nest->line, nest->name);
    if (nest->begins)
      text_add(out, "param %s-first : real = 0.0;  /// more, where memory is touched first\n", nest->name);
  }
  bool any = false;
  for (size_t i = 0; i < model->branch_count; i++) {
    const struct branch *branch = &model->branches[i];
    bool known = !branch->name;
    for (size_t k = 0; k < i && !known; k++)
      known = model->branches[k].name && !strcmp(model->branches[k].name, branch->name);
    if (known) continue;
    if (!any) text_add(out, "// How many passes of a loop come to a branch inside of it.\n");
    any = true;
    text_add(out, "param %s : real = 1.0 in 0 .. 1;  /// %s:%d\n", branch->name, source_base(branch->file),
             branch->line);
  }
  text_add(out, "param nests : term = expression;  /// by what nests are evaluated\n");
}

void nest_assumptions(const struct model *model, struct text *out) {
  const char *first = model->nest_count ? model->nests[0].name : NULL;
  if (first)
    text_add(out,
             "/// Assumed unless %s-factor is given: what an operation takes, integer-time and the like, is not "
             "measured\n"
             "/// Assumed where %s-factor is given: loops take what their operations do, times factors, which "
             "psl calibrate measures\n",
             first, first);
  text_add(out, "/// Assumed: branches in loops that compute count as taken, where no param says how often they are\n");
}

void nest_requests(const struct model *model, struct text *out) {
  bool touches = false;
  for (size_t i = 0; i < model->nest_count; i++) {
    const char *name = model->nests[i].name;
    text_add(out,
             "%s(work): selector = { domain = hardware[processor], node type = processor, machine = machine, "
             "evaluation mode = nests, nest = %s };\n"
             "transaction = execute(work * interpolate(%s-work, %s-factor, work));\nprotocol = call-return;\n",
             name, name, name, name);
    touches |= model->nests[i].begins != 0;
  }
  if (touches)
    text_add(out, "touch(more): selector = { domain = hardware[processor], node type = processor, machine = machine, "
                  "evaluation mode = expression, nest = touch };\n"
                  "transaction = execute(more);\nprotocol = call-return;\n");
}

const char *nest_timers(const struct model *model) {
  struct text text = {.room = model->room};
  for (size_t i = 0; i < model->nest_count; i++)
    text_add(&text, "place %d %s\n", model->nests[i].line, model->nests[i].function);
  text_add(&text, "source %s\n", model->program->options->source);
  for (size_t i = 0; i < model->nest_count; i++)
    text_add(&text, "nest %s\n", model->nests[i].name);
  return text.data;
}

const char *nest_counters(const struct model *model) {
  struct text text = {.room = model->room}, names = {.room = model->room};
  for (size_t i = 0; i < model->branch_count; i++) {
    const struct branch *branch = &model->branches[i];
    if (!branch->name) continue;
    text_add(&text, "branch %d %d\n", branch->block, branch->loop);
    text_add(&names, "branch %s\n", branch->name);
  }
  if (!text.data) return NULL;
  text_add(&text, "source %s\n%s", model->program->options->source, names.data);
  return text.data;
}
