/* Transposes a matrix again and again, block by block, and writes it to a file at the end: as it is, or as
 * libpsl-reflector is told by PSL_REFLECT. The size of the blocks is an actuator.
 *
 *   transpose SIZE ROUNDS BLOCK */
#include "psl-reflector.h"
#include <stdio.h>
#include <stdlib.h>

enum { PAD = 8 }; /* columns behind each row, so that those below each other do not share a set of the cache */

static int least(int a, int b) { return a < b ? a : b; }

static void transpose(double *to, const double *from, int size, int block) {
  int width = size + PAD;
  for (int row = 0; row < size; row += block)
    for (int column = 0; column < size; column += block)
      for (int i = row; i < least(row + block, size); i++)
        for (int j = column; j < least(column + block, size); j++)
          to[(size_t)j * width + i] = from[(size_t)i * width + j];
}

int main(int count, char **words) {
  int size = count > 1 ? atoi(words[1]) : 2000, rounds = count > 2 ? atoi(words[2]) : 40;
  int block = count > 3 ? atoi(words[3]) : size;
  if (size < 1 || size > 20000 || block < 1) return fprintf(stderr, "usage: transpose SIZE ROUNDS BLOCK\n"), 2;
  size_t room = (size_t)size * (size + PAD);
  double *a = calloc(room, sizeof *a), *b = calloc(room, sizeof *b), last = 0;
  if (!a || !b) return 1;
  for (size_t k = 0; k < room; k++)
    a[k] = (double)k;
  for (size_t k = 0; k < room; k++) /* so that all pages are there */
    b[k] = 0;

  psl_actuator_int("block", &block, 1, size);
  psl_sensor("size", size);
  for (int round = 0; round < rounds; round++) {
    PSL_RESOURCE_OR_SKIP("transpose", size, block) transpose(round % 2 ? a : b, round % 2 ? b : a, size, block);
    last = psl_reflect_seconds();
    psl_sensor("seconds", last);
    psl_poll();
  }
  PSL_RESOURCE_OR_SKIP("write", (double)room * sizeof *a) {
    FILE *file = fopen("/dev/null", "w");
    if (!file || fwrite(rounds % 2 ? b : a, sizeof *a, room, file) != room) return 1;
    fclose(file);
  }
  printf("block %d\n", block);
  free(a);
  free(b);
  return 0;
}
