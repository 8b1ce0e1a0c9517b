/* `first of`: the heads that a process begins at once, of which the first to be done cancels the others.
 *
 * Each head is a process of its own that executes one statement in the instance of the process that has forked it, and
 * whatever that calls. It can be cancelled at any time, so it never runs ahead: each of its steps is taken in order,
 * what it holds ends by an event, and its frames are the walker's. A head is done at the end of its statement, in its
 * turn; or already when it is given what it waited for, where nothing is left to do that could take time. So nothing
 * comes between: no other head is given something when one is done. */
#include "grammar/children.h"
#include "interp/execute/steps.h"
#include "interp/execute/usage.h"

/* ---- beginning ---- */

static struct body *body_of_head(struct executor *executor, struct body *outer, const struct block *wait) {
  for (struct body *body = outer->heads; body; body = body->next)
    if (body->block == wait) return body;
  struct body *body = ARENA_NEW(executor->arena, struct body);
  struct model_accept *accept = ARENA_NEW(executor->arena, struct model_accept);
  *accept = *outer->accept;
  accept->request_count = 0;
  *body = *outer;
  body->accept = accept;
  body->block = wait;
  body->frame_size -= (outer->depth - 1) * (uint32_t)sizeof(struct loop);
  body->depth = 1;
  body->tried = true;
  body->observed = body->counted = false;
  body->visit_size = 0;
  body->program = NULL;
  body->is_head = true;
  body->heads = NULL;
  body->next = outer->heads;
  return outer->heads = body;
}

void heads_start(struct executor *executor, struct process *process, struct frame *frame, const struct stmt *stmt) {
  uint32_t count = stmt->heads.count;
  if (customer_of(executor, process)) { /* what it spends where it is cancelled would be of no cycle */
    executor_stop(executor, STOP_ERROR, stmt->span,
                  "simulation[queueing] cannot take this: a customer that waits for the first of several things");
    return;
  }
  struct join *join = join_make(executor, process);
  join->first_of = stmt;
  join->count = count;
  join->children = slab_take(&executor->slabs, count * sizeof(struct process *));
  for (uint32_t i = 0; i < count; i++) {
    struct process *head = join->children[i] = process_new(executor, process->instance, process->clock, false);
    if (executor->causes) causes_begin(executor, head, CAUSE_CALL);
    head->join = join->number;
    process_more_at(executor, head)->join_place = i;
    head->cancellable = true;
    frame_push_head(executor, head, body_of_head(executor, frame->body, &stmt->heads.items[i].wait), frame);
    stamp_set(executor, head, stamp_next(executor, process));
    head->turn_at = process->clock;
    head->begins = true;
    head->state = PROCESS_QUEUED;
    event_push(executor, head->clock, EVENT_PROCESS, stamp_of(executor, head), head->instance, head, head->generation);
  }
  process->state = PROCESS_FIRST;
  process->forked = join;
}

/* ---- time that passes ---- */

void process_pause(struct executor *executor, struct process *process, enum process_state state, enum event_kind kind,
                   double until) {
  process->state = (uint8_t)state;
  event_push(executor, until, kind, stamp_of(executor, process), process->instance, process, process->generation);
}

void process_paused(struct executor *executor, struct process *process, double time) {
  struct frame *frame = process->frame;
  double seconds = time - process->clock;
  if (process->state == PROCESS_HOLD)
    hold_count(executor, process, frame->body->component->id, frame_activity(frame), seconds, process->clock, time);
  else if (process->state == PROCESS_LATER)
    wait_count(executor, process, process->wait->component, time);
  else
    return;
  process->clock = time;
  process->state = PROCESS_QUEUED;
}

/* ---- the end ---- */

static bool block_passes_no_time(const struct block *block);

static bool statement_passes_no_time(const struct stmt *stmt) {
  switch (stmt->kind) {
  case STMT_HOLD:
  case STMT_CALL:
  case STMT_FIRST_OF: return false;
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_RETURN:
    if (stmt->assign.is_call) return false;
    break;
  case STMT_RECORD:
  case STMT_PROFILE:
  case STMT_ASSERT:
  case STMT_IF:
  case STMT_ONE_OF:
  case STMT_WHILE:
  case STMT_FOR:
  case STMT_KINDS: break;
  }
  for (struct children c = stmt_children(stmt); children_next(&c);)
    if (c.block && !block_passes_no_time(c.block)) return false;
  return true;
}

/* From that statement on; *returns: and the body ends there. */
static bool rest_passes_no_time(const struct stmt *stmt, bool *returns) {
  *returns = false;
  for (; stmt && !*returns; stmt = stmt->next) {
    if (!statement_passes_no_time(stmt)) return false;
    *returns = stmt->kind == STMT_RETURN;
  }
  return true;
}

static bool block_passes_no_time(const struct block *block) {
  bool returns;
  return rest_passes_no_time(block->first, &returns);
}

/* Is nothing left in the frame that could take time? */
static bool frame_passes_no_time(struct frame *frame, bool inside) {
  const struct walked *walked = frame_walked(frame);
  const struct model_accept *accept = frame->body->accept;
  bool returns = false;
  if (walked->repeats || walked->phase == PHASE_REQUESTS || (accept && accept->request_count > 0)) return false;
  for (uint32_t i = frame->at; i-- > 0 && !returns;) {
    const struct loop *open = &frame_loops(frame)[i];
    const struct stmt *next = open->next;
    if (open->loop) return false;
    if (inside) { /* `next` is the one that waits */
      returns = next->kind == STMT_RETURN;
      next = next->next;
    }
    inside = false;
    if (!returns && !rest_passes_no_time(next, &returns)) return false;
  }
  return true;
}

static bool nothing_left(const struct process *process, bool inside) {
  for (struct frame *frame = process->frame; frame; frame = frame_parent(frame), inside = true)
    if (!frame_passes_no_time(frame, inside)) return false;
  return true;
}

/* The head is done: no other one goes on. */
static void head_decide(struct executor *executor, struct process *process) {
  struct join *join = join_of(executor, process);
  happens_later(executor, "the end of a head", process->clock);
  join->decided = true;
  for (uint32_t i = 0; i < join->count; i++) {
    struct process *other = join->children[i];
    if (other && other != process) process_cancel(executor, other, process);
  }
  cancels_done(executor);
}

void head_given(struct executor *executor, struct process *process, bool inside) {
  for (;;) {
    const struct join *join = process->cancellable ? join_of(executor, process) : NULL;
    if (!join || !join->first_of || join->decided) return;
    const struct block *then = &join->first_of->heads.items[process_more(executor, process).join_place].body;
    if (!nothing_left(process, inside)) return;
    head_decide(executor, process);
    if (!block_passes_no_time(then)) return;
    process = join->parent; /* which may be a head that has nothing left now */
    inside = true;
  }
}

void heads_given(struct executor *executor, uint32_t first) {
  for (uint32_t i = first; i < executor->ready_count; i++) {
    struct process *process = executor->ready[i];
    head_given(executor, process, false);
    while (executor->ready[i] != process) /* some before it have been cancelled */
      i--;
  }
}

/* The time of a `first of` is that of the head that is done. */
void head_finish(struct executor *executor, struct process *process) {
  struct join *join = join_of(executor, process);
  struct process *parent = join->parent;
  struct frame *frame = process->frame, *outer = parent->frame;
  const struct stmt *wait = frame->body->block->first;
  uint32_t place = process_more(executor, process).join_place;
  if (!join->decided) head_decide(executor, process);
  if (wait->kind == STMT_LET) {
    uint32_t slot = wait->assign.symbol->slot;
    kept_store(&executor->keep, &frame_locals(outer)[slot], frame_locals(frame)[slot].value);
  }
  for (int k = 0; k < ACTIVITIES; k++)
    parent->share[k] += process->share[k];
  if (join->parts) head_waits_count(executor, parent, &join->parts[place]);
  if (process->clock > parent->clock) parent->still = 0;
  if (executor->causes) {
    causes_tell(executor, parent, causes_note(executor, CAUSE_ENDED, process, process->clock, INSTANCE_NONE));
    causes_stretch(executor, parent, ACTIVITY_WAIT, parent->clock, process->clock);
  }
  parent->clock = process->clock;
  stamp_set(executor, parent, stamp_of(executor, process));
  parent->turn_at = process->turn_at;
  parent->in_turn = parent->answered = false;
  parent->forked = NULL;
  frame_reply_store(executor, outer, value_integer(place));
  outer->called = true;
  frame_pop(executor, process);
  process->join = 0;
  process_end(executor, process);
  join_free(executor, join);
  process_ready(executor, parent);
}

/* ---- cancelling ---- */

static void ready_leave(struct executor *executor, const struct process *process) {
  uint32_t at = 0;
  while (executor->ready[at] != process)
    at++;
  for (executor->ready_count--; at < executor->ready_count; at++)
    executor->ready[at] = executor->ready[at + 1];
}

static void any_leave(struct executor *executor, struct process *process) {
  struct process **place = &executor->any_waiters;
  while (*place != process)
    place = &(*place)->next;
  *place = process->next;
  process->next = NULL;
}

static void evaluator_leave(struct executor *executor, struct process *process, double time) {
  const struct psl_evaluator *evaluator = process->wait->callee->evaluator_of;
  uint32_t place = evaluator_open(executor, evaluator);
  process->state = PROCESS_RUNNING;
  evaluator->cancel(executor->evaluators[place].state, process->id, time, process->memory);
  process->memory = NULL;
  if (evaluator->cancelled) executor->evaluators[place].left = executor->lines_left = true;
}

/* Those that it waits for go with it. */
static void forked_leave(struct executor *executor, struct process *process, struct process *by) {
  struct join *join = process->forked;
  for (uint32_t i = 0; i < join->count; i++)
    if (join->children[i]) process_cancel(executor, join->children[i], by);
  for (uint32_t i = 0; join->results && i < join->count; i++)
    kept_drop(&executor->keep, &join->results[i]);
  process->forked = NULL;
  join_free(executor, join);
}

/* A call that has not asked yet for what it begins with. */
static void call_not_begun(struct executor *executor, const struct process *process) {
  const struct frame *frame = process->frame;
  if (frame && !frame->admitted) unfire(executor, frame->body->component->id, process->clock);
}

/* It no longer stands where it stood; what it has waited or held until now counts. */
static void process_leave(struct executor *executor, struct process *process, struct process *by) {
  double time = executor->now, since = process->clock;
  switch ((enum process_state)process->state) {
  case PROCESS_EVALUATOR:
    evaluator_leave(executor, process, time);
    process_answer_until(executor, process, time);
    break;
  case PROCESS_SERVER:
  case PROCESS_RULE:
    process_wait_until(executor, process, time);
    frame_leave_line(executor, process);
    break;
  case PROCESS_ANY:
    process_wait_until(executor, process, time);
    any_leave(executor, process);
    break;
  case PROCESS_JOIN:
    process_wait_until(executor, process, time);
    forked_leave(executor, process, by);
    break;
  case PROCESS_FIRST: forked_leave(executor, process, by); break;
  case PROCESS_SHARE: service_leave(executor, process, time); break;
  case PROCESS_HOLD: /* the time of the one that is done counts, so a head's own does not, which is its requester's */
    if (process->frame->body->is_head) break;
    process_paused(executor, process, time);
    break;
  case PROCESS_LATER:
    process_paused(executor, process, time);
    if (!process->frame->called) /* behind a delay, not begun */
      unfire(executor, process->frame->body->component->id, since);
    break;
  case PROCESS_READY:
    ready_leave(executor, process);
    call_not_begun(executor, process);
    break;
  case PROCESS_QUEUED:
  case PROCESS_RUNNING: call_not_begun(executor, process); break;
  case PROCESS_MOVES:
  case PROCESS_FREE: break;
  }
  process->clock = time;
}

/* One that asks for params of its instance is the only one that has begun there: the next one asks anew. */
static void question_drop(struct executor *executor, const struct frame *frame) {
  const struct symbol *asking = frame->body->component->asking;
  if (!asking || !frame->admitted || frame->body->coercion) return;
  kept_store(&executor->keep, &instance_vars(executor, frame->instance)[asking->slot],
             (struct value){.kind = VALUE_BOOL, .boolean = false});
}

static bool parts_known(const struct wait_parts *parts) {
  for (int part = 0; part < WAIT_PARTS; part++)
    if (sum_total(&parts->time[part]) > 0) return true;
  return false;
}

/* Where none of them is done, the first counts of which it is known what it waits for. */
void heads_stop(struct executor *executor, struct process *process) {
  struct join *join = process->forked;
  for (uint32_t i = 0; i < join->count; i++)
    if (join->children[i] && join->children[i]->state == PROCESS_FIRST) heads_stop(executor, join->children[i]);
  for (uint32_t i = 0; join->parts && i < join->count; i++)
    if (parts_known(&join->parts[i])) {
      head_waits_count(executor, process, &join->parts[i]);
      return;
    }
}

void process_stop(struct executor *executor, struct process *process, double time) {
  bool asks = process->state == PROCESS_EVALUATOR && process->wait->callee->evaluator_of->cancel;
  switch ((enum process_state)process->state) {
  case PROCESS_EVALUATOR:
    if (asks) evaluator_leave(executor, process, time);
    process_answer_until(executor, process, time);
    break;
  case PROCESS_SERVER:
  case PROCESS_RULE:
  case PROCESS_ANY:
  case PROCESS_JOIN:
  case PROCESS_FIRST: process_wait_until(executor, process, time); break;
  case PROCESS_SHARE: service_leave(executor, process, time); break;
  case PROCESS_HOLD:
  case PROCESS_LATER:
    if (!process->frame->body->is_head) process_paused(executor, process, time);
    break;
  case PROCESS_FREE:
  case PROCESS_READY:
  case PROCESS_RUNNING:
  case PROCESS_MOVES:
  case PROCESS_QUEUED: break; /* its clock is there, or beyond */
  }
}

static void frame_cancel(struct executor *executor, struct process *process, struct process *by) {
  struct frame *frame = process->frame;
  const struct called *called = frame_called(frame);
  struct facility *facility = frame->admitted && !frame->body->is_head ? called->facility : NULL;
  uint32_t instance = frame->instance;
  bool rules = frame->body->has_rules;
  if (frame->body->coercion)
    call_unexpected(executor, frame, called->adapter->accept, called->target);
  else
    call_unexpected(executor, frame, frame->body->accept, instance);
  frame_stays_end(frame, executor->now);
  if (frame->admitted && frame->body->counted) usage_cancel(executor, process, frame);
  if (facility) facility_release(executor, by, facility, executor->now);
  question_drop(executor, frame);
  frame_pop(executor, process);
  if (rules) rules_again(executor, instance, executor->now);
}

void cancels_done(struct executor *executor) {
  bool ordered = executor->call.ordered;
  if (!executor->lines_left) return;
  executor->lines_left = false;
  executor->call.ordered = true; /* they are resumed in order */
  for (uint32_t i = 0; i < executor->evaluator_count; i++) {
    bool left = executor->evaluators[i].left;
    executor->evaluators[i].left = false;
    if (left) executor->evaluators[i].evaluator->cancelled(executor->evaluators[i].state, executor->now);
  }
  executor->call.ordered = ordered;
}

static void taken_out(struct executor *executor, const struct process *process) {
  for (uint32_t i = 0; i < executor->evaluator_count; i++)
    if (executor->evaluators[i].opened && executor->evaluators[i].evaluator->taken_out)
      executor->evaluators[i].evaluator->taken_out(executor->evaluators[i].state, process->id, executor->now);
}

void process_cancel(struct executor *executor, struct process *process, struct process *by) {
  enum { DEEP = 1000 };
  if (process == executor->caller || (process->state == PROCESS_RUNNING && !process->doomed)) {
    process->doomed = true;
    process_orphaned(executor, process);
    return;
  }
  if (executor->cancels >= DEEP) {
    executor_stop(executor, STOP_DEPTH, process_span(process),
                  "more than %d heads of 'first of' stand inside one another", DEEP);
    return;
  }
  executor->cancels++;
  process_leave(executor, process, by);
  process_orphaned(executor, process);
  taken_out(executor, process);
  while (process->frame)
    frame_cancel(executor, process, by);
  process_end(executor, process);
  executor->cancels--;
}
