/* A trace that is replayed, of which another one is made: the same operations at the times of the replay.
 *
 * What is to be read and written the command line says (description.h): no model has a file written. */
#include "evaluators/programs/description.h"
#include "evaluators/programs/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAGIC, WORD_TRACE, WORD_RECORD, WORDS };

struct recorded {
  struct program_source base;
  struct program_source *trace;
  struct recording *recording; /* NULL: it has not begun */
  char *text, **words;
  struct program_operation *given; /* by rank: that in hand; its kind is PROGRAM_KINDS before the first one */
};

static bool recorded_recognise(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= sizeof RECORDED_MAGIC && memcmp(head, RECORDED_MAGIC, sizeof RECORDED_MAGIC) == 0;
}

static void recorded_close(struct program_source *source) {
  struct recorded *r = (struct recorded *)source;
  if (r->trace) r->trace->kind->close(r->trace);
  recording_close(r->recording);
  free(r->given);
  free(r->words);
  free(r->text);
  free(r);
}

static bool recorded_fill(struct recorded *r, const char *path, struct program_error *error) {
  size_t count;
  snprintf(error->text, sizeof error->text, "only psl replay --record makes a trace of a replay");
  r->words = description_read(path, &r->text, &count);
  if (!r->words || count != WORDS) return false;
  r->trace = program_source_open(r->words[WORD_TRACE], error);
  if (!r->trace) return false;
  r->base = (struct program_source){&recorded_source, r->trace->ranks};
  r->given = calloc(r->trace->ranks, sizeof *r->given);
  for (uint32_t rank = 0; r->given && rank < r->trace->ranks; rank++)
    r->given[rank].kind = PROGRAM_KINDS;
  if (!r->given) snprintf(error->text, sizeof error->text, "there is no memory for so many ranks");
  return r->given;
}

static struct program_source *recorded_open(const char *path, struct program_error *error) {
  struct recorded *r = calloc(1, sizeof *r);
  if (r && recorded_fill(r, path, error)) return &r->base;
  if (r) recorded_close(&r->base);
  return NULL;
}

/* The operation in hand is done. */
static bool record_given(struct recorded *r, uint32_t rank, const struct program_answer *answer) {
  const struct program_operation *given = &r->given[rank];
  if (!r->recording) r->recording = recording_open(r->words[WORD_RECORD], r->base.ranks);
  return r->recording && (given->kind == PROGRAM_KINDS || recording_again(r->recording, rank, given, answer->now));
}

static enum program_next recorded_next(struct program_source *source, uint32_t rank,
                                       const struct program_answer *answer, struct program_operation *operation,
                                       struct program_error *error) {
  struct recorded *r = (struct recorded *)source;
  bool fine = record_given(r, rank, answer);
  enum program_next next = fine ? r->trace->kind->next(r->trace, rank, answer, operation, error) : PROGRAM_FAILED;
  if (next == PROGRAM_NEXT) r->given[rank] = *operation;
  if (next == PROGRAM_LAST) fine = recording_end(r->recording, rank);
  if (fine) return next;
  snprintf(error->text, sizeof error->text, "the trace %.80s cannot be written: %s", r->words[WORD_RECORD],
           strerror(errno));
  return PROGRAM_FAILED;
}

static void recorded_place(const struct program_source *source, uint32_t rank, char *out, size_t size) {
  const struct recorded *r = (const struct recorded *)source;
  r->trace->kind->place(r->trace, rank, out, size);
}

const struct program_source_kind recorded_source = {
    .name = "replay that is recorded",
    .recognise = recorded_recognise,
    .open = recorded_open,
    .next = recorded_next,
    .place = recorded_place,
    .close = recorded_close,
};
