/* PSL's own traces as a format that others are converted to: it holds all that a stream has. */
#include "evaluators/programs/outputs.h"
#include "evaluators/programs/trace_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct own {
  struct trace_output output;
  struct trace_writer *writer;
};

static struct trace_output *own_open(const char *path, const char *name, uint32_t ranks, struct program_error *error) {
  struct own *own = calloc(1, sizeof *own);
  if (own) own->writer = trace_writer_open(path, ranks, TRACE_ALL);
  if (own && own->writer) return &own->output;
  snprintf(error->text, sizeof error->text, "%.80s cannot be written: %s", name, strerror(errno));
  free(own);
  return NULL;
}

static bool not_written(struct program_error *error) {
  snprintf(error->text, sizeof error->text, "the trace cannot be written: %s", strerror(errno));
  return false;
}

static bool own_write(struct trace_output *output, uint32_t rank, const struct program_operation *operation,
                      struct program_error *error) {
  return trace_write(((struct own *)output)->writer, rank, operation) || not_written(error);
}

static bool own_end(struct trace_output *output, uint32_t rank, struct program_error *error) {
  (void)error;
  trace_write_end(((struct own *)output)->writer, rank);
  return true;
}

static bool own_finish(struct trace_output *output, struct program_error *error) {
  return trace_writer_flush(((struct own *)output)->writer) || not_written(error);
}

static void own_close(struct trace_output *output) {
  trace_writer_close(((struct own *)output)->writer);
  free(output);
}

const struct trace_output_kind own_trace_output = {
    .name = "trace of PSL",
    .endings = ".trace",
    .counts = true,
    .open = own_open,
    .write = own_write,
    .end = own_end,
    .finish = own_finish,
    .close = own_close,
};
