/* Chrome's trace format (chrome://tracing, Perfetto) as one that traces with times are converted to: a thread a rank,
 * its operations and regions as slices, messages as flows. Each event has a line. */
#include "evaluators/programs/history.h"
#include "evaluators/programs/outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chrome {
  struct trace_output output;
  FILE *file;
  uint64_t messages;
  uint32_t *depth; /* by rank: regions that it is in */
};

static void put_string(FILE *file, const char *text) {
  fputc('"', file);
  for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
    if (*at < 0x20 || *at == '"' || *at == '\\' || *at == 0x7f)
      fprintf(file, "\\u%04x", *at);
    else
      fputc(*at, file);
  }
  fputc('"', file);
}

/* Microseconds, to the picosecond. */
static void put_event(const struct chrome *c, const char *name, const char *category, char phase, uint32_t rank,
                      double seconds) {
  fputs(",\n{\"name\":", c->file);
  put_string(c->file, name ? name : "?");
  fprintf(c->file, ",\"cat\":\"%s\",\"ph\":\"%c\",\"pid\":1,\"tid\":%u,\"ts\":%.6f", category, phase, rank,
          seconds * 1e6);
}

static void put_arguments(FILE *file, const struct program_operation *o) {
  unsigned fields = program_kinds[o->kind].fields;
  const char *comma = "";
#define PUT(condition, name, format, value)                             \
  if (condition) fprintf(file, "%s\"" name "\":" format, comma, value); \
  if (condition) comma = ",";
  fputs(",\"args\":{", file);
  PUT(fields & FIELD_OUT, "destination", "%d", o->destination)
  PUT((fields & FIELD_OUT) && !(fields & FIELD_WINDOW), "tag", "%d", o->tag)
  PUT(fields & FIELD_IN, "source", "%d", o->source)
  PUT((fields & FIELD_IN) && !(fields & FIELD_WINDOW), "source_tag", "%d", o->source_tag)
  PUT(fields & FIELD_ROOT, "root", "%d", o->root)
  PUT(fields & (FIELD_OUT | FIELD_BYTES | FIELD_FILE), "bytes", "%.0f", o->bytes)
  PUT(fields & FIELD_FILE, "file", "%lld", (long long)o->handle)
  PUT(fields & FIELD_FILE, "offset", "%.0f", o->offset)
  PUT(fields & FIELD_FILE, "span", "%.0f", o->span)
  PUT(fields & (FIELD_IN | FIELD_RECEIVED), "received", "%.0f", o->received)
  PUT(fields & FIELD_COMMUNICATOR, "communicator", "%u", o->communicator)
  PUT((fields & FIELD_WORK) && o->unit != UNIT_SECONDS, "work", "%.17g", o->work)
#undef PUT
  fputc('}', file);
}

static void take_operation(void *user, uint32_t rank, double begin, double end, uint32_t region,
                           const struct program_operation *o) {
  struct chrome *c = user;
  (void)region;
  if (o->kind == PROGRAM_ENTER) {
    put_event(c, o->name, "region", 'B', rank, begin);
    fputc('}', c->file);
    c->depth[rank]++;
  } else if (o->kind == PROGRAM_LEAVE && c->depth[rank]) {
    put_event(c, "", "region", 'E', rank, end);
    fputc('}', c->file);
    c->depth[rank]--;
  }
  if (!(end > begin)) return;
  put_event(c, program_kinds[o->kind].name, program_kinds[o->kind].fields & FIELD_WORK ? "compute" : "call", 'X', rank,
            begin);
  fprintf(c->file, ",\"dur\":%.6f", (end - begin) * 1e6);
  put_arguments(c->file, o);
  fputc('}', c->file);
}

/* "e" binds the end to the slice that encloses it. */
static void take_message(void *user, const struct history_message *m) {
  struct chrome *c = user;
  unsigned long long id = c->messages++;
  put_event(c, "message", "message", 's', m->from, m->sent);
  fprintf(c->file, ",\"id\":%llu,\"args\":{\"bytes\":%.0f,\"tag\":%d}}", id, m->bytes, m->tag);
  put_event(c, "message", "message", 'f', m->to, m->received);
  fprintf(c->file, ",\"bp\":\"e\",\"id\":%llu}", id);
}

static bool not_written(struct program_error *error) {
  snprintf(error->text, sizeof error->text, "the trace cannot be written: %s", strerror(errno));
  return false;
}

static bool chrome_whole(struct trace_output *output, struct program_source *source, struct program_error *error) {
  struct chrome *c = (struct chrome *)output;
  const struct history_takers takers = {.user = c, .message = take_message, .operation = take_operation};
  fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", c->file);
  for (uint32_t rank = 0; rank < source->ranks; rank++)
    fprintf(c->file,
            "%s{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":\"rank %u\"}},\n"
            "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"args\":{\"sort_index\":%u}}",
            rank ? ",\n" : "", rank, rank, rank, rank);
  struct history *history = trace_output_history(source, &takers, error);
  if (!history) return false;
  for (uint32_t rank = 0; rank < source->ranks; rank++)
    for (; c->depth[rank]; c->depth[rank]--) {
      put_event(c, "", "region", 'E', rank, history_end(history, rank));
      fputc('}', c->file);
    }
  history_free(history);
  fputs("\n]}\n", c->file);
  return fflush(c->file) == 0 && !ferror(c->file) ? true : not_written(error);
}

static struct trace_output *chrome_open(const char *path, const char *name, uint32_t ranks,
                                        struct program_error *error) {
  struct chrome *c = calloc(1, sizeof *c);
  if (c) c->depth = calloc(ranks, sizeof *c->depth);
  if (c && c->depth) c->file = fopen(path, "we");
  if (c && c->file) return &c->output;
  snprintf(error->text, sizeof error->text, "%.80s cannot be written: %s", name, strerror(errno));
  if (c) free(c->depth);
  free(c);
  return NULL;
}

static void chrome_close(struct trace_output *output) {
  struct chrome *c = (struct chrome *)output;
  fclose(c->file);
  free(c->depth);
  free(c);
}

const struct trace_output_kind chrome_output = {
    .name = "trace of Chrome",
    .endings = ".json",
    .open = chrome_open,
    .whole = chrome_whole,
    .close = chrome_close,
};
