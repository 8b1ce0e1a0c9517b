/* Chrome's trace format (chrome://tracing, Perfetto) as one that traces with times are converted to: a thread a rank,
 * its operations and regions as slices, messages as flows. Each event has a line. */
#include "evaluators/programs/fields.h"
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

static uint32_t thread_of(uint32_t rank) { return CHROME_FIRST_THREAD + rank; }

/* Microseconds, to the picosecond. */
static void put_event(const struct chrome *c, const char *name, const char *category, char phase, uint32_t rank,
                      double seconds) {
  fputs(",\n{\"name\":", c->file);
  put_string(c->file, name ? name : "?");
  fprintf(c->file, ",\"cat\":\"%s\",\"ph\":\"%c\",\"pid\":%d,\"tid\":%u,\"ts\":%.6f", category, phase, CHROME_PROCESS,
          thread_of(rank), seconds * 1e6);
}

/* As few digits as give it again. */
static void put_number(FILE *file, const char *before, double number) {
  char text[32];
  snprintf(text, sizeof text, "%.15g", number);
  if (strtod(text, NULL) != number) snprintf(text, sizeof text, "%.17g", number);
  fprintf(file, "%s%s", before, text);
}

static void put_key(FILE *file, uint64_t key) { fprintf(file, "\"0x%llx\"", (unsigned long long)key); }

/* The file, the function, the line, and the address where that is not known. */
static void put_site(FILE *file, const struct program_site *site) {
  fputs("\"at\":[", file);
  put_string(file, site->file ? site->file : "");
  fputc(',', file);
  put_string(file, site->function ? site->function : "");
  fprintf(file, ",%u,", site->line);
  put_key(file, site->address);
  fputc(']', file);
}

static void put_value(FILE *file, const struct program_field_row *row, const struct program_operation *o) {
  bool list = row->value >= VALUE_INT32S;
  if (row->value == VALUE_KEY) put_key(file, program_field_key(row, o));
  if (row->value == VALUE_TEXT) put_string(file, program_field_text(row, o));
  if (row->value == VALUE_KEY || row->value == VALUE_TEXT) return;
  if (list) fputc('[', file);
  for (uint32_t k = 0; k < program_field_count(row, o); k++)
    put_number(file, k ? "," : "", program_field_number(row, o, k));
  if (list) fputc(']', file);
}

static void put_arguments(FILE *file, const struct program_operation *o) {
  bool any = false;
  fputs(",\"args\":{", file);
  for (const struct program_field_row *row = program_fields; row->name; row++) {
    if (!program_field_count(row, o)) continue;
    fprintf(file, "%s\"%s\":", any ? "," : "", row->name);
    put_value(file, row, o);
    any = true;
  }
  if (o->site && any) fputc(',', file);
  if (o->site) put_site(file, o->site);
  fputc('}', file);
}

static void take_operation(void *user, uint32_t rank, double begin, double end, uint32_t region,
                           const struct program_operation *o) {
  struct chrome *c = user;
  (void)region;
  if (o->kind == PROGRAM_ENTER) {
    put_event(c, o->name, "region", 'B', rank, begin);
    put_arguments(c->file, o);
    fputc('}', c->file);
    c->depth[rank]++;
    return;
  }
  if (o->kind == PROGRAM_LEAVE && c->depth[rank]) {
    put_event(c, "", "region", 'E', rank, end);
    put_arguments(c->file, o);
    fputc('}', c->file);
    c->depth[rank]--;
    return;
  }
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
            "%s{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"args\":{\"name\":\"rank %u\"}},\n"
            "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"args\":{\"sort_index\":%u}}",
            rank ? ",\n" : "", CHROME_PROCESS, thread_of(rank), rank, CHROME_PROCESS, thread_of(rank), rank);
  struct history *history = trace_output_history(source, &takers, error);
  if (!history) return false;
  for (uint32_t rank = 0; rank < source->ranks; rank++)
    for (; c->depth[rank]; c->depth[rank]--) {
      put_event(c, "", "end", 'E', rank, history_end(history, rank));
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
    .counts = true,
    .open = chrome_open,
    .whole = chrome_whole,
    .close = chrome_close,
};
