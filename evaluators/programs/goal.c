/* Schedules in GOAL, as LogGOPSim takes them (Hoefler, Schneider and Lumsdaine, 2010): for each rank a graph of
 * computations, sends and receives, of which one begins when those that it requires have ended, or begun.
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 100
 *     l2: send 8b to 1 tag 3
 *     l2 requires l1
 *     }
 *
 * A receive from -1, or with the tag -1, takes a message of any rank or tag.
 *
 * The stream of a rank starts what may begin, sends first, then receives, then computations, and waits for whatever
 * ends first; where just one operation may begin and none is under way, it stands there as a plain one. What
 * a line requires may be said anywhere, so all of a rank is read when its first operation is asked for. */
#include "evaluators/programs/lists.h"
#include "evaluators/programs/rank_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { TYPE_SEND, TYPE_RECV, TYPE_CALC, TYPES };
enum { OPERATIONS_MOST = 1 << 26, NOTHING = UINT32_MAX };

struct operation {
  uint8_t type;
  bool tells; /* others may begin when it has begun, */
  bool begun; /* which it has, as they know */
  int32_t peer, tag;
  double size;        /* bytes or ns */
  uint32_t required;  /* how many it waits for */
  uint32_t number;    /* of its request while it is under way */
  uint32_t followers; /* the first of its edges */
  uint32_t line;
};

struct edge {
  uint32_t from, to;
  bool begun; /* it is enough that `from` has begun */
};

struct label {
  uint32_t text; /* where it stands among the texts; 0: there is no label */
  uint32_t hash, operation;
};

struct rank {
  bool read;
  struct operation *operations; /* and one behind them, whose followers end the list */
  struct edge *edges;           /* by `from`, in the order of lines */
  uint32_t count, edge_count, capacity, edge_capacity;
  struct label *labels;   /* while lines are read */
  struct label latest[2]; /* of these, the last one first: mostly it is said of this what it requires */
  uint32_t label_count, label_capacity;
  char *texts; /* of labels, each ended by 0 */
  uint32_t text_size, text_capacity;
  uint32_t *ready; /* a queue of those that may begin */
  uint32_t ready_begin, ready_end, left;
  uint32_t *sorted;       /* room for those that begin to be ready at once */
  int64_t *under_way;     /* requests, the oldest first */
  uint32_t *operation_of; /* by request */
  uint32_t *free;         /* requests that are free */
  uint32_t way_count, way_capacity, number_count, number_capacity, free_count, free_capacity;
  uint32_t in_hand; /* a plain operation, done when the next one is asked for; NOTHING */
  uint32_t started; /* by the last operation, and may have begun; NOTHING */
  uint32_t last;    /* operation that was given; NOTHING */
  uint32_t waiting; /* for how many it waits to begin */
  bool waits;       /* the last operation was a wait */
};

struct trace {
  struct program_source base;
  struct rank_lines *lines;
  struct rank *ranks;
};

static bool fail(struct program_error *error, const char *format, const char *word) {
  snprintf(error->text, sizeof error->text, format, word ? word : "");
  return false;
}

/* ---- lines of a rank ---- */

static uint32_t hash_of(const char *text) {
  uint32_t hash = 2166136261u;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

/* Where the label stands, or would. */
static struct label *label_place(const struct rank *rank, const char *text, uint32_t hash) {
  uint32_t at = hash & (rank->label_capacity - 1);
  struct label *labels = rank->labels;
  while (labels[at].text && (labels[at].hash != hash || strcmp(rank->texts + labels[at].text, text) != 0))
    at = (at + 1) & (rank->label_capacity - 1);
  return &labels[at];
}

static bool labels_grow(struct rank *rank) {
  if (2 * rank->label_count < rank->label_capacity) return true;
  uint32_t capacity = rank->label_capacity ? 4 * rank->label_capacity : 64;
  struct label *grown = calloc(capacity, sizeof *grown);
  if (!grown) return false;
  for (uint32_t i = 0; i < rank->label_capacity; i++) {
    if (!rank->labels[i].text) continue;
    uint32_t at = rank->labels[i].hash & (capacity - 1);
    while (grown[at].text)
      at = (at + 1) & (capacity - 1);
    grown[at] = rank->labels[i];
  }
  free(rank->labels);
  rank->labels = grown;
  rank->label_capacity = capacity;
  return true;
}

/* Keeps the text; false: there is no memory. */
static bool text_add(struct rank *rank, const char *text, size_t length) {
  uint32_t size = rank->text_size ? rank->text_size : 1; /* 0 is no place of one */
  if (length >= INT32_MAX - size) return false;
  while (size + length >= rank->text_capacity)
    if (!list_grow(&rank->texts, rank->text_capacity, &rank->text_capacity, 1)) return false;
  memcpy(rank->texts + size, text, length + 1);
  rank->text_size = size + (uint32_t)length + 1;
  return true;
}

static bool label_add(struct rank *rank, const char *text, size_t length, struct program_error *error) {
  if (!labels_grow(rank)) return fail(error, "there is no memory for the label '%.40s'", text);
  uint32_t hash = hash_of(text);
  struct label *label = label_place(rank, text, hash);
  if (label->text) return fail(error, "the label '%.40s' is given twice", text);
  if (!text_add(rank, text, length)) return fail(error, "there is no memory for the label '%.40s'", text);
  *label = (struct label){rank->text_size - (uint32_t)length - 1, hash, rank->count};
  rank->latest[1] = rank->latest[0];
  rank->latest[0] = *label;
  rank->label_count++;
  return true;
}

/* Words are short: without a call. */
static inline bool is(const char *word, const char *wanted) {
  while (*word && *word == *wanted) {
    word++;
    wanted++;
  }
  return *word == *wanted;
}

static bool label_find(const struct rank *rank, const char *text, uint32_t *operation, struct program_error *error) {
  for (size_t k = 0; text && k < 2 && rank->latest[k].text; k++) {
    *operation = rank->latest[k].operation;
    if (is(text, rank->texts + rank->latest[k].text)) return true;
  }
  struct label *label = text && rank->label_capacity ? label_place(rank, text, hash_of(text)) : NULL;
  if (!label || !label->text) return fail(error, "no label '%.40s' stands before this line", text);
  *operation = label->operation;
  return true;
}

static bool read_keyword(char **rest, const char *wanted, struct program_error *error) {
  char *word = word_next(rest);
  if (word && is(word, wanted)) return true;
  snprintf(error->text, sizeof error->text, "'%s' is wanted, not '%.40s'", wanted, word ? word : "");
  return false;
}

/* `cpu 0`, `nic 0`, `tag 3` at the end. */
static bool read_end(char **rest, struct operation *operation, struct program_error *error) {
  for (char *word; (word = word_next(rest));) {
    char *number = word_next(rest);
    int64_t value, least = -(operation->type == TYPE_RECV && is(word, "tag"));
    if (!number || !word_integer(number, least, INT32_MAX, &value))
      return fail(error, "'%.40s' is no whole number", number);
    if (is(word, "tag") && operation->type != TYPE_CALC)
      operation->tag = (int32_t)value;
    else if (!is(word, "cpu") && !is(word, "nic"))
      return fail(error, "'%.40s' is a word too many", word);
    else if (value)
      return fail(error, "a rank has one processor and one interface here, not '%.20s'", number);
  }
  return true;
}

static bool read_operation(const struct trace *trace, char *rest, struct operation *operation,
                           struct program_error *error) {
  static const char *const names[TYPES] = {"send", "recv", "calc"};
  char *word = word_next(&rest), *size = word ? word_next(&rest) : NULL;
  int64_t value;
  for (operation->type = 0; operation->type < TYPES; operation->type++)
    if (word && is(word, names[operation->type])) break;
  if (operation->type == TYPES) return fail(error, "'%.40s' is no operation: calc, send or recv", word);
  bool message = operation->type != TYPE_CALC;
  if (size && message && *size && size[strlen(size) - 1] == 'b')
    size[strlen(size) - 1] = '\0';
  else if (message)
    return fail(error, "'%.40s' is no size in bytes, such as 8b", size);
  if (!size || !word_integer(size, 0, INT64_C(1) << 53, &value)) return fail(error, "'%.40s' is no size", size);
  operation->size = (double)value;
  if (message) {
    if (!read_keyword(&rest, operation->type == TYPE_SEND ? "to" : "from", error)) return false;
    char *peer = word_next(&rest);
    if (!peer || !word_integer(peer, -(operation->type == TYPE_RECV), (int64_t)trace->base.ranks - 1, &value))
      return fail(error, "'%.40s' is no rank", peer);
    operation->peer = (int32_t)value;
  }
  return read_end(&rest, operation, error);
}

static bool read_line(const struct trace *trace, struct rank *rank, char *line, struct program_error *error) {
  char *rest = line, *word = word_next(&rest);
  if (!word || !strncmp(word, "//", 2) || !strncmp(word, "/*", 2) || is(word, "rank") || is(word, "}")) return true;
  size_t length = strlen(word);
  struct operation operation = {0};
  struct edge edge = {0};
  bool labelled = word[length - 1] == ':';
  if (labelled || is(word, "calc") || is(word, "send") || is(word, "recv")) {
    if (!labelled && *rest) word[length] = ' ';
    if (labelled) word[length - 1] = '\0';
    if (labelled && !label_add(rank, word, length - 1, error)) return false;
    if (!read_operation(trace, labelled ? rest : word, &operation, error)) return false;
    if (rank->count == OPERATIONS_MOST ||
        !list_grow(&rank->operations, rank->count + 1, &rank->capacity, sizeof operation))
      return fail(error, "there is no memory for so many operations%s", "");
    operation.line = (uint32_t)rank_lines_number(trace->lines, (uint32_t)(rank - trace->ranks));
    rank->operations[rank->count++] = operation;
    return true;
  }
  if (!label_find(rank, word, &edge.to, error)) return false;
  char *how = word_next(&rest);
  edge.begun = how && is(how, "irequires");
  if (!edge.begun && (!how || !is(how, "requires"))) return fail(error, "'%.40s' is not 'requires'", how);
  if (!label_find(rank, word_next(&rest), &edge.from, error)) return false;
  if (!list_grow(&rank->edges, rank->edge_count, &rank->edge_capacity, sizeof edge))
    return fail(error, "there is no memory for so many edges%s", "");
  rank->edges[rank->edge_count++] = edge;
  rank->operations[edge.from].tells |= edge.begun;
  rank->operations[edge.to].required++;
  return true;
}

/* Edges by the operation that they leave, each one's in their order. */
static bool edges_sort(struct rank *rank) {
  struct edge *sorted = malloc((rank->edge_count + 1) * sizeof *sorted);
  if (!sorted) return false;
  for (uint32_t i = 0; i <= rank->count; i++)
    rank->operations[i].followers = 0;
  for (uint32_t i = 0; i < rank->edge_count; i++)
    rank->operations[rank->edges[i].from + 1].followers++;
  for (uint32_t i = 0; i < rank->count; i++)
    rank->operations[i + 1].followers += rank->operations[i].followers;
  for (uint32_t i = 0; i < rank->edge_count; i++) /* moves each beginning to the next one's */
    sorted[rank->operations[rank->edges[i].from].followers++] = rank->edges[i];
  for (uint32_t i = rank->count; i > 0; i--)
    rank->operations[i].followers = rank->operations[i - 1].followers;
  rank->operations[0].followers = 0;
  free(rank->edges);
  rank->edges = sorted;
  return true;
}

static void labels_free(struct rank *rank) {
  free(rank->labels);
  free(rank->texts);
  rank->labels = NULL;
  rank->texts = NULL;
  rank->label_capacity = rank->label_count = rank->text_capacity = rank->text_size = 0;
}

/* ---- what may begin ---- */

static void ready_put(struct rank *rank, uint32_t begin) {
  uint32_t count = rank->ready_end - begin, to = begin, *sorted = rank->sorted;
  if (count < 2) return;
  memcpy(sorted, rank->ready + begin, count * sizeof *sorted);
  for (uint8_t type = 0; type < TYPES; type++)
    for (uint32_t i = 0; i < count; i++)
      if (rank->operations[sorted[i]].type == type) rank->ready[to++] = sorted[i];
}

static void ready_find(struct rank *rank, uint32_t number, bool begun) {
  const struct operation *operation = &rank->operations[number];
  for (uint32_t i = operation->followers; i < operation[1].followers; i++)
    if (rank->edges[i].begun == begun && --rank->operations[rank->edges[i].to].required == 0)
      rank->ready[rank->ready_end++] = rank->edges[i].to;
}

/* The operation has begun, or ended: those that required no more than that may begin. */
static void release(struct rank *rank, uint32_t number, bool ended) {
  struct operation *operation = &rank->operations[number];
  uint32_t begin = rank->ready_end;
  if (!operation->begun) ready_find(rank, number, true);
  operation->begun = true;
  if (ended) ready_find(rank, number, false);
  ready_put(rank, begin);
}

static void done(struct rank *rank, uint32_t number) {
  rank->left--;
  release(rank, number, true);
}

static bool no_memory(struct program_error *error) {
  return fail(error, "there is no memory for its operations%s", "");
}

/* Of operations that can begin to be ready together: those at the beginning, or what follows one. */
static uint32_t most_at_once(const struct rank *rank) {
  uint32_t most = rank->ready_end;
  for (uint32_t i = 0; i < rank->count; i++) {
    uint32_t followers = rank->operations[i + 1].followers - rank->operations[i].followers;
    if (followers > most) most = followers;
  }
  return most;
}

static bool rank_read(struct trace *trace, uint32_t number, struct program_error *error) {
  struct rank *rank = &trace->ranks[number];
  char *line;
  rank->read = true;
  rank->in_hand = rank->started = rank->last = NOTHING;
  while ((line = rank_lines_next(trace->lines, number, error)))
    if (!read_line(trace, rank, line, error)) return false;
  if (*error->text) return false;
  labels_free(rank);
  if (!list_grow(&rank->operations, rank->count, &rank->capacity, sizeof *rank->operations)) return false;
  rank->ready = malloc((rank->count + 1) * sizeof *rank->ready);
  if (!rank->ready || !edges_sort(rank)) return no_memory(error);
  rank->left = rank->count;
  for (uint32_t i = 0; i < rank->count; i++)
    if (!rank->operations[i].required) rank->ready[rank->ready_end++] = i;
  rank->sorted = malloc((most_at_once(rank) + 1) * sizeof *rank->sorted);
  if (!rank->sorted) return no_memory(error);
  ready_put(rank, 0);
  return true;
}

/* ---- operations ---- */

static void fill(const struct operation *operation, bool plain, struct program_operation *out) {
  static const enum program_kind kinds[TYPES][2] = {
      {PROGRAM_ISEND, PROGRAM_SEND}, {PROGRAM_IRECV, PROGRAM_RECV}, {PROGRAM_ICOMPUTE, PROGRAM_COMPUTE}};
  *out = (struct program_operation){.kind = kinds[operation->type][plain]};
  if (operation->type == TYPE_CALC) {
    out->work = operation->size * 1e-9;
  } else if (operation->type == TYPE_SEND) {
    out->destination = operation->peer;
    out->tag = operation->tag;
    out->bytes = operation->size;
  } else {
    out->source = operation->peer;
    out->source_tag = operation->tag;
    out->received = operation->size;
  }
}

static bool start(struct rank *rank, uint32_t number, struct program_operation *out, struct program_error *error) {
  struct operation *operation = &rank->operations[number];
  if (!list_grow(&rank->under_way, rank->way_count, &rank->way_capacity, sizeof *rank->under_way) ||
      !list_grow(&rank->operation_of, rank->number_count, &rank->number_capacity, sizeof *rank->operation_of) ||
      !list_grow(&rank->free, rank->number_count, &rank->free_capacity, sizeof *rank->free))
    return no_memory(error);
  operation->number = rank->free_count ? rank->free[--rank->free_count] : rank->number_count++;
  rank->operation_of[operation->number] = number;
  rank->under_way[rank->way_count++] = operation->number;
  rank->started = number;
  out->request = operation->number;
  out->tells = operation->tells;
  return true;
}

/* The runtime has said whether it will say when that begins. */
static void started(struct rank *rank, const struct program_answer *answer) {
  if (answer->begins_later)
    rank->waiting++;
  else
    release(rank, rank->started, false);
  rank->started = NOTHING;
}

static void wait_ended(struct rank *rank, int64_t request) {
  uint32_t at = 0, number = rank->operation_of[request];
  rank->waiting -= !rank->operations[number].begun;
  while (rank->under_way[at] != request)
    at++;
  memmove(rank->under_way + at, rank->under_way + at + 1, (--rank->way_count - at) * sizeof *rank->under_way);
  rank->free[rank->free_count++] = (uint32_t)request;
  done(rank, number);
}

static void wait_begun(struct rank *rank, int64_t request) {
  rank->waiting--;
  release(rank, rank->operation_of[request], false);
}

static bool is_under_way(const struct rank *rank, int64_t request) {
  for (uint32_t i = 0; i < rank->way_count; i++)
    if (rank->under_way[i] == request) return true;
  return false;
}

static enum program_next trace_next(struct program_source *source, uint32_t number, const struct program_answer *answer,
                                    struct program_operation *out, struct program_error *error) {
  struct trace *trace = (struct trace *)source;
  struct rank *rank = &trace->ranks[number];
  *error->text = '\0';
  if (!rank->read && !rank_read(trace, number, error)) return PROGRAM_FAILED;
  if (rank->started != NOTHING) started(rank, answer);
  if (rank->waits && answer->begun)
    wait_begun(rank, answer->request);
  else if (rank->waits)
    wait_ended(rank, is_under_way(rank, answer->request) ? answer->request : rank->under_way[0]);
  rank->waits = false;
  if (rank->in_hand != NOTHING) done(rank, rank->in_hand);
  rank->in_hand = NOTHING;
  if (rank->ready_begin < rank->ready_end) {
    bool alone = !rank->way_count && rank->ready_end - rank->ready_begin == 1;
    uint32_t next = rank->last = rank->ready[rank->ready_begin++];
    bool plain = alone && !rank->operations[next].tells;
    fill(&rank->operations[next], plain, out);
    if (!plain) return start(rank, next, out, error) ? PROGRAM_NEXT : PROGRAM_FAILED;
    rank->in_hand = next;
    return PROGRAM_NEXT;
  }
  if (!rank->way_count && rank->left)
    return fail(error, "operations of the rank require each other in a circle%s", ""), PROGRAM_FAILED;
  if (!rank->way_count) return PROGRAM_LAST;
  rank->waits = true;
  *out = (struct program_operation){.kind = rank->way_count > 1 || rank->waiting ? PROGRAM_WAITANY : PROGRAM_WAIT,
                                    .requests = rank->under_way,
                                    .request_count = rank->way_count};
  return PROGRAM_NEXT;
}

/* What is waited for: the oldest receive that is under way, or else the oldest of all. */
static uint32_t awaited(const struct rank *rank) {
  for (uint32_t i = 0; i < rank->way_count; i++)
    if (rank->operations[rank->operation_of[rank->under_way[i]]].type == TYPE_RECV)
      return rank->operation_of[rank->under_way[i]];
  return rank->operation_of[rank->under_way[0]];
}

static void trace_place(const struct program_source *source, uint32_t number, char *out, size_t size) {
  const struct trace *trace = (const struct trace *)source;
  const struct rank *rank = &trace->ranks[number];
  uint32_t at = !rank->read ? NOTHING : rank->waits ? awaited(rank) : rank->last;
  if (at == NOTHING)
    rank_lines_place(trace->lines, number, out, size);
  else
    rank_lines_place_of(trace->lines, number, rank->operations[at].line, out, size);
}

/* ---- opening ---- */

struct reading { /* of the whole file, for whose each line is */
  int64_t ranks, rank;
};

/* `num_ranks 4`, or `rank 2 {`: the number. */
static bool number_behind(const char *line, const char *word, int64_t *number) {
  size_t length = strlen(word);
  line += strspn(line, " \t");
  if (strncmp(line, word, length) != 0 || !strspn(line + length, " \t")) return false;
  char text[24];
  line += length + strspn(line + length, " \t");
  snprintf(text, sizeof text, "%.*s", (int)strspn(line, "0123456789"), line);
  return word_integer(text, 0, INT32_MAX, number);
}

static int64_t rank_of(void *state, const char *line, struct program_error *error) {
  struct reading *reading = state;
  const char *text = line + strspn(line, " \t");
  if (!*text || !strncmp(text, "//", 2) || !strncmp(text, "/*", 2)) return -1;
  if (reading->ranks < 0) {
    if (!number_behind(line, "num_ranks", &reading->ranks)) return fail(error, "'num_ranks' is wanted%s", ""), -2;
    return -1;
  }
  if (reading->rank < 0) {
    if (!number_behind(line, "rank", &reading->rank)) return fail(error, "'rank' is wanted, not '%.40s'", text), -2;
    if (reading->rank >= reading->ranks) return fail(error, "there is no such rank%s", ""), -2;
    return reading->rank;
  }
  int64_t rank = reading->rank;
  if (*text == '}') reading->rank = -1;
  return rank;
}

/* A rank's lines go on to its '}'. */
static size_t inside(void *state, const char *text, size_t size) {
  const struct reading *reading = state;
  if (reading->rank < 0) return 0;
  const char *brace = memchr(text, '}', size);
  const char *end = memrchr(text, '\n', brace ? (size_t)(brace - text) : size);
  return end ? (size_t)(end + 1 - text) : 0;
}

static void trace_close(struct program_source *source) {
  struct trace *trace = (struct trace *)source;
  for (uint32_t i = 0; trace->ranks && i < source->ranks; i++) {
    struct rank *rank = &trace->ranks[i];
    labels_free(rank);
    free(rank->operations);
    free(rank->edges);
    free(rank->ready);
    free(rank->sorted);
    free(rank->under_way);
    free(rank->operation_of);
    free(rank->free);
  }
  free(trace->ranks);
  rank_lines_close(trace->lines);
  free(trace);
}

static bool trace_recognise(const char *path, const char *head, size_t size) {
  (void)path;
  const char *at = head;
  while (at < head + size && (strspn(at, " \t\r\n") || !strncmp(at, "//", 2) || !strncmp(at, "/*", 2)))
    at += strspn(at, " \t\r\n") ? strspn(at, " \t\r\n") : strcspn(at, "\n");
  return !strncmp(at, "num_ranks", 9);
}

static struct program_source *trace_open(const char *path, struct program_error *error) {
  struct reading reading = {-1, -1};
  struct rank_lines *lines = rank_lines_open(path, rank_of, inside, &reading, error);
  if (!lines) return NULL;
  struct trace *trace = calloc(1, sizeof *trace);
  if (reading.rank >= 0)
    snprintf(error->text, sizeof error->text, "%.60s: rank %lld ends without '}': the trace is cut off",
             file_name(path), (long long)reading.rank);
  else if (reading.ranks < 1 || reading.ranks > RANKS_MOST || reading.ranks > rank_lines_ranks(lines))
    snprintf(error->text, sizeof error->text, "%.60s: it says %lld ranks, and has %u", file_name(path),
             (long long)reading.ranks, rank_lines_ranks(lines));
  else if (!trace || !(trace->ranks = calloc((size_t)reading.ranks, sizeof *trace->ranks)))
    snprintf(error->text, sizeof error->text, "there is no memory for so many ranks");
  if (*error->text) {
    free(trace);
    rank_lines_close(lines);
    return NULL;
  }
  trace->base = (struct program_source){&goal_source, (uint32_t)reading.ranks};
  trace->lines = lines;
  return &trace->base;
}

const struct program_source_kind goal_source = {
    .name = "schedule in GOAL",
    .recognise = trace_recognise,
    .open = trace_open,
    .next = trace_next,
    .place = trace_place,
    .close = trace_close,
};
