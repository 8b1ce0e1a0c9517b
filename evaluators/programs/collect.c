/* Reads what each rank has written, as far as it goes, and writes it with lines in the place of addresses: of calls,
 * and of functions that are regions, whose names come in the same way. */
#include "evaluators/programs/collect.h"
#include "evaluators/programs/source_lines.h"
#include "evaluators/programs/trace_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct collecting {
  struct program_source *source;
  struct source_lines *lines;
  struct trace_writer *writer; /* of all ranks, or of the one in hand */
  const char *to;
  bool folder;
  struct trace_collected *collected;
  struct program_error *error;
};

static bool not_written(struct collecting *c) {
  snprintf(c->error->text, sizeof c->error->text, "the trace cannot be written: %s", strerror(errno));
  return false;
}

static bool collect_rank(struct collecting *c, uint32_t rank) {
  const struct program_answer none = {0};
  struct program_operation o;
  enum program_next next;
  while ((next = c->source->kind->next(c->source, rank, &none, &o, c->error)) == PROGRAM_NEXT) {
    source_lines_locate(c->lines, &o);
    c->collected->operations++;
    if (!trace_write(c->writer, rank, &o)) return not_written(c);
  }
  if (next == PROGRAM_LAST)
    trace_write_end(c->writer, rank);
  else
    c->collected->cut++;
  return true;
}

static bool open_rank(struct collecting *c, uint32_t rank) {
  char *path = NULL;
  if (asprintf(&path, "%s/%u.trace", c->to, rank) >= 0) c->writer = trace_writer_open(path, c->source->ranks, rank);
  free(path);
  return c->writer || not_written(c);
}

static bool close_writer(struct collecting *c) {
  struct trace_writer *writer = c->writer;
  c->writer = NULL;
  return !writer || trace_writer_close(writer) || not_written(c);
}

static bool collect(struct collecting *c) {
  if (!c->folder && !(c->writer = trace_writer_open(c->to, c->source->ranks, TRACE_ALL))) return not_written(c);
  for (uint32_t rank = 0; rank < c->source->ranks; rank++) {
    if (c->folder && !open_rank(c, rank)) return false;
    if (!collect_rank(c, rank)) return false;
    if (c->folder && !close_writer(c)) return false;
  }
  return true;
}

bool trace_collect(const char *from, const char *to, bool folder, struct trace_collected *collected,
                   struct program_error *error) {
  struct collecting c = {.to = to, .folder = folder, .collected = collected, .error = error};
  *collected = (struct trace_collected){0};
  c.source = program_source_open(from, error);
  if (!c.source) return false;
  c.lines = source_lines_open();
  collected->ranks = c.source->ranks;
  bool fine = c.lines && collect(&c);
  if (!c.lines) snprintf(error->text, sizeof error->text, "there is no memory for lines of the program");
  if (!close_writer(&c)) fine = false;
  source_lines_close(c.lines);
  c.source->kind->close(c.source);
  return fine;
}
