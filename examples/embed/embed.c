/* A C program with PSL inside: asks a model for the number of processors that is worth having.
 *
 *   cc embed.c $(pkg-config --cflags --libs psl) -o embed && ./embed farm.psl */
#include <psl.h>
#include <stdio.h>

static void complain(void *user, const struct psl_diagnostic *diagnostic) { fputs(diagnostic->text, (FILE *)user); }

/* The predicted time with so many processors, s; negative after a diagnostic. */
static double predict(struct psl *psl, int processors) {
  char number[16];
  snprintf(number, sizeof number, "%d", processors);
  const struct psl_results *results;
  if (psl_set(psl, "processors", number) != PSL_OK || psl_run(psl, "farm", NULL, &results) != PSL_OK) return -1;
  double time = results->makespan.value;
  printf("%10d  %8.3f %s  %5.1f %% of it waiting for the disk\n", processors, time, results->makespan.unit,
         100 * results->mean.wait / time);
  psl_drop(psl, results);
  return time;
}

int main(int argc, char **argv) {
  struct psl *psl = psl_open(&(struct psl_options){.diagnostic = complain, .user = stdout});
  if (!psl) return 2;
  int status = 1;
  if (psl_load_file(psl, argc > 1 ? argv[1] : "farm.psl") == PSL_OK) {
    puts("processors      time");
    int best = 0;
    double least = 0;
    for (int processors = 1; processors <= 64; processors *= 2) {
      double time = predict(psl, processors);
      if (time < 0) goto end;
      if (!best || time < least) best = processors, least = time;
    }
    printf("best: %d\n\n", best);
    /* What is wrong is said to the callback, with its place. */
    if (psl_set(psl, "procesors", "2") == PSL_MISUSE && psl_set(psl, "work", "3 MB") == PSL_MISUSE) status = 0;
  }
end:
  psl_close(psl);
  return status;
}
