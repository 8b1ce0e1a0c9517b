/* The plugin tells instructions as QEMU translates them, where one may stand in several pieces of code. Here they are
 * put in order by address, and those that follow each other and are executed equally often, without a branch between
 * them, are one basic block. The file is read twice: for the blocks, and for what they do. */
#include "evaluators/programs/signature.h"
#include "evaluators/programs/source_lines.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct instruction {
  uint64_t address, executions, floating, operations;
  size_t size;
  bool branch;
};

struct mapping { /* of a file */
  uint64_t begin, end;
  char *path;
};

struct reading {
  struct memory_signature *signature;
  FILE *file;
  char *line;
  size_t line_size;
  struct instruction *instructions;
  size_t count, capacity;
  struct mapping *mappings;
  size_t mapping_count, mapping_capacity;
  bool ended, memory;
};

struct private {
  struct source_lines *lines;
  struct mapping *mappings;
  size_t mapping_count;
  uint64_t *counts;
};

size_t signature_machine(const struct memory_signature *s, unsigned machine) {
  size_t at = COUNTS;
  for (unsigned m = 0; m < machine; m++)
    at += 1 + (size_t)s->levels[m] * KINDS;
  return at;
}

size_t signature_distances(const struct memory_signature *s) { return signature_machine(s, s->machines); }

uint64_t signature_accesses(const struct signature_block *block, unsigned kind) {
  static const enum step first[] = {STEP_0, STEP_FAR, STEP_RANDOM, STEPS};
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
  if (!grow(&r->mappings, &r->mapping_capacity, r->mapping_count, sizeof *r->mappings)) return false;
  char *copy = strndup(path, strcspn(path, "\n"));
  if (copy) r->mappings[r->mapping_count++] = (struct mapping){begin, end, copy};
  return copy != NULL;
}

static bool add_instruction(struct reading *r, uint64_t executions) {
  unsigned long long address;
  size_t size;
  unsigned floating, operations;
  int branch;
  if (sscanf(r->line, "instruction %llx %zu %u %u %d", &address, &size, &floating, &operations, &branch) != 5)
    return false;
  if (!grow(&r->instructions, &r->capacity, r->count, sizeof *r->instructions)) return false;
  r->instructions[r->count++] =
      (struct instruction){address, executions, floating * executions, operations * executions, size, branch != 0};
  return true;
}

/* The instructions, and which file stands where. */
static bool read_instructions(struct reading *r) {
  unsigned long long executions = 0, lines;
  bool fine = true;
  while (fine && line_next(r)) {
    if (!strncmp(r->line, "file ", 5))
      fine = add_mapping(r);
    else if (!strncmp(r->line, "instruction ", 12))
      fine = add_instruction(r, executions);
    else if (sscanf(r->line, "lines %llu", &lines) == 1)
      r->signature->lines = lines;
    else if (!strncmp(r->line, "block ", 6))
      fine = sscanf(r->line, "block %llu", &executions) == 1;
    r->ended |= !strcmp(r->line, "end\n");
    r->memory |= !strcmp(r->line, "memory\n");
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
  struct memory_signature *s = r->signature;
  struct private *private = s->private;
  s->blocks = calloc(r->count + 1, sizeof *s->blocks);
  if (!s->blocks) return false;
  for (size_t k = 0; k < r->count; k++) {
    const struct instruction *from = &r->instructions[k];
    if (!k || begins_block(r->instructions, k))
      s->blocks[s->count++] = (struct signature_block){.address = from->address, .executions = from->executions};
    struct signature_block *block = &s->blocks[s->count - 1];
    block->instructions += from->executions;
    block->floating += from->floating;
    block->operations += from->operations;
  }
  s->width = signature_distances(s) + (s->one_of ? (size_t)KINDS * BINS : 0);
  private->counts = calloc(s->count + 1, s->width * sizeof *private->counts);
  for (size_t k = 0; private->counts && k < s->count; k++)
    s->blocks[k].counts = private->counts + k * s->width;
  return private->counts != NULL;
}

/* The block that has the instruction: the last one that does not begin behind it. */
static struct signature_block *block_at(const struct memory_signature *s, uint64_t address) {
  size_t low = 0, high = s->count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (s->blocks[middle].address <= address)
      low = middle;
    else
      high = middle;
  }
  return &s->blocks[low];
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
static bool add_accesses(const struct memory_signature *s, struct signature_block *block, char *at, unsigned kind) {
  uint64_t number, bin, *counts = block->counts, *bins = counts + signature_distances(s) + (size_t)kind * BINS;
  bool fine = add_numbers(counts + (kind ? COUNT_STORES : COUNT_LOADS), 1, &at) &&
              add_numbers(counts + COUNT_STEPS + (kind ? STEPS : 0), STEPS, &at);
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

static bool read_accesses(struct reading *r) {
  struct signature_block *block = NULL;
  unsigned long long address;
  bool fine = true;
  rewind(r->file);
  while (fine && line_next(r)) {
    if (!strncmp(r->line, "instruction ", 12) && sscanf(r->line, "instruction %llx", &address) == 1)
      block = block_at(r->signature, address);
    else if (block && !strncmp(r->line, "loads ", 6))
      fine = add_accesses(r->signature, block, r->line + 6, 0);
    else if (block && !strncmp(r->line, "stores ", 7))
      fine = add_accesses(r->signature, block, r->line + 7, KIND_STORES);
  }
  return fine;
}

/* ---- where they are ---- */

/* A file's first byte stands where its first mapping begins. */
void signature_locate(const struct memory_signature *s, struct signature_block *block) {
  const struct private *private = s->private;
  const struct mapping *in = NULL;
  for (size_t k = 0; k < private->mapping_count && !in; k++)
    if (private->mappings[k].begin <= block->address && block->address < private->mappings[k].end)
      in = &private->mappings[k];
  if (!in) return;
  const struct mapping *first = private->mappings;
  while (strcmp(first->path, in->path) != 0)
    first++;
  block->file = in->path;
  struct program_site site = {.file = in->path, .address = block->address - first->begin};
  const struct program_site *found = source_lines_find(private->lines, &site);
  if (!found->function) { /* a program that stands at its own addresses */
    site.address = block->address;
    found = source_lines_find(private->lines, &site);
  }
  block->function = found->function;
  if (found->line) block->file = found->file, block->line = found->line;
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

bool signature_read(const char *path, struct memory_signature *s, const char **why) {
  struct reading r = {.signature = s, .file = fopen(path, "re")};
  struct private *private = s->private = calloc(1, sizeof *private);
  *why = "it was not written to its end";
  bool fine = r.file && private && read_instructions(&r) && r.ended;
  if (r.memory) *why = "memory did not suffice";
  if (private) *private = (struct private){source_lines_open(), r.mappings, r.mapping_count};
  if (fine) {
    merge_instructions(&r);
    *why = "memory does not suffice";
    fine = private->lines && make_blocks(&r) && read_accesses(&r);
  }
  if (r.file) fclose(r.file);
  free(r.line);
  free(r.instructions);
  if (!fine) return false;
  for (size_t k = 0; s->one_of > 1 && k < s->count; k++)
    for (unsigned kind = 0; kind < KINDS; kind++)
      complete_distances(s, &s->blocks[k], kind);
  qsort(s->blocks, s->count, sizeof *s->blocks, by_accesses);
  return true;
}

void signature_close(struct memory_signature *s) {
  struct private *private = s->private;
  if (!private) return;
  source_lines_close(private->lines);
  for (size_t k = 0; k < private->mapping_count; k++)
    free(private->mappings[k].path);
  free(private->mappings);
  free(private->counts);
  free(private);
  free(s->blocks);
}
