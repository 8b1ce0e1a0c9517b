/* What each process did when, in the format of slices.h, for psl_write_slices: slices by row, and names. */
#include "interp/include/slices.h"
#include "interp/report/results.h"

#include <string.h>

struct slice_file {
  struct output *out;
  const struct results *results;
  uint64_t *first;                   /* by row; and one more */
  const struct trace_event **events; /* by row, in order of time */
  uint32_t components;
};

static uint32_t row_of(const struct slice_file *file, const struct trace_event *event) {
  return event->process < file->results->instance_count ? file->results->process_of[event->process] : UINT32_MAX;
}

/* Counting sort by rows; of each the stretches are in order of time already. */
static void sort_events(struct slice_file *file, struct arena *arena) {
  const struct trace *trace = file->results->trace;
  file->first = ARENA_ARRAY(arena, uint64_t, file->results->public.process_count + 2);
  file->events = ARENA_ARRAY(arena, const struct trace_event *, trace->count + 1);
  uint64_t *next = file->first + 1; /* counts, then is where a row is filled, and in the end where it ends */
  for (size_t e = 0; e < trace->count; e++) {
    uint32_t row = row_of(file, &trace->events[e]);
    if (row != UINT32_MAX) next[row + 1]++;
    if (trace->events[e].component >= file->components) file->components = trace->events[e].component + 1;
  }
  for (size_t r = 0; r < file->results->public.process_count; r++)
    next[r + 1] += next[r];
  for (size_t e = 0; e < trace->count; e++) {
    uint32_t row = row_of(file, &trace->events[e]);
    if (row != UINT32_MAX) file->events[next[row]++] = &trace->events[e];
  }
}

static void put_list(struct text *out, const char *name, const char *const *items, size_t count) {
  text_printf(out, ",\n\"%s\": [", name);
  for (size_t i = 0; i < count; i++) {
    if (i) text_put(out, ", ");
    text_json(out, items[i]);
  }
  text_char(out, ']');
}

static struct text names_of(const struct slice_file *file, struct arena *arena) {
  const struct psl_results *run = &file->results->public;
  struct text names = {.arena = arena};
  const char **rows = ARENA_ARRAY(arena, const char *, run->process_count + 1);
  for (size_t p = 0; p < run->process_count; p++)
    rows[p] = run->processes[p].name;
  text_put(&names, "{\"system\": ");
  text_json(&names, run->system);
  text_put(&names, ", \"model\": ");
  text_json(&names, run->model);
  put_list(&names, "rows", rows, run->process_count);
  put_list(&names, "components", file->results->component_names, file->components);
  put_list(&names, "activities", activity_names, STRETCHES);
  text_put(&names, "}\n");
  return names;
}

static void put_bytes(struct output *out, const void *data, size_t size) {
  text_put_n(&out->text, data, size);
  output_pass(out);
}

void report_slices(struct output *out, const struct results *results) {
  struct slice_file file = {.out = out, .results = results};
  struct arena *arena = out->text.arena;
  uint32_t rows = (uint32_t)results->public.process_count;
  sort_events(&file, arena);
  struct text names = names_of(&file, arena);
  struct slices_header header = {.version = SLICES_VERSION,
                                 .rows = rows,
                                 .components = file.components,
                                 .activities = STRETCHES,
                                 .full = results->trace->full,
                                 .count = file.first[rows],
                                 .names_size = names.size,
                                 .end = results->end};
  memcpy(header.magic, SLICES_MAGIC, sizeof header.magic);
  out->source = true; /* no character of it is one for people */
  put_bytes(out, &header, sizeof header);
  for (size_t r = 0; r <= rows; r++)
    put_bytes(out, &file.first[r], sizeof file.first[r]);
  for (uint64_t e = 0; e < header.count; e++) {
    const struct trace_event *event = file.events[e];
    put_bytes(out, &(struct slice){event->begin, event->end, event->component, event->activity}, sizeof(struct slice));
  }
  put_bytes(out, names.data, names.size);
}
