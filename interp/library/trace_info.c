/* What a trace of a program holds, as a report: its operations and messages, and what its ranks spent their time
 * for. */
#include "interp/library/handle.h"
#include "interp/library/trace_info.h"
#include "interp/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST_MATRIX = 16 }; /* ranks, for people */

struct info_given {
  const char *path;
  struct program_source *source;
  struct profile profile;
  const struct psl_report_options *options;
  psl_write *write;
  void *user;
};

static void put_facts(struct report *report, const struct info_given *given) {
  const struct profile *p = &given->profile;
  double computed = 0, most = 0;
  uint32_t rank = 0;
  const char *whole = p->cut ? arena_printf(report->arena, "no, %u of its ranks %s cut off: %s", p->cut,
                                            p->cut == 1 ? "is" : "are", p->first.text)
                             : "yes";
  for (uint32_t r = 0; r < p->ranks; r++) {
    computed += p->computed[r] / p->ranks;
    if (p->computed[r] > most) most = p->computed[rank = r];
  }
  report_fact(report, &(struct report_fact){"trace", "trace"}, cell_word(given->path));
  report_fact(report, &(struct report_fact){"format", "format"}, cell_word(given->source->kind->name));
  report_fact(report, &(struct report_fact){"complete", "complete"}, cell_shown(cell_flag(!p->cut), whole));
  report_fact(report, &(struct report_fact){"ranks", "ranks", NULL, FIGURE_COUNT}, cell_count(given->source->ranks));
  report_fact(report, &(struct report_fact){"operations", "operations", NULL, FIGURE_COUNT}, cell_count(p->operations));
  report_fact(report, &(struct report_fact){"messages", "messages", NULL, FIGURE_COUNT}, cell_count(p->messages));
  report_fact(report, &(struct report_fact){"bytes", NULL, ", ", FIGURE_DATA, "byte"}, cell_real(p->message_bytes));
  report_fact(report, &(struct report_fact){"compute", "computing", NULL, FIGURE_TIME, "s"}, cell_real(computed));
  report_fact(report, &(struct report_fact){"compute_most", NULL, " a rank, at most ", FIGURE_TIME, "s"},
              cell_real(most));
  report_fact(report, &(struct report_fact){"compute_rank", NULL, " on rank ", FIGURE_COUNT}, cell_count(rank));
  if (most > 0)
    report_fact(report, &(struct report_fact){"load_balance", "load balance", NULL, FIGURE_PART},
                cell_real(computed / most));
}

static void put_kinds(struct report *report, const struct profile *p) {
  static const struct report_column columns[] = {
      {"kind", "", .names = true},
      {"count", "number", FIGURE_COUNT},
      {"bytes", "bytes", FIGURE_DATA, "byte"},
      {"time", "time", FIGURE_TIME, "s"},
  };
  static const struct report_section section = {
      .key = "kinds", .title = "operations by kind, all ranks together", REPORT_COLUMNS(columns), .main = true};
  report_section(report, &section);
  for (int k = 0; k < PROGRAM_KINDS; k++) {
    if (!p->kinds[k].count) continue;
    report_row(report, (struct report_cell[]){
                           cell_word(program_kinds[k].name),
                           cell_count(p->kinds[k].count),
                           p->kinds[k].bytes > 0 ? cell_real(p->kinds[k].bytes) : cell_none(),
                           p->kinds[k].seconds > 0 ? cell_real(p->kinds[k].seconds) : cell_none(),
                       });
  }
  report_end(report);
}

static void put_regions(struct report *report, const struct profile *p) {
  static const struct report_column columns[] = {
      {"name", "", .names = true},        {"place", "", .audience = FOR_PEOPLE, .optional = true},
      {"file", .audience = FOR_PROGRAMS}, {"line", NULL, FIGURE_COUNT, NULL, FOR_PROGRAMS},
      {"times", "times", FIGURE_COUNT},   {"time", "time", FIGURE_TIME, "s"},
  };
  static const struct report_section section = {
      .key = "regions", .title = "regions, all ranks together", REPORT_COLUMNS(columns)};
  uint32_t regions = history_regions(p->history);
  if (!regions) return;
  report_section(report, &section);
  for (uint32_t k = 1; k <= regions; k++) {
    const struct history_region *region = history_region(p->history, k);
    const char *place =
        region->file && region->line ? arena_printf(report->arena, "%s:%u", region->file, region->line) : region->file;
    report_row(report, (struct report_cell[]){
                           cell_word(region->name ? region->name : "?"),
                           cell_word(place),
                           cell_word(region->file),
                           region->line ? cell_count(region->line) : cell_none(),
                           cell_count(region->times),
                           cell_real(region->seconds),
                       });
  }
  report_end(report);
}

/* ---- what time was spent for ---- */

static double spent_of(const struct profile *p, uint32_t rank, int spent) {
  return p->spent[rank * SPENT_KINDS + spent];
}

enum { COMMUNICATING = 1 << SPENT_TRANSFER | 1 << SPENT_WAIT | 1 << SPENT_COLLECTIVE };

/* Of several kinds together: what ranks spend in the mean, and the one that spends most. */
static void put_spent(struct report *report, const struct profile *p, struct report_cell name, unsigned kinds) {
  double mean = 0, most = -1;
  uint32_t slowest = 0;
  for (uint32_t rank = 0; rank < p->ranks; rank++) {
    double seconds = 0;
    for (int spent = 0; spent < SPENT_KINDS; spent++)
      if (kinds >> spent & 1) seconds += spent_of(p, rank, spent);
    mean += seconds / p->ranks;
    if (seconds > most) most = seconds, slowest = rank;
  }
  struct report_cell share = cell_real(mean / p->end);
  report_row(report, (struct report_cell[]){name, cell_real(mean), share, share, cell_real(most), cell_count(slowest)});
}

static void put_time(struct report *report, const struct profile *p) {
  static const struct report_column columns[] = {
      {"kind", "", .names = true},        {"mean", "mean", FIGURE_TIME, "s"},
      {"share", "", FIGURE_SHARE},        {"bar", "", FIGURE_BAR, .audience = FOR_PEOPLE},
      {"most", "most", FIGURE_TIME, "s"}, {"rank", "on rank", FIGURE_COUNT},
  };
  static const struct report_section section = {
      .key = "spent", .title = "what time is spent for, mean of the ranks", REPORT_COLUMNS(columns)};
  if (!history_timed(p->history) || !(p->end > 0)) return;
  report_section(report, &section);
  put_spent(report, p, cell_word("compute"), 1u << SPENT_COMPUTE);
  put_spent(report, p, cell_word("communication"), COMMUNICATING);
  for (int spent = 0; spent < SPENT_KINDS; spent++)
    if (COMMUNICATING >> spent & 1)
      put_spent(report, p,
                cell_shown(cell_word(spent_names[spent]), arena_printf(report->arena, "  %s", spent_names[spent])),
                1u << spent);
  put_spent(report, p, cell_word("lost"), 1u << SPENT_LOST);
  put_spent(report, p, cell_word("other"), 1u << SPENT_OTHER);
  report_end(report);
}

#define SPENT_COLUMNS                                                                 \
  {"compute", "compute", FIGURE_TIME, "s"}, {"lost", "lost", FIGURE_TIME, "s"},       \
      {"transfer", "transfer", FIGURE_TIME, "s"}, {"wait", "wait", FIGURE_TIME, "s"}, \
      {"collective", "collective", FIGURE_TIME, "s"}, {                               \
    "other", "other", FIGURE_TIME, "s"                                                \
  }

static void put_ranks(struct report *report, const struct profile *p) {
  static const struct report_column columns[] = {
      {"rank", "rank", FIGURE_COUNT, .names = true}, SPENT_COLUMNS, {"end", "end", FIGURE_TIME, "s"}};
  static const struct report_section section = {.key = "ranks", .title = "by rank", REPORT_COLUMNS(columns)};
  report_section(report, &section);
  for (uint32_t rank = 0; rank < p->ranks; rank++) {
    struct report_cell cells[SPENT_KINDS + 2] = {cell_count(rank)};
    for (int spent = 0; spent < SPENT_KINDS; spent++)
      cells[1 + spent] = cell_real(spent_of(p, rank, spent));
    cells[1 + SPENT_KINDS] = cell_real(history_end(p->history, rank));
    report_row(report, cells);
  }
  report_end(report);
}

/* Time counts for the innermost region. */
static void put_region_ranks(struct report *report, const struct profile *p) {
  static const struct report_column columns[] = {
      {"region", "region", .names = true, .once = true}, {"rank", "rank", FIGURE_COUNT, .names = true}, SPENT_COLUMNS};
  static const struct report_section section = {
      .key = "region_ranks", .title = "by region and rank, without the regions inside", REPORT_COLUMNS(columns)};
  uint32_t regions = history_regions(p->history) + 1;
  if (regions == 1) return;
  double *seconds = ARENA_ARRAY(report->arena, double, (size_t)regions * p->ranks * SPENT_KINDS);
  bool *some = ARENA_ARRAY(report->arena, bool, (size_t)regions * p->ranks);
  memset(seconds, 0, (size_t)regions * p->ranks * SPENT_KINDS * sizeof *seconds);
  memset(some, 0, (size_t)regions * p->ranks * sizeof *some);
  for (size_t k = 0; k < p->row_count; k++) {
    const struct profile_key *key = &p->rows[k].key;
    size_t at = (size_t)key->region * p->ranks + key->rank;
    seconds[at * SPENT_KINDS + key->spent] += (double)p->rows[k].seconds.count * p->rows[k].seconds.mean;
    some[at] |= p->rows[k].seconds.mean > 0;
  }
  report_section(report, &section);
  for (size_t at = 0; at < (size_t)regions * p->ranks; at++) {
    struct report_cell cells[SPENT_KINDS + 2];
    uint32_t region = (uint32_t)(at / p->ranks);
    if (!some[at]) continue;
    const char *name = region ? history_region(p->history, region)->name : "outside of regions";
    cells[0] = cell_word(name ? name : "?");
    cells[1] = cell_count(at % p->ranks);
    for (int spent = 0; spent < SPENT_KINDS; spent++)
      cells[2 + spent] = cell_real(seconds[at * SPENT_KINDS + spent]);
    report_row(report, cells);
  }
  report_end(report);
}

/* ---- messages ---- */

/* Time is that of messages for which the receiver has waited from their beginning on. */
static void put_sizes(struct report *report, const struct profile *p) {
  static const struct report_column columns[] = {
      {"up_to", "up to", FIGURE_DATA, "byte", .names = true},
      {"count", "number", FIGURE_COUNT},
      {"bytes", "bytes", FIGURE_DATA, "byte"},
      {"share", "", FIGURE_SHARE},
      {"time", "mean time", FIGURE_TIME, "s", .optional = true},
  };
  static const struct report_section section = {.key = "sizes", .title = "messages by size", REPORT_COLUMNS(columns)};
  if (!p->messages) return;
  report_section(report, &section);
  for (int k = 0; k < SIZE_CLASSES; k++) {
    const struct profile_size *size = &p->sizes[k];
    if (!size->count) continue;
    bool timed = history_timed(p->history) && size->awaited;
    double up_to = k ? ldexp(1, k - 1) : 0;
    struct text shown = {.arena = report->arena};
    report_binary(&shown, up_to);
    report_row(report, (struct report_cell[]){
                           cell_shown(cell_real(up_to), shown.data),
                           cell_count(size->count),
                           cell_real(size->bytes),
                           cell_real(p->message_bytes > 0 ? size->bytes / p->message_bytes : NAN),
                           timed ? cell_real(size->seconds / (double)size->awaited) : cell_none(),
                       });
  }
  report_end(report);
}

static int by_ranks(const void *left, const void *right) {
  const struct profile_pair *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

static void put_pairs(struct report *report, const struct profile *p) {
  static const struct report_column columns[] = {
      {"from", "from", FIGURE_COUNT, .names = true, .once = true},
      {"to", "to", FIGURE_COUNT, .names = true},
      {"count", "number", FIGURE_COUNT},
      {"bytes", "bytes", FIGURE_DATA, "byte"},
  };
  const struct report_section section = {.key = "pairs",
                                         .title = "messages from rank to rank",
                                         REPORT_COLUMNS(columns),
                                         .audience = p->ranks > WIDEST_MATRIX ? FOR_ALL : FOR_PROGRAMS};
  report_section(report, &section);
  for (size_t k = 0; k < p->pair_count; k++)
    report_row(report, (struct report_cell[]){cell_count(p->pairs[k].from), cell_count(p->pairs[k].to),
                                              cell_count(p->pairs[k].count), cell_real(p->pairs[k].bytes)});
  report_end(report);
}

/* Senders are rows, receivers columns: bytes. */
static void put_matrix(struct report *report, const struct profile *p) {
  struct report_column columns[WIDEST_MATRIX + 1] = {{"from", "from \\ to", FIGURE_COUNT, .names = true}};
  struct report_cell cells[WIDEST_MATRIX + 1];
  const struct report_section section = {.key = "matrix",
                                         .title = "bytes of messages, from rank to rank",
                                         .columns = columns,
                                         .column_count = p->ranks + 1,
                                         .audience = FOR_PEOPLE};
  if (p->ranks > WIDEST_MATRIX || !report->renderer->people) return;
  for (uint32_t rank = 0; rank < p->ranks; rank++) {
    const char *name = arena_printf(report->arena, "%u", rank);
    columns[rank + 1] = (struct report_column){name, name, FIGURE_DATA, "byte"};
  }
  report_section(report, &section);
  const struct profile_pair *pair = p->pairs, *end = pair + p->pair_count;
  for (uint32_t from = 0; from < p->ranks; from++) {
    cells[0] = cell_count(from);
    for (uint32_t to = 0; to < p->ranks; to++)
      cells[to + 1] = pair < end && pair->from == from && pair->to == to ? cell_real(pair++->bytes) : cell_none();
    report_row(report, cells);
  }
  report_end(report);
}

static void put_counters(struct report *report, const struct profile *p) {
  static const struct report_column columns[] = {
      {"name", "", .names = true},
      {"bursts", "bursts", FIGURE_COUNT},
      {"count", "count", FIGURE_NUMBER},
      {"rate", "a second", FIGURE_RATE, "s^-1"},
      {"most", "most", FIGURE_NUMBER},
      {"rank", "on rank", FIGURE_COUNT},
      {"in_calls", "in calls", FIGURE_NUMBER, .optional = true},
  };
  static const struct report_section section = {
      .key = "counters", .title = "counters of the processor, in bursts of computing", REPORT_COLUMNS(columns)};
  if (!p->counter_count) return;
  report_section(report, &section);
  for (uint32_t k = 0; k < p->counter_count; k++) {
    const struct profile_counter *counter = &p->counters[k];
    uint32_t most = 0;
    for (uint32_t rank = 1; rank < p->ranks; rank++)
      if (counter->by_rank[rank] > counter->by_rank[most]) most = rank;
    report_row(report, (struct report_cell[]){
                           cell_word(counter->name),
                           cell_count(counter->bursts),
                           cell_real(counter->count),
                           counter->seconds > 0 ? cell_real(counter->count / counter->seconds) : cell_none(),
                           cell_real(counter->by_rank[most]),
                           cell_count(most),
                           counter->in_calls > 0 ? cell_real(counter->in_calls) : cell_none(),
                       });
  }
  report_end(report);
}

void trace_put_operations(struct report *report, const struct profile *p) {
  put_kinds(report, p);
  put_counters(report, p);
  put_regions(report, p);
}

void trace_put_time(struct report *report, const struct profile *p, bool by_rank) {
  put_time(report, p);
  if (by_rank) put_ranks(report, p);
  if (by_rank) put_region_ranks(report, p);
}

void trace_put_messages(struct report *report, const struct profile *p, bool by_rank) {
  put_sizes(report, p);
  if (!by_rank || !p->messages) return;
  qsort(p->pairs, p->pair_count, sizeof *p->pairs, by_ranks);
  put_pairs(report, p);
  put_matrix(report, p);
}

/* ---- the entry ---- */

static enum psl_code fail(struct psl *psl, const char *text) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s", text);
  return PSL_WRONG;
}

static enum psl_code work_info(struct psl *psl, void *arguments) {
  struct info_given *given = arguments;
  struct program_error error;
  struct report report;
  given->source = trace_source_open(given->path, &error);
  if (!given->source) return fail(psl, error.text);
  if (!profile_make(given->source, &given->profile, NULL, &error)) return fail(psl, error.text);
  enum psl_format format = given->options->format;
  report_open(&report, format, psl->columns, &psl->work, given->write, given->user);
  report.single = format_is_lines(format);
  put_facts(&report, given);
  trace_put_operations(&report, &given->profile);
  trace_put_time(&report, &given->profile, given->options->by_rank);
  trace_put_messages(&report, &given->profile, given->options->by_rank);
  report_close(&report);
  return PSL_OK;
}

enum psl_code psl_trace_info(struct psl *psl, const char *path, const struct psl_report_options *options,
                             psl_write *write, void *user) {
  struct info_given given = {.path = path, .options = options, .write = write, .user = user};
  enum psl_code code = handle_enter(psl, work_info, &given);
  profile_free(&given.profile);
  if (given.source) given.source->kind->close(given.source);
  return code;
}
