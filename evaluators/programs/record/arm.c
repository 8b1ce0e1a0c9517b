/* Stands in all processes that a traced command starts, and does nothing in most. In one that is linked with an MPI it
 * starts the program again, with the library that records calls of that MPI before all others: so neither mpirun nor
 * shells nor what else there is meet functions of MPI that they do not know. */
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { NONE, MPICH, OPENMPI };

static int which_mpi(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size;
  const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
  int *found = user;
  if (!strncmp(name, "libmpich.so", 11) || !strncmp(name, "libmpi.so.12", 12)) *found = MPICH;
  if (!strncmp(name, "libmpi.so.40", 12)) *found = OPENMPI;
  return *found != NONE;
}

/* psl was built without this MPI: a file says so. */
static void say_missing(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("PSL_TRACE"), name);
  close(open(path, O_CREAT | O_WRONLY, 0666));
}

/* Under QEMU, with the plugin that sees what the program does: the library stands in the program there, and not in
 * QEMU. Functions are looked up before the program begins, and in no burst. */
static void start_watched(const char *emulator, const char *library, int count, char **words) {
  char program[4096] = "", preload[4200];
  char *started[count + 11], **at = started;
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
  char *const head[] = {(char *)emulator, "-cpu", "max",           "-plugin", getenv("PSL_TRACE_PLUGIN"), "-E",
                        preload,          "-E",   "LD_BIND_NOW=1", program};
  at = (char **)memcpy(at, head, sizeof head) + sizeof head / sizeof *head;
  memcpy(at, words + 1, (size_t)count * sizeof *words);
  execve(emulator, started, environ);
}

__attribute__((constructor)) static void arm(int count, char **words, char **environment) {
  int found = NONE;
  (void)environment;
  if (!getenv("PSL_TRACE")) return;
  dl_iterate_phdr(which_mpi, &found);
  if (found == NONE) return;
  const char *library = getenv(found == MPICH ? "PSL_TRACE_MPICH" : "PSL_TRACE_OPENMPI");
  unsetenv("LD_PRELOAD");
  if (!library || !*library) {
    say_missing(found == MPICH ? "mpich" : "openmpi");
    return;
  }
  const char *emulator = getenv("PSL_TRACE_QEMU");
  if (emulator) start_watched(emulator, library, count, words);
  setenv("LD_PRELOAD", library, 1);
  if (!emulator) execve("/proc/self/exe", words, environ);
  perror("psl trace: the program cannot be started again");
}
