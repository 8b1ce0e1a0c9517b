/* The trace recorder: what each process did when, kept while a model runs; called wherever time passes. */
#include "interp/execute/trace.h"

#include <stdlib.h>

static bool goes_on(const struct trace_event *last, const struct trace_event *next) {
  return last->process == next->process && last->activity == next->activity && last->component == next->component &&
         last->end == next->begin;
}

void trace_event(struct trace *trace, uint32_t process, enum activity activity, uint32_t component, double begin,
                 double end) {
  if (!(end > begin) || (trace->every > 1 && process % trace->every)) return;
  struct trace_event event = {process, (uint16_t)activity, component, begin, end};
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

void trace_message(struct trace *trace, uint32_t source, uint32_t destination, double sent, double received,
                   double bytes) {
  if (trace->every > 1 && (source % trace->every || destination % trace->every)) return;
  if (trace->message_count == TRACE_LIMIT) {
    trace->full = true;
    return;
  }
  struct trace_message message = {source, destination, sent, received, bytes};
  ARENA_PUSH(trace->arena, trace->messages, trace->message_count, trace->message_capacity, message);
}

void trace_element(struct trace *trace, uint32_t process, const char *kind, const char *name, double begin,
                   double end) {
  if (trace->every > 1 && process % trace->every) return;
  if (trace->element_count == TRACE_LIMIT) {
    trace->full = true;
    return;
  }
  struct trace_named element = {process, kind, name, begin, end, trace->element_count};
  ARENA_PUSH(trace->arena, trace->elements, trace->element_count, trace->element_capacity, element);
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
  return 0;
}

static int compare_elements(const void *a, const void *b) {
  const struct trace_named *x = a, *y = b;
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
}
