/* Writes what blocks do: a table for people, in comments, and lists of PSL. By burst the table has a row for each of
 * these, and the lists have the blocks of one burst behind those of the other. */
#include "interp/library/signature_text.h"
#include "evaluators/programs/operations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TABLE_ROWS = 20, NAME_WIDTH = 40 };

struct writing {
  struct text *out;
  struct memory_signature *signature;
  const struct signature_origin *origin;
  struct signature_block all; /* of the program */
};

static uint64_t accesses_of(const struct signature_block *block) {
  return block->counts[COUNT_LOADS] + block->counts[COUNT_STORES];
}

/* What a level has served of one kind; 0 is the first one. */
static uint64_t served(const struct writing *w, const struct signature_block *block, unsigned m, unsigned level,
                       unsigned kind) {
  const uint64_t *counts = block->counts + signature_machine(w->signature, m) + 1;
  if (level) return counts[(level - 1) * KINDS + kind];
  uint64_t rest = signature_accesses(block, kind);
  for (unsigned k = 0; k < w->signature->levels[m]; k++)
    rest -= counts[k * KINDS + kind];
  return rest;
}

/* ---- blocks ---- */

static struct signature_block empty_block(struct arena *arena, size_t width) {
  struct signature_block block = {.counts = ARENA_ARRAY(arena, uint64_t, width)};
  memset(block.counts, 0, width * sizeof *block.counts);
  return block;
}

static struct signature_block sum_of(const struct writing *w, const struct signature_burst *burst) {
  struct signature_block sum = empty_block(w->out->arena, w->signature->width);
  for (size_t k = 0; k < burst->count; k++)
    signature_add(&sum, &burst->blocks[k], w->signature->width);
  return sum;
}

/* Bursts that hardly do anything have one block. */
static void prepare(struct writing *w) {
  struct memory_signature *s = w->signature;
  struct signature_block *sums = ARENA_ARRAY(w->out->arena, struct signature_block, s->count);
  w->all = empty_block(w->out->arena, s->width);
  for (size_t b = 0; b < s->count; b++) {
    sums[b] = sum_of(w, &s->bursts[b]);
    signature_add(&w->all, &sums[b], s->width);
  }
  for (size_t b = 0; b < s->count; b++) {
    struct signature_burst *burst = &s->bursts[b];
    if (w->origin->ranks && burst->count && signature_little(&sums[b], &w->all)) {
      burst->count = 1;
      *burst->blocks = sums[b];
    }
    for (size_t k = 0; k < burst->count; k++)
      signature_locate(s, burst, &burst->blocks[k]);
  }
}

static const char *file_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path ? path : "?";
}

static const char *place_of(const struct writing *w, const struct signature_block *block) {
  struct arena *arena = w->out->arena;
  if (!block->address) return "other blocks";
  const char *file = file_name(block->file);
  const char *function = block->function ? block->function : "?";
  if (block->line) return arena_printf(arena, "%s %s:%u", function, file, block->line);
  return arena_printf(arena, "%s %s %#llx", function, file, (unsigned long long)block->address);
}

static const char *call_of(const struct writing *w, const struct signature_burst *burst, bool behind) {
  const struct program_site *site = signature_call(w->signature, burst, behind);
  uint64_t address = behind ? burst->key & UINT32_MAX : burst->key >> 32;
  if (!site) return arena_printf(w->out->arena, "%#llx", (unsigned long long)address);
  return arena_printf(w->out->arena, "%s:%u", file_name(site->file), site->line);
}

/* "rank 0, jacobi.c:20 to 23": of one file it is said once. */
static const char *burst_name(const struct writing *w, const struct signature_burst *burst) {
  const char *before = call_of(w, burst, false), *behind = call_of(w, burst, true), *colon = strchr(before, ':');
  size_t file = colon ? (size_t)(colon - before) + 1 : 0;
  if (strncmp(before, behind, file) == 0) behind += file;
  return arena_printf(w->out->arena, "rank %u, %s to %s", burst->rank, before, behind);
}

/* ---- the table ---- */

static void put_ratio(struct text *out, uint64_t part, uint64_t whole, double factor) {
  if (whole)
    text_printf(out, "  %6.2f", factor * (double)part / (double)whole);
  else
    text_put(out, "       -");
}

/* By level what it and those before it have served; and the first by which 99 % are. */
static void put_rates(const struct writing *w, const struct signature_block *block, unsigned m) {
  uint64_t whole = accesses_of(block), sum = 0;
  unsigned levels = w->signature->levels[m], place = levels;
  for (unsigned level = 0; level < levels; level++) {
    for (unsigned kind = 0; kind < KINDS; kind++)
      sum += served(w, block, m, level, kind);
    put_ratio(w->out, sum, whole, 100);
    if (place == levels && (double)sum >= 0.99 * (double)whole) place = level;
  }
  if (place == levels)
    text_put(w->out, "  memory");
  else
    text_printf(w->out, "  L%u    ", place + 1);
}

static void put_row(const struct writing *w, const struct signature_block *block, const char *name) {
  const uint64_t *counts = block->counts;
  text_put(w->out, "//");
  put_ratio(w->out, accesses_of(block), accesses_of(&w->all), 100);
  put_ratio(w->out, block->instructions, w->all.instructions, 100);
  put_ratio(w->out, block->floating, w->all.floating, 100);
  put_ratio(w->out, signature_accesses(block, MANNER_RANDOM), counts[COUNT_LOADS], 1);
  put_ratio(w->out, block->operations, accesses_of(block), 1);
  for (unsigned m = 0; m < w->signature->machines; m++)
    put_rates(w, block, m);
  text_put(w->out, "  ");
  text_line(w->out, arena_printf(w->out->arena, "%.*s", NAME_WIDTH, name));
  text_char(w->out, '\n');
}

static void put_table(const struct writing *w) {
  text_put(w->out, "//\n// Mem. %  Instr.%     FP %  random  FP/mem");
  for (unsigned m = 0; m < w->signature->machines; m++) {
    for (unsigned level = 0; level < w->signature->levels[m]; level++)
      text_printf(w->out, "    L%u %%", level + 1);
    text_printf(w->out, "  %-6.6s", w->origin->machines[m].name);
  }
  text_put(w->out, w->origin->ranks ? "  burst\n" : "  block\n");
  const struct memory_signature *s = w->signature;
  for (size_t k = 0; !w->origin->ranks && k < s->bursts->count && k < TABLE_ROWS; k++)
    put_row(w, &s->bursts->blocks[k], place_of(w, &s->bursts->blocks[k]));
  for (size_t k = 0; w->origin->ranks && k < s->count && k < TABLE_ROWS; k++) {
    struct signature_block sum = sum_of(w, &s->bursts[k]);
    put_row(w, &sum, burst_name(w, &s->bursts[k]));
  }
  put_row(w, &w->all, w->origin->ranks ? "all bursts" : "all blocks");
}

static void put_origin(const struct writing *w) {
  char date[40];
  time_t now = time(NULL);
  struct tm when;
  gmtime_r(&now, &when);
  strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &when);
  text_printf(w->out, "// The signature of %s, traced %s by psl trace --memory:\n//  ", w->origin->name, date);
  for (const char *const *word = w->origin->words; *word; word++) {
    text_char(w->out, ' ');
    text_line(w->out, *word);
  }
  text_char(w->out, '\n');
  for (unsigned m = 0; m < w->signature->machines; m++)
    text_printf(w->out, "// caches %s\n", w->origin->caches[m]);
  text_printf(w->out, "// %llu instructions, %llu loads, %llu stores, %llu floating-point operations\n",
              (unsigned long long)w->all.instructions, (unsigned long long)w->all.counts[COUNT_LOADS],
              (unsigned long long)w->all.counts[COUNT_STORES], (unsigned long long)w->all.operations);
}

/* ---- lists ---- */

static void put_number(struct text *out, uint64_t number, bool first) {
  text_printf(out, first ? "%llu" : ", %llu", (unsigned long long)number);
}

static void put_block(const struct writing *w, const struct signature_block *block) {
  const uint64_t *counts = block->counts;
  put_number(w->out, block->executions, true);
  put_number(w->out, block->instructions, false);
  put_number(w->out, counts[COUNT_LOADS], false);
  put_number(w->out, counts[COUNT_STORES], false);
  put_number(w->out, block->floating, false);
  put_number(w->out, block->operations, false);
  put_number(w->out, signature_accesses(block, MANNER_RANDOM), false);
  for (unsigned k = 0; k < STEPS; k++) {
    uint64_t both = counts[COUNT_STEPS + k] + counts[COUNT_STEPS + STEPS + k];
    if (k == STEP_FAR) both += counts[COUNT_STEPS + STEP_PAGE] + counts[COUNT_STEPS + STEPS + STEP_PAGE];
    if (k != STEP_PAGE) put_number(w->out, both, false);
  }
  put_number(w->out, counts[COUNT_FLOAT_LOADS], false);
}

static void put_served(const struct writing *w, const struct signature_block *block, unsigned m) {
  put_number(w->out, block->counts[signature_machine(w->signature, m)], true);
  for (unsigned level = 0; level <= w->signature->levels[m]; level++)
    for (unsigned kind = 0; kind < KINDS; kind++) {
      uint64_t number = served(w, block, m, level, kind);
      if (kind % MANNERS == MANNER_STRIDED) number += served(w, block, m, level, kind + 1);
      if (kind % MANNERS != MANNER_PAGED) put_number(w->out, number, false);
    }
}

static const uint64_t *chain_of(const struct signature_block *block, unsigned chain) {
  return block->counts + COUNT_CHAINS + (size_t)chain * CHAIN_COUNTS;
}

/* What takes away from a chain counts as nothing. */
static uint64_t positive(uint64_t number) { return (int64_t)number > 0 ? number : 0; }

/* How much longer the longest chain of that kind is, by kind of step. */
static void put_chain(const struct writing *w, const struct signature_block *block, unsigned chain) {
  for (unsigned k = 0; k < CHAIN_STEPS; k++)
    put_number(w->out, positive(chain_of(block, chain)[k]), !k);
}

static uint64_t chain_loads(const struct signature_block *block, unsigned chain, unsigned bin) {
  return positive(chain_of(block, chain)[CHAIN_LOADS + bin]);
}

static bool is_chain_bin_used(const struct writing *w, unsigned bin) {
  bool used = bin == CHAIN_BIN_NEVER;
  for (unsigned chain = 0; chain < CHAINS; chain++)
    used |= chain_loads(&w->all, chain, bin) > 0;
  return used;
}

/* The loads of a chain by distance, the bins that any block of the program has. */
static void put_chain_loads(const struct writing *w, const struct signature_block *block, unsigned chain) {
  bool first = true, any = false;
  for (unsigned bin = 0; bin < CHAIN_BINS; bin++)
    any |= is_chain_bin_used(w, bin) && chain_loads(block, chain, bin);
  for (unsigned bin = 0; any && bin < CHAIN_BINS; bin++) {
    if (!is_chain_bin_used(w, bin)) continue;
    put_number(w->out, chain_loads(block, chain, bin), first);
    first = false;
  }
}

/* Has the program an access of any kind whose distance is in the bin? */
static bool is_bin_used(const struct writing *w, unsigned bin) {
  const uint64_t *bins = w->all.counts + signature_distances(w->signature) + bin;
  for (unsigned kind = 0; kind < KINDS; kind++)
    if (bins[(size_t)kind * BINS]) return true;
  return false;
}

static void put_kind(const struct writing *w, const struct signature_block *block, unsigned kind) {
  const uint64_t *bins = block->counts + signature_distances(w->signature) + (size_t)kind * BINS;
  bool first = true;
  text_char(w->out, '[');
  for (unsigned bin = 0; bin <= BIN_NEVER && signature_accesses(block, kind); bin++) {
    if (bin < BIN_NEVER && !is_bin_used(w, bin)) continue;
    put_number(w->out, bins[bin], first);
    first = false;
  }
  text_char(w->out, ']');
}

static bool has_pages(const struct writing *w) {
  return signature_accesses(&w->all, MANNER_PAGED) + signature_accesses(&w->all, KIND_STORES + MANNER_PAGED) > 0;
}

/* Those of other pages each time come last, if there are any. */
static void put_distances(const struct writing *w, const struct signature_block *block, unsigned unused) {
  static const unsigned order[KINDS] = {MANNER_SEQUENTIAL,
                                        MANNER_STRIDED,
                                        MANNER_RANDOM,
                                        KIND_STORES + MANNER_SEQUENTIAL,
                                        KIND_STORES + MANNER_STRIDED,
                                        KIND_STORES + MANNER_RANDOM,
                                        MANNER_PAGED,
                                        KIND_STORES + MANNER_PAGED};
  (void)unused;
  for (unsigned k = 0; k < (has_pages(w) ? KINDS : KINDS - 2); k++) {
    if (k) text_put(w->out, ", ");
    put_kind(w, block, order[k]);
  }
}

/* A list for each block, in a list. */
static void put_lists(const struct writing *w, unsigned m,
                      void (*put)(const struct writing *, const struct signature_block *, unsigned)) {
  const struct memory_signature *s = w->signature;
  bool first = true;
  text_put(w->out, "[\n");
  for (size_t b = 0; b < s->count; b++)
    for (size_t k = 0; k < s->bursts[b].count; k++, first = false) {
      text_put(w->out, first ? "    [" : ",\n    [");
      put(w, &s->bursts[b].blocks[k], m);
      text_char(w->out, ']');
    }
  text_put(w->out, "\n  ]");
}

static void put_counts(const struct writing *w, const struct signature_block *block, unsigned unused) {
  (void)unused;
  put_block(w, block);
}

/* What each machine's caches have of something. */
static void put_caches(const struct writing *w, const char *name, uint64_t (*of)(const struct cache_level *)) {
  text_printf(w->out, "  param %s = [", name);
  for (unsigned m = 0; m < w->signature->machines; m++) {
    const struct cache_machine *machine = &w->origin->machines[m];
    for (unsigned level = 0; level < machine->levels; level++)
      text_printf(w->out, "%s%llu byte",
                  level ? ", "
                  : m   ? "], ["
                        : "[",
                  (unsigned long long)of(&machine->level[level]));
  }
  text_put(w->out, "]];\n");
}

static uint64_t size_of_level(const struct cache_level *level) { return level->size; }
static uint64_t line_of_level(const struct cache_level *level) { return level->line; }

static void put_machines(const struct writing *w) {
  text_put(w->out, "  param machines = [");
  for (unsigned m = 0; m < w->signature->machines; m++)
    text_printf(w->out, "%s%s", m ? ", " : "", w->origin->machines[m].name);
  text_put(w->out, "];\n");
  put_caches(w, "levels", size_of_level);
  put_caches(w, "lines", line_of_level);
  text_put(w->out,
           "  // By machine and block: misses of the TLB; then of each level, and of memory, sequential, strided and\n"
           "  // random loads, and such stores.\n"
           "  param served = [");
  for (unsigned m = 0; m < w->signature->machines; m++) {
    text_put(w->out, m ? ", " : "");
    put_lists(w, m, put_served);
  }
  text_put(w->out, "];\n");
}

enum { FEWEST_LINES = 64 }; /* of which nothing is said by how far they spread */

/* Two deviations, of which there is more in 5 of 100 cases; all accesses at most. */
static void put_error(const struct writing *w) {
  double accesses = (double)(w->all.counts[COUNT_LOADS] + w->all.counts[COUNT_STORES]);
  double error = accesses > 0 && w->signature->lines >= FEWEST_LINES ? 2 * sqrt(w->signature->spread) / accesses : 1;
  text_printf(
      w->out,
      "  // Of all accesses those that hit a cache of %llu lines or more are right within %.2g, for a size that is\n"
      "  // right within twice the root of %llu / its lines: in 95 of 100 cases.\n",
      w->origin->one_of, error < 1 ? error : 1, w->origin->one_of);
}

static void put_all_distances(const struct writing *w) {
  bool first = true;
  text_printf(w->out,
              "  // Of one line of %d bytes in %llu; %llu lines were seen. By block: sequential, strided and\n"
              "  // random loads, and such stores%s; behind the bins: lines not used before.\n",
              SIGNATURE_LINE, w->origin->one_of, (unsigned long long)w->signature->lines,
              has_pages(w) ? ", those of another page each time" : "");
  if (w->origin->one_of > 1) put_error(w);
  text_put(w->out, "  param distance-ends = [");
  for (unsigned bin = 0; bin < BIN_NEVER; bin++) {
    if (!is_bin_used(w, bin)) continue;
    text_printf(w->out, first ? "%llu byte" : ", %llu byte", (unsigned long long)bin_end(bin) * SIGNATURE_LINE);
    first = false;
  }
  text_put(w->out, "];\n  param distances = ");
  put_lists(w, 0, put_distances);
  text_put(w->out, ";\n");
}

static void put_branches(const struct writing *w, const struct signature_block *block, unsigned unused) {
  (void)unused;
  put_number(w->out, block->counts[COUNT_CHAINS + CHAIN_BRANCHES], true);
  put_number(w->out, block->counts[COUNT_CHAINS + CHAIN_MISPREDICTED], false);
}

static void put_chains(const struct writing *w) {
  bool first = true;
  text_printf(w->out,
              "  // The longest chain in a window of %llu instructions: integers, additions, products, fused ones,\n"
              "  // quotients, roots, loads of what was just stored, other loads.\n  param chains = ",
              w->origin->window);
  put_lists(w, CHAIN_PLAIN, put_chain);
  text_put(w->out, ";\n  // And the longest one if loads from beyond a second level take long.\n  param far-chains = ");
  put_lists(w, CHAIN_FAR, put_chain);
  text_put(w->out, ";\n  // Conditional branches, and those that are mispredicted.\n  param branches = ");
  put_lists(w, 0, put_branches);
  text_put(w->out, ";\n");
  if (!w->origin->one_of) return;
  text_put(w->out, "  // Other loads whose lines were counted, by distance; at last lines not used before.\n"
                   "  param chain-ends = [");
  for (unsigned bin = 0; bin < CHAIN_BIN_NEVER; bin++) {
    if (!is_chain_bin_used(w, bin)) continue;
    text_printf(w->out, first ? "%llu byte" : ", %llu byte", (unsigned long long)chain_bin_end(bin) * SIGNATURE_LINE);
    first = false;
  }
  text_put(w->out, "];\n  param chain-loads = ");
  put_lists(w, CHAIN_PLAIN, put_chain_loads);
  text_put(w->out, ";\n  param far-chain-loads = ");
  put_lists(w, CHAIN_FAR, put_chain_loads);
  text_put(w->out, ";\n");
}

static void put_places(const struct writing *w) {
  const struct memory_signature *s = w->signature;
  bool first = true;
  text_put(w->out, "  param places = [\n");
  for (size_t b = 0; b < s->count; b++)
    for (size_t k = 0; k < s->bursts[b].count; k++, first = false) {
      text_put(w->out, first ? "    " : ",\n    ");
      text_string(w->out, place_of(w, &s->bursts[b].blocks[k]));
    }
  text_put(w->out, "\n  ];\n");
}

static void put_bursts(const struct writing *w) {
  const struct memory_signature *s = w->signature;
  size_t place = 0;
  text_put(w->out,
           "  // Rank, places of the calls before and behind it, executions, the place of its first block below.\n"
           "  param bursts = [\n");
  for (size_t b = 0; b < s->count; place += s->bursts[b++].count)
    text_printf(w->out, "    [%u, %llu, %llu, %llu, %zu]%s  // %s\n", s->bursts[b].rank,
                (unsigned long long)s->bursts[b].key >> 32, (unsigned long long)(s->bursts[b].key & UINT32_MAX),
                (unsigned long long)s->bursts[b].times, place, b + 1 < s->count ? "," : "",
                burst_name(w, &s->bursts[b]));
  text_put(w->out, "  ];\n");
}

static void put_component(const struct writing *w) {
  text_printf(w->out, "use convolver;\n\ncomponent %s-signature like signature {\n", w->origin->name);
  if (w->origin->ranks) put_bursts(w);
  put_places(w);
  text_put(w->out, "  // Executions, instructions, loads, stores, floating-point instructions and operations, random\n"
                   "  // loads; accesses by step: 0, up to 8, 16, 32, 64 bytes, farther, random; loads to\n"
                   "  // registers of floating point.\n  param blocks = ");
  put_lists(w, 0, put_counts);
  text_put(w->out, ";\n");
  if (w->origin->window) put_chains(w);
  if (w->signature->machines) put_machines(w);
  if (w->origin->one_of) put_all_distances(w);
  text_printf(w->out, "  profile program = %s;\n}\n", w->origin->name);
}

void signature_text(struct text *out, struct memory_signature *signature, const struct signature_origin *origin) {
  struct writing w = {out, signature, origin, {0}};
  prepare(&w);
  put_origin(&w);
  put_table(&w);
  put_component(&w);
}
