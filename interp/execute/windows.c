/* Partitions that keep the order of virtual time among each other, in windows, where something says a lookahead: how
 * long it takes at least until what one does is felt in another.
 *
 * Each takes all events before a horizon. Then what has been sent is published, all say the least time of what they
 * still know of, what they have sent in this window with it, and the next horizon is the least of these and the
 * lookahead: nobody can send anything that comes before it. Where for long there is nothing to do, one step is enough.
 * Where in a window there is less to do than it takes to meet, one processor is as fast: that is found soon.
 *
 * What goes from one to another is a process that a token has started, in a call that is PSL_ARRIVES. It is a clock, a
 * place in compiled code and registers, which mean the same in all: its firing has counted where it began, what it does
 * from now on counts where it is. */
#include "interp/execute/partition.h"
#include "interp/execute/program.h"
#include "interp/execute/steps.h"
#include <math.h>
#include <string.h>

bool partition_orders(const struct executor *executor) { return executor->partition->told.lookahead > 0; }

/* ---- the windows ---- */

enum {
  BEGUN = 2,           /* windows, in which all begin */
  TRIED = BEGUN + 256, /* after which it is known whether they are worth it: */
  WORTH = 32           /* so many turns in each, in the mean */
};

/* Some have so little to do in a window that meeting the others takes as long, or these wait for who has more. */
static bool is_worth_it(struct executor *executor) {
  struct partition *p = executor->partition;
  if (p->windows == TRIED) return true;
  if (++p->windows == BEGUN) p->turns = executor->last_turn;
  if (p->windows < TRIED || executor->last_turn - p->turns >= (TRIED - BEGUN) * WORTH) return true;
  partition_give_up(executor, (struct span){0, 0}, "too little is done within the lookahead");
  return false;
}

bool partition_window(struct executor *executor, double next) {
  struct partition *p = executor->partition;
  double least;
  executor->call.ordered = false;
  if (p->over || executor_stopped(executor) || !is_worth_it(executor)) return false;
  next = fmin(next, p->sent);
  p->sent = INFINITY;
  if (port_meet(p->port, next, &least, partition_item_take, executor) == PORT_GIVEN_UP) {
    executor->stop = STOP_ERROR;
    return false;
  }
  p->over = least == INFINITY;
  executor->horizon = least + p->told.lookahead;
  if (!p->over && !(executor->horizon > least))
    partition_give_up(executor, (struct span){0, 0}, "the lookahead is less than the clock can tell");
  return !p->over;
}

/* ---- processes that move ---- */

struct moved {              /* before the registers */
  uint32_t mark, evaluator; /* MOVED */
  uint32_t accept, instance;
  uint32_t caller_accept, caller_instance; /* UINT32_MAX: of none */
  uint32_t size;                           /* of its program: that has to be the same one */
  uint32_t at, restore;
  double clock, queued;
  struct psl_arrival arrival;
};
enum { REGISTERS = (EXCHANGE_ITEM - sizeof(struct moved)) / sizeof(union slot) };

/* Is it a clock, a place and registers, and nothing besides? */
static bool is_plain(const struct executor *executor, const struct process *process) {
  struct frame *frame = process->frame;
  const struct called *called = frame_called(frame);
  return frame->compiled && frame->body->accept && frame->body->plain && !frame_parent(frame) && !called->facility &&
         !called->adapter && !frame->stays && !frame->expected && !frame->patient && !process->join &&
         !process->counted && !customer_of(executor, process) && !process->cancellable;
}

bool partition_moves(struct executor *executor, struct process *process, uint32_t evaluator) {
  struct partition *p = executor->partition;
  const struct psl_call *call = &executor->call;
  if (!partition_orders(executor)) {
    partition_call_ordered(executor, process);
    return true;
  }
  if (call->arrival.partition == p->told.number) return false;
  if (call->clock < executor->horizon)
    partition_give_up(executor, process_span(process), "something comes to another partition before its lookahead");
  else if (!is_plain(executor, process))
    partition_give_up(executor, process_span(process), "what goes to another partition is more than compiled code");
  p->arrival = call->arrival;
  p->arrives = call->clock;
  p->evaluator = evaluator;
  process->state = PROCESS_MOVES;
  return true;
}

void partition_move(struct executor *executor, struct process *process) {
  struct partition *p = executor->partition;
  struct frame *frame = process->frame;
  const struct called *called = frame_called(frame);
  if (executor_stopped(executor)) return;
  uint32_t kept = frame->body->program->restores[frame->restore].kept;
  if (kept > REGISTERS) {
    partition_give_up(executor, process_span(process), "what goes to another partition has too much with it");
    return;
  }
  char item[EXCHANGE_ITEM];
  struct moved moved = {.mark = MOVED,
                        .evaluator = p->evaluator,
                        .accept = frame->body->accept->id,
                        .instance = process->instance,
                        .caller_accept = called->accept ? called->accept->id : UINT32_MAX,
                        .caller_instance = called->instance,
                        .size = frame->body->program->size,
                        .at = frame->at,
                        .restore = frame->restore,
                        .clock = p->arrives,
                        .queued = process_has_queued(executor, process),
                        .arrival = p->arrival};
  memcpy(item, &moved, sizeof moved);
  union slot registers[REGISTERS];
  registers_take(frame->body->program, frame, registers, kept);
  memcpy(item + sizeof moved, registers, kept * sizeof *registers);
  port_send(p->port, p->arrival.partition, item, sizeof moved + kept * sizeof *registers);
  p->sent = fmin(p->sent, p->arrives);
  frame_pop(executor, process);
  process_over(executor, process);
}

void process_come(struct executor *executor, const void *item, size_t size) {
  struct moved moved;
  memcpy(&moved, item, sizeof moved);
  struct model_accept *accept = executor->model->accepts[moved.accept];
  struct model_accept *caller =
      moved.caller_accept == UINT32_MAX ? NULL : executor->model->accepts[moved.caller_accept];
  struct process *process = process_take(executor, moved.instance, moved.clock);
  struct frame *frame = frame_push(executor, process, body_of_accept(executor, accept), moved.instance, NULL,
                                   moved.caller_instance, caller, NULL);
  unfire(executor, accept->component->id, moved.clock);
  if (!frame->compiled || frame->body->program->size != moved.size) {
    partition_give_up(executor, executor_span(executor), "what comes from another partition is other code here");
    return;
  }
  frame->at = moved.at;
  frame->restore = (uint16_t)moved.restore;
  union slot registers[REGISTERS];
  memcpy(registers, (const char *)item + sizeof moved, size - sizeof moved);
  registers_keep(executor, frame->body->program, frame, registers,
                 (uint32_t)((size - sizeof moved) / sizeof *registers));
  process_queued_set(executor, process, moved.queued);
  process->wait = program_wait(frame);
  process->state = PROCESS_EVALUATOR;
  const struct psl_evaluator *evaluator = executor->evaluators[moved.evaluator].evaluator;
  evaluator->partitioned->moved(executor->evaluators[evaluator_open(executor, evaluator)].state, process->id,
                                &moved.arrival);
  event_push(executor, moved.clock, EVENT_ARRIVAL, arrival_stamp(&moved.arrival), process->instance, process,
             process->generation);
}

/* ---- places ---- */

uint32_t partition_home(struct psl_host *host, uint32_t number, uint32_t partition) {
  const struct executor *executor = (const struct executor *)(void *)host;
  _Atomic uint8_t *home = &executor->partition->homes[number];
  uint8_t known = atomic_load_explicit(home, memory_order_relaxed);
  if (!known && atomic_compare_exchange_strong(home, &known, (uint8_t)(partition + 1))) return partition;
  return known - 1u;
}
