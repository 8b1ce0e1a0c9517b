/* Mutation of texts by blocks: lines that begin at the left margin, each with those that are indented below it and the
 * brace that closes it, which is a declaration or a command. Blocks are left out, said again elsewhere, and taken from
 * another text; else bytes change, as everywhere. */
#ifndef PSL_FUZZ_BLOCKS_H
#define PSL_FUZZ_BLOCKS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

static inline unsigned blocks_random(unsigned *seed, unsigned below) {
  *seed = *seed * 1103515245u + 12345u;
  return (*seed >> 8) % below;
}

static inline int blocks_begins(const uint8_t *data, size_t at) {
  return (!at || data[at - 1] == '\n') && !strchr(" \t\r\n}", data[at]);
}

/* The end of the block that begins there. */
static inline size_t blocks_end(const uint8_t *data, size_t size, size_t at) {
  for (at++; at < size && !blocks_begins(data, at);)
    at++;
  return at < size ? at : size;
}

/* Where one of the blocks begins; the size: there is none. */
static inline size_t blocks_any(const uint8_t *data, size_t size, unsigned *seed) {
  size_t found = size;
  unsigned count = 0;
  for (size_t at = 0; at < size; at++)
    if (blocks_begins(data, at) && blocks_random(seed, ++count) == 0) found = at;
  return found;
}

/* Puts a piece in place of what stands from begin to end; the size stays where there is no room. */
static inline size_t blocks_put(uint8_t *data, size_t size, size_t max_size, size_t begin, size_t end,
                                const uint8_t *piece, size_t length) {
  if (size - (end - begin) + length > max_size) return size;
  memmove(data + begin + length, data + end, size - end);
  memcpy(data + begin, piece, length);
  return size - (end - begin) + length;
}

/* Another text, or this one, gives a block, which is put before one. */
static inline size_t blocks_copy(uint8_t *data, size_t size, size_t max_size, const uint8_t *from, size_t from_size,
                                 unsigned *seed) {
  uint8_t piece[4096];
  size_t begin = blocks_any(from, from_size, seed), at = blocks_any(data, size, seed);
  if (begin >= from_size) return size;
  size_t length = blocks_end(from, from_size, begin) - begin;
  if (length >= sizeof piece) return size;
  memcpy(piece, from + begin, length);
  if (piece[length - 1] != '\n') piece[length++] = '\n';
  return blocks_put(data, size, max_size, at, at, piece, length);
}

static inline size_t blocks_mutate(uint8_t *data, size_t size, size_t max_size, unsigned *seed) {
  if (!size || blocks_random(seed, 2)) return LLVMFuzzerMutate(data, size, max_size);
  size_t begin = blocks_any(data, size, seed);
  if (begin == size) return LLVMFuzzerMutate(data, size, max_size);
  if (blocks_random(seed, 3)) return blocks_copy(data, size, max_size, data, size, seed);
  return blocks_put(data, size, max_size, begin, blocks_end(data, size, begin), data, 0);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed) {
  size_t begun = size < max_size ? size : max_size;
  memcpy(out, data, begun);
  for (unsigned i = blocks_random(&seed, 3) + 1; i > 0; i--)
    begun = blocks_copy(out, begun, max_size, other, other_size, &seed);
  return begun;
}
#endif
