/* What the plugin makes a sliced program by (plugin/sliced_program.cc): which ways are never taken, how often loops are
 * passed that the modeller has spoken of, and what nests of loops are called and how many operations are in each of
 * their loops, as a model of the program has it. And the model that the sliced program is run by, in which each nest is
 * the request that it is in a model of the whole program. */
#include "interp/compile/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void plan_ways(const struct program *program, struct text *out) {
  for (int b = 0; b < program->block_count; b++)
    for (size_t i = 0; program->blocks[b].reached && i < program->blocks[b].way_count; i++) {
      const struct way *way = &program->blocks[b].ways[i];
      if (way->pruned && !way->by_arguments) text_add(out, "prune %d %d\n", b, way->to);
    }
}

static void plan_passes(struct program *program, struct text *out) {
  for (int l = 1; l < program->loop_count; l++) {
    const struct loop *loop = &program->loops[l];
    if (!loop->there || !loop->said) continue;
    const char *wrong, *passes = passes_text(program, loop->said->expression, &wrong);
    if (passes && passes[strspn(passes, "0123456789")])
      text_add(out, "passes %d %s,loop:%d\n", loop->header, passes, loop->line);
    else if (passes)
      text_add(out, "passes %d %s\n", loop->header, passes);
    else
      source_error_at(program, loop->file, loop->line,
                      "--iterations 'fft.c:17=2 * n': numbers, arguments and ranks, by +, -, *, div, mod, min and max",
                      "a sliced program cannot say how often this loop is passed by '%s': %s", loop->said->expression,
                      wrong);
  }
}

static void plan_own(struct model *model, int at, int branch, struct text *out) {
  long counts[4] = {0};
  counts_own(model, at, branch, counts);
  if (!counts[0] && !counts[1] && !counts[2] && !counts[3]) return;
  text_add(out, "own %d %s %ld %ld %ld %ld\n", model->program->loops[at].header,
           branch >= 0 ? nest_chance(model, branch) : "-", counts[0], counts[1], counts[2], counts[3]);
}

static void plan_loop(struct model *model, int at, struct text *out) {
  const struct program *program = model->program;
  plan_own(model, at, -1, out);
  for (int b = 0; b < program->block_count; b++) {
    int branch = program->blocks[b].reached && program->blocks[b].loop == at ? nest_branch(model, b) : -1;
    if (branch >= 0 && model->branches[branch].block == b) plan_own(model, at, branch, out);
  }
  for (int l = 1; l < program->loop_count; l++) {
    const struct loop *loop = &program->loops[l];
    if (!loop->there || loop->outer != at || !program->blocks[loop->header].reached) continue;
    int before = slice_before(program, l);
    int branch = before >= 0 && program->blocks[before].loop == at ? nest_branch(model, before) : -1;
    if (branch >= 0) text_add(out, "branch %d %s\n", loop->header, nest_chance(model, branch));
    plan_loop(model, l, out);
  }
}

static struct model *model_begin(struct program *program) {
  struct model *model = ROOM_ARRAY(program->room, struct model, 1);
  *model = (struct model){.program = program, .room = program->room, .vars = {.room = program->room}, .computes = true};
  emit_names(model);
  return model;
}

static void plan_nests(struct model *model, struct text *out) {
  for (int l = 1; l < model->program->loop_count; l++) {
    if (!slice_is_nest(model->program, l) || counts_trivial(model->program, l)) continue;
    const struct nest *nest = nest_begin(model, l);
    text_add(out, "nest %d %s\n", model->program->loops[l].header, nest->name);
    model->nests[nest - model->nests].begins = l;
    plan_loop(model, l, out);
  }
}

static bool has_nest(const struct model *model, const char *name) {
  for (size_t i = 0; i < model->nest_count; i++)
    if (!strcmp(model->nests[i].name, name)) return true;
  return false;
}

const char *compile_plan(struct compilation *compilation, const char *parts, const char *const *kept,
                         size_t kept_count) {
  struct program *program = compilation->program;
  struct text out = {.room = program->room};
  struct model *model = model_begin(program);
  plan_ways(program, &out);
  plan_passes(program, &out);
  plan_nests(model, &out);
  for (size_t i = 0; i < kept_count; i++) {
    if (!has_nest(model, kept[i])) {
      struct text all = {.room = program->room};
      for (size_t k = 0; k < model->nest_count; k++)
        text_add(&all, "%s%s", k ? ", " : "", model->nests[k].name);
      source_error(program, NULL, all.data ? room_printf(program->room, "its nests are %s", all.data) : NULL,
                   "--keep %s: the program has no nest of loops of that name", kept[i]);
    }
    text_add(&out, "keep %s\n", kept[i]);
  }
  text_add(&out, "nests %s\n", parts);
  compilation->sliced = model;
  compilation->errors = program->errors;
  compilation->error_count = program->error_count;
  return program->error_count ? NULL : out.data;
}

/* ---- the model ---- */

/* A part's chances, and the operations of it, as the call has them. */
static void part_text(struct text *out, const char *chances, size_t part) {
  const char *factor = *chances == '1' && chances[1] == '*' ? chances + 2 : NULL;
  text_add(out, "%s", part ? " + " : "");
  for (; factor && *factor; factor += *factor == '*')
    for (text_add(out, "%.*s * ", (int)strcspn(factor, "*"), factor); *factor && *factor != '*';)
      factor++;
  text_add(out, "part_%zu", part);
}

/* A line of the plugin's: NAME CHANCES ... */
static void nest_case(const struct model *model, struct text *out, char *line, bool first) {
  char *rest = NULL, *name = strtok_r(line, " \n", &rest);
  struct text work = {.room = out->room};
  size_t part = 0;
  if (!name) return;
  size_t number = 0;
  while (number < model->nest_count && strcmp(model->nests[number].name, name))
    number++;
  struct text parts = {.room = out->room};
  for (char *word; (word = strtok_r(NULL, " \n", &rest)); part++) {
    text_add(&parts,
             "let part_%zu = call Program.worked(stream, %zu, integer-time, float-time, load-time, store-time);\n",
             part, part);
    part_text(&work, word, part);
  }
  text_add(out,
           "%sif number == %zu {\n%slet usual = %s;\nlet work = usual * (interpolate(%s-work, %s-factor, usual) + "
           "(if entered_%zu then 0 else %s-first));\nentered_%zu = true;\n",
           first ? "" : " else ", number, part ? parts.data : "", part ? work.data : "0 s", name, name, number, name,
           number);
  text_add(out,
           "if %s-by == expression { call %s(work); } else {\nlet counts = call Program.operations(stream);\n"
           "call %s-otherwise(work, counts, measured);\n}\n}",
           name, name, name);
}

static void nest_requests_by(struct text *out, const char *name) {
  text_add(out,
           "%s(work):\nselector = { domain = hardware[processor], node type = processor, machine = nest-machine };\n"
           "transaction = execute(work);\nprotocol = call-return;\n",
           name);
  text_add(out,
           "%s-otherwise(work, counts, measured):\nwhere %s-by != expression;\n"
           "selector = { domain = hardware[processor], node type = nest, evaluation mode = %s-by, nest = %s, "
           "rank = r };\n"
           "transaction = evaluate-nest(work, counts, measured);\nprotocol = call-return;\n",
           name, name, name, name);
}

const char *compile_nests(struct compilation *compilation, const char *parts, const char *name) {
  struct program *program = compilation->program;
  const struct model *model = compilation->sliced;
  struct text out = {.room = program->room}, cases = {.room = program->room};
  FILE *file = fopen(parts, "r");
  char *line = NULL;
  size_t room = 0;
  for (bool first = true; file && getline(&line, &room, file) > 0; first = false)
    nest_case(model, &cases, line, first);
  free(line);
  if (file) fclose(file);
  text_add(&out,
           "/// What the sliced program %s computes: how its nests are evaluated. psl mpirun --model takes it.\n"
           "use program { param nest-model = by-name; }\nuse machines;\nuse Program;\n\n",
           name);
  emit_times(model, &out);
  for (size_t i = 0; i < model->nest_count; i++)
    text_add(&out, "param %s-by : term = nests;  /// by what %s:%d is evaluated\n", model->nests[i].name,
             source_base(model->nests[i].file), model->nests[i].line);
  text_add(&out, "\n");
  text_add(&out, "/// The nests of a rank, by their numbers.\n");
  struct text vars = {.room = program->room};
  for (size_t i = 0; i < model->nest_count; i++)
    text_add(&vars, "var entered_%zu : bool = false;\n", i);
  for (size_t i = 0; i < program->assumed_count; i++)
    text_add(&out, "/// Assumed: %s\n", program->assumed[i]);
  text_add(&out,
           "component %s-nests [r] : 0 <= r < trace-ranks {\n%saccepts:\n"
           "profile = { domain = application[program], node type = loops, evaluation mode = by-name, rank = r, "
           "size = trace-ranks };\n"
           "transaction = advance(stream, number, measured);\nprotocol = call-return;\nbody:\n"
           "%s\nrequests:\n",
           name, vars.data ? vars.data : "", cases.data ? cases.data : "");
  for (size_t i = 0; i < model->nest_count; i++)
    nest_requests_by(&out, model->nests[i].name);
  text_add(&out, "}\n");
  return out.data;
}
