/* psl under an MPI launcher: rank 0 is the program that its user sees; the others do as it does, unseen, up to
 * the point where a study makes them serve it. */
#include "interp/cli/cli.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What this rank would say is kept, for rank 0 to say where this one could not serve. */
void ranks_hush(void) {
  size_t rank;
  psl_ranks_launched(&rank);
  if (!rank) return;
  int said = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (said >= 0) native_speaker(said, rank); /* a crash is this rank's last word */
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC), kept = memfd_create("psl", MFD_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDIN_FILENO); /* MPICH gives it one that never ends */
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  if (kept >= 0)
    dup2(kept, STDERR_FILENO);
  else if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
}

static void write_nothing(struct cli *cli) {
  cli->output = NULL;
  cli->study.database = NULL;
  cli->study.plot.format = PSL_PLOT_NONE;
}

/* Ranks share the work of commands that take --jobs, and of a run with --threads; all others are rank 0's alone, and
 * the other ranks end here. */
int ranks_join(struct cli *cli) {
  char error[600];
  size_t rank, size = psl_ranks_launched(&rank);
  bool run = cli->run.threads > 0; /* in partitions, which the ranks are */
  bool shared = cli->command && (run || command_takes(cli->command, "jobs")) && !cli->help && !cli->version;
  if (size < 2 || (!shared && !rank)) return EXIT_FINE;
  if (!shared) _exit(EXIT_FINE);
  cli->study.ranks = psl_ranks_open(error, sizeof error);
  if (!cli->study.ranks) {
    cli_error(cli, "'make MPI=openmpi' or 'make MPI=mpich' builds it where that MPI's compiler is installed", "%s",
              error);
    return EXIT_MODEL;
  }
  if (run) cli->run.peers = psl_ranks_peers(cli->study.ranks);
  if (rank) write_nothing(cli);
  return EXIT_FINE;
}

/* The first line of what this rank has said. */
static void read_kept(char *text, size_t size) {
  ssize_t got = pread(STDERR_FILENO, text, size - 1, 0);
  text[got > 0 ? got : 0] = '\0';
  text[strcspn(text, "\n")] = '\0';
}

int ranks_leave(struct cli *cli, int code) {
  char text[300], said[400];
  struct psl_ranks *ranks = cli->study.ranks;
  if (!ranks) return code;
  fflush(stdout);
  if (psl_ranks_rank(ranks)) {
    read_kept(text, sizeof text);
    psl_ranks_close(ranks, text, NULL, 0);
    return EXIT_FINE; /* the job's status is rank 0's */
  }
  if (interrupted) psl_ranks_abort(ranks, code);
  psl_ranks_close(ranks, "", said, sizeof said);
  if (*said && code == EXIT_FINE) fprintf(stderr, "psl: warning: %s\n", said);
  return code;
}
