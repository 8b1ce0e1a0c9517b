/* Traces that are made anew when they are opened. */
#include "evaluators/programs/import.h"
#include "evaluators/programs/temporary.h"
#include "evaluators/programs/trace_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LISTS = 1 << 12 };

struct place {
  struct place *next;
  struct program_site site; /* whose texts are its own */
};
struct import {
  uint32_t ranks;
  int file;
  char path[40];
  struct trace_writer *writer;
  struct place *places[LISTS];
};
struct imported {
  struct program_source base;
  struct program_source *trace;
  uint64_t *taken; /* operations, by rank */
};

static bool failed(struct program_error *error) {
  snprintf(error->text, sizeof error->text, "what it holds cannot be kept: %s", strerror(errno));
  return false;
}

struct import *import_open(uint32_t ranks, struct program_error *error) {
  struct import *import = calloc(1, sizeof *import);
  if (!import) return failed(error), NULL;
  import->ranks = ranks;
  import->file = temporary_open();
  if (import->file < 0) import->file = memfd_create("psl-trace", MFD_CLOEXEC);
  snprintf(import->path, sizeof import->path, "/proc/%d/fd/%d", (int)getpid(), import->file);
  if (import->file >= 0 && ranks) import->writer = trace_writer_open(import->path, ranks, TRACE_ALL);
  if (import->writer || (import->file >= 0 && !ranks)) return import;
  failed(error);
  import_drop(import);
  return NULL;
}

void import_drop(struct import *import) {
  if (!import) return;
  if (import->writer) trace_writer_close(import->writer);
  if (import->file >= 0) close(import->file);
  for (size_t k = 0; k < LISTS; k++)
    for (struct place *place = import->places[k], *next; place; place = next) {
      next = place->next;
      free((char *)place->site.file);
      free((char *)place->site.function);
      free(place);
    }
  free(import);
}

bool import_put(struct import *import, uint32_t rank, const struct program_operation *operation,
                struct program_error *error) {
  const char *wrong = program_operation_wrong(operation, import->ranks);
  if (!wrong) return trace_write(import->writer, rank, operation) || failed(error);
  snprintf(error->text, sizeof error->text, "%s", wrong);
  return false;
}

void import_received(struct import *import, uint32_t rank, int64_t request, int32_t source, int32_t tag) {
  trace_write_received(import->writer, rank, request, source, tag);
}

const char *import_path(const struct import *import) { return import->path; }

bool import_flush(struct import *import, struct program_error *error) {
  for (uint32_t rank = 0; rank < import->ranks; rank++)
    trace_write_end(import->writer, rank);
  bool fine = !import->writer || trace_writer_close(import->writer);
  import->writer = NULL;
  return fine || failed(error);
}

static bool same(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

const struct program_site *import_site(struct import *import, const struct program_site *site) {
  uint64_t hash = site->line * 31 + site->address;
  for (const char *at = site->file ? site->file : ""; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  struct place **list = &import->places[hash * 0x9e3779b97f4a7c15u >> 52], *place = *list;
  while (place && !(place->site.line == site->line && place->site.address == site->address &&
                    same(place->site.file, site->file) && same(place->site.function, site->function)))
    place = place->next;
  if (place) return &place->site;
  if (!(place = calloc(1, sizeof *place))) return NULL;
  *place = (struct place){*list, *site};
  place->site.file = site->file ? strdup(site->file) : NULL;
  place->site.function = site->function ? strdup(site->function) : NULL;
  return &(*list = place)->site;
}

/* ---- the source ---- */

struct program_source *import_source(struct import *import, const struct program_source_kind *kind,
                                     struct program_error *error) {
  struct imported *imported = calloc(1, sizeof *imported);
  if (!imported) failed(error);
  if (imported) imported->base.kind = kind;
  if (imported && import_flush(import, error)) imported->trace = own_trace_source.open(import->path, error);
  if (imported && imported->trace) imported->base.ranks = imported->trace->ranks;
  if (imported && imported->trace) imported->taken = calloc(imported->base.ranks, sizeof *imported->taken);
  import_drop(import);
  if (imported && imported->taken) return &imported->base;
  if (imported) imported_close(&imported->base);
  return NULL;
}

enum program_next imported_next(struct program_source *source, uint32_t rank, const struct program_answer *answer,
                                struct program_operation *operation, struct program_error *error) {
  struct imported *imported = (struct imported *)source;
  imported->taken[rank]++;
  return imported->trace->kind->next(imported->trace, rank, answer, operation, error);
}

void imported_place(const struct program_source *source, uint32_t rank, char *out, size_t size) {
  const struct imported *imported = (const struct imported *)source;
  snprintf(out, size, "rank %u, operation %llu", rank, (unsigned long long)imported->taken[rank]);
}

void imported_close(struct program_source *source) {
  struct imported *imported = (struct imported *)source;
  if (imported->trace) imported->trace->kind->close(imported->trace);
  free(imported->taken);
  free(imported);
}
