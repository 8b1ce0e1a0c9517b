/* The plugin tells instructions as QEMU translates them, where one may stand in several pieces of code. Here they are
 * put in order by address, and those that follow each other and are executed equally often, without a branch between
 * them, are one basic block. Each burst of the file is read twice: for the blocks, and for what they do. */
#include "evaluators/programs/signature.h"
#include "evaluators/programs/source_lines.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One in so many accesses, instructions and floating-point operations is much enough for a block: of a program, and of
 * a burst, of which there are many. */
enum { LEAST = 1000, LEAST_OF_BURST = 100 };

struct instruction {
  uint64_t address, executions, floating, operations;
  size_t size;
  bool branch;
};

struct mapping { /* of a file */
  uint64_t begin, end;
  char *path;
};

struct signature_image { /* what stands where in a process */
  struct signature_image *next;
  struct mapping *mappings;
  size_t count, capacity;
};

struct reading {
  struct memory_signature *signature;
  struct signature_image *image;
  FILE *file;
  long begins; /* what stands behind the line of the burst */
  uint32_t rank;
  char *line;
  size_t line_size;
  struct instruction *instructions;
  size_t count, capacity;
  struct signature_block *blocks;
  size_t block_count;
  uint64_t *counts;
  bool ended, memory, replaced;
};

size_t signature_machine(const struct memory_signature *s, unsigned machine) {
  size_t at = COUNTS;
  for (unsigned m = 0; m < machine; m++)
    at += 1 + (size_t)s->levels[m] * KINDS;
  return at;
}

size_t signature_distances(const struct memory_signature *s) { return signature_machine(s, s->machines); }

uint64_t signature_accesses(const struct signature_block *block, unsigned kind) {
  static const enum step first[] = {STEP_0, STEP_FAR, STEP_PAGE, STEP_RANDOM, STEPS};
  const uint64_t *steps = block->counts + COUNT_STEPS + (kind < KIND_STORES ? 0 : STEPS);
  uint64_t sum = 0;
  for (enum step step = first[kind % MANNERS]; step < first[kind % MANNERS + 1]; step++)
    sum += steps[step];
  return sum;
}

/* ---- lines ---- */

static bool grow(void *items, size_t *capacity, size_t count, size_t size) {
  if (count < *capacity) return true;
  size_t more = *capacity ? 2 * *capacity : 64;
  void *grown = realloc(*(void **)items, more * size);
  if (!grown) return false;
  *(void **)items = grown;
  *capacity = more;
  return true;
}

static bool line_next(struct reading *r) { return getline(&r->line, &r->line_size, r->file) > 0; }

static bool add_mapping(struct reading *r) {
  unsigned long long begin, end;
  const char *path = strchr(r->line + 5, '/');
  if (!path || sscanf(r->line, "file %llx-%llx", &begin, &end) != 2) return false;
  struct signature_image *image = r->image;
  if (!grow(&image->mappings, &image->capacity, image->count, sizeof *image->mappings)) return false;
  char *copy = strndup(path, strcspn(path, "\n"));
  if (copy) image->mappings[image->count++] = (struct mapping){begin, end, copy};
  return copy != NULL;
}

static bool add_instruction(struct reading *r, uint64_t executions) {
  unsigned long long address;
  size_t size;
  unsigned floating, operations;
  int branch, vector;
  if (sscanf(r->line, "instruction %llx %zu %u %u %d %d", &address, &size, &floating, &operations, &branch, &vector) !=
      6)
    return false;
  if (!grow(&r->instructions, &r->capacity, r->count, sizeof *r->instructions)) return false;
  r->instructions[r->count++] =
      (struct instruction){address, executions, floating * executions, operations * executions, size, branch != 0};
  return true;
}

static bool is_burst(const struct reading *r) { return r->line && strncmp(r->line, "burst ", 6) == 0; }

/* The instructions of a burst, and which file stands where. It ends where another one begins, whose line is there. */
static bool read_instructions(struct reading *r) {
  unsigned long long executions = 0, lines;
  double spread;
  bool fine = true;
  if (r->line) *r->line = '\0';
  r->count = 0;
  while (fine && line_next(r) && !is_burst(r)) {
    if (!strncmp(r->line, "file ", 5))
      fine = add_mapping(r);
    else if (!strncmp(r->line, "instruction ", 12))
      fine = add_instruction(r, executions);
    else if (sscanf(r->line, "lines %llu", &lines) == 1)
      r->signature->lines += lines;
    else if (sscanf(r->line, "spread %lf", &spread) == 1)
      r->signature->spread += spread;
    else if (!strncmp(r->line, "block ", 6))
      fine = sscanf(r->line, "block %llu", &executions) == 1;
    r->ended |= !strcmp(r->line, "end\n");
    r->memory |= !strcmp(r->line, "memory\n");
    r->replaced |= !strcmp(r->line, "exec\n");
  }
  return fine;
}

/* ---- blocks ---- */

static int by_address(const void *a, const void *b) {
  const struct instruction *x = a, *y = b;
  return (x->address > y->address) - (x->address < y->address);
}

/* An instruction stands once from now on. */
static void merge_instructions(struct reading *r) {
  size_t used = 0;
  if (r->count) qsort(r->instructions, r->count, sizeof *r->instructions, by_address);
  for (size_t k = 0; k < r->count; k++) {
    const struct instruction *next = &r->instructions[k];
    struct instruction *last = used ? &r->instructions[used - 1] : NULL;
    if (!last || last->address != next->address) {
      r->instructions[used++] = *next;
      continue;
    }
    last->executions += next->executions;
    last->floating += next->floating;
    last->operations += next->operations;
  }
  r->count = used;
}

static bool begins_block(const struct instruction *all, size_t k) {
  const struct instruction *before = &all[k - 1];
  return before->branch || before->address + before->size != all[k].address || before->executions != all[k].executions;
}

static bool make_blocks(struct reading *r) {
  size_t width = r->signature->width;
  r->block_count = 0;
  r->blocks = calloc(r->count + 1, sizeof *r->blocks);
  if (!r->blocks) return false;
  for (size_t k = 0; k < r->count; k++) {
    const struct instruction *from = &r->instructions[k];
    if (!k || begins_block(r->instructions, k))
      r->blocks[r->block_count++] = (struct signature_block){.address = from->address, .executions = from->executions};
    struct signature_block *block = &r->blocks[r->block_count - 1];
    block->instructions += from->executions;
    block->floating += from->floating;
    block->operations += from->operations;
  }
  r->counts = calloc(r->block_count + 1, width * sizeof *r->counts);
  for (size_t k = 0; r->counts && k < r->block_count; k++)
    r->blocks[k].counts = r->counts + k * width;
  return r->counts != NULL;
}

/* The block that has the instruction: the last one that does not begin behind it. */
static struct signature_block *block_at(const struct reading *r, uint64_t address) {
  size_t low = 0, high = r->block_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (r->blocks[middle].address <= address)
      low = middle;
    else
      high = middle;
  }
  return &r->blocks[low];
}

/* ---- what they do ---- */

static bool next_number(char **at, uint64_t *number) {
  char *end;
  *number = strtoull(*at, &end, 10);
  bool found = end > *at;
  *at = end;
  return found;
}

static bool add_numbers(uint64_t *counts, unsigned count, char **at) {
  uint64_t number;
  for (unsigned k = 0; k < count; k++) {
    if (!next_number(at, &number)) return false;
    counts[k] += number;
  }
  return true;
}

/* Loads, or stores, of one instruction. */
static bool add_accesses(const struct memory_signature *s, struct signature_block *block, char *at, unsigned kind,
                         bool vector) {
  uint64_t number, bin, *counts = block->counts, before = counts[COUNT_LOADS],
                        *bins = counts + signature_distances(s) + (size_t)kind * BINS;
  bool fine = add_numbers(counts + (kind ? COUNT_STORES : COUNT_LOADS), 1, &at) &&
              add_numbers(counts + COUNT_STEPS + (kind ? STEPS : 0), STEPS, &at);
  if (vector) counts[COUNT_FLOAT_LOADS] += counts[COUNT_LOADS] - before;
  for (unsigned m = 0; fine && m < s->machines; m++) {
    uint64_t *served = counts + signature_machine(s, m);
    fine = add_numbers(served, 1, &at);
    for (unsigned level = 0; fine && level < s->levels[m]; level++)
      fine = add_numbers(served + 1 + level * KINDS + kind, MANNERS, &at);
  }
  while (fine && s->one_of && next_number(&at, &bin)) {
    fine = bin < MANNERS * BINS && *at++ == ':' && next_number(&at, &number);
    if (fine) bins[bin] += number;
  }
  return fine;
}

static bool add_signed(uint64_t *count, char **at) {
  char *end;
  long long number = strtoll(*at, &end, 10);
  if (end == *at) return false;
  *count += (uint64_t)number;
  *at = end;
  return true;
}

static bool add_chain(struct signature_block *block, char *at, enum chain chain) {
  uint64_t *counts = block->counts + COUNT_CHAINS + chain * CHAIN_COUNTS;
  bool fine = true;
  uint64_t bin;
  for (unsigned k = 0; fine && k < CHAIN_LOADS; k++)
    fine = add_signed(&counts[k], &at);
  while (fine && next_number(&at, &bin))
    fine = bin < CHAIN_BINS && *at++ == ':' && add_signed(&counts[CHAIN_LOADS + bin], &at);
  return fine;
}

static bool read_accesses(struct reading *r) {
  struct signature_block *block = NULL;
  unsigned long long address;
  int vector = 0;
  bool fine = true;
  while (fine && line_next(r) && !is_burst(r)) {
    if (sscanf(r->line, "instruction %llx %*u %*u %*u %*d %d", &address, &vector) == 2)
      block = block_at(r, address);
    else if (block && !strncmp(r->line, "chain ", 6))
      fine = add_chain(block, r->line + 6, CHAIN_PLAIN);
    else if (block && !strncmp(r->line, "far ", 4))
      fine = add_chain(block, r->line + 4, CHAIN_FAR);
    else if (block && !strncmp(r->line, "loads ", 6))
      fine = add_accesses(r->signature, block, r->line + 6, 0, vector != 0);
    else if (block && !strncmp(r->line, "stores ", 7))
      fine = add_accesses(r->signature, block, r->line + 7, KIND_STORES, vector != 0);
  }
  return fine;
}

/* One line in so many stands for all. Lines that are used very often fall in or out as a whole, which would change the
 * part of short distances, where nearly all of their uses are: so the first bins are given what is missing of the
 * block's accesses of a kind, or give up what is too much (SHARDS-adj: Waldspurger et al., FAST 2015). */
static void complete_distances(const struct memory_signature *s, struct signature_block *block, unsigned kind) {
  uint64_t *bins = block->counts + signature_distances(s) + (size_t)kind * BINS, found = 0;
  uint64_t accesses = signature_accesses(block, kind);
  for (unsigned bin = 0; bin < BINS; bin++)
    found += bins[bin] *= s->one_of;
  if (found < accesses) bins[0] += accesses - found;
  for (unsigned bin = 0; bin < BINS && found > accesses; bin++) {
    uint64_t less = bins[bin] < found - accesses ? bins[bin] : found - accesses;
    bins[bin] -= less;
    found -= less;
  }
}

static int by_accesses(const void *a, const void *b) {
  const struct signature_block *x = a, *y = b;
  uint64_t first = x->counts[COUNT_LOADS] + x->counts[COUNT_STORES];
  uint64_t second = y->counts[COUNT_LOADS] + y->counts[COUNT_STORES];
  if (first != second) return first < second ? 1 : -1;
  if (x->instructions != y->instructions) return x->instructions < y->instructions ? 1 : -1;
  return (x->address > y->address) - (x->address < y->address);
}

/* ---- which blocks stand for themselves ---- */

static uint64_t accesses_of(const struct signature_block *block) {
  return block->counts[COUNT_LOADS] + block->counts[COUNT_STORES];
}

void signature_add(struct signature_block *sum, const struct signature_block *block, size_t width) {
  sum->executions += block->executions;
  sum->instructions += block->instructions;
  sum->floating += block->floating;
  sum->operations += block->operations;
  for (size_t k = 0; k < width; k++)
    sum->counts[k] += block->counts[k];
}

static bool counts_little(const struct signature_block *block, const struct signature_block *all, uint64_t least) {
  return accesses_of(block) < accesses_of(all) / least && block->instructions < all->instructions / least &&
         block->operations <= all->operations / least;
}

bool signature_little(const struct signature_block *block, const struct signature_block *all) {
  return counts_little(block, all, LEAST_OF_BURST);
}

/* Those that do something come first, in the order they have, and one more is the sum of the others. */
static bool choose_blocks(const struct reading *r, struct signature_burst *burst, uint64_t least) {
  size_t width = r->signature->width, shown = 0;
  struct signature_block all = {.counts = calloc(2, width * sizeof *all.counts)};
  if (!all.counts) return false;
  struct signature_block rest = {.counts = all.counts + width};
  for (size_t k = 0; k < r->block_count; k++)
    signature_add(&all, &r->blocks[k], width);
  for (size_t k = 0; k < r->block_count; k++)
    if (counts_little(&r->blocks[k], &all, least))
      signature_add(&rest, &r->blocks[k], width);
    else
      r->blocks[shown++] = r->blocks[k];
  if (rest.instructions) r->blocks[shown++] = rest;
  burst->count = shown;
  burst->blocks = calloc(shown + 1, sizeof *burst->blocks);
  burst->counts = calloc(shown + 1, width * sizeof *burst->counts);
  for (size_t k = 0; burst->blocks && burst->counts && k < shown; k++) {
    burst->blocks[k] = r->blocks[k];
    burst->blocks[k].counts = memcpy(burst->counts + k * width, r->blocks[k].counts, width * sizeof *burst->counts);
  }
  free(all.counts);
  return burst->blocks && burst->counts;
}

/* ---- where they are ---- */

/* A file's first byte stands where its first mapping begins. */
void signature_locate(const struct memory_signature *s, const struct signature_burst *burst,
                      struct signature_block *block) {
  const struct signature_image *image = burst->image;
  const struct mapping *in = NULL;
  for (size_t k = 0; k < image->count && !in; k++)
    if (image->mappings[k].begin <= block->address && block->address < image->mappings[k].end) in = &image->mappings[k];
  if (!in) return;
  const struct mapping *first = image->mappings;
  while (strcmp(first->path, in->path) != 0)
    first++;
  block->file = in->path;
  struct program_site site = {.file = in->path, .address = block->address - first->begin};
  const struct program_site *found = source_lines_find(s->sources, &site);
  if (!found->function) { /* a program that stands at its own addresses */
    site.address = block->address;
    found = source_lines_find(s->sources, &site);
  }
  block->function = found->function;
  if (found->line) block->file = found->file, block->line = found->line;
}

/* The program of QEMU's process stands below all else. */
const char *signature_program(const struct signature_burst *burst) {
  return burst->image->count ? burst->image->mappings->path : NULL;
}

/* Calls stand in the program's own file, most often, which is not told from a library's by the key. */
const struct program_site *signature_call(const struct memory_signature *s, const struct signature_burst *burst,
                                          bool behind) {
  uint64_t address = behind ? burst->key & UINT32_MAX : burst->key >> 32;
  struct program_site site = {.file = signature_program(burst), .address = address};
  if (!site.file || !address) return NULL;
  const struct program_site *found = source_lines_find(s->sources, &site);
  return found->line ? found : NULL;
}

/* ---- all ---- */

static struct signature_burst *burst_new(struct memory_signature *s) {
  struct signature_burst *grown = realloc(s->bursts, (s->count + 1) * sizeof *grown);
  if (!grown) return NULL;
  s->bursts = grown;
  grown[s->count] = (struct signature_burst){0};
  return &grown[s->count++];
}

static bool make_burst(struct reading *r, struct signature_burst *burst, uint64_t least) {
  struct memory_signature *s = r->signature;
  merge_instructions(r);
  if (!make_blocks(r) || fseek(r->file, r->begins, SEEK_SET) < 0 || !read_accesses(r)) return false;
  for (size_t k = 0; s->one_of > 1 && k < r->block_count; k++)
    for (unsigned kind = 0; kind < KINDS; kind++)
      complete_distances(s, &r->blocks[k], kind);
  qsort(r->blocks, r->block_count, sizeof *r->blocks, by_accesses);
  return choose_blocks(r, burst, least);
}

/* The burst whose line was read last; the first one of a file is all that stands before a line of one. */
static bool read_burst(struct reading *r, bool first, const char **why) {
  unsigned long long key = 0, times = 1;
  if (!first && sscanf(r->line, "burst %llu %llu", &key, &times) != 2) return false;
  r->begins = ftell(r->file);
  if (!read_instructions(r)) return false;
  if (!r->count && (!first || is_burst(r))) return true;
  *why = "memory does not suffice";
  struct signature_burst *burst = burst_new(r->signature);
  bool fine = burst && make_burst(r, burst, first ? LEAST : LEAST_OF_BURST);
  if (fine) burst->rank = r->rank, burst->key = key, burst->times = times, burst->image = r->image;
  free(r->blocks);
  free(r->counts);
  r->blocks = NULL;
  r->counts = NULL;
  *why = "it was not written to its end";
  return fine;
}

static int by_key(const void *a, const void *b) {
  const struct signature_burst *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return (x->key > y->key) - (x->key < y->key);
}

bool signature_read(const char *path, uint32_t rank, struct memory_signature *s, const char **why) {
  struct reading r = {.signature = s, .rank = rank, .file = fopen(path, "re"), .image = calloc(1, sizeof *r.image)};
  if (!s->sources) s->sources = source_lines_open();
  s->width = signature_distances(s) + (s->one_of ? (size_t)KINDS * BINS : 0);
  *why = "it was not written to its end";
  if (r.image) r.image->next = s->images, s->images = r.image;
  bool fine = r.file && r.image && s->sources && read_burst(&r, true, why);
  while (fine && is_burst(&r))
    fine = read_burst(&r, false, why);
  fine = fine && r.ended;
  if (r.replaced && !r.ended) *why = "it calls exec, and the program that it becomes is not traced: trace that one";
  if (r.memory) *why = "memory did not suffice";
  if (r.file) fclose(r.file);
  free(r.line);
  free(r.instructions);
  if (s->count) qsort(s->bursts, s->count, sizeof *s->bursts, by_key);
  return fine;
}

void signature_close(struct memory_signature *s) {
  source_lines_close(s->sources);
  for (size_t k = 0; k < s->count; k++) {
    free(s->bursts[k].blocks);
    free(s->bursts[k].counts);
  }
  free(s->bursts);
  for (struct signature_image *image = s->images, *next; image; image = next) {
    next = image->next;
    for (size_t k = 0; k < image->count; k++)
      free(image->mappings[k].path);
    free(image->mappings);
    free(image);
  }
}
