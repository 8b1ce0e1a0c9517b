/* A block that takes so many microseconds of processor time, and says how often it was called. */
#include <time.h>

static double elapsed(const struct timespec *begin) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * (double)(now.tv_sec - begin->tv_sec) + 1e-3 * (double)(now.tv_nsec - begin->tv_nsec);
}

double spin(int microseconds, double part) {
  struct timespec begin;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  while (elapsed(&begin) < part * microseconds)
    continue;
  return 0;
}
