/* Sorts numbers that are spread over the ranks: each sorts its own, all choose the same limits from samples, each
 * number goes to the rank within whose limits it lies, which merges. Prints the numbers at a few places of the whole.
 *
 *   sample-sort [NUMBERS] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

static int *zeros(int count) { return calloc((size_t)count + 1, sizeof(int)); }

int main(int words, char **word) {
  int rank, ranks;
  MPI_Init(&words, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int count = (words > 1 ? atoi(word[1]) : 4000) / ranks;
  unsigned *own = malloc((size_t)count * sizeof *own), seed = 12345u + (unsigned)rank;
  for (int k = 0; k < count; k++)
    own[k] = (seed = seed * 1664525u + 1013904223u) >> 8;
  qsort(own, (size_t)count, sizeof *own, by_size);

  unsigned *samples = malloc((size_t)ranks * sizeof *samples);
  unsigned *all = malloc((size_t)(ranks * ranks) * sizeof *all);
  for (int k = 0; k < ranks; k++)
    samples[k] = own[(long)count * k / ranks];
  MPI_Allgather(samples, ranks, MPI_UNSIGNED, all, ranks, MPI_UNSIGNED, MPI_COMM_WORLD);
  qsort(all, (size_t)(ranks * ranks), sizeof *all, by_size);

  int *to = zeros(ranks), *to_place = zeros(ranks), *from = zeros(ranks), *from_place = zeros(ranks);
  for (int k = 0, r = 0; k < count; k++) {
    while (r + 1 < ranks && own[k] >= all[(r + 1) * ranks])
      r++;
    to[r]++;
  }
  MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; r++) {
    to_place[r + 1] = to_place[r] + to[r];
    from_place[r + 1] = from_place[r] + from[r];
  }
  int mine = from_place[ranks], before = 0;
  unsigned *sorted = malloc(((size_t)mine + 1) * sizeof *sorted);
  MPI_Alltoallv(own, to, to_place, MPI_UNSIGNED, sorted, from, from_place, MPI_UNSIGNED, MPI_COMM_WORLD);
  qsort(sorted, (size_t)mine, sizeof *sorted, by_size);

  MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 1; k < 4; k++) {
    int place = count * ranks / 4 * k - before;
    unsigned found = place >= 0 && place < mine ? sorted[place] : 0, quartile;
    MPI_Reduce(&found, &quartile, 1, MPI_UNSIGNED, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("quartile %d is %u\n", k, quartile);
  }
  free(own), free(samples), free(all), free(sorted), free(to), free(to_place), free(from), free(from_place);
  MPI_Finalize();
  return 0;
}
