/* The writer of PSL's own traces: trace_format.h says what it writes. Operations go into the rank's block, which is
 * written when it is full. */
#include "evaluators/programs/lists.h"
#include "evaluators/programs/trace_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCK_LEAST = 1 << 12, BLOCK_MOST = 1 << 16, NAME_SLOTS = 1 << 8, WIDE = 5 };

struct name {
  struct name *next;
  uint64_t number;
  char text[];
};

struct started { /* a message by its request: where the other rank's number stands, and behind it the tag */
  enum { STARTED_NONE, STARTED_IN_BLOCK, STARTED_IN_FILE } where;
  uint8_t width; /* bytes of that number */
  bool any;      /* an irecv of which it, or the tag, is not known yet: each has WIDE bytes */
  uint64_t place;
};

struct site {
  const struct program_site *site;
  uint64_t number;
};

struct rank {
  unsigned char *bytes; /* a struct trace_block, and its records */
  void *mapping;        /* that it stands in: of the file of one rank; NULL: it is written when it is full */
  size_t mapping_size;
  size_t size, capacity;
  uint64_t last; /* where its last block stands in the file; 0: none has been written */
  struct name **names;
  uint64_t name_count;
  struct site *sites; /* hashed by address */
  size_t site_capacity /* a power of 2 */, site_count;
  struct started *started; /* by request */
  size_t started_capacity;
};

struct trace_writer {
  int file;
  int error; /* errno of the first failure */
  uint64_t end;
  size_t block_size;
  bool mapped;
  uint32_t first, ranks; /* those that it writes */
  struct rank rank[];
};

static bool write_at(struct trace_writer *writer, const void *bytes, size_t size, uint64_t at) {
  const char *from = bytes;
  while (size && !writer->error) {
    ssize_t done = pwrite(writer->file, from, size, (off_t)at);
    if (done < 0 && errno != EINTR) writer->error = errno;
    if (done <= 0) continue;
    from += done;
    at += (uint64_t)done;
    size -= (size_t)done;
  }
  return !writer->error;
}

struct trace_writer *trace_writer_open(const char *path, uint32_t all, uint32_t only) {
  uint32_t ranks = only == TRACE_ALL ? all : 1;
  struct trace_writer *writer = calloc(1, sizeof *writer + ranks * sizeof *writer->rank);
  if (!writer) return NULL;
  writer->first = only == TRACE_ALL ? 0 : only;
  writer->file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  writer->ranks = ranks;
  writer->mapped = only != TRACE_ALL;
  size_t share = (64u << 20) / (ranks + 1);
  writer->block_size = share < BLOCK_LEAST ? BLOCK_LEAST : share > BLOCK_MOST ? BLOCK_MOST : share;
  struct trace_header header = {TRACE_MAGIC, TRACE_VERSION, TRACE_ORDER, all, only};
  writer->end = sizeof header;
  if (writer->file >= 0 && write_at(writer, &header, sizeof header, 0)) return writer;
  int error = writer->file < 0 ? errno : writer->error;
  if (writer->file >= 0) close(writer->file);
  free(writer);
  errno = error;
  return NULL;
}

static void block_unmap(struct rank *rank) {
  if (!rank->mapping) return;
  munmap(rank->mapping, rank->mapping_size);
  rank->mapping = NULL;
  rank->bytes = NULL;
  rank->capacity = 0;
}

/* A block at the end of the file, as long as it may be. Where there is no room on the disk, the page that is missing
 * is found now and not by a signal. */
static bool block_map(struct trace_writer *writer, struct rank *rank, size_t capacity) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), from = writer->end / page * page;
  size_t size = (size_t)(writer->end - from) + capacity;
  int error = posix_fallocate(writer->file, (off_t)from, (off_t)size);
  void *mapping = error ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, writer->file, (off_t)from);
  if (mapping == MAP_FAILED) return writer->error = error ? error : errno, false;
  rank->mapping = mapping;
  rank->mapping_size = size;
  rank->bytes = (unsigned char *)mapping + (writer->end - from);
  rank->capacity = capacity;
  struct trace_block header = {writer->first, 0, 0};
  memcpy(rank->bytes, &header, sizeof header);
  return !rank->last ||
         write_at(writer, &writer->end, sizeof writer->end, rank->last + offsetof(struct trace_block, next));
}

/* A record is whole: a block that is mapped has it from now on. */
static void record_end(struct rank *rank) {
  uint32_t size = (uint32_t)(rank->size - sizeof(struct trace_block));
  if (!rank->mapping) return;
  __atomic_signal_fence(__ATOMIC_RELEASE);
  memcpy(rank->bytes + offsetof(struct trace_block, size), &size, sizeof size);
}

/* The rank's block goes to the end of the file, and the one before it is linked to it. */
static bool block_write(struct trace_writer *writer, struct rank *rank) {
  if (rank->size <= sizeof(struct trace_block)) return true;
  struct trace_block header = {writer->first + (uint32_t)(rank - writer->rank), (uint32_t)(rank->size - sizeof header),
                               0};
  memcpy(rank->bytes, &header, sizeof header);
  uint64_t here = writer->end;
  if (!rank->mapping && !write_at(writer, rank->bytes, rank->size, here)) return false;
  block_unmap(rank);
  if (rank->last && !write_at(writer, &here, sizeof here, rank->last + offsetof(struct trace_block, next)))
    return false;
  for (size_t k = 0; k < rank->started_capacity; k++)
    if (rank->started[k].where == STARTED_IN_BLOCK)
      rank->started[k].where = STARTED_IN_FILE, rank->started[k].place += here;
  writer->end += rank->size;
  rank->last = here;
  rank->size = sizeof header;
  return true;
}

/* Room for a record of that size: the block is written before it, or grows for one that is greater than blocks. */
static bool room(struct trace_writer *writer, struct rank *rank, size_t size) {
  if (rank->size && rank->size + size > writer->block_size && !block_write(writer, rank)) return false;
  if (!rank->size) rank->size = sizeof(struct trace_block);
  if (writer->mapped && rank->mapping && rank->size + size > rank->capacity && !block_write(writer, rank)) return false;
  if (writer->mapped && !rank->mapping) {
    size_t least = sizeof(struct trace_block) + size;
    return block_map(writer, rank, least > writer->block_size ? least : writer->block_size);
  }
  if (rank->size + size <= rank->capacity) return true;
  size_t capacity = rank->size + size > writer->block_size ? rank->size + size : writer->block_size;
  unsigned char *grown = realloc(rank->bytes, capacity);
  if (!grown) return writer->error = ENOMEM, false;
  rank->bytes = grown;
  rank->capacity = capacity;
  return true;
}

/* ---- records ---- */

static void put_number(struct rank *rank, uint64_t n) {
  for (; n > 127; n >>= 7)
    rank->bytes[rank->size++] = (unsigned char)(n | 128);
  rank->bytes[rank->size++] = (unsigned char)n;
}

/* What may be negative. */
static uint64_t doubled(int64_t n) { return n < 0 ? 2 * (uint64_t)(-(n + 1)) + 1 : 2 * (uint64_t)n; }

static void put_integer(struct rank *rank, int64_t n) { put_number(rank, doubled(n)); }

static void put_amount(struct rank *rank, double amount) {
  if (amount >= 0 && amount < 0x1p53 && amount == (double)(uint64_t)amount) {
    put_number(rank, 2 * (uint64_t)amount);
    return;
  }
  put_number(rank, 1);
  memcpy(rank->bytes + rank->size, &amount, sizeof amount);
  rank->size += sizeof amount;
}

static void put_amounts(struct rank *rank, const double *amounts, uint32_t count) {
  put_number(rank, count);
  for (uint32_t i = 0; i < count; i++)
    put_amount(rank, amounts[i]);
}

static size_t site_hash(const struct program_site *site) { return (uintptr_t)site * 0x9e3779b97f4a7c15u >> 32; }

/* The number of a name, which gets a record of its own where it is met first; 0: none. */
static uint64_t name_number(struct trace_writer *writer, struct rank *rank, const char *text) {
  uint32_t hash = 2166136261u;
  if (!text || (!rank->names && !(rank->names = calloc(NAME_SLOTS, sizeof(struct name *))))) return 0;
  for (const char *at = text; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 16777619u;
  struct name **list = &rank->names[hash % NAME_SLOTS], *name;
  for (name = *list; name; name = name->next)
    if (strcmp(name->text, text) == 0) return name->number;
  size_t length = strlen(text);
  if (!room(writer, rank, length + 12) || !(name = malloc(sizeof *name + length + 1))) return 0;
  *name = (struct name){*list, ++rank->name_count};
  memcpy(name->text, text, length + 1);
  *list = name;
  rank->bytes[rank->size++] = RECORD_NAME;
  put_number(rank, length);
  memcpy(rank->bytes + rank->size, text, length);
  rank->size += length;
  record_end(rank);
  return name->number;
}

static bool sites_grow(struct rank *rank) {
  size_t capacity = rank->site_capacity ? 2 * rank->site_capacity : 64;
  struct site *grown = calloc(capacity, sizeof *grown);
  if (!grown) return false;
  for (size_t k = 0; k < rank->site_capacity; k++) {
    if (!rank->sites[k].site) continue;
    size_t at = site_hash(rank->sites[k].site) & (capacity - 1);
    while (grown[at].site)
      at = (at + 1) & (capacity - 1);
    grown[at] = rank->sites[k];
  }
  free(rank->sites);
  rank->sites = grown;
  rank->site_capacity = capacity;
  return true;
}

/* The number of a site, which gets a record of its own where it is met first; 0: none. */
static uint64_t site_number(struct trace_writer *writer, struct rank *rank, const struct program_site *site) {
  if (!site || (2 * rank->site_count >= rank->site_capacity && !sites_grow(rank))) return 0;
  size_t at = site_hash(site) & (rank->site_capacity - 1);
  for (; rank->sites[at].site; at = (at + 1) & (rank->site_capacity - 1))
    if (rank->sites[at].site == site) return rank->sites[at].number;
  uint64_t file = name_number(writer, rank, site->file), function = name_number(writer, rank, site->function);
  if (!room(writer, rank, 48)) return 0;
  rank->bytes[rank->size++] = RECORD_PLACE;
  put_number(rank, file);
  put_number(rank, function);
  put_number(rank, site->line);
  put_number(rank, site->address);
  record_end(rank);
  rank->sites[at] = (struct site){site, ++rank->site_count};
  return rank->site_count;
}

static void wide_number(unsigned char *bytes, int32_t n, unsigned width) {
  uint64_t rest = doubled(n);
  for (unsigned k = 0; k < width; k++, rest >>= 7)
    bytes[k] = (unsigned char)((rest & 127) | (k < width - 1 ? 128 : 0));
}

/* Here is the other rank's number of a message that is started; it stays as it is if there is no memory for that. */
static void note_started(struct rank *rank, int64_t request, size_t width, bool any) {
  struct started *grown = table_grown(rank->started, (uint64_t)request, &rank->started_capacity, sizeof *grown);
  if (!grown) return;
  rank->started = grown;
  grown[request] = (struct started){STARTED_IN_BLOCK, (uint8_t)width, any, rank->size - width};
}

static void put_peer(struct rank *rank, const struct program_operation *o, int32_t peer) {
  size_t before = rank->size;
  put_integer(rank, peer);
  if (program_kinds[o->kind].fields & FIELD_REQUEST) note_started(rank, o->request, rank->size - before, false);
}

static void put_out(struct rank *rank, const struct program_operation *o) {
  put_peer(rank, o, o->destination);
  put_integer(rank, o->tag);
  put_amount(rank, o->bytes);
}

static void put_in(struct rank *rank, const struct program_operation *o) {
  if (o->kind == PROGRAM_IRECV && (o->source == PROGRAM_ANY || o->source_tag == PROGRAM_ANY)) {
    wide_number(rank->bytes + rank->size, o->source, WIDE);
    rank->size += WIDE;
    note_started(rank, o->request, WIDE, true);
    wide_number(rank->bytes + rank->size, o->source_tag, WIDE);
    rank->size += WIDE;
  } else {
    put_peer(rank, o, o->source);
    put_integer(rank, o->source_tag);
  }
  put_amount(rank, o->received);
}

static void put_fields(struct rank *rank, unsigned fields, const struct program_operation *o, const uint64_t names[2]) {
  if (fields & FIELD_WORK) {
    put_number(rank, o->unit);
    put_amount(rank, o->work);
    put_number(rank, o->burst);
  }
  if (fields & FIELD_OUT) put_out(rank, o);
  if (fields & FIELD_IN) put_in(rank, o);
  if (fields & FIELD_REQUEST) put_integer(rank, o->request);
  if (fields & FIELD_REQUESTS) put_number(rank, o->request_count);
  for (uint32_t i = 0; (fields & FIELD_REQUESTS) && i < o->request_count; i++)
    put_integer(rank, o->requests[i]);
  if (fields & FIELD_COMMUNICATOR) put_number(rank, o->communicator);
  if (fields & FIELD_ROOT) put_integer(rank, o->root);
  if (fields & FIELD_BYTES) put_amount(rank, o->bytes);
  if (fields & FIELD_RECEIVED) put_amount(rank, o->received);
  if (fields & FIELD_SENT_PARTS) put_amounts(rank, o->parts, o->parts ? o->part_count : 0);
  if (fields & FIELD_RECEIVED_PARTS) put_amounts(rank, o->received_parts, o->received_parts ? o->part_count : 0);
  if (fields & FIELD_MEMBERS) put_number(rank, o->member_count);
  for (uint32_t i = 0; (fields & FIELD_MEMBERS) && i < o->member_count; i++)
    put_integer(rank, o->members[i]);
  if (fields & (FIELD_PLACE | FIELD_FILE)) put_number(rank, names[0]);
  if (fields & FIELD_PLACE) {
    put_number(rank, names[1]);
    put_number(rank, o->line);
  }
  if (fields & (FIELD_FILE | FIELD_WINDOW)) put_integer(rank, o->handle);
  if (fields & FIELD_FILE) {
    put_amount(rank, o->offset);
    put_amount(rank, o->bytes);
    put_amount(rank, o->span);
  }
  if (fields & FIELD_DURATION) put_amount(rank, o->duration);
}

static void put_time(struct rank *rank, unsigned char record, double seconds) {
  if (!(seconds > 0)) return;
  rank->bytes[rank->size++] = record;
  put_number(rank, (uint64_t)(seconds * 1e9 + 0.5));
}

bool trace_write(struct trace_writer *writer, uint32_t number, const struct program_operation *o) {
  struct rank *rank = &writer->rank[number - writer->first];
  unsigned fields = program_kinds[o->kind].fields;
  uint64_t names[2] = {0, 0};
  if (fields & (FIELD_PLACE | FIELD_FILE)) names[0] = name_number(writer, rank, o->name);
  if (fields & FIELD_PLACE) names[1] = name_number(writer, rank, o->file);
  uint64_t site = site_number(writer, rank, o->site),
           counters = o->counted ? name_number(writer, rank, o->counters) : 0;
  size_t lists = (fields & FIELD_REQUESTS ? o->request_count : 0) + (fields & FIELD_MEMBERS ? o->member_count : 0) +
                 (fields & (FIELD_SENT_PARTS | FIELD_RECEIVED_PARTS) ? 2 * (size_t)o->part_count : 0) +
                 (counters ? o->counted : 0);
  if (writer->error || !room(writer, rank, 160 + 10 * lists)) return errno = writer->error, false;
  if ((fields & FIELD_REQUEST) && (uint64_t)o->request < rank->started_capacity)
    rank->started[o->request].where = STARTED_NONE; /* the number is used again */
  if (site) {
    rank->bytes[rank->size++] = RECORD_SITE;
    put_number(rank, site);
  }
  put_time(rank, RECORD_TOOK, o->took);
  put_time(rank, RECORD_LOST, o->lost);
  put_time(rank, RECORD_POLLED, o->polled);
  if (counters) {
    rank->bytes[rank->size++] = RECORD_COUNTS;
    put_number(rank, counters);
    put_amounts(rank, o->counts, o->counted);
  }
  rank->bytes[rank->size++] = (unsigned char)o->kind;
  put_fields(rank, fields, o, names);
  record_end(rank);
  return true;
}

static void started_change(struct trace_writer *writer, struct rank *rank, struct started *started,
                           const unsigned char *bytes, size_t size) {
  if (started->where == STARTED_IN_BLOCK) memcpy(rank->bytes + started->place, bytes, size);
  if (started->where == STARTED_IN_FILE) write_at(writer, bytes, size, started->place);
  started->where = STARTED_NONE;
}

void trace_write_received(struct trace_writer *writer, uint32_t number, int64_t request, int32_t source, int32_t tag) {
  struct rank *rank = &writer->rank[number - writer->first];
  unsigned char bytes[2 * WIDE];
  if (request < 0 || (uint64_t)request >= rank->started_capacity || !rank->started[request].any) return;
  wide_number(bytes, source, WIDE);
  wide_number(bytes + WIDE, tag, WIDE);
  started_change(writer, rank, &rank->started[request], bytes, sizeof bytes);
}

void trace_write_cancelled(struct trace_writer *writer, uint32_t number, int64_t request) {
  struct rank *rank = &writer->rank[number - writer->first];
  unsigned char bytes[2 * WIDE];
  if (request < 0 || (uint64_t)request >= rank->started_capacity) return;
  struct started *started = &rank->started[request];
  wide_number(bytes, PROGRAM_NOBODY, started->width);
  if (started->any) wide_number(bytes + WIDE, 0, WIDE);
  started_change(writer, rank, started, bytes, started->any ? 2 * WIDE : started->width);
}

void trace_write_end(struct trace_writer *writer, uint32_t number) {
  struct rank *rank = &writer->rank[number - writer->first];
  if (writer->error || !room(writer, rank, 1)) return;
  rank->bytes[rank->size++] = RECORD_END;
  record_end(rank);
}

bool trace_writer_flush(struct trace_writer *writer) {
  for (uint32_t rank = 0; rank < writer->ranks; rank++)
    if (!block_write(writer, &writer->rank[rank])) return errno = writer->error, false;
  return true;
}

bool trace_writer_close(struct trace_writer *writer) {
  bool fine = trace_writer_flush(writer);
  int error = writer->error;
  if (fine && writer->mapped && ftruncate(writer->file, (off_t)writer->end) < 0) error = errno;
  if (close(writer->file) < 0 && fine) error = errno;
  for (uint32_t rank = 0; rank < writer->ranks; rank++) {
    struct name **names = writer->rank[rank].names;
    for (size_t k = 0; names && k < NAME_SLOTS; k++)
      for (struct name *name = names[k], *next; name; name = next) {
        next = name->next;
        free(name);
      }
    free(names);
    free(writer->rank[rank].started);
    free(writer->rank[rank].sites);
    block_unmap(&writer->rank[rank]);
    free(writer->rank[rank].bytes);
  }
  free(writer);
  errno = error;
  return !error;
}
