/* Firing rules: who waits for one, and when it is tested.
 *
 * Calls, and tokens of whole firings, stand in one line an instance in the order in which they came. The rules are
 * tested when all else at that time has been done (EVENT_RULE), one after another: who is let in does all that it does
 * at that time before the next rule is tested, since what it does is ready or an event of an earlier kind. The end of a
 * frame, and a server that is given back, begin another round, in which each of the line is tested once.
 *
 * A rule may read vars of other instances. Which ones is known before the run: each var's instance has a list of those
 * who watch it, and where one gets another value those of their lines whose rules read it are tested once more. */
#include "interp/execute/steady.h"
#include "interp/execute/steps.h"

struct rule_turn {
  struct rule_turn *before, *next;
  struct moment came;
  struct process *process; /* a call; NULL: tokens of a firing */
  struct inbox *inbox;
  uint64_t round; /* in which it was tested last */
};

struct rule_line {
  uint32_t instance;
  bool scheduled;
  uint64_t round; /* from 1 */
  struct rule_turn *first, *last;
  struct rule_turn *test; /* whose test is next in this round; NULL: all have been tested */
  uint32_t cause;         /* that this round has begun; 0: none is kept */
};

struct watcher { /* the rule of an accept at an instance */
  struct watcher *next;
  uint32_t instance;
  const struct model_accept *accept;
  const struct symbol *var;
};

static struct rule_line *line_of(struct executor *executor, uint32_t instance) {
  const struct model_component *component = graph_component(executor->graph, instance);
  const struct instances *instances = &executor->graph->instances[component->id];
  struct instance_state *state = &executor->states[component->id];
  if (!state->rule_lines) state->rule_lines = ARENA_ARRAY(executor->arena, struct rule_line *, instances->count);
  struct rule_line **place = &state->rule_lines[instance - instances->first];
  if (*place) return *place;
  *place = ARENA_NEW(executor->arena, struct rule_line);
  (*place)->instance = instance;
  (*place)->round = 1;
  return *place;
}

static bool turn_before(const struct rule_turn *a, const struct rule_turn *b) {
  return moment_before(a->came, b->came);
}

static void turn_link(struct rule_line *line, struct rule_turn *turn) {
  struct rule_turn *before = line->last;
  while (before && turn_before(turn, before))
    before = before->before;
  turn->before = before;
  turn->next = before ? before->next : line->first;
  *(before ? &before->next : &line->first) = turn;
  *(turn->next ? &turn->next->before : &line->last) = turn;
  if (!line->test || turn_before(turn, line->test)) line->test = turn;
}

static void turn_unlink(struct rule_line *line, struct rule_turn *turn) {
  *(turn->before ? &turn->before->next : &line->first) = turn->next;
  *(turn->next ? &turn->next->before : &line->last) = turn->before;
}

static void line_schedule(struct executor *executor, struct rule_line *line, double time) {
  if (!line->test || line->scheduled) return;
  line->scheduled = true;
  event_push(executor, time, EVENT_RULE, (struct stamp){line->instance, 0}, line->instance, line, 0);
}

static void turn_join(struct executor *executor, uint32_t instance, struct rule_turn came, double time) {
  struct rule_line *line = line_of(executor, instance);
  struct rule_turn *turn = slab_take(&executor->slabs, sizeof *turn);
  *turn = came;
  if (turn->process) turn->process->turn = turn;
  turn_link(line, turn);
  if (!line->scheduled && time_has_come(executor, time, EVENT_RULE, (struct stamp){instance, 0}))
    rules_test(executor, line, time);
  else
    line_schedule(executor, line, time);
}

void rules_await_call(struct executor *executor, struct process *process) {
  happens_now(executor, "a call that asks for a firing rule", process->clock);
  process->state = PROCESS_RULE;
  turn_join(executor, process->frame->instance,
            (struct rule_turn){.came = {process->clock, stamp_of(executor, process)}, .process = process},
            process->clock);
}

void rules_await_tokens(struct executor *executor, struct inbox *inbox, double time) {
  if (inbox->in_line) return;
  inbox->in_line = true;
  turn_join(executor, inbox->instance, (struct rule_turn){.came = inbox->ready, .inbox = inbox}, time);
}

void rules_again(struct executor *executor, uint32_t instance, double time) {
  struct rule_line *line = line_of(executor, instance);
  happens_now(executor, "an end that rules ask for", time);
  if (executor->causes) line->cause = causes_rule(executor, instance, time);
  line->round++;
  line->test = line->first;
  line_schedule(executor, line, time);
}

void rules_leave(struct executor *executor, struct process *process) {
  struct rule_line *line = line_of(executor, process->frame->instance);
  struct rule_turn *turn = process->turn;
  process->turn = NULL;
  if (line->test == turn) line->test = turn->next;
  turn_unlink(line, turn);
  slab_give(&executor->slabs, turn, sizeof *turn);
}

/* ---- vars of other instances ---- */

/* Instances stand in the order of their indices. */
static uint32_t instance_at(const struct graph *graph, const struct model_component *component, const int64_t *wanted) {
  const struct instances *instances = &graph->instances[component->id];
  uint32_t low = 0, high = instances->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int64_t indices[COMPONENT_INDICES];
    graph_indices(graph, instances->first + middle, indices);
    uint32_t k = 0;
    while (k < component->index_count && indices[k] == wanted[k])
      k++;
    if (k == component->index_count) return instances->first + middle;
    if (indices[k] < wanted[k])
      low = middle + 1;
    else
      high = middle;
  }
  return INSTANCE_NONE;
}

static uint32_t watched_instance(struct executor *executor, const struct model_watch *watch, const int64_t *indices) {
  const struct model_component *component = watch->var->instance.component;
  struct environment environment = executor_environment(executor, indices);
  int64_t wanted[COMPONENT_INDICES];
  for (uint32_t k = 0; k < component->index_count; k++) {
    struct value value;
    if (!evaluate(&environment, watch->indices[k], &value)) {
      executor_stop(executor, STOP_ERROR, watch->span, NULL);
      return INSTANCE_NONE;
    }
    wanted[k] = value.integer;
  }
  return instance_at(executor->graph, component, wanted);
}

static void watch(struct executor *executor, uint32_t target, struct watcher like) {
  struct instance_state *state = &executor->states[like.var->instance.component->id];
  const struct instances *instances = &executor->graph->instances[like.var->instance.component->id];
  if (!state->watchers) state->watchers = ARENA_ARRAY(executor->arena, struct watcher *, instances->count);
  struct watcher *watcher = ARENA_NEW(executor->arena, struct watcher);
  *watcher = like;
  watcher->next = state->watchers[target - instances->first];
  state->watchers[target - instances->first] = watcher;
}

/* Last instances first, so that the first ones stand at the head of a list. */
static void watches_open(struct executor *executor, const struct model_accept *accept) {
  const struct instances *instances = &executor->graph->instances[accept->component->id];
  uint32_t count = accept->watch_count;
  uint32_t *targets = executor->watched[accept->id] =
      ARENA_ARRAY(executor->arena, uint32_t, (size_t)instances->count * count + 1);
  for (uint32_t at = instances->count; at-- > 0 && !executor_stopped(executor);) {
    int64_t indices[COMPONENT_INDICES];
    graph_indices(executor->graph, instances->first + at, indices);
    for (uint32_t k = 0; k < count; k++) {
      uint32_t target = targets[(size_t)at * count + k] = watched_instance(executor, &accept->watches[k], indices);
      if (target == INSTANCE_NONE) continue;
      watch(executor, target,
            (struct watcher){.instance = instances->first + at, .accept = accept, .var = accept->watches[k].var});
    }
  }
}

static bool any_watches(const struct graph *graph) {
  for (uint32_t c = 0; c < graph->there_count; c++)
    for (uint32_t i = 0; i < graph->there[c]->component->accept_count; i++)
      if (graph->there[c]->component->accepts[i]->watch_count) return true;
  return false;
}

void rules_open(struct executor *executor) {
  const struct model *model = executor->model;
  executor->watched = ARENA_ARRAY(executor->arena, uint32_t *, model->accept_count + 1);
  if (!any_watches(executor->graph)) return; /* as mostly */
  for (uint32_t i = 0; i < model->accept_count; i++)
    if (model->accepts[i]->watch_count && executor->graph->instances[model->accepts[i]->component->id].count)
      watches_open(executor, model->accepts[i]);
}

static bool watches_read(struct executor *executor, const struct model_accept *accept, uint32_t instance,
                         struct value *locals) {
  const struct instances *instances = &executor->graph->instances[accept->component->id];
  for (uint32_t k = 0; k < accept->watch_count; k++) {
    const struct model_watch *watch = &accept->watches[k];
    const struct model_component *component = watch->var->instance.component;
    uint32_t target = executor->watched[accept->id][(size_t)(instance - instances->first) * accept->watch_count + k];
    if (target == INSTANCE_NONE) {
      struct text who = {.arena = executor->arena};
      graph_instance_print(&who, executor->graph, instance);
      executor_stop(executor, STOP_ERROR, watch->span,
                    executor->graph->instances[component->id].count
                        ? "the firing rule of %s reads an instance of '%s' that there is not"
                        : "the firing rule of %s reads '%s', which no request of the system leads to",
                    who.data, component->symbol->name->text);
      return false;
    }
    locals[watch->symbol->slot] = instance_vars(executor, target)[watch->var->slot].value;
  }
  return !executor_stopped(executor);
}

/* Of the line those whose accept this is are tested once more; the others stay as they are. */
static void line_again(struct executor *executor, struct rule_line *line, const struct model_accept *accept,
                       double time) {
  uint64_t round = line->round++;
  for (struct rule_turn *turn = line->first; turn; turn = turn->next) {
    const struct model_accept *own = turn->process ? turn->process->frame->body->accept : turn->inbox->accept;
    if (own != accept && turn->round == round) turn->round = line->round;
  }
  line->test = line->first;
  line_schedule(executor, line, time);
}

void rules_var(struct executor *executor, uint32_t instance, const struct symbol *var, double time) {
  const struct model_component *component = graph_component(executor->graph, instance);
  struct watcher **watchers = executor->states[component->id].watchers;
  if (var->kind != SYMBOL_VAR || !watchers) return;
  happens_now(executor, "a var that firing rules read", time);
  for (struct watcher *watcher = watchers[instance - executor->graph->instances[component->id].first]; watcher;
       watcher = watcher->next) {
    struct rule_line *line = line_of(executor, watcher->instance);
    if (watcher->var == var && line->first) line_again(executor, line, watcher->accept, time);
  }
}

/* ---- tests ---- */

static bool rule_evaluate(struct executor *executor, struct environment *environment, const struct expr *rule) {
  struct value holds;
  if (evaluate_as(environment, rule, executor->model->types.boolean, &holds)) return holds.boolean;
  executor_stop(executor, STOP_ERROR, rule->span, NULL);
  return false;
}

static bool tokens_allowed(struct executor *executor, const struct inbox *inbox, double time) {
  const struct model_accept *accept = inbox->accept;
  if (!accept->firing_rule) return true;
  int64_t indices[COMPONENT_INDICES];
  graph_indices(executor->graph, inbox->instance, indices);
  struct environment environment = executor_environment(executor, indices);
  for (uint32_t k = 0; k < accept->param_count; k++) {
    uint32_t at = accept->param_of[k];
    const struct token *token = inbox->queues[inbox->full ? 0 : at].first;
    if (token) environment.locals[accept->params[k]->slot] = token->values[inbox->full ? at : 0].value;
  }
  state_borrow(executor, &environment, accept->component, inbox->instance);
  environment.clock = time;
  return watches_read(executor, accept, inbox->instance, environment.locals) &&
         rule_evaluate(executor, &environment, accept->firing_rule);
}

static bool call_allowed(struct executor *executor, struct process *process, double time) {
  struct frame *frame = process->frame; /* the walker's, as programs have no rule */
  struct value *locals = frame_borrow(executor, frame);
  return watches_read(executor, frame->body->accept, frame->instance, locals) &&
         rule_evaluate(executor, frame_environment(executor, frame, locals, time), frame->body->accept->firing_rule);
}

/* False: it waits on. A token's rule is asked when there is a server: before, the state may be that of a later time. */
static bool turn_try(struct executor *executor, struct rule_line *line, struct rule_turn *turn, double time) {
  struct process *process = turn->process;
  struct inbox *inbox = turn->inbox;
  if (process ? !call_allowed(executor, process, time)
              : !facility_free(inbox->facility) || !tokens_allowed(executor, inbox, time))
    return false;
  turn_unlink(line, turn);
  slab_give(&executor->slabs, turn, sizeof *turn);
  if (executor->causes) executor->causes->releasing = line->cause;
  if (process) {
    if (executor->causes) causes_tell(executor, process, line->cause);
    process_queue_until(executor, process, time);
    process->turn = NULL;
    if (frame_begin(executor, process, process->frame)) {
      process_wake(executor, process);
      head_given(executor, process, false);
    }
  } else {
    inbox->in_line = false;
    inbox_fire(executor, inbox, time);
  }
  if (executor->causes) executor->causes->releasing = 0;
  return true;
}

void rules_test(struct executor *executor, struct rule_line *line, double time) {
  bool went = false;
  line->scheduled = false;
  while (line->test && !went && !executor_stopped(executor)) {
    struct rule_turn *turn = line->test;
    line->test = turn->next;
    if (turn->round == line->round) continue;
    turn->round = line->round;
    went = turn_try(executor, line, turn, time);
  }
  line_schedule(executor, line, time);
}
