/* Keeping the graph and the programs of a system from run to run.  Called by handle_run and by frames that
 * find their body without a program. */
#include "interp/execute/reuse.h"
#include "interp/execute/compiler.h"
#include "interp/execute/host_time.h"

enum {
  KEPT_MOST = 8 << 20,  /* bytes that may be held between runs */
  LONG_RUN = 50 * 1000, /* events */
};

static void drop(struct reuse **reuse) {
  struct arena *arena = (*reuse)->arena; /* `reuse` stands in it */
  *reuse = NULL;
  arena_close(arena);
}

struct checking {
  struct model *model;
  struct reads *reads;
  enum reads_state state;
};

static bool check(struct arena *arena, void *user) {
  struct checking *checking = user;
  struct environment environment = {.model = checking->model, .scratch = arena};
  checking->state = reads_check(checking->reads, &environment);
  return true;
}

static enum reads_state state_of(struct model *model, struct reads *reads) {
  struct checking checking = {model, reads, READS_BROKEN};
  if (reads_known(reads))
    check(NULL, &checking);
  else
    compile_guarded(model, check, &checking);
  return checking.state;
}

static void programs_open(struct reuse *reuse) {
  const struct model *model = reuse->graph->model;
  reads_open(&reuse->folded, reuse->arena);
  reuse->folded.exact = reuse->long_runs;
  reuse->programs = ARENA_ARRAY(reuse->arena, struct program *, model->accept_count + 1);
  reuse->tried = ARENA_ARRAY(reuse->arena, bool, model->accept_count + 1);
}

static bool still_good(struct reuse *reuse, struct model *model, const struct model_component *system,
                       const struct resolve_options *options) {
  if (reuse->checked != model->checked || reuse->graph->system != system || reuse->deny_lossy != options->deny_lossy ||
      state_of(model, &reuse->reads) != READS_SAME)
    return false;
  if (state_of(model, &reuse->folded) == READS_BROKEN) programs_open(reuse);
  reuse->graph->statistics.requests = reuse->requests;
  reuse->graph->statistics.candidates = reuse->candidates;
  return true;
}

struct graph *reuse_resolve(struct reuse **place, struct arena *arena, struct model *model,
                            struct model_component *system, const struct resolve_options *options) {
  bool long_runs = *place && (*place)->long_runs;
  if (*place && still_good(*place, model, system, options)) return (*place)->graph;
  if (*place) drop(place);
  struct reuse *reuse = ARENA_NEW(arena, struct reuse);
  *reuse = (struct reuse){.arena = arena, .checked = model->checked, .deny_lossy = options->deny_lossy};
  reuse->long_runs = long_runs;
  *place = reuse;
  reads_open(&reuse->reads, arena);
  model->reads = &reuse->reads;
  struct graph *graph = reuse->graph = resolve(model, arena, system, options);
  model->reads = NULL;
  if (!graph) {
    drop(place);
    return NULL;
  }
  graph->reuse = reuse;
  reuse->requests = graph->statistics.requests;
  reuse->candidates = graph->statistics.candidates;
  reuse->evaluators = ARENA_ARRAY(arena, uint32_t *, model->component_count + 1);
  reuse->record_places.arena = arena;
  reuse->record_places.numbered = ARENA_ARRAY(arena, bool, model->component_count + 1);
  reuse->depths = ARENA_ARRAY(arena, uint32_t, model->accept_count + 1);
  programs_open(reuse);
  return graph;
}

void reuse_ended(struct reuse **reuse, uint64_t events) {
  if (!*reuse) return;
  (*reuse)->long_runs = events > LONG_RUN;
  if (arena_size((*reuse)->arena) > KEPT_MOST) drop(reuse);
}

/* Evaluators have a state for each run. */
static void open_evaluators(struct executor *executor, const struct program *program) {
  for (uint32_t i = 0; i < executor->evaluator_count; i++)
    if (program->evaluators[i]) evaluator_open(executor, executor->evaluators[i].evaluator);
}

struct program *reuse_program(struct executor *executor, struct body *body) {
  struct reuse *reuse = executor->graph->reuse;
  struct model *model = executor->model;
  if (executor->options->reference || !body->accept) {
    if (executor->host_time)
      host_body(executor->host_time, body)->why = body->accept ? "--reference asks for it" : "a coercion's block";
    return NULL;
  }
  uint32_t id = body->accept->id;
  if (!reuse || executor->steady || executor->options->trace || executor->host_time || executor->bodies[id] != body)
    return compile(executor, body, executor->arena);
  if (reuse->tried[id]) {
    if (reuse->programs[id]) open_evaluators(executor, reuse->programs[id]);
    return reuse->programs[id];
  }
  struct reads *outer = model->reads;
  model->reads = &reuse->folded;
  reuse->programs[id] = compile(executor, body, reuse->arena);
  model->reads = outer;
  reuse->tried[id] = true;
  return reuse->programs[id];
}
