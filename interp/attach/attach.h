/* Functions of a process that runs, counted and timed. */
#ifndef PSL_ATTACH_H
#define PSL_ATTACH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct attach_options {
  pid_t process;
  const char *const *functions; /* by their symbols */
  size_t function_count;
  double seconds; /* after which it is left; 0: when it ends, or psl is to */
  bool json;
  FILE *out;    /* gets the report */
  FILE *trace;  /* gets each call, as Chrome's JSON; NULL: none is wanted */
  int commands; /* a descriptor from which lines are read; -1: none */
  /* Says what is wrong, or what there is to know: an error, or a note. */
  void (*say)(void *user, bool error, const char *text);
  void *user;
};

/* What became of it: false after an error. */
bool attach_run(const struct attach_options *options);
#endif
