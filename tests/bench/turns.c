/* Turns handed over and nothing else: what a running program costs at best that psl takes by turns with its ranks.
 *
 * `processes`: one process gives each of the others a turn and waits until it is given back, by a futex, all on one
 * processor. `inside`: the same with stacks in one process.
 *
 *   turns processes|inside RANKS ROUNDS   prints turns, seconds of processor time */
#include "evaluators/programs/handover.h"
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/times.h>
#include <sys/wait.h>

enum { RANKS = 8192, STACK = 1 << 14 };
static struct seat *seats;
static void *psl;
static int ranks, rounds;

/* Of this process and of those that have ended. */
static double processor_time(void) {
  struct tms spent;
  times(&spent);
  clock_t all = spent.tms_utime + spent.tms_stime + spent.tms_cutime + spent.tms_cstime;
  return (double)all / (double)sysconf(_SC_CLK_TCK);
}

static void rank_process(struct seat *seat) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) {
    turn_give(seat, TURN_OF_PSL);
    turn_wait(seat, TURN_OF_RANK);
  }
}

static void rank_inside(void *user) {
  for (struct seat *seat = user;;)
    strand_switch(&seat->strand, psl);
}

static void processes_start(pid_t *children) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  for (int r = 0; r < ranks; r++) {
    seats[r].turns.turn = TURN_OF_RANK;
    if ((children[r] = fork()) == 0) rank_process(&seats[r]);
    while (!turn_wait(&seats[r], TURN_OF_PSL))
      continue;
  }
}

static void processes_turn(struct seat *seat) {
  turn_give(seat, TURN_OF_RANK);
  while (!turn_wait(seat, TURN_OF_PSL))
    continue;
}

int main(int argc, char **argv) {
  static pid_t children[RANKS];
  if (argc < 4 || (ranks = atoi(argv[2])) < 1 || ranks > RANKS || (rounds = atoi(argv[3])) < 1) return 2;
  int inside = strcmp(argv[1], "inside") == 0;
  seats = mmap(NULL, (size_t)ranks * sizeof *seats, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (seats == MAP_FAILED) return 1;
  if (!inside) processes_start(children);
  for (int r = 0; inside && r < ranks; r++)
    seats[r].strand = strand_make((char *)malloc(STACK) + STACK, rank_inside, &seats[r]);
  double begin = processor_time();
  for (int k = 0; k < rounds; k++)
    for (int r = 0; r < ranks; r++)
      if (inside)
        strand_switch(&psl, seats[r].strand);
      else
        processes_turn(&seats[r]);
  for (int r = 0; !inside && r < ranks; r++) {
    kill(children[r], SIGKILL);
    waitpid(children[r], NULL, 0);
  }
  printf("%lld %.6f\n", (long long)ranks * rounds, processor_time() - begin);
  return 0;
}
