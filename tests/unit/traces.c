/* PSL's own traces: what is written is read, each kind with all its fields, in files of all ranks and of one; and a
 * file that is cut off, or changed in any byte, is refused or read, and no more. */
#include "tests/unit/unit.h"

#include "evaluators/programs/trace_format.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 3, ROUNDS = 200 };

/* An operation of the kind with fields that differ, and are as great as they may be, over the rounds. */
static struct program_operation operation_of(enum program_kind kind, uint32_t rank, int round) {
  static int64_t requests[4] = {0, 5, 77, 1 << 20};
  static double parts[RANKS], received[RANKS];
  static int32_t members[RANKS] = {2, 0, 1};
  unsigned fields = program_kinds[kind].fields;
  static const struct program_site sites[2] = {{"sweep.f", "solve", 12, 0}, {"/bin/sweep", NULL, 0, UINT64_MAX}};
  struct program_operation o = {.kind = kind, .took = round % 3 * 1e-6};
  if (round % 3) o.site = &sites[round % 3 - 1];
  for (int i = 0; i < RANKS; i++) {
    parts[i] = round + i;
    received[i] = round * 0.5 + i;
  }
  if (fields & FIELD_WORK) o.work = round * 0.37, o.unit = (enum program_unit)(round % 3), o.burst = UINT64_MAX - rank;
  static const double counts[2] = {1e15, 0.5};
  if (round % 4 == 0)
    o.counters = round % 8 ? "instructions,cycles" : "misses", o.counts = counts, o.counted = 2 - !(round % 8);
  if (round % 5 == 1) o.lost = 12e-9;
  if (round % 5 == 2 && (fields & FIELD_WORK)) o.polled = 1.5;
  if (fields & FIELD_OUT) o.destination = round % 2 ? PROGRAM_NOBODY : 2, o.tag = INT32_MAX, o.bytes = 1e15;
  if (fields & FIELD_IN) o.source = PROGRAM_ANY, o.source_tag = round, o.received = 0.25;
  if (fields & FIELD_REQUEST) o.request = round;
  if (fields & FIELD_REQUESTS) o.requests = requests, o.request_count = round % 5;
  if (fields & FIELD_COMMUNICATOR) o.communicator = (uint32_t)round;
  if (fields & FIELD_ROOT) o.root = (int32_t)rank;
  if (fields & FIELD_BYTES) o.bytes = round;
  if (fields & FIELD_RECEIVED) o.received = round + 1;
  if (fields & FIELD_SENT_PARTS) o.parts = parts, o.part_count = RANKS;
  if (fields & FIELD_RECEIVED_PARTS) o.received_parts = received, o.part_count = RANKS;
  if (fields & FIELD_MEMBERS) o.members = members, o.member_count = RANKS;
  if (fields & (FIELD_PLACE | FIELD_FILE)) o.name = round % 2 ? "solve" : "a region of another name";
  if (fields & FIELD_PLACE) o.file = round % 7 ? "sweep.f" : NULL, o.line = (uint32_t)round;
  if (fields & (FIELD_FILE | FIELD_WINDOW)) o.handle = round;
  if (fields & FIELD_FILE) o.offset = round * 0x1p40, o.bytes = 4096, o.span = round % 2 * 8192;
  return o;
}

static void same_text(const char *a, const char *b) {
  assert_int_equal(a == NULL, b == NULL);
  if (a) assert_string_equal(a, b);
}

static void same_list(const void *a, const void *b, size_t size) {
  assert_int_equal(a == NULL, b == NULL);
  if (a) assert_memory_equal(a, b, size);
}

static void assert_same(const struct program_operation *a, const struct program_operation *b) {
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->unit, b->unit);
  assert_true(a->work == b->work && a->bytes == b->bytes && a->received == b->received && a->offset == b->offset &&
              a->span == b->span);
  assert_int_equal(a->site == NULL, b->site == NULL);
  if (a->site) {
    same_text(a->site->file, b->site->file);
    same_text(a->site->function, b->site->function);
    assert_true(a->site->line == b->site->line && a->site->address == b->site->address);
  }
  assert_true(a->took - b->took < 1e-12 && b->took - a->took < 1e-12);
  assert_true(a->lost - b->lost < 1e-12 && b->lost - a->lost < 1e-12 && a->polled == b->polled);
  assert_true(a->burst == b->burst && a->request == b->request && a->handle == b->handle);
  assert_int_equal(a->destination, b->destination);
  assert_int_equal(a->tag, b->tag);
  assert_int_equal(a->source, b->source);
  assert_int_equal(a->source_tag, b->source_tag);
  assert_int_equal(a->root, b->root);
  assert_int_equal(a->communicator, b->communicator);
  assert_int_equal(a->line, b->line);
  assert_int_equal(a->request_count, b->request_count);
  if (a->request_count) same_list(a->requests, b->requests, a->request_count * sizeof *a->requests);
  assert_int_equal(a->part_count, b->part_count);
  same_list(a->parts, b->parts, a->part_count * sizeof *a->parts);
  same_list(a->received_parts, b->received_parts, a->part_count * sizeof *a->parts);
  assert_int_equal(a->member_count, b->member_count);
  if (a->member_count) same_list(a->members, b->members, a->member_count * sizeof *a->members);
  same_text(a->counters, b->counters);
  assert_int_equal(a->counted, b->counted);
  if (a->counted) same_list(a->counts, b->counts, a->counted * sizeof *a->counts);
  same_text(a->name, b->name);
  same_text(a->file, b->file);
}

static void write_rank(struct trace_writer *writer, uint32_t rank, int round) {
  for (int kind = 0; kind < PROGRAM_KINDS; kind++) {
    struct program_operation o = operation_of((enum program_kind)kind, rank, round);
    assert_true(trace_write(writer, rank, &o));
  }
}

static void read_all(const char *path) {
  struct program_error error;
  struct program_operation got;
  struct program_answer answer = {0};
  struct program_source *source = program_source_open(path, &error);
  assert_non_null(source);
  assert_int_equal(source->ranks, RANKS);
  for (uint32_t rank = 0; rank < RANKS; rank++) {
    for (int round = 0; round < ROUNDS; round++)
      for (int kind = 0; kind < PROGRAM_KINDS; kind++) {
        struct program_operation o = operation_of((enum program_kind)kind, rank, round);
        assert_int_equal(source->kind->next(source, rank, &answer, &got, &error), PROGRAM_NEXT);
        assert_same(&o, &got);
      }
    assert_int_equal(source->kind->next(source, rank, &answer, &got, &error), PROGRAM_LAST);
    assert_int_equal(source->kind->next(source, rank, &answer, &got, &error), PROGRAM_LAST);
  }
  source->kind->close(source);
}

static void one_file(void **state) {
  (void)state;
  char path[] = "/tmp/psl-trace-XXXXXX";
  close(mkstemp(path));
  struct trace_writer *writer = trace_writer_open(path, RANKS, TRACE_ALL);
  assert_non_null(writer);
  for (int round = 0; round < ROUNDS; round++)
    for (uint32_t rank = 0; rank < RANKS; rank++)
      write_rank(writer, rank, round);
  for (uint32_t rank = 0; rank < RANKS; rank++)
    trace_write_end(writer, rank);
  assert_true(trace_writer_close(writer));
  read_all(path);
  unlink(path);
}

/* All that there is of a trace of a folder: its files, the first one twice where the folder is named. */
static void found_file(void *user, const char *path) {
  static const char *const places[] = {"/0.trace", "/0.trace", "/1.trace", "/2.trace"};
  int *count = user;
  assert_true(*count < RANKS + 1);
  assert_string_equal(strrchr(path, '/'), places[(*count)++]);
}

static void folder(void **state) {
  (void)state;
  int found = 0;
  char path[] = "/tmp/psl-trace-XXXXXX", file[64];
  assert_non_null(mkdtemp(path));
  for (uint32_t rank = 0; rank < RANKS; rank++) {
    snprintf(file, sizeof file, "%s/%u.trace", path, rank);
    struct trace_writer *writer = trace_writer_open(file, RANKS, rank);
    for (int round = 0; round < ROUNDS; round++)
      write_rank(writer, rank, round);
    trace_write_end(writer, rank);
    assert_true(trace_writer_close(writer));
  }
  read_all(path);
  program_source_files(path, found_file, &found);
  assert_int_equal(found, RANKS + 1);
  read_all(strcat(strcpy(file, path), "/0.trace"));
  for (uint32_t rank = 0; rank < RANKS; rank++) {
    snprintf(file, sizeof file, "%s/%u.trace", path, rank);
    unlink(file);
  }
  rmdir(path);
}

/* How many operations come, over all ranks, until an error or the end. */
static uint64_t count_operations(const char *path, struct program_error *error) {
  struct program_operation got;
  struct program_answer answer = {0};
  uint64_t count = 0;
  *error->text = '\0';
  struct program_source *source = program_source_open(path, error);
  for (uint32_t rank = 0; source && rank < source->ranks && rank < 2 * RANKS; rank++)
    while (source->kind->next(source, rank, &answer, &got, error) == PROGRAM_NEXT)
      count++;
  if (source) source->kind->close(source);
  return count;
}

/* All that a rank has written is there when it is killed. */
static void killed(void **state) {
  (void)state;
  char path[] = "/tmp/psl-trace-XXXXXX", file[64];
  struct program_error error;
  assert_non_null(mkdtemp(path));
  snprintf(file, sizeof file, "%s/0.trace", path);
  pid_t child = fork();
  if (!child) {
    struct trace_writer *writer = trace_writer_open(file, 1, 0);
    for (int round = 0; round < ROUNDS; round++)
      write_rank(writer, 0, round);
    raise(SIGKILL);
  }
  waitpid(child, NULL, 0);
  assert_int_equal(count_operations(path, &error), (uint64_t)ROUNDS * PROGRAM_KINDS);
  assert_non_null(strstr(error.text, "the trace is cut off"));
  unlink(file);
  rmdir(path);
}

static void rewrite(const char *path, const unsigned char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  fwrite(bytes, 1, size, file);
  fclose(file);
}

static void broken(void **state) {
  (void)state;
  static unsigned char bytes[1 << 16];
  char path[] = "/tmp/psl-trace-XXXXXX";
  struct program_error error;
  close(mkstemp(path));
  struct trace_writer *writer = trace_writer_open(path, 1, TRACE_ALL);
  write_rank(writer, 0, 1);
  assert_true(trace_writer_flush(writer)); /* killed: no end, and what was flushed is there */
  assert_int_equal(count_operations(path, &error), PROGRAM_KINDS);
  char text[100];
  snprintf(text, sizeof text, "rank 0 ends after %d operations: the trace is cut off", PROGRAM_KINDS);
  assert_string_equal(error.text, text);
  trace_write_end(writer, 0);
  assert_true(trace_writer_close(writer));
  FILE *file = fopen(path, "rb");
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  for (size_t cut = 0; cut < size; cut += 2) {
    rewrite(path, bytes, cut);
    count_operations(path, &error);
    assert_string_not_equal(error.text, "");
  }
  for (size_t at = 8; at < size; at += 3)
    for (int bit = 0; bit < 8; bit += 3) {
      bytes[at] ^= (unsigned char)(1 << bit);
      rewrite(path, bytes, size);
      assert_true(count_operations(path, &error) <= 2 * size);
      bytes[at] ^= (unsigned char)(1 << bit);
    }
  bytes[8]++;
  rewrite(path, bytes, size);
  count_operations(path, &error);
  char wanted[80];
  snprintf(wanted, sizeof wanted, "it is of version %d of traces, and here that is %d", TRACE_VERSION + 1,
           TRACE_VERSION);
  assert_non_null(strstr(error.text, wanted));
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_file),
      cmocka_unit_test(folder),
      cmocka_unit_test(killed),
      cmocka_unit_test(broken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
