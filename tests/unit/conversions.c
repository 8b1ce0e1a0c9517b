/* Random streams of operations as traces of other formats, and back: where a format says that it loses nothing the
 * trace is the same again, byte by byte; and what one writes it can read. PSL_SEEDS=N takes the first N streams. */
#include "tests/unit/unit.h"

#include "evaluators/programs/outputs.h"
#include "evaluators/programs/trace_format.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS_LEAST = 2, RANKS_MOST = 5, LONGEST = 40, PENDING = 16 };

static uint64_t state;
static uint32_t below(uint32_t count) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % count;
}

struct stream { /* of one rank, while it is made */
  uint32_t ranks, rank;
  bool plain; /* of what a time-independent trace holds alone */
  int64_t pending[PENDING];
  uint32_t pending_count;
  int64_t free[PENDING]; /* numbers of requests, given as the reader of time-independent traces does */
  uint32_t free_count;
  int64_t next;
};

static double size(const struct stream *s) { return below(4) || s->plain ? below(1000) : below(1000) / 7.0; }

static double *parts(const struct stream *s, double *to, double *sum) {
  *sum = 0;
  for (uint32_t k = 0; k < s->ranks; k++)
    *sum += to[k] = below(100);
  return to;
}

static void fill(struct stream *s, struct program_operation *o) {
  static double sent[RANKS_MOST], received[RANKS_MOST];
  static int32_t members[RANKS_MOST];
  unsigned fields = program_kinds[o->kind].fields;
  if (fields & FIELD_WORK) o->work = below(1 << 30) / 3e6, o->unit = (enum program_unit)below(s->plain ? 2 : 3);
  if ((fields & FIELD_WORK) && !s->plain) o->burst = below(2);
  if (fields & FIELD_OUT) o->destination = (int32_t)below(s->ranks), o->tag = (int32_t)below(3), o->bytes = size(s);
  if (fields & FIELD_IN) {
    o->source = (int32_t)below(s->ranks + 1) - 1;
    o->source_tag = (int32_t)below(4) - 1;
    o->received = size(s);
  }
  if (fields & FIELD_REQUEST)
    o->request = s->pending[s->pending_count++] = s->free_count ? s->free[--s->free_count] : s->next++;
  if (fields & FIELD_ROOT) o->root = (int32_t)below(s->ranks);
  if (fields & FIELD_BYTES) o->bytes = size(s);
  if (fields & FIELD_RECEIVED) o->received = size(s);
  if (fields & (FIELD_SENT_PARTS | FIELD_RECEIVED_PARTS)) o->part_count = s->ranks;
  if (fields & FIELD_SENT_PARTS) o->parts = parts(s, sent, &o->bytes);
  if (fields & FIELD_RECEIVED_PARTS) o->received_parts = parts(s, received, &o->received);
  if (o->kind == PROGRAM_REDUCE_SCATTER) o->bytes = o->received;
  if ((fields & FIELD_COMMUNICATOR) && !s->plain) o->communicator = below(2);
  for (uint32_t k = 0; k < s->ranks; k++)
    members[k] = (int32_t)k;
  if (fields & FIELD_MEMBERS) o->communicator = 1, o->members = members, o->member_count = s->ranks;
  if (fields & FIELD_PLACE) o->name = "solve", o->file = "sweep.f", o->line = 12;
}

/* Some of those that are pending, or all. */
static void take_requests(struct stream *s, struct program_operation *o) {
  static int64_t taken[PENDING];
  uint32_t count = o->kind == PROGRAM_WAITALL && (s->plain || below(2)) ? s->pending_count : s->pending_count > 0;
  memcpy(taken, s->pending, sizeof taken);
  o->requests = taken;
  o->request_count = count;
  if (o->kind == PROGRAM_TEST) return;
  for (uint32_t k = 0; k < count; k++)
    s->free[s->free_count++] = taken[k];
  if (o->kind == PROGRAM_WAITALL && count == s->pending_count) s->free_count = 0, s->next = 0;
  s->pending_count -= count;
  memmove(s->pending, s->pending + count, s->pending_count * sizeof *s->pending);
}

static enum program_kind kind_for(const struct stream *s) {
  static const enum program_kind held[] = {PROGRAM_COMPUTE, PROGRAM_SEND, PROGRAM_RECV,    PROGRAM_ISEND,
                                           PROGRAM_IRECV,   PROGRAM_WAIT, PROGRAM_WAITALL, PROGRAM_TEST};
  static const enum program_kind others[] = {
      PROGRAM_ICOMPUTE, PROGRAM_SSEND, PROGRAM_SENDRECV,  PROGRAM_PROBE,
      PROGRAM_IBCAST,   PROGRAM_ENTER, PROGRAM_COMM_MAKE, PROGRAM_REDUCE_SCATTER_BLOCK};
  if (!s->plain && !below(8)) return others[below(sizeof others / sizeof *others)];
  if (below(2)) return PROGRAM_BARRIER + below(PROGRAM_EXSCAN - PROGRAM_BARRIER + 1);
  return held[below(sizeof held / sizeof *held)];
}

static void write_rank(struct trace_writer *writer, struct stream *s) {
  trace_write(writer, s->rank, &(struct program_operation){.kind = PROGRAM_INIT});
  for (uint32_t left = below(LONGEST); left; left--) {
    struct program_operation o = {.kind = kind_for(s)};
    unsigned fields = program_kinds[o.kind].fields;
    bool no_room = (fields & FIELD_REQUEST) && s->pending_count == PENDING;
    bool nothing = (fields & FIELD_REQUESTS) && !s->pending_count;
    if (no_room || nothing || (s->plain && o.kind >= PROGRAM_REDUCE_SCATTER_BLOCK && o.kind < PROGRAM_SCAN) ||
        (s->plain && o.kind == PROGRAM_ALLTOALLW))
      continue;
    if (fields & FIELD_REQUESTS)
      take_requests(s, &o);
    else
      fill(s, &o);
    assert_null(program_operation_wrong(&o, s->ranks));
    assert_true(trace_write(writer, s->rank, &o));
  }
  trace_write(writer, s->rank, &(struct program_operation){.kind = PROGRAM_FINALIZE});
  trace_write_end(writer, s->rank);
}

static void make(const char *path, bool plain) {
  struct stream s = {.ranks = RANKS_LEAST + below(RANKS_MOST - RANKS_LEAST + 1), .plain = plain};
  struct trace_writer *writer = trace_writer_open(path, s.ranks, TRACE_ALL);
  for (; s.rank < s.ranks; s.rank++) {
    s.pending_count = s.free_count = 0;
    s.next = 0;
    write_rank(writer, &s);
  }
  assert_true(trace_writer_close(writer));
}

/* How many losses were named. */
static uint32_t convert(const char *from, const char *to) {
  struct program_error error = {""};
  const struct trace_output_kind *kind = trace_output_named(to);
  struct program_source *source = program_source_open(from, &error);
  assert_non_null(source);
  struct trace_output *output = kind->open(to, to, source->ranks, &error);
  assert_non_null(output);
  output->kind = kind;
  output->ranks = source->ranks;
  bool fine = trace_convert(source, output, &error);
  if (!fine) fprintf(stderr, "%s to %s: %s\n", from, to, error.text);
  assert_true(fine);
  uint32_t losses = output->loss_count;
  kind->close(output);
  source->kind->close(source);
  return losses;
}

static bool same_file(const char *a, const char *b) {
  static char one[1 << 20], other[1 << 20];
  FILE *first = fopen(a, "rb"), *second = fopen(b, "rb");
  size_t size = fread(one, 1, sizeof one, first), other_size = fread(other, 1, sizeof other, second);
  fclose(first);
  fclose(second);
  return size == other_size && memcmp(one, other, size) == 0;
}

static char folder[] = "/tmp/psl-conversions-XXXXXX";
static char *path(const char *name) {
  char *made = NULL;
  assert_true(asprintf(&made, "%s/%s", folder, name) > 0);
  return made;
}

static void there_and_back(void **unused) {
  (void)unused;
  char *first = path("first.trace"), *own = path("own.trace"), *text = path("text.tit"), *back = path("back.trace"),
       *text_again = path("again.tit"), *goal = path("graph.goal"), *from_goal = path("goal.trace");
  const char *seeds = getenv("PSL_SEEDS");
  uint32_t count = seeds ? (uint32_t)strtoul(seeds, NULL, 10) : 500, lossless = 0;
  for (uint32_t seed = 1; seed <= count; seed++) {
    state = seed;
    below(2);
    bool plain = seed % 2;
    make(first, plain);
    assert_int_equal(convert(first, own), 0);
    if (!same_file(first, own)) fail_msg("stream %u differs from itself", seed);
    uint32_t losses = convert(first, text);
    convert(text, back);
    convert(back, text_again);
    if (!same_file(text, text_again)) fail_msg("stream %u: its time-independent trace differs when read", seed);
    if (plain && losses) fail_msg("stream %u loses what the format has", seed);
    if (!losses && !same_file(first, back)) fail_msg("stream %u has lost what nobody names", seed);
    lossless += !losses;
    convert(first, goal);
    convert(goal, from_goal);
  }
  assert_true(lossless >= count / 2);
  char *const made[] = {first, own, text, back, text_again, goal, from_goal};
  for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
    unlink(made[k]);
    free(made[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back)};
  if (!mkdtemp(folder)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  rmdir(folder);
  return failed;
}
