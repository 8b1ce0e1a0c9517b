/* A plugin of QEMU's: what each instruction of a program does with memory. QEMU adds to a count where a block of
 * instructions begins, and calls for each access. What is wanted stands in a file that psl makes; when the program ends
 * all is written to another one, which evaluators/programs/signature.c reads.
 *
 * By burst the program is a rank of MPI, and the library that records its calls says by calls of the system that are
 * none when a burst goes on, stops, and which one it was (evaluators/programs/burst_call.h). Blocks then count till the
 * burst is named, and give what they have counted to that. In between caches go on, and nothing counts.
 *
 * An access by one instruction of more than 8 bytes comes from QEMU in pieces, one behind the other. */
#include "evaluators/programs/burst_call.h"
#include "evaluators/programs/qemu/branches.h"
#include "evaluators/programs/qemu/caches.h"
#include "evaluators/programs/qemu/chains.h"
#include "evaluators/programs/qemu/distances.h"
#include "evaluators/programs/qemu/instruction_kind.h"
#include "evaluators/programs/qemu/plugin.h"
#include "evaluators/programs/signature_format.h"

#include <sched.h>
#include <stdatomic.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int qemu_plugin_version = 1;
enum { OTHER = 1 }; /* a thread that is not the first one */
enum { TALLY_ACCESSES, TALLY_STEPS, TALLIES = TALLY_STEPS + STEPS };
enum { BURST_LISTS = 1 << 10 };
enum { FARTHER = 300 }; /* cycles that far loads take longer, where these are to be in the longest chain */
enum { FAR_DISTANCE = (1 << 20) / 64 }; /* in lines: beyond a second level */
enum { GROUPS = 64 };                   /* of lines that are counted, by chance */

/* What the loads, or the stores, of one instruction have come to. */
struct tally {
  uint64_t *distances; /* by manner and bin; NULL: none yet */
  uint64_t *counts;    /* accesses, these by step; by machine misses of the TLB and, beyond its first level, manners */
};

/* The loads, or the stores, of one instruction. */
struct place {
  struct block *block;
  uint64_t address, tail; /* of the last access, and of its last piece */
  int64_t step;           /* from the access before */
  uint64_t execution;     /* of the block, which that was */
  enum manner manner;     /* of the last access */
  struct chain_load from; /* the line of the last access, if there are chains */
  struct tally tally;
  unsigned level[]; /* that has served the last access, by machine */
};

struct instruction {
  uint64_t address;
  size_t size;
  struct instruction_kind kind;
  struct dependences dependences;
  struct place *loads, *stores;
};

struct block {
  struct block *next, *next_used; /* in the burst that is not named yet */
  struct part *parts;
  uint64_t executions, given; /* to bursts */
  bool used;
  int64_t *chains; /* by instruction and count; NULL: not wanted */
  size_t count;
  struct instruction instructions[];
};

/* What a burst has of a block. */
struct part {
  struct part *next, *next_of_block;
  const struct burst *burst;
  const struct block *block;
  uint64_t executions;
  int64_t *chains;
  struct tally tallies[]; /* loads and stores of each instruction */
};

struct burst {
  struct burst *next;
  uint64_t key, times;
  struct part *parts;
};

static struct {
  FILE *output;
  enum instruction_set set;
  pid_t process;
  unsigned machines;
  struct caches machine[MACHINES_MOST];
  struct distances *distances;
  unsigned distance_shift;     /* lines of distances are 1 << that bytes */
  uint64_t one_of;             /* lines is counted */
  uint64_t distance_limit;     /* of hashes of those that are counted */
  uint64_t distance_line;      /* the last one, */
  bool distance_counts;        /* which is counted */
  uint64_t *distance_group;    /* what its group has by bin, */
  uint64_t *groups;            /* as all have; NULL: all lines are counted */
  uint64_t least;              /* the shortest line of all */
  unsigned least_shift;        /* which is 1 << that bytes */
  bool around;                 /* a store may leave no line */
  uint64_t line;               /* the last access is to, of the shortest ones */
  size_t width;                /* of tallies */
  size_t first[MACHINES_MOST]; /* of these, by machine */
  struct block *blocks;
  bool failed;
  char folder[4096];
  bool by_burst, paused;
  struct chains *chains[CHAINS]; /* NULL: not wanted */
  struct branches *branches;     /* with these */
  struct block *executes;        /* of the first thread: its accesses come still */
  struct place *outside;         /* of bursts */
  struct block *used;
  struct burst *bursts[BURST_LISTS];
  atomic_flag lock; /* of all threads but the first, and of what is not an access */
  atomic_bool inside, wanted;
} all = {.line = UINT64_MAX, .distance_line = UINT64_MAX, .lock = ATOMIC_FLAG_INIT};

/* The first thread, which most often is the only one that does anything, takes the lock by plain instructions; another
 * one has the kernel order its memory for that. */
static void lock_slowly(unsigned thread) {
  while (thread == 0) {
    atomic_store_explicit(&all.inside, false, memory_order_release);
    while (atomic_load(&all.wanted))
      sched_yield();
    atomic_store_explicit(&all.inside, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&all.wanted, memory_order_acquire)) return;
  }
  while (atomic_flag_test_and_set(&all.lock))
    sched_yield();
  atomic_store(&all.wanted, true);
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  while (atomic_load(&all.inside))
    sched_yield();
}

static inline void lock(unsigned thread) {
  if (thread == 0) {
    atomic_store_explicit(&all.inside, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&all.wanted, memory_order_acquire)) return;
  }
  lock_slowly(thread);
}

static inline void unlock(unsigned thread) {
  if (thread == 0) {
    atomic_store_explicit(&all.inside, false, memory_order_release);
    return;
  }
  atomic_store(&all.wanted, false);
  atomic_flag_clear(&all.lock);
}

/* ---- an access ---- */

static enum step step_of(struct place *place, uint64_t address) {
  int64_t step = (int64_t)(address - place->address), before = place->step;
  uint64_t far = (uint64_t)(step < 0 ? -step : step);
  place->step = step;
  place->address = address;
  if (far <= 64) return far ? far <= 8 ? STEP_8 : far <= 16 ? STEP_16 : far <= 32 ? STEP_32 : STEP_64 : STEP_0;
  if (step != before) return STEP_RANDOM;
  return far < FAR_PAGE ? STEP_FAR : STEP_PAGE;
}

static enum manner manner_of(enum step step) {
  if (step < STEP_FAR) return MANNER_SEQUENTIAL;
  return step == STEP_FAR ? MANNER_STRIDED : step == STEP_PAGE ? MANNER_PAGED : MANNER_RANDOM;
}

static inline __attribute__((always_inline)) void count_distance(struct place *place, uint64_t address) {
  uint64_t line = address >> all.distance_shift, distance;
  place->from.bin = CHAIN_BINS;
  if (line != all.distance_line) {
    all.distance_line = line;
    uint64_t hash = distances_hash(line);
    all.distance_counts = hash <= all.distance_limit;
    if (all.groups) all.distance_group = all.groups + hash % GROUPS * BINS;
  }
  if (!all.distance_counts) return;
  if (!distances_use(all.distances, line, &distance)) all.failed = true;
  uint64_t **bins = &place->tally.distances;
  if (!*bins) *bins = calloc((size_t)MANNERS * BINS, sizeof **bins);
  if (!*bins) all.failed = true;
  if (all.failed) return;
  (*bins)[place->manner * BINS + bin_of(distance)]++;
  if (all.groups) all.distance_group[bin_of(distance)]++;
  place->from = (struct chain_load){chain_bin_of(distance), distance >= FAR_DISTANCE};
}

/* Accesses of the last one's manner that the machine's level has served; of the first level none are counted. */
static uint64_t *served(struct place *place, unsigned machine, unsigned level) {
  return &place->tally.counts[all.first[machine] + 1 + (level - 1) * MANNERS + place->manner];
}

static inline void count_page(struct place *place, unsigned machine, uint64_t address) {
  struct caches *caches = &all.machine[machine];
  if (!caches->tlb.lines || cache_has_first(&caches->tlb, address) || caches_page(caches, address)) return;
  place->tally.counts[all.first[machine]]++;
}

static inline __attribute__((always_inline)) void count_levels(struct place *place, uint64_t address, bool store) {
  for (unsigned m = 0; m < all.machines; m++) {
    struct caches *caches = &all.machine[m];
    bool near = cache_has_first(caches->level, address);
    unsigned level = place->level[m] = near ? 0 : caches_access(caches, address, store);
    if (level) ++*served(place, m, level);
    count_page(place, m, address);
  }
}

/* The rest of an access that lies on another line, too. It is served by the farther level of the two. */
__attribute__((noinline)) static void go_on(struct place *place, uint64_t address, bool store) {
  for (unsigned m = 0; m < all.machines; m++) {
    const struct cache *first = all.machine[m].level, *tlb = &all.machine[m].tlb;
    if (tlb->lines && address >> tlb->shift != place->tail >> tlb->shift) count_page(place, m, address);
    if (address >> first->shift == place->tail >> first->shift) continue;
    unsigned level = caches_access(&all.machine[m], address, store);
    if (level <= place->level[m]) continue;
    if (place->level[m]) --*served(place, m, place->level[m]);
    ++*served(place, m, place->level[m] = level);
  }
  if (all.distances && address >> all.distance_shift != place->tail >> all.distance_shift)
    count_distance(place, address);
  place->tail = address;
  all.line = address >> all.least_shift;
}

static inline __attribute__((always_inline)) void begin(struct place *place, uint64_t address, bool store) {
  uint64_t line = address >> all.least_shift;
  bool again = line == all.line && !all.around; /* all caches have it */
  for (unsigned m = 0; again && m < all.machines; m++)
    place->level[m] = 0;
  if (!again) count_levels(place, address, store);
  if (all.distances) count_distance(place, address);
  place->tail = address;
  all.line = line;
}

static void access_memory(uint32_t how, uint64_t address, struct place *place, bool store) {
  uint64_t execution = place->block->executions;
  if (execution == place->execution && address - place->tail - 1 < 16) {
    go_on(place, address, store);
    return;
  }
  enum step step = step_of(place, address);
  place->execution = execution;
  place->tally.counts[TALLY_ACCESSES]++;
  place->tally.counts[TALLY_STEPS + step]++;
  place->manner = manner_of(step);
  begin(place, address, store);
  if ((address & (all.least - 1)) <= all.least - 8) return;
  uint64_t end = address + (UINT64_C(1) << qemu_plugin_mem_size_shift(how)) - 1;
  if (end >> all.least_shift != address >> all.least_shift) go_on(place, end, store);
}

static void accessed(unsigned processor, uint32_t how, uint64_t address, void *user) {
  const struct instruction *instruction = user;
  bool store = qemu_plugin_mem_is_store(how);
  lock(processor);
  if (all.paused)
    begin(all.outside, address, store);
  else
    access_memory(how, address, store ? instruction->stores : instruction->loads, store);
  unlock(processor);
}

/* ---- blocks ---- */

static struct place *place_open(struct block *block) {
  struct place *place = calloc(1, sizeof *place + all.machines * sizeof *place->level);
  if (!place) return NULL;
  place->block = block;
  place->from.bin = CHAIN_BINS;
  place->tally.counts = calloc(all.width, sizeof *place->tally.counts);
  if (place->tally.counts) return place;
  free(place);
  return NULL;
}

static void watch(struct block *block, size_t k, struct qemu_plugin_insn *instruction) {
  char *text = qemu_plugin_insn_disas(instruction);
  struct instruction *here = &block->instructions[k];
  here->address = qemu_plugin_insn_vaddr(instruction);
  here->size = qemu_plugin_insn_size(instruction);
  if (text) here->kind = instruction_kind_of(all.set, text);
  if (text && all.branches) here->dependences = dependences_of(text);
  free(text);
  here->loads = place_open(block);
  here->stores = place_open(block);
  all.failed |= !here->loads || !here->stores;
  if (all.failed) return;
  qemu_plugin_register_vcpu_mem_cb(instruction, accessed, REGISTERS_UNTOUCHED, LOADS_AND_STORES, here);
}

/* Where the instruction has accessed memory in this execution of its block; 0: it has not. */
static uint64_t address_now(const struct place *place) {
  return place->execution == place->block->executions && place->tally.counts[TALLY_ACCESSES] ? place->address : 0;
}

/* Which way the branch went that ends the first thread's last block. */
static void branch_goes(struct block *block, const struct block *next) {
  const struct instruction *last = &block->instructions[block->count - 1];
  int64_t *counts = block->chains + (block->count - 1) * CHAINS * CHAIN_COUNTS;
  if (!last->kind.conditional) return;
  counts[CHAIN_BRANCHES]++;
  bool taken = next->instructions->address != last->address + last->size;
  counts[CHAIN_MISPREDICTED] += branches_mispredicted(all.branches, last->address, taken);
}

/* Where the instruction has loaded from: what comes one behind the other is fetched ahead, and a far load is what the
 * first machine's caches beyond the second level have served, if there are any. Of lines that are not counted, the last
 * one says that was. */
static struct chain_load loaded_from(const struct place *loads) {
  const struct caches *first = all.machine;
  struct chain_load from = loads->from;
  if (all.machines) from.far = loads->level[0] >= (first->levels < 2 ? first->levels : 2);
  if (loads->manner == MANNER_SEQUENTIAL) from = (struct chain_load){from.bin < CHAIN_BINS ? 0 : CHAIN_BINS, false};
  return from;
}

/* The first thread's last block has done all its accesses, and `next` comes; NULL: that is not known. */
static void chains_go_on(const struct block *next) {
  struct block *block = all.executes;
  all.executes = NULL;
  if (block && next) branch_goes(block, next);
  for (size_t k = 0; block && k < block->count; k++) {
    const struct instruction *here = &block->instructions[k];
    for (size_t c = 0; c < CHAINS; c++)
      chains_execute(all.chains[c], &here->dependences, address_now(here->loads), loaded_from(here->loads),
                     address_now(here->stores), block->chains + (k * CHAINS + c) * CHAIN_COUNTS);
  }
}

static void executed(unsigned processor, void *user) {
  struct block *block = user;
  if (all.branches && processor == 0) chains_go_on(block);
  if (all.paused) return;
  block->executions++;
  if (all.branches && processor == 0) all.executes = block;
  if (!all.by_burst || block->used) return;
  lock(processor);
  block->used = true;
  block->next_used = all.used;
  all.used = block;
  unlock(processor);
}

static void translated(plugin_id id, struct qemu_plugin_tb *code) {
  size_t count = qemu_plugin_tb_n_insns(code);
  struct block *block = calloc(1, sizeof *block + count * sizeof *block->instructions);
  (void)id;
  all.failed |= !block;
  if (all.failed) return;
  block->count = count;
  for (size_t k = 0; k < count; k++)
    watch(block, k, qemu_plugin_tb_get_insn(code, k));
  if (all.branches) {
    block->chains = calloc(count, CHAINS * CHAIN_COUNTS * sizeof *block->chains);
    all.failed |= !block->chains;
  }
  if (all.failed) return;
  if (all.by_burst || all.branches)
    qemu_plugin_register_vcpu_tb_exec_cb(code, executed, REGISTERS_UNTOUCHED, block);
  else
    qemu_plugin_register_vcpu_tb_exec_inline(code, ADD_U64, &block->executions, 1);
  lock(OTHER);
  block->next = all.blocks;
  all.blocks = block;
  unlock(OTHER);
}

/* ---- bursts ---- */

static struct burst *burst_of(uint64_t key) {
  struct burst **list = &all.bursts[key * 0x9e3779b97f4a7c15u >> 54], *burst = *list;
  while (burst && burst->key != key)
    burst = burst->next;
  if (burst) return burst;
  burst = calloc(1, sizeof *burst);
  if (!burst) return NULL;
  *burst = (struct burst){.next = *list, .key = key};
  return *list = burst;
}

static struct part *part_of(struct block *block, struct burst *burst) {
  struct part *part = block->parts;
  while (part && part->burst != burst)
    part = part->next_of_block;
  if (part) return part;
  part = calloc(1, sizeof *part + 2 * block->count * sizeof *part->tallies);
  if (!part) return NULL;
  *part = (struct part){.next = burst->parts, .next_of_block = block->parts, .burst = burst, .block = block};
  return block->parts = burst->parts = part;
}

/* What one list of counts has goes to another, which there may not be yet. */
static bool counts_give(uint64_t **from, uint64_t **to, size_t count) {
  if (!*from) return true;
  if (!*to) *to = calloc(count, sizeof **to);
  for (size_t k = 0; *to && k < count; k++) {
    (*to)[k] += (*from)[k];
    (*from)[k] = 0;
  }
  return *to != NULL;
}

static bool chains_give(struct block *block, struct part *part) {
  size_t count = block->count * CHAINS * CHAIN_COUNTS;
  if (!block->chains) return true;
  if (!part->chains) part->chains = calloc(count, sizeof *part->chains);
  for (size_t k = 0; part->chains && k < count; k++) {
    part->chains[k] += block->chains[k];
    block->chains[k] = 0;
  }
  return part->chains != NULL;
}

static bool tally_give(struct place *place, struct tally *to) {
  if (!place || !place->tally.counts[TALLY_ACCESSES]) return true;
  return counts_give(&place->tally.counts, &to->counts, all.width) &&
         counts_give(&place->tally.distances, &to->distances, (size_t)MANNERS * BINS);
}

/* What was counted since another burst was named is this one's. */
static void burst_name(uint64_t key) {
  struct burst *burst = burst_of(key);
  all.failed |= !burst;
  for (struct block *block = all.used; block; block = block->next_used) {
    struct part *part = all.failed ? NULL : part_of(block, burst);
    block->used = false;
    all.failed |= !part;
    if (all.failed) continue;
    part->executions += block->executions - block->given;
    block->given = block->executions;
    all.failed |= !chains_give(block, part);
    for (size_t k = 0; k < block->count; k++)
      all.failed |= !tally_give(block->instructions[k].loads, &part->tallies[2 * k]) ||
                    !tally_give(block->instructions[k].stores, &part->tallies[2 * k + 1]);
  }
  if (burst) burst->times++;
  all.used = NULL;
}

/* What this rank has found stands in a file of its own. */
static void rank_begin(uint64_t rank) {
  char path[4200];
  snprintf(path, sizeof path, "%s/found.%llu", all.folder, (unsigned long long)rank);
  all.output = fopen(path, "we");
}

/* A process that becomes another program has no end of its own: its file says why. If exec fails, it goes on. */
static bool is_exec(int64_t number) {
  if (all.set == X86_64) return number == 59 || number == 322; /* execve, execveat */
  return number == 221 || number == 281;
}

static void exec_begin(void) {
  if (getpid() != all.process || !all.output) return;
  fputs("exec\n", all.output);
  fflush(all.output);
}

static void called(plugin_id id, unsigned processor, int64_t number, uint64_t what, uint64_t with, uint64_t c,
                   uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
  (void)id, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  if (is_exec(number)) exec_begin();
  if (number != BURST_CALL || !all.by_burst) return;
  lock(processor);
  if (all.branches && processor == 0) chains_go_on(NULL);
  if (what == BURST_RANK) rank_begin(with);
  if (what == BURST_STOPS) all.paused = true;
  if (what == BURST_GOES_ON) all.paused = false;
  if (what == BURST_NAMED) burst_name(with);
  unlock(processor);
}

/* ---- what comes out ---- */

static void write_tally(const struct tally *tally, const char *what) {
  if (!tally->counts || !tally->counts[TALLY_ACCESSES]) return;
  fputs(what, all.output);
  for (size_t k = 0; k < all.width; k++)
    fprintf(all.output, " %llu", (unsigned long long)tally->counts[k]);
  for (unsigned k = 0; tally->distances && k < MANNERS * BINS; k++)
    if (tally->distances[k]) fprintf(all.output, " %u:%llu", k, (unsigned long long)tally->distances[k]);
  fputc('\n', all.output);
}

static void write_chain(const char *name, const int64_t *chain) {
  bool any = false;
  for (unsigned k = 0; k < CHAIN_COUNTS; k++)
    any |= chain[k] != 0;
  if (!any) return;
  fputs(name, all.output);
  for (unsigned k = 0; k < CHAIN_LOADS; k++)
    fprintf(all.output, " %lld", (long long)chain[k]);
  for (unsigned k = 0; k < CHAIN_BINS; k++)
    if (chain[CHAIN_LOADS + k]) fprintf(all.output, " %u:%lld", k, (long long)chain[CHAIN_LOADS + k]);
  fputc('\n', all.output);
}

/* By the burst's part of it, or all that it has done. */
static void write_block(const struct block *block, const struct part *part) {
  static const struct tally nothing;
  fprintf(all.output, "block %llu\n", (unsigned long long)(part ? part->executions : block->executions));
  for (size_t k = 0; k < block->count; k++) {
    const struct instruction *here = &block->instructions[k];
    fprintf(all.output, "instruction %llx %zu %d %u %d %d\n", (unsigned long long)here->address, here->size,
            here->kind.floating, here->kind.operations, here->kind.branch, here->kind.vector);
    const int64_t *chains = part ? part->chains : block->chains;
    for (size_t c = 0; chains && c < CHAINS; c++)
      write_chain(c == CHAIN_FAR ? "far" : "chain", chains + (k * CHAINS + c) * CHAIN_COUNTS);
    write_tally(part ? &part->tallies[2 * k] : here->loads ? &here->loads->tally : &nothing, "loads");
    write_tally(part ? &part->tallies[2 * k + 1] : here->stores ? &here->stores->tally : &nothing, "stores");
  }
}

/* How far what is said to miss is from what does in the mean, squared, for the size of a cache of which that is most,
 * by how far groups of the lines spread about each other. */
static void write_spread(void) {
  double most = 0, group[GROUPS] = {0};
  for (unsigned bin = BINS; bin-- > bin_of(all.one_of);) {
    double sum = 0, squares = 0;
    for (unsigned g = 0; g < GROUPS; g++) {
      sum += group[g];
      squares += group[g] * group[g];
      group[g] += (double)all.groups[g * BINS + bin];
    }
    double spread = (squares - sum * sum / GROUPS) * GROUPS / (GROUPS - 1);
    if (spread > most) most = spread;
  }
  fprintf(all.output, "spread %.0f\n", most * (double)all.one_of * (double)(all.one_of - 1));
}

static void write_bursts(void) {
  for (size_t k = 0; k < BURST_LISTS; k++)
    for (const struct burst *burst = all.bursts[k]; burst; burst = burst->next) {
      fprintf(all.output, "burst %llu %llu\n", (unsigned long long)burst->key, (unsigned long long)burst->times);
      for (const struct part *part = burst->parts; part; part = part->next)
        if (part->executions) write_block(part->block, part);
    }
}

/* Which file stands where: the addresses of a program on its own processor are those of QEMU's process. */
static void write_files(void) {
  char line[4400];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps))
    if (strchr(line, '/')) fprintf(all.output, "file %s", line);
  if (maps) fclose(maps);
}

static void ended(plugin_id id, void *user) {
  (void)id, (void)user;
  if (getpid() != all.process || !all.output) return; /* a fork's end, or that of no rank */
  if (all.branches) chains_go_on(NULL);
  write_files();
  if (all.distances) fprintf(all.output, "lines %llu\n", (unsigned long long)distances_lines(all.distances));
  if (all.groups) write_spread();
  for (const struct block *block = all.blocks; block && !all.by_burst; block = block->next)
    if (block->executions) write_block(block, NULL);
  write_bursts();
  fprintf(all.output, "%s\n", all.failed ? "memory" : "end");
  fclose(all.output);
}

/* ---- what is wanted ---- */

static bool add_cache(const char *line, struct cache *cache) {
  unsigned long long size, ways, bytes;
  int replacement, around;
  if (sscanf(line, "%*s %llu %llu %llu %d %d", &size, &ways, &bytes, &replacement, &around) != 5) return false;
  *cache = (struct cache){size, ways, bytes, (enum replacement)replacement, around != 0};
  if (bytes < all.least) all.least = bytes;
  all.around |= cache->around;
  return cache_open(cache);
}

static bool read_line(const char *line) {
  unsigned long long bytes, one_of, window;
  struct caches *machine = &all.machine[all.machines ? all.machines - 1 : 0];
  if (!strncmp(line, "machine", 7)) {
    all.machine[all.machines++].random = 0x9e3779b97f4a7c15u;
    return true;
  }
  if (!strncmp(line, "bursts", 6)) return all.by_burst = all.paused = true;
  if (!strncmp(line, "level", 5)) return add_cache(line, &machine->level[machine->levels++]);
  if (!strncmp(line, "tlb", 3)) return add_cache(line, &machine->tlb);
  if (sscanf(line, "chains %llu", &window) == 1)
    return (all.chains[CHAIN_PLAIN] = chains_open(window, 0)) != NULL &&
           (all.chains[CHAIN_FAR] = chains_open(window, FARTHER)) != NULL && (all.branches = branches_open()) != NULL;
  if (sscanf(line, "distances %llu %llu", &bytes, &one_of) != 2) return false;
  all.distance_shift = (unsigned)__builtin_ctzll(bytes);
  if (bytes < all.least) all.least = bytes;
  all.distances = distances_open(one_of);
  if (all.distances) all.distance_limit = distances_limit(all.distances);
  all.one_of = one_of;
  if (one_of > 1 && !(all.groups = calloc((size_t)GROUPS * BINS, sizeof *all.groups))) return false;
  return all.distances != NULL;
}

static void tallies_lay(void) {
  all.width = TALLIES;
  for (unsigned m = 0; m < all.machines; m++) {
    all.first[m] = all.width;
    all.width += 1 + (size_t)all.machine[m].levels * MANNERS;
  }
}

/* By the name that QEMU has for the program's processor. */
static enum instruction_set set_of(const char *name) {
  return !strcmp(name, "aarch64") ? ARM_64 : !strcmp(name, "riscv64") ? RISC_V_64 : X86_64;
}

int qemu_plugin_install(plugin_id id, const void *info, int words, char **word) {
  char path[4200], line[256];
  bool fine = true;
  all.set = set_of(*(const char *const *)info); /* its first member */
  for (int k = 0; k < words; k++)
    sscanf(word[k], "folder=%4095[^\n]", all.folder);
  snprintf(path, sizeof path, "%s/wanted", all.folder);
  FILE *wanted = fopen(path, "r");
  if (!wanted) return -1;
  all.least = 64;
  while (fine && fgets(line, sizeof line, wanted))
    fine = read_line(line);
  fclose(wanted);
  all.least_shift = (unsigned)__builtin_ctzll(all.least);
  tallies_lay();
  all.outside = place_open(NULL);
  if (!fine || !all.outside) return -1;
  snprintf(path, sizeof path, "%s/found", all.folder);
  if (!all.by_burst && !(all.output = fopen(path, "we"))) return -1;
  all.process = getpid();
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) < 0) return -1;
  qemu_plugin_register_vcpu_syscall_cb(id, called);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
