/* What each process did when, in Chrome's trace format (chrome://tracing, Perfetto); for psl_write_trace. */
#include "evaluators/programs/outputs.h"
#include "interp/report/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where something stands, by the row of its process in the report. */
static void put_place(struct text *out, uint32_t row) {
  text_printf(out, ",\"pid\":%d,\"tid\":%u", CHROME_PROCESS, CHROME_FIRST_THREAD + row);
}

/* Microseconds, to the picosecond. */
static void put_us(struct text *out, const char *key, double seconds) {
  text_printf(out, ",\"%s\":%.6f", key, seconds * 1e6);
}

/* Threads stand in their order in the report. */
static void put_thread(struct text *out, uint32_t row, const char *name) {
  text_put(out, "{\"name\":\"thread_name\",\"ph\":\"M\"");
  put_place(out, row);
  text_put(out, ",\"args\":{\"name\":");
  text_json(out, name);
  text_put(out, "}},\n{\"name\":\"thread_sort_index\",\"ph\":\"M\"");
  put_place(out, row);
  text_printf(out, ",\"args\":{\"sort_index\":%u}},\n", row);
}

/* A message is a pair of flow events with one id; "e" binds the end to the slice that encloses it. Each end names the
 * other one. */
static void put_flow(struct text *out, const struct results *results, const struct trace_message *message, size_t id,
                     bool ends) {
  uint32_t from = results->process_of[message->source], to = results->process_of[message->destination];
  text_printf(out, ",\n{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"%s\",\"id\":%zu",
              ends ? "f\",\"bp\":\"e" : "s", id);
  put_place(out, ends ? to : from);
  put_us(out, "ts", ends ? message->received : message->sent);
  text_put(out, ",\"args\":{\"peer\":");
  text_json(out, results->public.processes[ends ? from : to].name);
  if (!message->inside) text_printf(out, ",\"tag\":%d", message->tag);
  text_printf(out, ",\"bytes\":%.0f}}", message->bytes);
}

static bool is_shown(const struct results *results, const struct trace_message *message) {
  return message->source < results->instance_count && message->destination < results->instance_count &&
         results->process_of[message->source] != UINT32_MAX && results->process_of[message->destination] != UINT32_MAX;
}

/* ---- whom a call has spoken with ---- */

/* An end of a message that is no part of a collective operation. */
struct message_end {
  uint32_t process; /* instance */
  double time;
  size_t message;
};

static int compare_ends(const void *a, const void *b) {
  const struct message_end *x = a, *y = b;
  if (x->process != y->process) return x->process < y->process ? -1 : 1;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->message < y->message ? -1 : x->message > y->message;
}

struct message_ends {
  struct message_end *items;
  size_t count;
};

static struct message_ends find_ends(const struct results *results, struct arena *arena, bool posted) {
  const struct trace *trace = results->trace;
  struct message_ends ends = {ARENA_ARRAY(arena, struct message_end, trace->message_count + 1), 0};
  for (size_t m = 0; m < trace->message_count; m++) {
    const struct trace_message *message = &trace->messages[m];
    if (message->inside || !is_shown(results, message) || isnan(message->posted)) continue;
    ends.items[ends.count++] = posted ? (struct message_end){message->destination, message->posted, m}
                                      : (struct message_end){message->source, message->sent, m};
  }
  if (ends.count) qsort(ends.items, ends.count, sizeof *ends.items, compare_ends);
  return ends;
}

/* The first one of the process that is not before the time. */
static size_t first_end(const struct message_ends *ends, uint32_t process, double time) {
  size_t low = 0, high = ends->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct message_end *end = &ends->items[middle];
    if (end->process < process || (end->process == process && end->time < time))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The one message whose send, or receive, the call has begun; NULL: there is none, or it is not certain which. */
static const struct trace_message *message_of(const struct trace *trace, const struct message_ends *ends,
                                              const struct trace_call *call) {
  size_t first = first_end(ends, call->process, call->begin);
  const struct message_end *found = NULL;
  for (size_t e = first; e < ends->count; e++) {
    const struct message_end *end = &ends->items[e];
    if (end->process != call->process || (end->time >= call->end && end->time > call->begin)) break;
    if (found) return NULL;
    found = end;
  }
  return found ? &trace->messages[found->message] : NULL;
}

/* What it was given, as members of a JSON object, how much it was about, and whom it has spoken with, where it is of
 * one message and takes time: of several that are made at one time it is not certain which is whose. A receive is told
 * by its message how much has come. */
static void put_arguments(struct text *out, const struct results *results, const struct trace_call *call,
                          const struct message_ends *sent, const struct message_ends *posted) {
  const struct trace_message *sends = NULL, *receives = NULL;
  if (strstr(call->given, "\"tag\":") && !(call->end <= call->begin)) {
    sends = message_of(results->trace, sent, call);
    receives = message_of(results->trace, posted, call);
  }
  const struct trace_message *message = sends && receives ? NULL : sends ? sends : receives;
  double bytes = message && (message == receives || isnan(call->bytes)) ? message->bytes : call->bytes;
  const char *comma = *call->given ? "," : "";
  text_printf(out, ",\"args\":{%s", call->given);
  if (!isnan(bytes)) text_printf(out, "%s\"bytes\":%.0f", comma, bytes);
  if (message) {
    uint32_t peer = results->process_of[message == sends ? message->destination : message->source];
    text_put(out, isnan(bytes) ? comma : ",");
    text_put(out, "\"peer\":");
    text_json(out, results->public.processes[peer].name);
  }
  text_put(out, "}}");
}

/* Longer ones come first where they begin together, since they enclose the others: what ends last has begun
 * first, and viewers nest by time. */
static void put_elements(struct output *out, const struct results *results) {
  const struct trace *trace = results->trace;
  for (size_t e = trace->element_count; e-- > 0;) {
    const struct trace_named *element = &trace->elements[e];
    uint32_t process = results->process_of[element->process];
    if (process == UINT32_MAX) continue;
    text_put(&out->text, ",\n{\"name\":");
    text_json(&out->text, element->name);
    text_put(&out->text, ",\"cat\":\"element\",\"ph\":\"X\"");
    put_place(&out->text, process);
    put_us(&out->text, "ts", element->begin);
    put_us(&out->text, "dur", element->end - element->begin);
    text_put(&out->text, ",\"args\":{\"kind\":");
    text_json(&out->text, element->kind);
    text_put(&out->text, "}}");
    output_pass(out);
  }
}

/* A call that the run has ended in has a beginning alone. */
static void put_calls(struct output *out, const struct results *results) {
  const struct trace *trace = results->trace;
  struct message_ends sent = find_ends(results, out->text.arena, false);
  struct message_ends posted = find_ends(results, out->text.arena, true);
  for (size_t c = 0; c < trace->call_count; c++) {
    const struct trace_call *call = &trace->calls[c];
    uint32_t process = results->process_of[call->process];
    if (process == UINT32_MAX) continue;
    text_put(&out->text, ",\n{\"name\":");
    text_json(&out->text, call->name);
    text_printf(&out->text, ",\"cat\":\"call\",\"ph\":\"%s\"", isnan(call->end) ? "B" : "X");
    put_place(&out->text, process);
    put_us(&out->text, "ts", call->begin);
    if (!isnan(call->end)) put_us(&out->text, "dur", call->end - call->begin);
    put_arguments(&out->text, results, call, &sent, &posted);
    output_pass(out);
  }
}

/* Where elements begin and end, in order: what a process does is cut there, so that slices nest. */
struct cut {
  uint32_t process; /* instance */
  double time;
};

static int compare_cuts(const void *a, const void *b) {
  const struct cut *x = a, *y = b;
  if (x->process != y->process) return x->process < y->process ? -1 : 1;
  return x->time < y->time ? -1 : x->time > y->time;
}

static struct cut *find_cuts(const struct trace *trace, struct arena *arena) {
  struct cut *cuts = ARENA_ARRAY(arena, struct cut, 2 * trace->element_count + 1);
  for (size_t e = 0; e < trace->element_count; e++) {
    const struct trace_named *element = &trace->elements[e];
    cuts[2 * e] = (struct cut){element->process, element->begin};
    cuts[2 * e + 1] = (struct cut){element->process, element->end};
  }
  if (trace->element_count) qsort(cuts, 2 * trace->element_count, sizeof *cuts, compare_cuts);
  return cuts;
}

/* What is computed is named as the component that does it, all else as what it is. */
static void put_activity(struct output *out, const struct trace_event *event, const char *component, uint32_t process,
                         double begin, double end) {
  const char *activity = activity_names[event->activity];
  struct text *text = &out->text;
  text_put(text, ",\n{\"name\":");
  text_json(text, event->activity == ACTIVITY_COMPUTE ? component : activity);
  text_printf(text, ",\"cat\":\"%s\",\"ph\":\"X\"", activity);
  put_place(text, process);
  put_us(text, "ts", begin);
  put_us(text, "dur", end - begin);
  text_put(text, ",\"args\":{\"component\":");
  text_json(text, component);
  text_put(text, "}}");
  output_pass(out);
}

static void put_activities(struct output *out, const struct results *results) {
  const struct trace *trace = results->trace;
  const struct cut *cut = find_cuts(trace, out->text.arena), *last = cut + 2 * trace->element_count;
  for (size_t e = 0; e < trace->count; e++) {
    const struct trace_event *event = &trace->events[e];
    const char *component = results->component_names[event->component];
    uint32_t process = results->process_of[event->process];
    double begin = event->begin;
    if (process == UINT32_MAX) continue;
    while (cut < last && (cut->process < event->process || (cut->process == event->process && cut->time <= begin)))
      cut++;
    for (; cut < last && cut->process == event->process && cut->time < event->end; cut++) {
      if (cut->time > begin) put_activity(out, event, component, process, begin, cut->time);
      begin = cut->time;
    }
    put_activity(out, event, component, process, begin, event->end);
  }
}

void report_trace(struct output *out, const struct results *results) {
  const struct psl_results *run = &results->public;
  const struct trace *trace = results->trace;
  struct text *text = &out->text;
  text_put(text, "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"model\":");
  text_json(text, run->model);
  text_put(text, "},\"traceEvents\":[\n");
  for (size_t p = 0; p < run->process_count; p++) {
    put_thread(text, (uint32_t)p, run->processes[p].name);
    output_pass(out);
  }
  /* last of the metadata, without a comma: an event needs one before it */
  text_put(text, "{\"name\":\"process_name\",\"ph\":\"M\"");
  put_place(text, 0);
  text_put(text, ",\"args\":{\"name\":");
  text_json(text, run->system);
  text_put(text, "}}");
  put_elements(out, results); /* these first: they enclose what begins with them */
  put_calls(out, results);
  put_activities(out, results);
  for (size_t m = 0; m < trace->message_count; m++) {
    const struct trace_message *message = &trace->messages[m];
    if (!is_shown(results, message)) continue;
    put_flow(text, results, message, m, false);
    put_flow(text, results, message, m, true);
    output_pass(out);
  }
  text_put(text, "\n]}\n");
}
