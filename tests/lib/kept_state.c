/* What the C library keeps for a process between calls: each rank uses all of it amid the others, and prints what it
 * has got. */
#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;

/* A barrier answers nothing, and so lets nobody else run. */
static void others_run(void) {
  int sum;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void numbers(void) {
  unsigned short of[3] = {1, 2, 3}, parameters[7] = {1, 2, 3, 4, 5, 6, 7};
  int first = rand();
  others_run();
  srand((unsigned)rank + 5);
  others_run();
  int second = rand();
  others_run();
  long third = random();
  double begun = drand48();
  srand48(rank);
  others_run();
  double fraction = drand48();
  long positive = lrand48(), any = mrand48();
  others_run();
  unsigned short before = seed48(of)[1];
  others_run();
  long seeded = lrand48();
  if (rank == 1) lcong48(parameters);
  others_run();
  printf("%d: %d %d %ld %.12f %.12f %ld %ld %u %ld %ld %.12f %ld %ld\n", rank, first, second, third, begun, fraction,
         positive, any, before, seeded, lrand48(), erand48(of), nrand48(of), jrand48(of));
}

static void words(void) {
  char text[] = "a word of each";
  for (char *word = strtok(text, rank ? " " : "o"); word; word = strtok(NULL, " ")) {
    printf("%d: [%s]\n", rank, word);
    if (word - text < 8) others_run();
  }
}

static void options(int count, char **word) {
  const struct option names[] = {{"name", required_argument, NULL, 'n'}, {NULL, 0, NULL, 0}};
  opterr = 0;
  printf("%d: at %d\n", rank, optind);
  for (int letter; (letter = getopt_long(count, word, "x:", names, NULL)) != -1;)
    printf("%d: %c %s\n", rank, letter, letter == '?' ? "unknown" : optarg);
  others_run();
  printf("%d: then %d of %d, %c, %d\n", rank, optind, count, optopt, getopt_long(count, word, "x:", names, NULL));
  optind = 1;
  printf("%d: again %c\n", rank, getopt(count, word, "x:"));
}

int main(int count, char **word) {
  MPI_Init(&count, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  numbers();
  others_run();
  words();
  options(count, word);
  MPI_Finalize();
}
