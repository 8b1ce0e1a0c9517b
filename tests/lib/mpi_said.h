/* The frame of programs whose ranks say what they have got, which rank 0 prints in order: their results are the same
 * under any MPI. To be included once; the program's part is in what_is_tested. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static char said[8000];

static void say(const char *what, long value) { sprintf(said + strlen(said), " %s %ld", what, value); }

static void what_is_tested(void);

int main(int count, char **words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  what_is_tested();
  char *all = malloc(sizeof said * (size_t)ranks);
  MPI_Gather(said, sizeof said, MPI_CHAR, all, sizeof said, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int k = 0; rank == 0 && k < ranks; k++)
    printf("%d:%s\n", k, all + sizeof said * (size_t)k);
  free(all);
  MPI_Finalize();
  return 0;
}
