/* Calls functions a number of times that it counts itself, in threads, recursively, by a tail call, out of which
 * longjmp leads, and in a process that it forks. It says when it is ready; a phase begins with each line of standard
 * input, and says what has been counted, and whether the code is what it was at first. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static _Atomic long works, outers, factorials, jumps;
static volatile long sum;

__attribute__((noinline)) void work(int n) {
  works++;
  for (int i = 0; i < n; i++)
    sum += i;
}

__attribute__((noinline)) void outer(void) {
  outers++;
  work(10);
  work(20);
}

__attribute__((noinline)) int factorial(int n) {
  factorials++;
  return n < 2 ? 1 : n * factorial(n - 1) + (int)(sum & 0);
}

__attribute__((noinline)) void jumps_out(jmp_buf *where) {
  jumps++;
  longjmp(*where, 1);
}

static void *rounds(void *count) {
  for (long k = 0; k < (long)count; k++) {
    jmp_buf here;
    outer();
    factorial(4);
    if (!setjmp(here)) jumps_out(&here);
  }
  return NULL;
}

static long code(void) {
  void *const functions[] = {(void *)work, (void *)outer, (void *)factorial, (void *)jumps_out, (void *)rounds};
  long found = 0;
  for (int f = 0; f < 5; f++)
    for (int k = 0; k < 24; k++)
      found = found * 31 + ((volatile unsigned char *)functions[f])[k];
  return found;
}

/* One that is forked calls, one that is spawned is another program. */
static int children(void) {
  int status, fine = 0;
  char *words[] = {"true", NULL};
  pid_t child = fork();
  if (!child) {
    rounds((void *)3);
    _exit(7);
  }
  waitpid(child, &status, 0);
  fine += WIFEXITED(status) && WEXITSTATUS(status) == 7;
  if (posix_spawnp(&child, "true", NULL, NULL, words, environ) == 0) waitpid(child, &status, 0);
  fine += WIFEXITED(status) && !WEXITSTATUS(status);
  return fine;
}

int main(int count, char **words) {
  int threads = count > 1 ? atoi(words[1]) : 1;
  long each = count > 2 ? atol(words[2]) : 20, before = code();
  char line[20];
  printf("ready\n");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    pthread_t all[16];
    for (int t = 0; t < threads && t < 16; t++)
      pthread_create(&all[t], NULL, rounds, (void *)each);
    int fine = strncmp(line, "fork", 4) ? 0 : children();
    for (int t = 0; t < threads && t < 16; t++)
      pthread_join(all[t], NULL);
    printf("work %ld outer %ld factorial %ld jumps_out %ld children %d code %s\n", works, outers, factorials, jumps,
           fine, code() == before ? "same" : "other");
    fflush(stdout);
  }
  return 5;
}
