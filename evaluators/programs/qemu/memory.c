/* A plugin of QEMU's: what each instruction of a program does with memory. QEMU adds to a count where a block of
 * instructions begins, and calls for each access. What is wanted stands in a file that psl makes; when the program ends
 * all is written to another one, which evaluators/programs/signature.c reads.
 *
 * An access by one instruction of more than 8 bytes comes from QEMU in pieces, one behind the other. */
#include "evaluators/programs/qemu/caches.h"
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

/* The loads, or the stores, of one instruction. */
struct place {
  struct block *block;
  uint64_t address, tail; /* of the last access, and of its last piece */
  int64_t step;           /* from the access before */
  uint64_t execution;     /* of the block, which that was */
  uint64_t accesses, steps[STEPS];
  uint64_t *distances;                           /* by manner and bin; NULL: none yet */
  enum manner manner;                            /* of the last access */
  struct served {                                /* by one machine, beyond its first level */
    unsigned level;                              /* of the last access */
    uint64_t count[LEVELS_MOST][MANNERS], pages; /* misses of the TLB */
  } served[];
};

struct instruction {
  uint64_t address;
  size_t size;
  struct instruction_kind kind;
  struct place *loads, *stores;
};

struct block {
  struct block *next;
  uint64_t executions;
  size_t count;
  struct instruction instructions[];
};

static struct {
  FILE *output;
  pid_t process;
  unsigned machines;
  struct caches machine[MACHINES_MOST];
  struct distances *distances;
  unsigned distance_shift; /* lines of distances are 1 << that bytes */
  uint64_t least;          /* the shortest line of all */
  bool around;             /* a store may leave no line */
  uint64_t line;           /* the last access is to, of the shortest ones */
  struct block *blocks;
  bool failed;
  atomic_flag lock; /* of all threads but the first, and of what is not an access */
  atomic_bool inside, wanted;
} all = {.line = UINT64_MAX, .lock = ATOMIC_FLAG_INIT};

/* The first thread, which most often is the only one that does anything, takes the lock by plain instructions; another
 * one has the kernel order its memory for that. */
static void lock(unsigned thread) {
  while (thread == 0) {
    atomic_store_explicit(&all.inside, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&all.wanted, memory_order_acquire)) return;
    atomic_store_explicit(&all.inside, false, memory_order_release);
    while (atomic_load(&all.wanted))
      sched_yield();
  }
  while (atomic_flag_test_and_set(&all.lock))
    sched_yield();
  atomic_store(&all.wanted, true);
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  while (atomic_load(&all.inside))
    sched_yield();
}

static void unlock(unsigned thread) {
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
  return step == before ? STEP_FAR : STEP_RANDOM;
}

static enum manner manner_of(enum step step) {
  return step == STEP_RANDOM ? MANNER_RANDOM : step == STEP_FAR ? MANNER_STRIDED : MANNER_SEQUENTIAL;
}

static void count_distance(struct place *place, uint64_t address) {
  uint64_t line = address >> all.distance_shift, distance;
  if (!distances_samples(all.distances, line)) return;
  if (!distances_use(all.distances, line, &distance)) all.failed = true;
  if (!place->distances) place->distances = calloc((size_t)MANNERS * BINS, sizeof *place->distances);
  if (!place->distances) all.failed = true;
  if (all.failed) return;
  place->distances[place->manner * BINS + bin_of(distance)]++;
}

static void count_levels(struct place *place, uint64_t address, bool store) {
  for (unsigned m = 0; m < all.machines; m++) {
    struct caches *caches = &all.machine[m];
    struct served *served = &place->served[m];
    served->level = caches_access(caches, address, store);
    if (served->level) served->count[served->level][place->manner]++;
    if (caches->tlb.lines && !caches_page(caches, address)) served->pages++;
  }
}

/* The rest of an access that lies on another line, too. It is served by the farther level of the two. */
static void go_on(struct place *place, uint64_t address, bool store) {
  for (unsigned m = 0; m < all.machines; m++) {
    struct served *served = &place->served[m];
    uint64_t line = all.machine[m].level->line;
    if (address / line == place->tail / line) continue;
    unsigned level = caches_access(&all.machine[m], address, store);
    if (level <= served->level) continue;
    if (served->level) served->count[served->level][place->manner]--;
    served->count[served->level = level][place->manner]++;
  }
  if (all.distances && address >> all.distance_shift != place->tail >> all.distance_shift)
    count_distance(place, address);
  place->tail = address;
  all.line = address / all.least;
}

static void begin(struct place *place, uint64_t address, bool store) {
  uint64_t line = address / all.least;
  bool again = line == all.line && !all.around; /* all caches have it */
  for (unsigned m = 0; again && m < all.machines; m++)
    place->served[m].level = 0;
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
  place->accesses++;
  place->steps[step]++;
  place->manner = manner_of(step);
  begin(place, address, store);
  if ((address & (all.least - 1)) <= all.least - 8) return;
  uint64_t end = address + (UINT64_C(1) << qemu_plugin_mem_size_shift(how)) - 1;
  if (end / all.least != address / all.least) go_on(place, end, store);
}

static void accessed(unsigned processor, uint32_t how, uint64_t address, void *user) {
  const struct instruction *instruction = user;
  bool store = qemu_plugin_mem_is_store(how);
  lock(processor);
  access_memory(how, address, store ? instruction->stores : instruction->loads, store);
  unlock(processor);
}

/* ---- blocks ---- */

static struct place *place_open(struct block *block) {
  struct place *place = calloc(1, sizeof *place + all.machines * sizeof *place->served);
  if (place) place->block = block;
  return place;
}

static void watch(struct block *block, size_t k, struct qemu_plugin_insn *instruction) {
  char *text = qemu_plugin_insn_disas(instruction);
  struct instruction *here = &block->instructions[k];
  here->address = qemu_plugin_insn_vaddr(instruction);
  here->size = qemu_plugin_insn_size(instruction);
  if (text) here->kind = instruction_kind_of(text);
  free(text);
  here->loads = place_open(block);
  here->stores = place_open(block);
  all.failed |= !here->loads || !here->stores;
  if (all.failed) return;
  qemu_plugin_register_vcpu_mem_cb(instruction, accessed, REGISTERS_UNTOUCHED, LOADS_AND_STORES, here);
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
  qemu_plugin_register_vcpu_tb_exec_inline(code, ADD_U64, &block->executions, 1);
  lock(OTHER);
  block->next = all.blocks;
  all.blocks = block;
  unlock(OTHER);
}

/* ---- what comes out ---- */

static void write_place(const struct place *place, const char *what) {
  if (!place || !place->accesses) return;
  fprintf(all.output, "%s %llu", what, (unsigned long long)place->accesses);
  for (unsigned k = 0; k < STEPS; k++)
    fprintf(all.output, " %llu", (unsigned long long)place->steps[k]);
  for (unsigned m = 0; m < all.machines; m++) {
    fprintf(all.output, " %llu", (unsigned long long)place->served[m].pages);
    for (unsigned level = 1; level <= all.machine[m].levels; level++)
      for (unsigned k = 0; k < MANNERS; k++)
        fprintf(all.output, " %llu", (unsigned long long)place->served[m].count[level][k]);
  }
  for (unsigned k = 0; place->distances && k < MANNERS * BINS; k++)
    if (place->distances[k]) fprintf(all.output, " %u:%llu", k, (unsigned long long)place->distances[k]);
  fputc('\n', all.output);
}

static void write_block(const struct block *block) {
  fprintf(all.output, "block %llu\n", (unsigned long long)block->executions);
  for (size_t k = 0; k < block->count; k++) {
    const struct instruction *here = &block->instructions[k];
    fprintf(all.output, "instruction %llx %zu %d %u %d\n", (unsigned long long)here->address, here->size,
            here->kind.floating, here->kind.operations, here->kind.branch);
    write_place(here->loads, "loads");
    write_place(here->stores, "stores");
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
  if (getpid() != all.process) return; /* a fork's end */
  write_files();
  if (all.distances) fprintf(all.output, "lines %llu\n", (unsigned long long)distances_lines(all.distances));
  for (const struct block *block = all.blocks; block; block = block->next)
    if (block->executions) write_block(block);
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
  unsigned long long bytes, one_of;
  struct caches *machine = &all.machine[all.machines ? all.machines - 1 : 0];
  if (!strncmp(line, "machine", 7)) {
    all.machine[all.machines++].random = 0x9e3779b97f4a7c15u;
    return true;
  }
  if (!strncmp(line, "level", 5)) return add_cache(line, &machine->level[machine->levels++]);
  if (!strncmp(line, "tlb", 3)) return add_cache(line, &machine->tlb);
  if (sscanf(line, "distances %llu %llu", &bytes, &one_of) != 2) return false;
  all.distance_shift = (unsigned)__builtin_ctzll(bytes);
  if (bytes < all.least) all.least = bytes;
  return (all.distances = distances_open(one_of)) != NULL;
}

int qemu_plugin_install(plugin_id id, const void *info, int words, char **word) {
  char folder[4096] = "", path[4200], line[256];
  bool fine = true;
  (void)info;
  for (int k = 0; k < words; k++)
    sscanf(word[k], "folder=%4095[^\n]", folder);
  snprintf(path, sizeof path, "%s/wanted", folder);
  FILE *wanted = fopen(path, "r");
  snprintf(path, sizeof path, "%s/found", folder);
  all.output = fopen(path, "we");
  if (!wanted || !all.output) return -1;
  all.least = 64;
  while (fine && fgets(line, sizeof line, wanted))
    fine = read_line(line);
  fclose(wanted);
  if (!fine) return -1;
  all.process = getpid();
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) < 0) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
