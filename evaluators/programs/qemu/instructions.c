/* A plugin of QEMU's: counts the instructions that a rank executes, in its seat of the memory that psl shares with the
 * ranks, where psl's library of MPI reads it. QEMU adds to the count where a block of instructions begins. */
#include "evaluators/programs/qemu/plugin.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int qemu_plugin_version = 1;

static void *counter;

static void count(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, counter, qemu_plugin_tb_n_insns(block));
}

/* The count is at a place of the file that is open by that number. */
static void *counter_at(int file, uint64_t place) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), begin = place / page * page;
  char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)begin);
  return memory == MAP_FAILED ? NULL : memory + (place - begin);
}

int qemu_plugin_install(plugin_id id, const void *info, int words, char **word) {
  int file = -1;
  unsigned long long place = 0;
  (void)info;
  for (int k = 0; k < words; k++) {
    sscanf(word[k], "descriptor=%d", &file);
    sscanf(word[k], "place=%llu", &place);
  }
  counter = counter_at(file, place);
  if (!counter) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, count);
  return 0;
}
