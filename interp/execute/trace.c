/* The trace recorder: what each process did when, kept while a model runs; called wherever time passes. */
#include "interp/execute/trace.h"

void trace_event(struct trace *trace, uint32_t process, enum activity activity, uint32_t component, double begin,
                 double end) {
  if (!(end > begin) || (trace->every > 1 && process % trace->every)) return;
  if (trace->count) {
    struct trace_event *last = &trace->events[trace->count - 1];
    if (last->process == process && last->activity == activity && last->component == component && last->end == begin) {
      last->end = end;
      return;
    }
  }
  if (trace->count == TRACE_LIMIT) {
    trace->full = true;
    return;
  }
  struct trace_event event = {process, (uint16_t)activity, component, begin, end};
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
  struct trace_named element = {process, kind, name, begin, end};
  ARENA_PUSH(trace->arena, trace->elements, trace->element_count, trace->element_capacity, element);
}
