/* Schedules in GOAL, as goal.c reads them. What a rank does stands in a chain, of which each line requires the one
 * before it; what does not block requires that, too, but what follows does not wait for it, but for its wait, a
 * computation of no time. A collective operation is the messages that its ranks send in a usual algorithm: a binomial
 * tree, a ring, pairs of ranks, or rounds of doubled distance. */
#include "evaluators/programs/lists.h"
#include "evaluators/programs/outputs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLLECTIVE_TAG = 1 << 30, COMMUNICATORS = 1 << 10 };

struct members {
  struct members *next;
  uint32_t communicator, count;
  int32_t ranks[];
};

struct goal {
  struct trace_output output;
  FILE *file;
  uint32_t rank;
  bool begun;
  bool any_tag, met;    /* the rank in hand has a receive of any tag; a collective operation */
  uint64_t label, last; /* of the rank in hand: so many lines, and the end of its chain; 0: none */
  uint64_t *requests;   /* lines by request; 0: it is none of a line */
  size_t capacity;
  struct members *made[COMMUNICATORS]; /* by the rank in hand */
};

static struct trace_output *goal_open(const char *path, const char *name, uint32_t ranks, struct program_error *error) {
  struct goal *g = calloc(1, sizeof *g);
  if (g) g->file = fopen(path, "we");
  if (g && g->file) {
    fprintf(g->file, "num_ranks %u\n", ranks);
    return &g->output;
  }
  snprintf(error->text, sizeof error->text, "%.80s cannot be written: %s", name, strerror(errno));
  free(g);
  return NULL;
}

static void lost(struct goal *g, const char *what) { trace_output_lost(&g->output, what); }

/* ---- lines ---- */

static void require(struct goal *g, uint64_t line, uint64_t before) {
  if (before) fprintf(g->file, "l%" PRIu64 " requires l%" PRIu64 "\n", line, before);
}

static uint64_t calc(struct goal *g, double ns) {
  fprintf(g->file, "l%" PRIu64 ": calc %.0f\n", ++g->label, ns);
  require(g, g->label, g->last);
  return g->label;
}

static double at_least_one(struct goal *g, double bytes) {
  if (bytes != floor(bytes)) lost(g, "parts of bytes: sizes are rounded");
  if (round(bytes) < 1) lost(g, "messages of no bytes: they have one");
  return fmax(1, round(bytes));
}

static uint64_t send(struct goal *g, int32_t to, double bytes, int32_t tag) {
  fprintf(g->file, "l%" PRIu64 ": send %.0fb to %d tag %d\n", ++g->label, at_least_one(g, bytes), to, tag);
  require(g, g->label, g->last);
  return g->label;
}

static uint64_t receive(struct goal *g, int32_t from, double bytes, int32_t tag) {
  fprintf(g->file, "l%" PRIu64 ": recv %.0fb from %d tag %d\n", ++g->label, at_least_one(g, bytes), from, tag);
  require(g, g->label, g->last);
  return g->label;
}

/* The chain goes on when both have ended. */
static void join(struct goal *g, uint64_t a, uint64_t b) {
  uint64_t line = ++g->label;
  fprintf(g->file, "l%" PRIu64 ": calc 0\n", line);
  require(g, line, a);
  require(g, line, b);
  g->last = line;
}

/* ---- collective operations ---- */

struct meeting { /* of a communicator, for one of its ranks */
  struct goal *g;
  const int32_t *ranks; /* NULL: all */
  uint32_t count, own, root;
  int32_t tag;
};

static int32_t world(const struct meeting *m, uint32_t k) { return m->ranks ? m->ranks[k] : (int32_t)k; }

static void give(struct meeting *m, uint32_t to, double bytes) { m->g->last = send(m->g, world(m, to), bytes, m->tag); }

static void get(struct meeting *m, uint32_t from, double bytes) {
  m->g->last = receive(m->g, world(m, from), bytes, m->tag);
}

static void both(struct meeting *m, uint32_t to, double sent, uint32_t from, double received) {
  uint64_t a = send(m->g, world(m, to), sent, m->tag), b = receive(m->g, world(m, from), received, m->tag);
  join(m->g, a, b);
}

static uint32_t shifted(const struct meeting *m, uint32_t k) { return (k + m->root) % m->count; }

static void doubling_rounds(struct meeting *m) {
  for (uint32_t k = 1; k < m->count; k *= 2)
    both(m, (m->own + k) % m->count, 1, (m->own + m->count - k) % m->count, 1);
}

/* Along a binomial tree from the root, whose branches have the bytes of one rank, or of all that stand on them. */
static void tree_down(struct meeting *m, double bytes, bool each) {
  uint32_t place = (m->own + m->count - m->root) % m->count, mask = 1;
  while (mask < m->count && !(place & mask))
    mask *= 2;
  uint32_t below = place + mask < m->count ? mask : m->count - place;
  if (place) get(m, shifted(m, place - mask), each ? bytes * below : bytes);
  for (mask /= 2; mask; mask /= 2)
    if (place + mask < m->count) {
      uint32_t branch = place + 2 * mask < m->count ? mask : m->count - place - mask;
      give(m, shifted(m, place + mask), each ? bytes * branch : bytes);
    }
}

static void tree_up(struct meeting *m, double bytes, bool each) {
  uint32_t place = (m->own + m->count - m->root) % m->count, mask = 1;
  for (; mask < m->count && !(place & mask); mask *= 2)
    if (place + mask < m->count) {
      uint32_t branch = place + 2 * mask < m->count ? mask : m->count - place - mask;
      get(m, shifted(m, place + mask), each ? bytes * branch : bytes);
    }
  uint32_t below = place + mask < m->count ? mask : m->count - place;
  if (place) give(m, shifted(m, place - mask), each ? bytes * below : bytes);
}

static double part(const double *parts, uint32_t count, uint32_t k, double all) {
  return parts && k < count ? parts[k] : all;
}

static void ring(struct meeting *m, const struct program_operation *o) {
  for (uint32_t k = 0; k + 1 < m->count; k++) {
    uint32_t sent = (m->own + m->count - k) % m->count, received = (m->own + 2 * m->count - k - 1) % m->count;
    both(m, (m->own + 1) % m->count, part(o->received_parts, o->part_count, sent, o->bytes),
         (m->own + m->count - 1) % m->count, part(o->received_parts, o->part_count, received, o->bytes));
  }
}

static void pairs(struct meeting *m, const struct program_operation *o) {
  for (uint32_t k = 1; k < m->count; k++) {
    uint32_t to = (m->own + k) % m->count, from = (m->own + m->count - k) % m->count;
    both(m, to, part(o->parts, o->part_count, to, o->bytes), from,
         part(o->received_parts, o->part_count, from, o->bytes));
  }
}

/* Each gets its own share of what the others have. */
static void shares(struct meeting *m, const struct program_operation *o) {
  double equal = o->kind == PROGRAM_REDUCE_SCATTER ? o->bytes / m->count : o->bytes;
  for (uint32_t k = 1; k < m->count; k++) {
    uint32_t to = (m->own + k) % m->count, from = (m->own + m->count - k) % m->count;
    both(m, to, part(o->received_parts, o->part_count, to, equal), from,
         part(o->received_parts, o->part_count, m->own, equal));
  }
}

static void line_of_ranks(struct meeting *m, double bytes) {
  if (m->own) get(m, m->own - 1, bytes);
  if (m->own + 1 < m->count) give(m, m->own + 1, bytes);
}

static void gather_parts(struct meeting *m, const struct program_operation *o) {
  for (uint32_t k = 0; m->own == m->root && k < m->count; k++)
    if (k != m->root) get(m, k, part(o->received_parts, o->part_count, k, o->bytes));
  if (m->own != m->root) give(m, m->root, o->bytes);
}

static void scatter_parts(struct meeting *m, const struct program_operation *o) {
  for (uint32_t k = 0; m->own == m->root && k < m->count; k++)
    if (k != m->root) give(m, k, part(o->parts, o->part_count, k, o->bytes));
  if (m->own != m->root) get(m, m->root, o->received);
}

static void meet(struct meeting *m, const struct program_operation *o, enum program_kind kind) {
  switch (kind) {
  case PROGRAM_BARRIER: doubling_rounds(m); break;
  case PROGRAM_BCAST: tree_down(m, o->bytes, false); break;
  case PROGRAM_REDUCE: tree_up(m, o->bytes, false); break;
  case PROGRAM_ALLREDUCE:
    tree_up(m, o->bytes, false);
    tree_down(m, o->bytes, false);
    break;
  case PROGRAM_GATHER: tree_up(m, o->bytes, true); break;
  case PROGRAM_SCATTER: tree_down(m, o->bytes, true); break;
  case PROGRAM_GATHERV: gather_parts(m, o); break;
  case PROGRAM_SCATTERV: scatter_parts(m, o); break;
  case PROGRAM_ALLGATHER:
  case PROGRAM_ALLGATHERV: ring(m, o); break;
  case PROGRAM_ALLTOALL:
  case PROGRAM_ALLTOALLV:
  case PROGRAM_ALLTOALLW: pairs(m, o); break;
  case PROGRAM_REDUCE_SCATTER:
  case PROGRAM_REDUCE_SCATTER_BLOCK: shares(m, o); break;
  case PROGRAM_SCAN:
  case PROGRAM_EXSCAN: line_of_ranks(m, o->bytes); break;
  default: lost(m->g, "collective operations of neighbours: left out"); break;
  }
}

static struct members **made_at(struct goal *g, uint32_t communicator) {
  struct members **at = &g->made[communicator % COMMUNICATORS];
  while (*at && (*at)->communicator != communicator)
    at = &(*at)->next;
  return at;
}

static bool make(struct goal *g, const struct program_operation *o) {
  struct members **at = made_at(g, o->communicator);
  struct members *made = malloc(sizeof *made + o->member_count * sizeof *made->ranks);
  if (!made) return false;
  *made = (struct members){*at ? (*at)->next : NULL, o->communicator, o->member_count};
  memcpy(made->ranks, o->members, o->member_count * sizeof *made->ranks);
  free(*at);
  *at = made;
  return true;
}

static uint32_t place_in(const struct members *made, int32_t rank) {
  uint32_t k = 0;
  while (k < made->count && made->ranks[k] != rank)
    k++;
  return k;
}

/* A message of a collective operation is one like others there. */
static void tell_mixed(struct goal *g) {
  if (g->any_tag && g->met) lost(g, "which messages are of collective operations: receives of any tag may take them");
}

static void write_collective(struct goal *g, const struct program_operation *o) {
  bool starts = o->kind >= PROGRAM_IBARRIER;
  const struct members *made = *made_at(g, o->communicator);
  struct meeting m = {.g = g, .count = g->output.ranks, .own = g->rank, .root = (uint32_t)o->root};
  if (o->communicator != PROGRAM_WORLD && !made) {
    lost(g, "collective operations of communicators that nobody has made: left out");
    return;
  }
  if (made) {
    m.ranks = made->ranks, m.count = made->count, m.own = place_in(made, (int32_t)g->rank);
    m.root = place_in(made, o->root);
  }
  bool rooted = program_kinds[o->kind].fields & FIELD_ROOT;
  if (!rooted) m.root = 0;
  if (m.own == m.count || m.root == m.count) {
    lost(g, "collective operations of ranks that are no members: left out");
    return;
  }
  g->met = true;
  tell_mixed(g);
  if (starts) lost(g, "collective operations that do not block: they block");
  lost(g, "collective operations: they are the messages of usual algorithms");
  m.tag = COLLECTIVE_TAG + (int32_t)(o->communicator % COLLECTIVE_TAG);
  meet(&m, o, starts ? o->kind - (PROGRAM_IBARRIER - PROGRAM_BARRIER) : o->kind);
}

/* ---- other operations ---- */

static bool start(struct goal *g, const struct program_operation *o, uint64_t line) {
  uint64_t *grown = table_grown(g->requests, (uint64_t)o->request, &g->capacity, sizeof *grown);
  if (!grown) return false;
  g->requests = grown;
  g->requests[o->request] = line;
  return true;
}

static void write_wait(struct goal *g, const struct program_operation *o) {
  uint64_t wait = calc(g, 0);
  for (uint32_t k = 0; k < o->request_count; k++)
    if ((uint64_t)o->requests[k] < g->capacity) {
      require(g, wait, g->requests[o->requests[k]]);
      g->requests[o->requests[k]] = 0;
    }
  g->last = wait;
}

static bool write_compute(struct goal *g, const struct program_operation *o) {
  double ns = o->unit == UNIT_SECONDS ? o->work * 1e9 : o->work;
  if (o->unit != UNIT_SECONDS) lost(g, "counted flops or instructions: each takes 1 ns");
  if (o->burst) lost(g, "which burst a computation is");
  if (fabs(ns - round(ns)) > 1e-6 * ns) lost(g, "parts of nanoseconds: times are rounded");
  uint64_t line = calc(g, round(ns));
  if (o->kind == PROGRAM_ICOMPUTE) return start(g, o, line);
  g->last = line;
  return true;
}

static bool write_sleep(struct goal *g, const struct program_operation *o) {
  lost(g, "sleep: it is computed");
  return write_compute(g, &(struct program_operation){.kind = PROGRAM_COMPUTE, .work = o->duration});
}

static bool sends(struct goal *g, const struct program_operation *o) {
  if (o->destination == PROGRAM_NOBODY) lost(g, "messages to nobody: left out");
  if (o->communicator) lost(g, "communicators of messages: all are those of one");
  return o->destination != PROGRAM_NOBODY;
}

static bool receives(struct goal *g, const struct program_operation *o) {
  if (o->source == PROGRAM_NOBODY) lost(g, "messages from nobody: left out");
  g->any_tag |= o->source != PROGRAM_NOBODY && o->source_tag == PROGRAM_ANY;
  tell_mixed(g);
  return o->source != PROGRAM_NOBODY;
}

static void write_sendrecv(struct goal *g, const struct program_operation *o) {
  uint64_t sent = sends(g, o) ? send(g, o->destination, o->bytes, o->tag) : 0;
  uint64_t received = receives(g, o) ? receive(g, o->source, o->received, o->source_tag) : 0;
  join(g, sent ? sent : g->last, received ? received : g->last);
}

static bool write_one(struct goal *g, const struct program_operation *o) {
  switch (o->kind) {
  case PROGRAM_INIT:
  case PROGRAM_FINALIZE: return true;
  case PROGRAM_COMPUTE:
  case PROGRAM_ICOMPUTE: return write_compute(g, o);
  case PROGRAM_SLEEP: return write_sleep(g, o);
  case PROGRAM_BSEND:
  case PROGRAM_SSEND:
  case PROGRAM_RSEND: lost(g, "modes of sending, such as synchronous or buffered: all are standard"); /* fall through */
  case PROGRAM_SEND:
    if (sends(g, o)) g->last = send(g, o->destination, o->bytes, o->tag);
    return true;
  case PROGRAM_IBSEND:
  case PROGRAM_ISSEND:
  case PROGRAM_IRSEND:
    lost(g, "modes of sending, such as synchronous or buffered: all are standard"); /* fall through */
  case PROGRAM_ISEND: return start(g, o, sends(g, o) ? send(g, o->destination, o->bytes, o->tag) : 0);
  case PROGRAM_RECV:
    if (receives(g, o)) g->last = receive(g, o->source, o->received, o->source_tag);
    return true;
  case PROGRAM_IRECV: return start(g, o, receives(g, o) ? receive(g, o->source, o->received, o->source_tag) : 0);
  case PROGRAM_SENDRECV: write_sendrecv(g, o); return true;
  case PROGRAM_WAIT:
  case PROGRAM_WAITALL: write_wait(g, o); return true;
  case PROGRAM_COMM_MAKE: return make(g, o);
  case PROGRAM_COMM_FREE: return true;
  case PROGRAM_ENTER:
  case PROGRAM_LEAVE: lost(g, "regions: left out"); return true;
  case PROGRAM_PROBE:
  case PROGRAM_IPROBE: lost(g, "probes: left out"); return true;
  case PROGRAM_WAITANY:
  case PROGRAM_WAITSOME:
  case PROGRAM_TEST:
  case PROGRAM_TESTALL:
  case PROGRAM_TESTANY:
  case PROGRAM_TESTSOME: lost(g, "tests, and waits for some of several requests: left out"); return true;
  case PROGRAM_SEND_INIT:
  case PROGRAM_RECV_INIT:
  case PROGRAM_START: lost(g, "persistent requests: left out"); return true;
  case PROGRAM_CANCEL:
  case PROGRAM_REQUEST_FREE: lost(g, "requests that are cancelled or freed: left out"); return true;
  default: lost(g, "files and one-sided communication: left out"); return true;
  }
}

/* ---- the file ---- */

static bool goal_failed(struct program_error *error) {
  snprintf(error->text, sizeof error->text, "the trace cannot be written: %s", strerror(errno));
  return false;
}

static void begin(struct goal *g, uint32_t rank) {
  if (!g->begun) fprintf(g->file, "\nrank %u {\n", rank);
  g->begun = true;
  g->rank = rank;
}

static bool goal_write(struct trace_output *output, uint32_t rank, const struct program_operation *o,
                       struct program_error *error) {
  struct goal *g = (struct goal *)output;
  bool fine = true;
  begin(g, rank);
  if (o->took > 0) lost(g, "how long operations took");
  if (o->site) lost(g, "places of calls");
  if (o->kind >= PROGRAM_BARRIER && o->kind <= PROGRAM_IEXSCAN)
    write_collective(g, o);
  else
    fine = write_one(g, o);
  return (fine && !ferror(g->file)) || goal_failed(error);
}

static void members_free(struct goal *g) {
  for (size_t k = 0; k < COMMUNICATORS; k++) {
    for (struct members *made = g->made[k], *next; made; made = next) {
      next = made->next;
      free(made);
    }
    g->made[k] = NULL;
  }
}

static bool goal_end(struct trace_output *output, uint32_t rank, struct program_error *error) {
  struct goal *g = (struct goal *)output;
  begin(g, rank);
  if (!g->label) calc(g, 0); /* a rank has at least one line */
  fputs("}\n", g->file);
  members_free(g);
  if (g->capacity) memset(g->requests, 0, g->capacity * sizeof *g->requests);
  g->label = g->last = 0;
  g->begun = g->any_tag = g->met = false;
  return !ferror(g->file) || goal_failed(error);
}

static bool goal_finish(struct trace_output *output, struct program_error *error) {
  return fflush(((struct goal *)output)->file) == 0 || goal_failed(error);
}

static void goal_close(struct trace_output *output) {
  struct goal *g = (struct goal *)output;
  fclose(g->file);
  members_free(g);
  free(g->requests);
  free(g);
}

const struct trace_output_kind goal_output = {
    .name = "schedule in GOAL",
    .endings = ".goal",
    .open = goal_open,
    .write = goal_write,
    .end = goal_end,
    .finish = goal_finish,
    .close = goal_close,
};
