/* Time-independent traces of SimGrid: lines `RANK ACTION …`, of all ranks in one file, or in a file for each, which a
 * file of their names lists. What actions and their words mean is what SMPI's replay takes (SimGrid 3.32): sizes count
 * elements of datatypes, which are numbered; roots and datatypes may be left out at the end. */
#include "evaluators/programs/rank_lines.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pending { /* a request that nobody has waited for */
  int32_t source, destination, tag;
  int32_t number; /* -1: it has been waited for */
};

struct rank {              /* what its lines so far have left */
  struct pending *pending; /* in their order, from `oldest` on; `live` of them */
  uint32_t oldest, pending_count, pending_capacity, live;
  int32_t *free_numbers; /* as many as pending_capacity, as those below */
  uint32_t free_count, number_count;
  int64_t *requests; /* of the operation in hand */
  double *parts;     /* likewise: sent, then received, to and from each rank */
  double reduction;  /* flops that come behind the operation in hand */
  uint8_t element;   /* bytes, where no datatype is given */
  bool begun, ended;
};

struct trace {
  struct program_source base;
  struct rank_lines *lines;
  struct rank *ranks;
};

/* By the number of an MPI datatype: DOUBLE, INT, CHAR, SHORT, LONG, FLOAT, BYTE, LONG_LONG, SIGNED_CHAR, UNSIGNED_CHAR,
 * UNSIGNED_SHORT, UNSIGNED, UNSIGNED_LONG, UNSIGNED_LONG_LONG, LONG_DOUBLE, WCHAR, C_BOOL, INT8_T to INT64_T. */
static const uint8_t datatype_bytes[] = {8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8};

/* ---- words of the line in hand ---- */

struct words {
  struct trace *trace;
  struct rank *rank;
  uint32_t number; /* the rank's */
  char *rest;
  const char *action;
  struct program_operation *out;
  struct program_error *error;
};

static bool wrong(struct words *words, const char *what, const char *word) {
  if (word)
    snprintf(words->error->text, sizeof words->error->text, "%s: '%.40s' is no %s", words->action, word, what);
  else
    snprintf(words->error->text, sizeof words->error->text, "%s: there is no %s", words->action, what);
  return false;
}

static bool take_integer(struct words *words, const char *what, int64_t least, int64_t most, int32_t *out) {
  int64_t value;
  char *word = word_next(&words->rest);
  if (!word || !word_integer(word, least, most, &value)) return wrong(words, what, word);
  *out = (int32_t)value;
  return true;
}

/* One that has no line is that of a trace that was cut off, or of which a part is missing. */
static bool take_rank(struct words *words, const char *what, int64_t least, int32_t *out) {
  if (!take_integer(words, what, least, INT32_MAX, out)) return false;
  if (*out < (int64_t)words->trace->base.ranks) return true;
  snprintf(words->error->text, sizeof words->error->text, "%s: rank %d has no line in this trace", words->action, *out);
  return false;
}

static bool take_amount(struct words *words, const char *what, double *out) {
  char *word = word_next(&words->rest);
  return (word && word_amount(word, out)) || wrong(words, what, word);
}

/* What may be left out: the end of the line is fine. */
static bool at_end(struct words *words) { return !words->rest[strspn(words->rest, " \t")]; }

static bool take_root(struct words *words) { return at_end(words) || take_rank(words, "rank", 0, &words->out->root); }

static bool take_datatype(struct words *words, double *bytes) {
  int32_t number;
  *bytes = words->rank->element;
  if (at_end(words)) return true;
  if (!take_integer(words, "number of a datatype", 0, (int64_t)sizeof datatype_bytes - 1, &number)) return false;
  *bytes = datatype_bytes[number];
  return true;
}

/* The datatypes of what is sent and, where the action has two, of what is received: counts become bytes. */
static bool take_datatypes(struct words *words, bool two) {
  double sent, received;
  if (!take_datatype(words, &sent)) return false;
  received = sent;
  if (two && !at_end(words) && !take_datatype(words, &received)) return false;
  struct program_operation *out = words->out;
  out->bytes *= sent;
  out->received *= received;
  for (uint32_t i = 0; i < out->part_count; i++) {
    if (out->parts) ((double *)out->parts)[i] *= sent;
    if (out->received_parts) ((double *)out->received_parts)[i] *= received;
  }
  return true;
}

/* A count for each rank; their sum. */
static bool take_parts(struct words *words, bool received) {
  uint32_t ranks = words->trace->base.ranks;
  struct rank *rank = words->rank;
  if (!rank->parts && !(rank->parts = calloc(2 * (size_t)ranks, sizeof *rank->parts)))
    return wrong(words, "memory for so many counts", NULL);
  double *parts = rank->parts + received * ranks, sum = 0;
  for (uint32_t i = 0; i < ranks; i++) {
    if (!take_amount(words, "count for each rank", &parts[i])) return false;
    sum += parts[i];
  }
  words->out->part_count = ranks;
  if (received) {
    words->out->received_parts = parts;
    words->out->received = sum;
  } else {
    words->out->parts = parts;
    words->out->bytes = sum;
  }
  return true;
}

/* ---- requests ---- */

static bool pending_grow(struct rank *rank) {
  uint32_t capacity = rank->pending_capacity ? 2 * rank->pending_capacity : 16;
  struct pending *pending = realloc(rank->pending, capacity * sizeof *pending);
  if (pending) rank->pending = pending;
  int32_t *numbers = realloc(rank->free_numbers, capacity * sizeof *numbers);
  if (numbers) rank->free_numbers = numbers;
  int64_t *requests = realloc(rank->requests, capacity * sizeof *requests);
  if (requests) rank->requests = requests;
  if (!pending || !numbers || !requests) return false;
  rank->pending_capacity = capacity;
  return true;
}

/* Those that are pending move together. */
static void pending_compact(struct rank *rank) {
  uint32_t to = 0;
  for (uint32_t at = rank->oldest; at < rank->pending_count; at++)
    if (rank->pending[at].number >= 0) rank->pending[to++] = rank->pending[at];
  rank->oldest = 0;
  rank->pending_count = to;
}

static bool start_request(struct words *words, int32_t source, int32_t destination, int32_t tag) {
  struct rank *rank = words->rank;
  if (rank->pending_count == rank->pending_capacity && 2 * rank->live < rank->pending_capacity) pending_compact(rank);
  if (rank->pending_count == rank->pending_capacity && !pending_grow(rank))
    return wrong(words, "memory for so many requests", NULL);
  int32_t number = rank->free_count ? rank->free_numbers[--rank->free_count] : (int32_t)rank->number_count++;
  words->out->request = number;
  rank->pending[rank->pending_count++] = (struct pending){source, destination, tag, number};
  rank->live++;
  return true;
}

static void request_take(struct rank *rank, uint32_t at) {
  rank->free_numbers[rank->free_count++] = rank->pending[at].number;
  rank->pending[at].number = -1;
  rank->live--;
  while (rank->oldest < rank->pending_count && rank->pending[rank->oldest].number < 0)
    rank->oldest++;
}

/* The oldest request of that source, destination and tag; a test leaves it where it is. */
static bool find_request(struct words *words, bool take) {
  struct program_operation *out = words->out;
  struct rank *rank = words->rank;
  int32_t source, destination, tag;
  if (!take_rank(words, "rank", PROGRAM_ANY, &source) || !take_rank(words, "rank", PROGRAM_ANY, &destination) ||
      !take_integer(words, "tag", PROGRAM_ANY, INT32_MAX, &tag))
    return false;
  uint32_t at = rank->oldest;
  while (at < rank->pending_count && !(rank->pending[at].number >= 0 && rank->pending[at].source == source &&
                                       rank->pending[at].destination == destination && rank->pending[at].tag == tag))
    at++;
  if (at == rank->pending_count) return true; /* a test of the traced run found it done: there is nothing to wait for */
  rank->requests[out->request_count++] = rank->pending[at].number;
  out->requests = rank->requests;
  if (take) request_take(rank, at);
  return true;
}

static void take_requests(struct words *words) {
  struct rank *rank = words->rank;
  for (uint32_t at = rank->oldest; at < rank->pending_count; at++)
    if (rank->pending[at].number >= 0) rank->requests[words->out->request_count++] = rank->pending[at].number;
  words->out->requests = rank->requests;
  rank->live = rank->oldest = rank->pending_count = rank->free_count = rank->number_count = 0;
}

/* ---- actions ---- */

static bool act_init(struct words *words) {
  words->rank->begun = true;
  words->rank->element = at_end(words) ? 1 : 8; /* a word behind it: sizes are of doubles, else of bytes */
  while (word_next(&words->rest))
    ;
  return true;
}

static bool act_finalize(struct words *words) { return words->rank->ended = true; }

static bool act_compute(struct words *words) {
  words->out->unit = UNIT_FLOPS;
  return take_amount(words, "number of flops", &words->out->work);
}

static bool act_sleep(struct words *words) { return take_amount(words, "time", &words->out->work); }

static bool act_send(struct words *words) {
  struct program_operation *out = words->out;
  return take_rank(words, "rank", 0, &out->destination) && take_integer(words, "tag", 0, INT32_MAX, &out->tag) &&
         take_amount(words, "size", &out->bytes) && take_datatypes(words, false);
}

static bool act_recv(struct words *words) {
  struct program_operation *out = words->out;
  return take_rank(words, "rank", PROGRAM_ANY, &out->source) &&
         take_integer(words, "tag", PROGRAM_ANY, INT32_MAX, &out->source_tag) &&
         take_amount(words, "size", &out->received) && take_datatypes(words, false);
}

static bool act_isend(struct words *words) {
  return act_send(words) && start_request(words, (int32_t)words->number, words->out->destination, words->out->tag);
}

static bool act_irecv(struct words *words) {
  return act_recv(words) && start_request(words, words->out->source, (int32_t)words->number, words->out->source_tag);
}

static bool act_wait(struct words *words) { return find_request(words, true); }
static bool act_test(struct words *words) { return find_request(words, false); }

static bool act_waitall(struct words *words) {
  take_requests(words);
  return true;
}

static bool act_nothing(struct words *words) {
  (void)words;
  return true;
}

static bool act_skipped(struct words *words) {
  while (word_next(&words->rest))
    ;
  return true;
}

static bool act_bcast(struct words *words) {
  return take_amount(words, "size", &words->out->bytes) && take_root(words) && take_datatypes(words, false);
}

static bool act_allreduce(struct words *words) {
  return take_amount(words, "size", &words->out->bytes) &&
         take_amount(words, "number of flops", &words->rank->reduction) && take_datatypes(words, false);
}

static bool act_reduce(struct words *words) {
  return take_amount(words, "size", &words->out->bytes) &&
         take_amount(words, "number of flops", &words->rank->reduction) && take_root(words) &&
         take_datatypes(words, false);
}

static bool act_alltoall(struct words *words) {
  return take_amount(words, "size", &words->out->bytes) && take_amount(words, "size", &words->out->received) &&
         take_datatypes(words, true);
}

static bool act_gather(struct words *words) {
  return take_amount(words, "size", &words->out->bytes) && take_amount(words, "size", &words->out->received) &&
         take_root(words) && take_datatypes(words, true);
}

static bool act_gatherv(struct words *words) {
  return take_amount(words, "size", &words->out->bytes) && take_parts(words, true) && take_root(words) &&
         take_datatypes(words, true);
}

static bool act_allgatherv(struct words *words) {
  return take_amount(words, "size", &words->out->bytes) && take_parts(words, true) && take_datatypes(words, true);
}

static bool act_scatterv(struct words *words) {
  return take_parts(words, false) && take_amount(words, "size", &words->out->received) && take_root(words) &&
         take_datatypes(words, true);
}

static bool act_alltoallv(struct words *words) {
  double buffer; /* of all that is sent, and received: nothing goes by it */
  return take_amount(words, "size", &buffer) && take_parts(words, false) && take_amount(words, "size", &buffer) &&
         take_parts(words, true) && take_datatypes(words, true);
}

static bool act_reducescatter(struct words *words) {
  if (!take_parts(words, true) || !take_amount(words, "number of flops", &words->rank->reduction) ||
      !take_datatypes(words, true))
    return false;
  words->out->bytes = words->out->received;
  return true;
}

enum { NO_OPERATION = -1 };
static const struct action {
  const char *name;
  int kind;
  bool (*act)(struct words *words);
} actions[] = {
    {"compute", PROGRAM_COMPUTE, act_compute},
    {"send", PROGRAM_SEND, act_send},
    {"recv", PROGRAM_RECV, act_recv},
    {"isend", PROGRAM_ISEND, act_isend},
    {"irecv", PROGRAM_IRECV, act_irecv},
    {"wait", PROGRAM_WAIT, act_wait},
    {"waitall", PROGRAM_WAITALL, act_waitall},
    {"waitAll", PROGRAM_WAITALL, act_waitall},
    {"test", PROGRAM_TEST, act_test},
    {"allreduce", PROGRAM_ALLREDUCE, act_allreduce},
    {"reduce", PROGRAM_REDUCE, act_reduce},
    {"bcast", PROGRAM_BCAST, act_bcast},
    {"barrier", PROGRAM_BARRIER, act_nothing},
    {"alltoall", PROGRAM_ALLTOALL, act_alltoall},
    {"alltoallv", PROGRAM_ALLTOALLV, act_alltoallv},
    {"allgather", PROGRAM_ALLGATHER, act_alltoall},
    {"allgatherv", PROGRAM_ALLGATHERV, act_allgatherv},
    {"gather", PROGRAM_GATHER, act_gather},
    {"gatherv", PROGRAM_GATHERV, act_gatherv},
    {"scatter", PROGRAM_SCATTER, act_gather},
    {"scatterv", PROGRAM_SCATTERV, act_scatterv},
    {"reducescatter", PROGRAM_REDUCE_SCATTER, act_reducescatter},
    {"scan", PROGRAM_SCAN, act_allreduce},
    {"exscan", PROGRAM_EXSCAN, act_allreduce},
    {"sleep", PROGRAM_COMPUTE, act_sleep},
    {"init", PROGRAM_INIT, act_init},
    {"finalize", PROGRAM_FINALIZE, act_finalize},
    {"location", NO_OPERATION, act_skipped},
    {"comm_size", NO_OPERATION, act_skipped},
    {"comm_split", NO_OPERATION, act_skipped}, /* of actions that follow none says its communicator */
    {"comm_dup", NO_OPERATION, act_skipped},
};

static const struct action *action_named(const char *name) {
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
    if (strcmp(actions[i].name, name) == 0) return &actions[i];
  return NULL;
}

/* ---- lines ---- */

/* `3 send`, or `p3 send` as older traces have it. */
static bool read_rank(const char *word, int64_t *rank) {
  return word_integer(word + (*word == 'p'), 0, INT64_MAX / 16, rank);
}

static bool is_comment(const char *line) {
  line += strspn(line, " \t");
  return !*line || *line == '#';
}

static int64_t rank_of(void *state, const char *line, struct program_error *error) {
  char word[24];
  int64_t rank;
  (void)state;
  if (is_comment(line)) return -1;
  line += strspn(line, " \t");
  snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " \t"), line);
  if (read_rank(word, &rank)) return rank;
  snprintf(error->text, sizeof error->text, "'%s' is no rank", word);
  return -2;
}

static enum program_next line_read(struct words *words, char *line, int *kind) {
  char *word = (words->rest = line, word_next(&words->rest));
  int64_t number;
  words->action = "the line";
  if (!read_rank(word, &number) || number != words->number)
    return wrong(words, "line of this rank", word), PROGRAM_FAILED;
  words->action = word_next(&words->rest);
  const struct action *action = words->action ? action_named(words->action) : NULL;
  if (!action) {
    words->action = words->action ? words->action : "the line";
    snprintf(words->error->text, sizeof words->error->text, "'%.40s' is no action", words->action);
    return PROGRAM_FAILED;
  }
  *kind = action->kind;
  if (!action->act(words)) return PROGRAM_FAILED;
  if (at_end(words)) return PROGRAM_NEXT;
  snprintf(words->error->text, sizeof words->error->text, "%s: '%.40s' is a word too many", words->action,
           word_next(&words->rest));
  return PROGRAM_FAILED;
}

static enum program_next trace_next(struct program_source *source, uint32_t number, const struct program_answer *answer,
                                    struct program_operation *out, struct program_error *error) {
  struct trace *trace = (struct trace *)source;
  struct rank *rank = &trace->ranks[number];
  struct words words = {trace, rank, number, NULL, NULL, out, error};
  (void)answer;
  *out = (struct program_operation){.kind = PROGRAM_COMPUTE, .unit = UNIT_FLOPS, .work = rank->reduction};
  if (rank->reduction > 0) {
    rank->reduction = 0;
    return PROGRAM_NEXT;
  }
  for (;;) {
    char *line = rank_lines_next(trace->lines, number, error);
    if (!line && *error->text) return PROGRAM_FAILED;
    if (!line && rank->begun && !rank->ended) {
      snprintf(error->text, sizeof error->text, "rank %u ends without 'finalize': the trace is cut off", number);
      return PROGRAM_FAILED;
    }
    if (!line) return PROGRAM_LAST;
    if (is_comment(line)) continue;
    int kind;
    *out = (struct program_operation){0};
    if (line_read(&words, line, &kind) == PROGRAM_FAILED) return PROGRAM_FAILED;
    if (kind == NO_OPERATION) continue;
    out->kind = (enum program_kind)kind;
    return PROGRAM_NEXT;
  }
}

static void trace_place(const struct program_source *source, uint32_t rank, char *out, size_t size) {
  rank_lines_place(((const struct trace *)source)->lines, rank, out, size);
}

/* ---- opening ---- */

static void trace_close(struct program_source *source) {
  struct trace *trace = (struct trace *)source;
  for (uint32_t i = 0; trace->ranks && i < source->ranks; i++) {
    free(trace->ranks[i].pending);
    free(trace->ranks[i].free_numbers);
    free(trace->ranks[i].requests);
    free(trace->ranks[i].parts);
  }
  free(trace->ranks);
  rank_lines_close(trace->lines);
  free(trace);
}

/* The first line that is no comment, without its end; "" where the bytes have none. */
static const char *first_line(const char *head, size_t size, char line[512]) {
  size_t at = 0;
  while (at < size) {
    size_t length = strcspn(head + at, "\r\n");
    snprintf(line, 512, "%.*s", length < 511 ? (int)length : 511, head + at);
    if (!is_comment(line)) return line;
    at += length + 1;
  }
  return line[0] = '\0', line;
}

static bool is_action(const char *line) {
  char word[24];
  struct program_error error;
  if (rank_of(NULL, line, &error) < 0) return false;
  line += strspn(line, " \t");
  line += strcspn(line, " \t");
  line += strspn(line, " \t");
  snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " \t"), line);
  return action_named(word) != NULL;
}

/* A file beside the one of names, as a path of its own; NULL: there is none, or it stands outside of the folder. */
static char *beside(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  int length = slash ? (int)(slash - path) + 1 : 0;
  char *joined = NULL, *real = NULL, folder[PATH_MAX];
  if (asprintf(&joined, "%.*s%s", *name == '/' ? 0 : length, path, name) > 0) real = realpath(joined, NULL);
  free(joined);
  snprintf(folder, sizeof folder, "%.*s", length, path);
  if (real && strncmp(real, folder, (size_t)length) == 0 && !strstr(real + length, "/.") && real[length] != '.')
    return real;
  free(real);
  return NULL;
}

static bool trace_recognise(const char *path, const char *head, size_t size) {
  char line[512];
  if (is_action(first_line(head, size, line))) return true;
  char *file = *line && !strchr(line, ' ') ? beside(path, line) : NULL;
  FILE *first = file ? fopen(file, "re") : NULL;
  char text[512] = "";
  size_t got = first ? fread(text, 1, sizeof text - 1, first) : 0;
  if (first) fclose(first);
  free(file);
  return got && is_action(first_line(text, got, line));
}

static bool names_read(const char *path, char ***paths, uint32_t *count, struct program_error *error) {
  FILE *file = fopen(path, "re");
  char *line = NULL;
  size_t capacity = 0;
  uint64_t number = 0;
  *error->text = '\0';
  while (file && !*error->text && getline(&line, &capacity, file) > 0) {
    number++;
    line[strcspn(line, "\r\n")] = '\0';
    if (is_comment(line)) continue;
    char **grown = (*count & (*count - 1)) ? *paths : realloc(*paths, (*count ? 2 * *count : 1) * sizeof **paths);
    if (grown) *paths = grown;
    char *found = grown && *count < RANKS_MOST ? beside(path, line) : NULL;
    if (found)
      (*paths)[(*count)++] = found;
    else
      snprintf(error->text, sizeof error->text, "no file '%.60s' stands in the folder", line);
  }
  if (*error->text) error_at(error, path, number);
  if (file) fclose(file);
  free(line);
  return file && !*error->text;
}

/* Are there operations in the file, or names of files that have them? */
static bool has_actions(const char *path) {
  char text[4096], line[512];
  FILE *file = fopen(path, "re");
  size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[got] = '\0';
  if (file) fclose(file);
  return is_action(first_line(text, got, line));
}

static void names_free(char **paths, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    free(paths[i]);
  free(paths);
}

static struct rank_lines *lines_of(const char *path, struct program_error *error) {
  if (has_actions(path)) return rank_lines_open(path, rank_of, NULL, NULL, error);
  char **paths = NULL;
  uint32_t count = 0;
  if (names_read(path, &paths, &count, error) && count > 1) return rank_lines_files(paths, count, error);
  struct rank_lines *lines = count == 1 && !*error->text ? rank_lines_open(paths[0], rank_of, NULL, NULL, error) : NULL;
  names_free(paths, count);
  return lines;
}

static void trace_files(const char *path, program_take_file *take, void *user) {
  struct program_error error;
  char **paths = NULL;
  uint32_t count = 0;
  if (!has_actions(path)) names_read(path, &paths, &count, &error);
  for (uint32_t i = 0; i < count; i++)
    take(user, paths[i]);
  names_free(paths, count);
}

static struct program_source *trace_open(const char *path, struct program_error *error) {
  struct rank_lines *lines = lines_of(path, error);
  struct trace *trace = lines ? calloc(1, sizeof *trace) : NULL;
  uint32_t ranks = lines ? rank_lines_ranks(lines) : 0;
  if (trace) trace->ranks = calloc(ranks + 1, sizeof *trace->ranks);
  if (!trace || !trace->ranks) {
    if (lines) snprintf(error->text, sizeof error->text, "there is no memory for %u ranks", ranks);
    rank_lines_close(lines);
    free(trace);
    return NULL;
  }
  trace->base = (struct program_source){&time_independent_source, ranks};
  trace->lines = lines;
  for (uint32_t i = 0; i < ranks; i++)
    trace->ranks[i].element = 1;
  return &trace->base;
}

const struct program_source_kind time_independent_source = {
    .name = "time-independent trace of SimGrid",
    .recognise = trace_recognise,
    .open = trace_open,
    .files = trace_files,
    .next = trace_next,
    .place = trace_place,
    .close = trace_close,
};
