/* The record of causes: what each process did when, who began it, and who ended its waits. Called wherever a process
 * begins, time passes for it, or somebody lets it go on; only where a run keeps causes, which the walker then makes. */
#include "interp/execute/causes.h"
#include "interp/execute/executor.h"

void causes_open(struct executor *executor, struct causes *causes) {
  executor->causes = causes;
  ARENA_PUSH(causes->arena, causes->causes, causes->cause_count, causes->cause_capacity,
             ((struct cause){.life = CAUSES_NOBODY, .instance = INSTANCE_NONE}));
  ARENA_PUSH(causes->arena, causes->sites, causes->site_count, causes->site_capacity,
             ((struct cause_site){.name = NULL}));
}

void causes_drop(struct causes *causes) { *causes = (struct causes){.arena = causes->arena, .limit = causes->limit}; }

/* Is there room for one more? Else the run is stopped. */
static bool has_room(struct executor *executor, size_t count) {
  if (count < executor->causes->limit) return true;
  executor_stop(executor, STOP_ERROR, executor->graph->system->symbol->span,
                "what this run does has more than %zu causes, which is as many as are kept: end it sooner, as "
                "--max-time does, or make the model smaller",
                executor->causes->limit);
  return false;
}

static void grow(struct causes *causes, uint32_t id) {
  if (id < causes->size) return;
  uint32_t size = id < 64 ? 128 : 2 * id;
  uint32_t **all[] = {&causes->life_of, &causes->told, &causes->retried};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    *all[k] = arena_grow(causes->arena, *all[k], causes->size * sizeof **all[k], size * sizeof **all[k]);
    memset(*all[k] + causes->size, 0, (size - causes->size) * sizeof **all[k]);
  }
  causes->size = size;
}

/* ---- where a process stands ---- */

static struct span accept_span(const struct body *body) {
  return body->accept && body->accept->syntax ? body->accept->syntax->span : (struct span){0, 0};
}

/* The statement that the frame, which is the walker's, is at; its accept where it has come to none. */
static struct span frame_span(struct frame *frame) {
  struct span span = frame_walked(frame)->wait.outer;
  return span.end ? span : accept_span(frame->body);
}

static const char *transaction_of(const struct body *body) {
  const struct model_transaction *transaction =
      body->accept ? body->accept->transaction : body->coercion->from_transaction;
  return transaction && transaction->symbol ? transaction->symbol->name->text : NULL;
}

static const char *function_of(struct causes *causes, const struct symbol *callee) {
  if (!callee || callee->kind != SYMBOL_EVALUATOR_FUNCTION) return NULL;
  return arena_printf(causes->arena, "%s.%s", callee->evaluator_of->name, callee->name->text);
}

static uint32_t site_add(struct causes *causes, struct cause_site site, const struct symbol *callee) {
  bool known;
  uint64_t key = (uint64_t)site.outer.begin << 32 | site.inner.begin;
  uint32_t place = map_add(causes->arena, &causes->site_of, key, (uint32_t)causes->site_count, &known);
  if (known && site.name) causes->sites[place].name = site.name;
  if (known) return place;
  if (!site.name) site.name = function_of(causes, callee);
  ARENA_PUSH(causes->arena, causes->sites, causes->site_count, causes->site_capacity, site);
  return place;
}

static uint32_t site_of(struct causes *causes, const struct process *process) {
  struct frame *top = process->frame, *first = top, *second = NULL;
  if (!top) return causes->lives[causes->life_of[process->id]].site;
  for (; frame_parent(first); first = frame_parent(first))
    second = first;
  struct frame *inner = !top->admitted && frame_parent(top) ? frame_parent(top) : top;
  struct cause_site site = {frame_span(first), frame_span(inner), second ? transaction_of(second->body) : NULL};
  return site_add(causes, site, frame_walked(first)->wait.callee);
}

/* ---- lives ---- */

void causes_begin_for(struct executor *executor, const struct process *process, uint32_t cause, double asked) {
  struct causes *causes = executor->causes;
  struct life life = {process->instance, cause, 0, 0, asked, process->clock};
  grow(causes, process->id);
  if (!has_room(executor, causes->life_count)) return;
  causes->life_of[process->id] = (uint32_t)causes->life_count;
  causes->told[process->id] = causes->retried[process->id] = 0;
  ARENA_PUSH(causes->arena, causes->lives, causes->life_count, causes->life_capacity, life);
}

void causes_begin(struct executor *executor, const struct process *process, enum cause_kind kind) {
  const struct process *by = executor->running;
  uint32_t cause = by ? causes_note(executor, kind, by, by->clock, INSTANCE_NONE) : 0;
  causes_begin_for(executor, process, cause, process->clock);
}

void causes_fires(struct executor *executor, const struct process *process) {
  struct causes *causes = executor->causes;
  const struct body *body = process->frame->body;
  struct span span = accept_span(body);
  if (!span.end) return;
  causes->lives[causes->life_of[process->id]].site =
      site_add(causes, (struct cause_site){span, {0, 0}, transaction_of(body)}, NULL);
}

/* ---- causes ---- */

uint32_t causes_note(struct executor *executor, enum cause_kind kind, const struct process *by, double time,
                     uint32_t instance) {
  struct causes *causes = executor->causes;
  struct cause cause = {causes->life_of[by->id], site_of(causes, by), time, instance, kind};
  if (!has_room(executor, causes->cause_count)) return 0;
  ARENA_PUSH(causes->arena, causes->causes, causes->cause_count, causes->cause_capacity, cause);
  return (uint32_t)causes->cause_count - 1;
}

void causes_tell(struct executor *executor, const struct process *process, uint32_t cause) {
  executor->causes->told[process->id] = cause;
}

void causes_retry(struct executor *executor, const struct process *process) {
  const struct process *by = executor->running;
  if (by == process) return;
  executor->causes->retried[process->id] = causes_note(executor, CAUSE_ANSWER, by, by->clock, INSTANCE_NONE);
}

/* Where the one that runs waits itself, and has been called again only since some time has come, it is who has asked
 * for that. */
void causes_answered(struct executor *executor, const struct process *process) {
  const struct process *by = executor->running;
  struct causes *causes = executor->causes;
  bool waits = by == executor->retried && executor->retried_since < by->clock;
  if (by == process || causes->told[process->id]) return;
  causes_tell(executor, process,
              waits ? causes->retried[by->id] : causes_note(executor, CAUSE_ANSWER, by, by->clock, INSTANCE_NONE));
}

void causes_matched(struct executor *executor, const struct process *process, double time) {
  causes_tell(executor, process, causes_note(executor, CAUSE_MATCH, executor->running, time, INSTANCE_NONE));
}

uint32_t causes_rule(struct executor *executor, uint32_t instance, double time) {
  uint32_t releasing = executor->causes->releasing;
  return releasing ? releasing : causes_note(executor, CAUSE_RULE, executor->running, time, instance);
}

/* ---- stretches ---- */

/* What ends the wait: what has been told, else who has asked for the retry by which the evaluator has ended it. */
static uint32_t cause_of(const struct causes *causes, const struct process *process, enum activity activity) {
  if (activity == ACTIVITY_COMPUTE || activity == ACTIVITY_COMMUNICATE) return 0;
  uint32_t told = causes->told[process->id];
  return told ? told : causes->retried[process->id];
}

static bool goes_on(const struct time_stretch *last, const struct time_stretch *next) {
  return last->activity == next->activity && last->site == next->site && !last->cause && !next->cause &&
         last->end == next->begin;
}

void causes_stretch(struct executor *executor, const struct process *process, enum activity activity, double begin,
                    double end) {
  struct causes *causes = executor->causes;
  if (!(end > begin)) return;
  struct life *life = &causes->lives[causes->life_of[process->id]];
  struct time_stretch *last = life->last ? &causes->stretches[life->last - 1] : NULL;
  struct time_stretch stretch = {causes->life_of[process->id],
                                 site_of(causes, process),
                                 cause_of(causes, process, activity),
                                 activity,
                                 begin,
                                 end};
  if (last && goes_on(last, &stretch)) {
    last->end = end;
    return;
  }
  if (!has_room(executor, causes->stretch_count)) return;
  ARENA_PUSH(causes->arena, causes->stretches, causes->stretch_count, causes->stretch_capacity, stretch);
  life->last = (uint32_t)causes->stretch_count;
}

void causes_goes_on(struct executor *executor, const struct process *process) {
  executor->causes->told[process->id] = executor->causes->retried[process->id] = 0;
}
