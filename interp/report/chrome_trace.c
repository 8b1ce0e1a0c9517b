/* What each process did when, in Chrome's trace format (chrome://tracing, Perfetto); for psl_write_trace. */
#include "interp/report/results.h"

/* Microseconds, to the picosecond. */
static void put_us(struct text *out, const char *key, double seconds) {
  text_printf(out, ",\"%s\":%.6f", key, seconds * 1e6);
}

static void put_metadata(struct text *out, const char *kind, uint32_t thread, const char *name) {
  text_printf(out, "{\"name\":\"%s\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":", kind, thread);
  text_json(out, name);
  text_put(out, "}},\n");
}

/* A message is a pair of flow events with one id; "e" binds the end to the slice that encloses it. */
static void put_message(struct text *out, const struct trace_message *message, uint32_t from, uint32_t to, size_t id) {
  text_printf(out, ",\n{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"s\",\"id\":%zu,\"pid\":1,\"tid\":%u", id,
              from);
  put_us(out, "ts", message->sent);
  text_printf(out, ",\"args\":{\"bytes\":%.0f}},\n", message->bytes);
  text_printf(out,
              "{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"f\",\"bp\":\"e\",\"id\":%zu,\"pid\":1,\"tid\":%u", id,
              to);
  put_us(out, "ts", message->received);
  text_char(out, '}');
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
    text_printf(&out->text, ",\"pid\":1,\"tid\":%u", process);
    put_us(&out->text, "ts", element->begin);
    put_us(&out->text, "dur", element->end - element->begin);
    text_put(&out->text, ",\"args\":{\"kind\":");
    text_json(&out->text, element->kind);
    text_put(&out->text, "}}");
    output_pass(out);
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
    put_metadata(text, "thread_name", (uint32_t)p, run->processes[p].name);
    output_pass(out);
  }
  /* last of the metadata, without a comma: an event needs one before it */
  text_put(text, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,\"args\":{\"name\":");
  text_json(text, run->system);
  text_put(text, "}}");
  for (size_t e = 0; e < trace->count; e++) {
    const struct trace_event *event = &trace->events[e];
    uint32_t process = results->process_of[event->process];
    if (process == UINT32_MAX) continue;
    text_put(text, ",\n{\"name\":");
    text_json(text, results->component_names[event->component]);
    text_printf(text, ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":1,\"tid\":%u", activity_names[event->activity], process);
    put_us(text, "ts", event->begin);
    put_us(text, "dur", event->end - event->begin);
    text_printf(text, ",\"args\":{\"activity\":\"%s\"}}", activity_names[event->activity]);
    output_pass(out);
  }
  put_elements(out, results);
  for (size_t m = 0; m < trace->message_count; m++) {
    const struct trace_message *message = &trace->messages[m];
    if (message->source >= results->instance_count || message->destination >= results->instance_count) continue;
    uint32_t from = results->process_of[message->source], to = results->process_of[message->destination];
    if (from == UINT32_MAX || to == UINT32_MAX) continue;
    put_message(text, message, from, to, m);
    output_pass(out);
  }
  text_put(text, "\n]}\n");
}
