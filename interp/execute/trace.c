/* The trace recorder: what each process did when, kept while a model runs; called wherever time passes. */
#include "interp/execute/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool goes_on(const struct trace_event *last, const struct trace_event *next) {
  return last->process == next->process && last->activity == next->activity && last->component == next->component &&
         last->call == next->call && last->end == next->begin;
}

void trace_event(struct trace *trace, uint32_t id, uint32_t process, enum activity activity, uint32_t component,
                 double begin, double end) {
  if (!(end > begin) || trace->causes || (trace->every > 1 && process % trace->every)) return;
  uint32_t call = id < trace->open_size ? trace->open[id] : 0;
  struct trace_event event = {process, (uint16_t)activity, component, call, begin, end};
  struct trace_event *last = trace->count ? &trace->events[trace->count - 1] : NULL;
  if (last && goes_on(last, &event)) {
    last->end = end;
    return;
  }
  if (trace->count == TRACE_LIMIT) {
    trace->full = true;
    return;
  }
  ARENA_PUSH(trace->arena, trace->events, trace->count, trace->capacity, event);
}

void trace_message(struct trace *trace, const struct trace_message *message) {
  if (trace->causes) return;
  if (trace->every > 1 && (message->source % trace->every || message->destination % trace->every)) return;
  if (trace->message_count == TRACE_LIMIT) {
    trace->full = true;
    return;
  }
  ARENA_PUSH(trace->arena, trace->messages, trace->message_count, trace->message_capacity, *message);
}

void trace_element(struct trace *trace, uint32_t process, const char *kind, const char *name, double begin,
                   double end) {
  if (trace->causes || (trace->every > 1 && process % trace->every)) return;
  if (trace->element_count == TRACE_LIMIT) {
    trace->full = true;
    return;
  }
  struct trace_named element = {process, kind, name, begin, end, trace->element_count};
  ARENA_PUSH(trace->arena, trace->elements, trace->element_count, trace->element_capacity, element);
}

static void open_for(struct trace *trace, uint32_t id) {
  if (id < trace->open_size) return;
  size_t size = id < 64 ? 128 : 2 * (size_t)id;
  trace->open =
      arena_grow(trace->arena, trace->open, trace->open_size * sizeof *trace->open, size * sizeof *trace->open);
  memset(trace->open + trace->open_size, 0, (size - trace->open_size) * sizeof *trace->open);
  trace->open_size = size;
}

bool trace_call_begin(struct trace *trace, uint32_t id, struct trace_call call) {
  if (trace->causes || (trace->every > 1 && call.process % trace->every)) return false;
  if (trace->call_count == TRACE_LIMIT) {
    trace->full = true;
    return false;
  }
  open_for(trace, id);
  call.outer = trace->open[id];
  call.end = (double)NAN;
  call.order = trace->call_count;
  ARENA_PUSH(trace->arena, trace->calls, trace->call_count, trace->call_capacity, call);
  trace->open[id] = (uint32_t)trace->call_count;
  return true;
}

void trace_call_end(struct trace *trace, uint32_t id, double end, double bytes) {
  struct trace_call *call = &trace->calls[trace->open[id] - 1];
  call->end = end;
  if (!isnan(bytes)) call->bytes = bytes;
  trace->open[id] = call->outer;
}

/* ---- order ---- */

#define BY(a, b) \
  if ((a) != (b)) return (a) < (b) ? -1 : 1

static int compare_events(const void *a, const void *b) {
  const struct trace_event *x = a, *y = b;
  BY(x->process, y->process);
  BY(x->begin, y->begin);
  BY(x->end, y->end);
  BY(x->activity, y->activity);
  BY(x->component, y->component);
  return 0;
}

static int compare_messages(const void *a, const void *b) {
  const struct trace_message *x = a, *y = b;
  BY(x->destination, y->destination);
  BY(x->received, y->received);
  BY(x->sent, y->sent);
  BY(x->source, y->source);
  BY(x->bytes, y->bytes);
  BY(x->posted, y->posted);
  BY(x->tag, y->tag);
  return 0;
}

static int compare_elements(const void *a, const void *b) {
  const struct trace_named *x = a, *y = b;
  BY(x->process, y->process);
  BY(x->order, y->order);
  return 0;
}

static int compare_calls(const void *a, const void *b) {
  const struct trace_call *x = a, *y = b;
  BY(x->process, y->process);
  BY(x->order, y->order);
  return 0;
}

void trace_sort(struct trace *trace) {
  size_t kept = 0;
  if (trace->count) qsort(trace->events, trace->count, sizeof *trace->events, compare_events);
  for (size_t e = 0; e < trace->count; e++) {
    if (kept && goes_on(&trace->events[kept - 1], &trace->events[e]))
      trace->events[kept - 1].end = trace->events[e].end;
    else
      trace->events[kept++] = trace->events[e];
  }
  trace->count = kept;
  if (trace->message_count) qsort(trace->messages, trace->message_count, sizeof *trace->messages, compare_messages);
  if (trace->element_count) qsort(trace->elements, trace->element_count, sizeof *trace->elements, compare_elements);
  if (trace->call_count) qsort(trace->calls, trace->call_count, sizeof *trace->calls, compare_calls);
}
