/* Elements of a program by name: stretches of a process's time that lie inside each other, as the modelling
 * elements of Performance Prophet do.  It keeps what is open; the host keeps what has ended, for reports and
 * traces. */
#include "interp/include/evaluator.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH = 64 }; /* of elements inside each other */

struct open_element {
  double begin;
  double inside; /* of that, time in elements that have ended */
};

struct process { /* what is open in it, the outermost first */
  uint32_t depth;
  struct open_element elements[DEPTH];
};

struct state {
  struct psl_host *host;
  struct process **processes; /* by number; NULL: has begun none */
  uint32_t capacity;
};

static struct process *process_of(struct state *state, uint32_t number) {
  if (number >= state->capacity) {
    uint32_t capacity = state->capacity ? state->capacity : 64;
    while (capacity <= number)
      capacity *= 2;
    struct process **grown = state->host->allocate(state->host, capacity * sizeof(struct process *));
    if (state->capacity) memcpy(grown, state->processes, state->capacity * sizeof *grown);
    state->processes = grown;
    state->capacity = capacity;
  }
  if (!state->processes[number]) state->processes[number] = state->host->allocate(state->host, sizeof(struct process));
  return state->processes[number];
}

static enum psl_status elements_begin(void *memory, struct psl_call *call) {
  struct process *process = process_of(memory, call->process);
  if (process->depth == DEPTH) return psl_failed(call, "more than %d elements inside each other", DEPTH);
  process->elements[process->depth++] = (struct open_element){.begin = call->clock};
  return PSL_DONE;
}

static enum psl_status elements_end(void *memory, struct psl_call *call) {
  struct state *state = memory;
  struct process *process = process_of(state, call->process);
  if (!process->depth) return psl_failed(call, "no element has begun that could end here");
  struct open_element *element = &process->elements[--process->depth];
  double whole = call->clock - element->begin;
  if (process->depth) process->elements[process->depth - 1].inside += whole;
  state->host->element(state->host, call->process, call->arguments[0].string, call->arguments[1].string, element->begin,
                       call->clock, whole - element->inside);
  return PSL_DONE;
}

static void *elements_open(struct psl_host *host) {
  struct state *state = host->allocate(host, sizeof *state);
  state->host = host;
  return state;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "begin",
     .signature = "()",
     .kind = PSL_CALL,
     .call = elements_begin,
     .doc = "An element of the calling process begins, inside those that have begun and not ended. It is an error "
            "where 64 have."},
    {.name = "end",
     .signature = "(kind : string, name : string)",
     .kind = PSL_CALL,
     .call = elements_end,
     .doc = "The element that began last in the calling process ends: `kind` and `name` are what reports call it. "
            "It is an error where none has begun."},
    {.name = NULL},
};

const struct psl_evaluator program_elements_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "program-elements",
    .revision = "1",
    .doc = "Elements of a program by name, for reports and traces: how often each is executed, how long by each "
           "process.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .open = elements_open,
};
