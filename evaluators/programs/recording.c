/* Makes a trace of what a program does that runs on simulated ranks. What was a matter of time in the run is written
 * as it came out: receives have the source and tag of their message, a test that was successful is a wait, a waitany
 * one for the request that it gave, an iprobe that has found a message a probe for it, a receive that was cancelled one
 * from nobody. So a replay does the same on any machine, and ends at the same time on the one that the run was on; and
 * each operation has the time that it took. */
#include "evaluators/programs/recording.h"
#include "evaluators/programs/trace_format.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct recording {
  struct trace_writer *writer;
  uint32_t going; /* ranks that have more operations */
  int64_t *clock; /* ns, by rank: what has been written of its time */
};

struct recording *recording_open(const char *path, uint32_t ranks) {
  struct recording *recording = calloc(1, sizeof *recording);
  if (!recording) return NULL;
  *recording = (struct recording){trace_writer_open(path, ranks, TRACE_ALL), ranks, NULL};
  if (recording->writer) recording->clock = calloc(ranks, sizeof *recording->clock);
  if (recording->clock) return recording;
  int error = errno;
  recording_close(recording);
  errno = error;
  return NULL;
}

static void received(struct program_operation *o, const struct program_answer *answer) {
  if (o->source == PROGRAM_ANY) o->source = answer->source;
  if (o->source_tag == PROGRAM_ANY) o->source_tag = answer->tag;
}

/* The request that was found done, of those that the operation is about, has been waited for. */
static void waited(struct program_operation *o, uint32_t which) {
  o->kind = PROGRAM_WAIT;
  o->requests += which;
  o->request_count = 1;
}

static void settle(struct program_operation *o, const struct program_answer *answer) {
  switch (o->kind) {
  case PROGRAM_SENDRECV:
  case PROGRAM_PROBE:
  case PROGRAM_RECV: received(o, answer); break;
  case PROGRAM_IPROBE:
    if (!answer->done) break;
    o->kind = PROGRAM_PROBE;
    received(o, answer);
    break;
  case PROGRAM_WAITANY:
  case PROGRAM_TESTANY:
    if (answer->index >= 0 && (uint32_t)answer->index < o->request_count) waited(o, (uint32_t)answer->index);
    break;
  case PROGRAM_TEST:
    if (answer->done && o->request_count == 1) waited(o, 0);
    if (answer->done && o->request_count > 1) o->kind = PROGRAM_WAITALL;
    break;
  case PROGRAM_CANCEL:
    if (!answer->done) o->kind = PROGRAM_WAITALL, o->request_count = 0;
    break;
  default: break;
  }
}

/* What it has taken, in whole nanoseconds whose rounding does not add up; work that is time is that. Nobody else has
 * had the processor, and nothing was looked for in vain. */
static void timed(struct program_operation *o, int64_t *clock, double now) {
  int64_t end = llround(now * 1e9);
  bool seconds = (program_kinds[o->kind].fields & FIELD_WORK) && o->unit == UNIT_SECONDS;
  o->took = (double)(end - *clock) * 1e-9;
  o->lost = o->polled = 0;
  *clock = end;
  if (seconds && fabs(o->work - o->took) > 2e-9) o->work = o->took;
}

bool recording_add(struct recording *recording, uint32_t rank, const struct program_operation *operation,
                   const struct program_answer *answer) {
  struct program_operation o = *operation;
  if (o.kind == PROGRAM_NEST) o.kind = PROGRAM_COMPUTE, o.unit = UNIT_SECONDS, o.counted = 0;
  timed(&o, &recording->clock[rank], answer->now);
  settle(&o, answer);
  if (o.kind == PROGRAM_WAIT) trace_write_received(recording->writer, rank, o.requests[0], answer->source, answer->tag);
  if (o.kind == PROGRAM_CANCEL) trace_write_cancelled(recording->writer, rank, o.requests[0]);
  return trace_write(recording->writer, rank, &o);
}

bool recording_again(struct recording *recording, uint32_t rank, const struct program_operation *operation,
                     double now) {
  struct program_operation o = *operation;
  timed(&o, &recording->clock[rank], now);
  if (o.unit != UNIT_SECONDS) o.unit = UNIT_SECONDS, o.work = o.took;
  return trace_write(recording->writer, rank, &o);
}

bool recording_end(struct recording *recording, uint32_t rank) {
  trace_write_end(recording->writer, rank);
  return --recording->going || trace_writer_flush(recording->writer);
}

void recording_close(struct recording *recording) {
  if (!recording) return;
  if (recording->writer) trace_writer_close(recording->writer);
  free(recording->clock);
  free(recording);
}
