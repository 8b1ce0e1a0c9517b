/* psl mpicc, mpicxx and mpifort: MPICH's compilers, which make programs that psl mpirun runs, with the lines that its
 * errors name. */
#include "interp/cli/cli.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* By the name that Debian has for MPICH's. */
static int start(const char *compiler, const char **words, pid_t *process) {
  words[0] = compiler;
  return posix_spawnp(process, compiler, NULL, NULL, (char **)words, environ);
}

int command_compile(struct cli *cli) {
  const char *name = cli->command->name;
  const char **words = SCOPE_ARRAY(cli->scope, const char *, cli->argument_count + 3);
  words[1] = "-g";
  memcpy(words + 2, cli->arguments, cli->argument_count * sizeof *words);
  words[cli->argument_count + 2] = NULL;
  pid_t process;
  int status, wrong = start(scope_printf(cli->scope, "%s.mpich", name), words, &process);
  if (wrong) {
    cli_error(cli, strcmp(name, "mpifort") ? "Debian: libmpich-dev" : "Debian: libmpich-dev, gfortran",
              "%s.mpich cannot be started: %s", name, strerror(wrong));
    return EXIT_MODEL;
  }
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return EXIT_MODEL;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? EXIT_FINE : EXIT_MODEL;
}
