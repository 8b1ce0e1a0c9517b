/* The reader of PSL's own traces: trace_format.h says what stands there. Of each rank it has one block in memory.
 * Nothing in a file is believed: blocks stand behind each other and inside the file, and numbers in their records. */
#include "evaluators/programs/rank_lines.h"
#include "evaluators/programs/trace_format.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_MOST = 1 << 26, NAMES_MOST = 1 << 20 /* and sites */ };
enum { CLEARED = 256 }; /* bytes of an operation, for which libraries have the shortest code */

struct rank {
  unsigned char *bytes;
  size_t at, size, capacity;
  uint64_t count; /* operations so far */
  uint64_t block; /* where the one in memory begins; 0: none is there yet */
  uint64_t next;  /* where the next one stands; 0: there is none */
  char **names;
  uint32_t name_count, name_capacity;
  struct program_site **sites;
  uint32_t site_count, site_capacity;
  int64_t *requests;
  double *parts, *counts;
  int32_t *members;
  uint32_t request_capacity, part_capacity, member_capacity, count_capacity;
  bool ended;
};

struct trace {
  struct program_source base;
  char *path;
  bool folder;
  int file; /* of all ranks; -1: each has its own */
  struct rank *ranks;
  size_t cleared; /* CLEARED, a variable: so the library clears it, and the compilers' loop is slower */
};

static bool fail(struct program_error *error, const char *text) {
  snprintf(error->text, sizeof error->text, "%s", text);
  return false;
}

/* ---- blocks ---- */

static char *rank_path(const struct trace *trace, uint32_t rank) {
  char *path = NULL;
  int length = trace->folder ? asprintf(&path, "%s/%u.trace", trace->path, rank) : asprintf(&path, "%s", trace->path);
  return length < 0 ? NULL : path;
}

static bool read_exactly(int file, void *bytes, size_t size, uint64_t at) {
  return pread(file, bytes, size, (off_t)at) == (ssize_t)size;
}

/* The rank's next block; false: it has none, or the error is set. */
static bool block_read(struct trace *trace, uint32_t number, struct program_error *error) {
  struct rank *rank = &trace->ranks[number];
  struct trace_block header;
  *error->text = '\0';
  if (!rank->next) return false;
  if (rank->next <= rank->block) return fail(error, "a block is linked to one before it");
  char *path = trace->folder ? rank_path(trace, number) : NULL;
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : trace->folder ? -1 : trace->file;
  free(path);
  rank->block = rank->next;
  bool fine = file >= 0 && read_exactly(file, &header, sizeof header, rank->block);
  if (fine && (header.rank != number || header.size > BLOCK_MOST)) {
    fine = fail(error, "what stands here is no block of this rank");
  } else if (fine && header.size > rank->capacity) {
    unsigned char *grown = realloc(rank->bytes, header.size);
    if (grown) rank->bytes = grown, rank->capacity = header.size;
    if (!grown) fine = fail(error, "there is no memory for a block");
  }
  if (fine && !read_exactly(file, rank->bytes, header.size, rank->block + sizeof header)) fine = false;
  if (!fine && !*error->text) fail(error, file < 0 ? strerror(errno) : "a block is cut off");
  if (trace->folder && file >= 0) close(file);
  rank->next = fine ? header.next : 0;
  rank->size = fine ? header.size : 0;
  rank->at = 0;
  return fine;
}

/* ---- numbers; a record that ends too soon sets `wrong` ---- */

struct record {
  struct rank *rank;
  const unsigned char *at, *end; /* what is left of the block in memory */
  const char *wrong;
};

static size_t left_of(const struct record *record) { return (size_t)(record->end - record->at); }

static uint64_t get_longer_number(struct record *record) {
  const unsigned char *at = record->at, *end = record->end;
  uint64_t n = 0;
  for (int shift = 0; shift < 64 && at < end; shift += 7) {
    unsigned char byte = *at++;
    n |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return record->at = at, n;
  }
  record->wrong = "a record is cut off";
  record->at = at;
  return 0;
}

/* Most are of one byte. */
static inline uint64_t get_number(struct record *record) {
  bool short_one = record->at < record->end && *record->at < 128;
  return short_one ? *record->at++ : get_longer_number(record);
}

static inline int64_t get_integer(struct record *record) {
  uint64_t n = get_number(record);
  return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

static inline int32_t get_int(struct record *record) {
  int64_t n = get_integer(record);
  if (n != (int32_t)n) record->wrong = "a number is out of range";
  return (int32_t)n;
}

static uint32_t get_unsigned(struct record *record) {
  uint64_t n = get_number(record);
  if (n > UINT32_MAX) record->wrong = "a number is out of range";
  return (uint32_t)n;
}

static inline double get_amount(struct record *record) {
  double amount;
  uint64_t n = get_number(record);
  if (!(n & 1)) return (double)(int64_t)(n >> 1);
  if (n != 1 || left_of(record) < sizeof amount) {
    record->wrong = "a record is cut off";
    return 0;
  }
  memcpy(&amount, record->at, sizeof amount);
  record->at += sizeof amount;
  return amount;
}

/* The length of a list, each item of which takes a byte at least, and room for it. */
static uint32_t get_count(struct record *record, void *list, uint32_t *capacity, size_t size) {
  uint64_t count = get_number(record);
  void **items = list;
  if (count > left_of(record)) record->wrong = "a list is longer than its block";
  if (record->wrong || count <= *capacity) return record->wrong ? 0 : (uint32_t)count;
  void *grown = realloc(*items, count * size);
  if (!grown) return record->wrong = "there is no memory for a list", 0;
  *items = grown;
  *capacity = (uint32_t)count;
  return (uint32_t)count;
}

static const char *get_name(struct record *record) {
  uint64_t number = get_number(record);
  if (number > record->rank->name_count) record->wrong = "a name that nothing has given";
  return record->wrong || !number ? NULL : record->rank->names[number - 1];
}

static void take_name(struct record *record) {
  struct rank *rank = record->rank;
  uint64_t length = get_number(record);
  if (length > left_of(record) || rank->name_count >= NAMES_MOST) record->wrong = "a name is cut off";
  if (record->wrong) return;
  if (rank->name_count == rank->name_capacity) {
    uint32_t capacity = rank->name_capacity ? 2 * rank->name_capacity : 16;
    char **grown = realloc(rank->names, capacity * sizeof *grown);
    if (!grown) record->wrong = "there is no memory for a name";
    if (!grown) return;
    rank->names = grown;
    rank->name_capacity = capacity;
  }
  char *name = strndup((const char *)record->at, length);
  if (!name) record->wrong = "there is no memory for a name";
  if (!name) return;
  rank->names[rank->name_count++] = name;
  record->at += length;
}

static void take_place(struct record *record) {
  struct rank *rank = record->rank;
  const char *file = get_name(record), *function = get_name(record);
  uint32_t line = get_unsigned(record);
  struct program_site place = {file, function, line, get_number(record)};
  if (rank->site_count >= NAMES_MOST) record->wrong = "there are too many sites";
  if (record->wrong) return;
  if (rank->site_count == rank->site_capacity) {
    uint32_t capacity = rank->site_capacity ? 2 * rank->site_capacity : 16;
    struct program_site **grown = realloc(rank->sites, capacity * sizeof *grown);
    if (!grown) record->wrong = "there is no memory for a site";
    if (!grown) return;
    rank->sites = grown;
    rank->site_capacity = capacity;
  }
  struct program_site *site = malloc(sizeof *site);
  if (!site) record->wrong = "there is no memory for a site";
  if (!site) return;
  *site = place;
  rank->sites[rank->site_count++] = site;
}

static const struct program_site *get_site(struct record *record) {
  uint64_t number = get_number(record);
  if (!number || number > record->rank->site_count) record->wrong = "a site that nothing has given";
  return record->wrong ? NULL : record->rank->sites[number - 1];
}

/* ---- operations ---- */

static void get_requests(struct record *record, struct program_operation *o) {
  struct rank *rank = record->rank;
  o->request_count = get_count(record, &rank->requests, &rank->request_capacity, sizeof *rank->requests);
  for (uint32_t i = 0; i < o->request_count; i++)
    rank->requests[i] = get_integer(record);
  o->requests = rank->requests;
}

static void get_members(struct record *record, struct program_operation *o) {
  struct rank *rank = record->rank;
  o->member_count = get_count(record, &rank->members, &rank->member_capacity, sizeof *rank->members);
  for (uint32_t i = 0; i < o->member_count; i++)
    rank->members[i] = get_int(record);
  o->members = rank->members;
}

static void get_counts(struct record *record, struct program_operation *o) {
  struct rank *rank = record->rank;
  o->counters = get_name(record);
  o->counted = get_count(record, &rank->counts, &rank->count_capacity, sizeof *rank->counts);
  for (uint32_t i = 0; i < o->counted; i++)
    rank->counts[i] = get_amount(record);
  o->counts = rank->counts;
}

/* Both lists stand in one array, one behind the other. */
static void get_parts(struct record *record, unsigned fields, struct program_operation *o) {
  struct rank *rank = record->rank;
  uint32_t counts[2] = {0, 0};
  const unsigned field[2] = {FIELD_SENT_PARTS, FIELD_RECEIVED_PARTS};
  for (int list = 0; list < 2 && !record->wrong; list++) {
    uint64_t count = fields & field[list] ? get_number(record) : 0;
    uint64_t all = counts[0] + count;
    if (count > left_of(record)) record->wrong = "a list is longer than its block";
    double *grown =
        record->wrong || all <= rank->part_capacity ? rank->parts : realloc(rank->parts, all * sizeof *grown);
    if (!grown && all) record->wrong = "there is no memory for a list";
    if (record->wrong) return;
    rank->parts = grown;
    if (all > rank->part_capacity) rank->part_capacity = (uint32_t)all;
    counts[list] = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++)
      rank->parts[all - count + i] = get_amount(record);
  }
  if (counts[0] && counts[1] && counts[0] != counts[1]) record->wrong = "lists of parts differ in length";
  o->part_count = counts[0] ? counts[0] : counts[1];
  o->parts = counts[0] ? rank->parts : NULL;
  o->received_parts = counts[1] ? rank->parts + counts[0] : NULL;
}

static void get_fields(struct record *record, unsigned fields, struct program_operation *o) {
  if (fields & FIELD_WORK) {
    uint64_t counted = get_number(record);
    if (counted > UNIT_INSTRUCTIONS) record->wrong = "work of an unknown unit";
    o->unit = (enum program_unit)counted;
    o->work = get_amount(record);
    o->burst = get_number(record);
  }
  if (fields & FIELD_OUT) {
    o->destination = get_int(record);
    o->tag = get_int(record);
    o->bytes = get_amount(record);
  }
  if (fields & FIELD_IN) {
    o->source = get_int(record);
    o->source_tag = get_int(record);
    o->received = get_amount(record);
  }
  if (fields & FIELD_REQUEST) o->request = get_integer(record);
  if (fields & FIELD_REQUESTS) get_requests(record, o);
  if (fields & FIELD_COMMUNICATOR) o->communicator = get_unsigned(record);
  if (fields < 2 * FIELD_COMMUNICATOR) return;
  if (fields & FIELD_ROOT) o->root = get_int(record);
  if (fields & FIELD_BYTES) o->bytes = get_amount(record);
  if (fields & FIELD_RECEIVED) o->received = get_amount(record);
  if (fields & (FIELD_SENT_PARTS | FIELD_RECEIVED_PARTS)) get_parts(record, fields, o);
  if (fields & FIELD_MEMBERS) get_members(record, o);
  if (fields & (FIELD_PLACE | FIELD_FILE)) o->name = get_name(record);
  if (fields & FIELD_PLACE) {
    o->file = get_name(record);
    o->line = get_unsigned(record);
  }
  if (fields & (FIELD_FILE | FIELD_WINDOW)) o->handle = get_integer(record);
  if (fields & FIELD_FILE) {
    o->offset = get_amount(record);
    o->bytes = get_amount(record);
    o->span = get_amount(record);
  }
  if (fields & FIELD_DURATION) o->duration = get_amount(record);
}

/* What stands between operations. */
static void get_other(struct record *record, unsigned kind, struct program_operation *o) {
  switch (kind) {
  case RECORD_PLACE: take_place(record); break;
  case RECORD_SITE: o->site = get_site(record); break;
  case RECORD_TOOK: o->took = (double)get_number(record) * 1e-9; break;
  case RECORD_LOST: o->lost = (double)get_number(record) * 1e-9; break;
  case RECORD_POLLED: o->polled = (double)get_number(record) * 1e-9; break;
  case RECORD_COUNTS: get_counts(record, o); break;
  case RECORD_NAME: take_name(record); break;
  default: record->wrong = "a record of an unknown kind"; break;
  }
}

/* The rank has no more in memory: its next block; false: the error is set. */
static bool record_refill(struct trace *trace, uint32_t number, struct record *record, struct program_error *error) {
  struct rank *rank = record->rank;
  rank->at = rank->size;
  if (!block_read(trace, number, error)) {
    if (*error->text) return false;
    snprintf(error->text, sizeof error->text, "rank %u ends after %llu operations: the trace is cut off", number,
             (unsigned long long)rank->count);
    return false;
  }
  record->at = rank->bytes;
  record->end = rank->bytes + rank->size;
  return true;
}

static __attribute__((noinline)) enum program_next next_whole(struct trace *trace, uint32_t number,
                                                              struct program_operation *out,
                                                              struct program_error *error) {
  struct rank *rank = &trace->ranks[number];
  struct record record = {rank, rank->bytes + rank->at, rank->bytes + rank->size, NULL};
  while (!rank->ended && !record.wrong) {
    if (record.at == record.end && !record_refill(trace, number, &record, error)) return PROGRAM_FAILED;
    unsigned kind = *record.at++;
    if (kind < PROGRAM_KINDS) {
      out->kind = (enum program_kind)kind;
      get_fields(&record, program_kinds[kind].fields, out);
      rank->at = (size_t)(record.at - rank->bytes);
      rank->count++;
      if (!record.wrong) return PROGRAM_NEXT;
    } else if (kind == RECORD_END) {
      rank->ended = true;
    } else {
      get_other(&record, kind, out);
    }
  }
  rank->at = (size_t)(record.at - rank->bytes);
  if (rank->ended) return PROGRAM_LAST;
  fail(error, record.wrong);
  return PROGRAM_FAILED;
}

/* ---- what comes most, with less ado, where the block goes on for so long that no number ends beyond it ---- */

enum { BRIEF_MOST = 32 }; /* bytes of such a record are fewer */

static __attribute__((noinline)) const unsigned char *brief_longer(const unsigned char *at, uint64_t *number) {
  uint64_t n = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    n |= (uint64_t)(*at & 127) << shift;
    if (*at++ < 128) return *number = n, at;
  }
  return NULL;
}

/* NULL, here and below: it is to be read whole. Mostly it is of a byte or two. */
static inline const unsigned char *brief_number(const unsigned char *at, uint64_t *number) {
  uint32_t n = at[0];
  if (n < 128) return *number = n, at + 1;
  if (at[1] < 128) return *number = (n & 127) | (uint32_t)at[1] << 7, at + 2;
  return brief_longer(at, number);
}

static inline const unsigned char *brief_integer(const unsigned char *at, int32_t *number) {
  uint64_t n;
  at = brief_number(at, &n);
  if (!at || n > UINT32_MAX) return NULL;
  *number = (int32_t)(n >> 1) ^ -(int32_t)(n & 1);
  return at;
}

static inline const unsigned char *brief_amount(const unsigned char *at, double *amount) {
  uint64_t n;
  at = brief_number(at, &n);
  if (!at || (n & 1 && n != 1)) return NULL;
  *amount = (double)(int64_t)(n >> 1);
  if (n != 1) return at;
  memcpy(amount, at, sizeof *amount);
  return at + sizeof *amount;
}

static inline const unsigned char *brief_work(const unsigned char *at, struct program_operation *o) {
  if (*at > UNIT_INSTRUCTIONS) return NULL;
  o->unit = (enum program_unit) * at++;
  at = brief_amount(at, &o->work);
  return at ? brief_number(at, &o->burst) : NULL;
}

static inline const unsigned char *brief_message(const unsigned char *at, int32_t *partner, int32_t *tag, double *bytes,
                                                 uint32_t *communicator) {
  uint64_t n;
  if (!(at = brief_integer(at, partner)) || !(at = brief_integer(at, tag)) || !(at = brief_amount(at, bytes)) ||
      !(at = brief_number(at, &n)) || n > UINT32_MAX)
    return NULL;
  *communicator = (uint32_t)n;
  return at;
}

static inline const unsigned char *brief_fields(const unsigned char *at, struct program_operation *o) {
  switch (o->kind) {
  case PROGRAM_COMPUTE: return brief_work(at, o);
  case PROGRAM_SEND: return brief_message(at, &o->destination, &o->tag, &o->bytes, &o->communicator);
  case PROGRAM_RECV: return brief_message(at, &o->source, &o->source_tag, &o->received, &o->communicator);
  default: return NULL;
  }
}

static enum program_next trace_next(struct program_source *source, uint32_t number, const struct program_answer *answer,
                                    struct program_operation *out, struct program_error *error) {
  struct trace *trace = (struct trace *)source;
  struct rank *rank = &trace->ranks[number];
  (void)answer;
  memset(out, 0, trace->cleared);
  memset((char *)out + CLEARED, 0, sizeof *out - CLEARED);
  if (rank->size - rank->at <= BRIEF_MOST) return next_whole(trace, number, out, error);
  const unsigned char *at = rank->bytes + rank->at;
  __builtin_prefetch(at + 64); /* other ranks come before this one's next */
  out->kind = (enum program_kind) * at;
  at = brief_fields(at + 1, out);
  if (!at) return next_whole(trace, number, out, error);
  rank->at = (size_t)(at - rank->bytes);
  rank->count++;
  return PROGRAM_NEXT;
}

static void trace_place(const struct program_source *source, uint32_t number, char *out, size_t size) {
  const struct trace *trace = (const struct trace *)source;
  const struct rank *rank = &trace->ranks[number];
  char *path = rank_path(trace, number);
  snprintf(out, size, "%.40s: byte %llu", path ? file_name(path) : "",
           (unsigned long long)(rank->block + rank->at + 16));
  free(path);
}

/* ---- opening ---- */

static void trace_close(struct program_source *source) {
  struct trace *trace = (struct trace *)source;
  for (uint32_t i = 0; trace->ranks && i < source->ranks; i++) {
    struct rank *rank = &trace->ranks[i];
    for (uint32_t k = 0; k < rank->name_count; k++)
      free(rank->names[k]);
    for (uint32_t k = 0; k < rank->site_count; k++)
      free(rank->sites[k]);
    free(rank->sites);
    free(rank->names);
    free(rank->bytes);
    free(rank->requests);
    free(rank->parts);
    free(rank->counts);
    free(rank->members);
  }
  if (trace->file >= 0) close(trace->file);
  free(trace->ranks);
  free(trace->path);
  free(trace);
}

static bool header_read(int file, struct trace_header *header, struct program_error *error) {
  if (!read_exactly(file, header, sizeof *header, 0) || memcmp(header->magic, TRACE_MAGIC, sizeof header->magic))
    return fail(error, "its header is cut off");
  if (header->order != TRACE_ORDER) return fail(error, "it was written on a machine with another order of bytes");
  if (header->version != TRACE_VERSION) {
    snprintf(error->text, sizeof error->text, "it is of version %u of traces, and here that is %d", header->version,
             TRACE_VERSION);
    return false;
  }
  if (!header->ranks || header->ranks > RANKS_MOST) return fail(error, "its number of ranks is out of range");
  return true;
}

/* Where each rank's first block stands, in a file of all. */
static bool blocks_find(struct trace *trace, struct program_error *error) {
  uint64_t at = sizeof(struct trace_header), end = (uint64_t)lseek(trace->file, 0, SEEK_END);
  uint32_t found = 0, ranks = trace->base.ranks;
  struct trace_block block;
  while (found < ranks && at + sizeof block <= end && read_exactly(trace->file, &block, sizeof block, at)) {
    if (block.rank >= ranks || block.size > BLOCK_MOST) {
      snprintf(error->text, sizeof error->text, "what stands at byte %llu is no block", (unsigned long long)at);
      return false;
    }
    found += !trace->ranks[block.rank].next;
    if (!trace->ranks[block.rank].next) trace->ranks[block.rank].next = at;
    at += sizeof block + block.size;
  }
  return true; /* a rank without a block is said to be cut off when its operations are asked for */
}

static bool trace_read(struct trace *trace, struct program_error *error) {
  struct trace_header header;
  int file = open(trace->path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(error, strerror(errno));
  trace->file = file;
  if (!header_read(file, &header, error)) return false;
  trace->folder = header.rank != TRACE_ALL;
  trace->ranks = calloc(header.ranks, sizeof *trace->ranks);
  if (!trace->ranks) return fail(error, "there is no memory for so many ranks");
  trace->base.ranks = header.ranks;
  for (uint32_t i = 0; i < header.ranks; i++) {
    trace->ranks[i].next = trace->folder ? sizeof header : 0;
  }
  char *slash = strrchr(trace->path, '/');
  if (trace->folder && slash) *slash = '\0';
  return trace->folder || blocks_find(trace, error);
}

static struct program_source *trace_open(const char *path, struct program_error *error) {
  struct trace *trace = calloc(1, sizeof *trace);
  char *copy = strdup(path);
  if (!trace || !copy) {
    free(trace);
    free(copy);
    return fail(error, "there is no memory"), NULL;
  }
  *trace = (struct trace){.base.kind = &own_trace_source, .path = copy, .file = -1, .cleared = CLEARED};
  if (trace_read(trace, error)) return &trace->base;
  struct program_error said = *error;
  snprintf(error->text, sizeof error->text, "%.60s: %.100s", file_name(path), said.text);
  trace_close(&trace->base);
  return NULL;
}

/* Where each rank has a file of its own. */
static void trace_files(const char *path, program_take_file *take, void *user) {
  struct program_error error;
  struct program_source *source = trace_open(path, &error);
  const struct trace *trace = (const struct trace *)source;
  for (uint32_t rank = 0; source && trace->folder && rank < source->ranks; rank++) {
    char *file = rank_path(trace, rank);
    if (file) take(user, file);
    free(file);
  }
  if (source) trace_close(source);
}

static bool trace_recognise(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= sizeof TRACE_MAGIC - 1 && !memcmp(head, TRACE_MAGIC, sizeof TRACE_MAGIC - 1);
}

const struct program_source_kind own_trace_source = {
    .name = "trace of PSL",
    .recognise = trace_recognise,
    .open = trace_open,
    .files = trace_files,
    .next = trace_next,
    .place = trace_place,
    .close = trace_close,
};
