/* Fuzz target: the caches of a machine as --caches of psl trace --memory has them, the first line, and behind it what
 * the plugin of QEMU's has written about a program with these. What is no such text is refused; what is read makes
 * blocks whose numbers are all there. */
#include "evaluators/programs/signature.h"
#include "interp/library/cache_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Every number of every block is looked at. */
static uint64_t sum_of(const struct memory_signature *signature) {
  uint64_t sum = 0;
  for (size_t b = 0; b < signature->count; b++)
    for (size_t k = 0; k < signature->bursts[b].count; k++) {
      const struct signature_block *block = &signature->bursts[b].blocks[k];
      for (unsigned kind = 0; kind < KINDS; kind++)
        sum += signature_accesses(block, kind);
      for (size_t number = 0; number < signature->width; number++)
        sum += block->counts[number];
    }
  return sum;
}

static void read_signature(const struct cache_machine *machine, const uint8_t *data, size_t size, uint64_t one_of) {
  struct memory_signature signature = {.machines = 1, .levels = {machine->levels}, .one_of = one_of};
  char path[64];
  const char *why;
  int file = memfd_create("found", 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (file >= 0 && write(file, data, size) == (ssize_t)size) {
    bool fine = signature_read(path, 0, &signature, &why);
    volatile uint64_t sum = fine ? sum_of(&signature) : 0;
    (void)sum;
    signature_close(&signature);
  }
  if (file >= 0) close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *end = memchr(data, '\n', size);
  size_t length = end ? (size_t)(end - data) : size;
  struct cache_machine machine;
  char *text = malloc(length + 1);
  if (!text) return 0;
  memcpy(text, data, length);
  text[length] = '\0';
  const char *wrong = cache_text_read(text, &machine);
  free(text);
  for (uint64_t one_of = 0; end && !wrong && one_of < 3; one_of++)
    read_signature(&machine, end + 1, size - length - 1, one_of);
  return 0;
}
