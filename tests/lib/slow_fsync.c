/* To be loaded before a program: fsync takes half a second longer, as on a disk that is busy. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

int fsync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  usleep(500000);
  return real(file);
}
