/* The table of the formats that traces are written in, and how a source becomes one of them. */
#include "evaluators/programs/outputs.h"
#include "evaluators/programs/history.h"

#include <stdio.h>
#include <string.h>

static const struct trace_output_kind *const kinds[] = {
    &own_trace_output, &time_independent_output, &goal_output, &dimemas_output,
    &paraver_output,   &chrome_output,           &otf2_output, NULL};

const struct trace_output_kind *trace_output_listed(size_t place) { return kinds[place]; }

static bool ends_by(const char *name, const char *ending, size_t size) {
  size_t length = strlen(name);
  return length > size && memcmp(name + length - size, ending, size) == 0;
}

const struct trace_output_kind *trace_output_named(const char *name) {
  for (size_t k = 0; kinds[k]; k++)
    for (const char *ending = kinds[k]->endings; *ending; ending += strspn(ending, " ")) {
      size_t size = strcspn(ending, " ");
      if (ends_by(name, ending, size)) return kinds[k];
      ending += size;
    }
  return NULL;
}

void trace_output_lost(struct trace_output *output, const char *what) {
  uint32_t k = 0;
  while (k < output->loss_count && strcmp(output->losses[k].what, what) != 0)
    k++;
  if (k == LOSSES_MOST) return;
  if (k == output->loss_count) output->losses[output->loss_count++].what = what;
  output->losses[k].count++;
}

/* A schedule chooses what it waits for by time: the first one stands for that. */
static void settle(struct program_operation *o) {
  if (o->kind != PROGRAM_WAITANY || !o->request_count) return;
  o->kind = PROGRAM_WAIT;
  o->request_count = 1;
}

static bool at_place(const struct program_source *source, uint32_t rank, struct program_error *error) {
  char place[80], text[sizeof error->text];
  source->kind->place(source, rank, place, sizeof place);
  memcpy(text, error->text, sizeof text);
  snprintf(error->text, sizeof error->text, "%s: %.98s", place, text);
  return false;
}

static bool convert_rank(struct program_source *source, struct trace_output *output, uint32_t rank,
                         struct program_error *error) {
  const struct program_answer none = {.request = -1, .index = -1};
  struct program_operation o;
  enum program_next next;
  while ((next = source->kind->next(source, rank, &none, &o, error)) == PROGRAM_NEXT) {
    const char *wrong = program_operation_wrong(&o, source->ranks);
    if (wrong) return snprintf(error->text, sizeof error->text, "%s", wrong), at_place(source, rank, error);
    if (o.kind == PROGRAM_WAITANY)
      trace_output_lost(output, "what ends first of several requests: the oldest is waited for");
    settle(&o);
    if (o.counted && !output->kind->counts) trace_output_lost(output, "what counters of the processor have counted");
    if (!output->kind->write(output, rank, &o, error)) return false;
  }
  if (next == PROGRAM_LAST) return output->kind->end(output, rank, error);
  return at_place(source, rank, error);
}

bool trace_convert(struct program_source *source, struct trace_output *output, struct program_error *error) {
  *error->text = '\0';
  if (output->kind->whole) return output->kind->whole(output, source, error);
  for (uint32_t rank = 0; rank < source->ranks; rank++)
    if (!convert_rank(source, output, rank, error)) return false;
  return output->kind->finish(output, error);
}

struct history *trace_output_history(struct program_source *source, const struct history_takers *takers,
                                     struct program_error *error) {
  struct history *history = history_read(source, takers, error);
  if (!history || history_timed(history)) return history;
  snprintf(error->text, sizeof error->text,
           "it does not say how long calls took: psl replay --record makes a trace of it that does");
  history_free(history);
  return NULL;
}
