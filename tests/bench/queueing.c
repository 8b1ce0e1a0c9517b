/* Queueing networks beside plain C: 3 classes at 4 stations, 20 customers each, exactly; 100 classes at 20 stations by
 * Schweitzer's approximation from a uniform start to 1e-10. Both here in one process; a line each:
 *   NAME  seconds of PSL's psl_run (its part after matching)  seconds of C  greatest relative difference of
 *   throughput */
#include "interp/include/psl.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CLASSES = 100, MOST_STATIONS = 20, RUNS = 31 };

struct problem {
  int classes, stations;
  int population[MOST_CLASSES];
  double think[MOST_CLASSES], demand[MOST_CLASSES][MOST_STATIONS];
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void make(struct problem *p, int classes, int stations, int population) {
  unsigned seed = 1;
  p->classes = classes;
  p->stations = stations;
  for (int c = 0; c < classes; c++) {
    p->population[c] = population;
    p->think[c] = 1 + c % 7;
    for (int k = 0; k < stations; k++) {
      seed = seed * 1103515245u + 12345u;
      p->demand[c][k] = (double)(1 + (seed >> 16) % 1000) / 1000;
    }
  }
}

/* ---- plain C ---- */

static void exact(const struct problem *p, double *throughput) {
  int at[MOST_CLASSES] = {0};
  size_t stride[MOST_CLASSES], count = 1, place = 0;
  for (int c = p->classes; c-- > 0;) {
    stride[c] = count;
    count *= (size_t)p->population[c] + 1;
  }
  double *queue = calloc(count * (size_t)p->stations, sizeof *queue);
  if (!queue) exit(1);
  for (;;) {
    int c = p->classes - 1;
    while (c >= 0 && at[c] == p->population[c])
      at[c--] = 0;
    if (c < 0) break;
    at[c]++;
    double *here = queue + ++place * (size_t)p->stations;
    for (c = 0; c < p->classes; c++) {
      double response[MOST_STATIONS], cycle = p->think[c];
      if (!at[c]) continue;
      const double *before = here - stride[c] * (size_t)p->stations;
      for (int k = 0; k < p->stations; k++)
        cycle += response[k] = p->demand[c][k] * (1 + before[k]);
      throughput[c] = at[c] / cycle;
      for (int k = 0; k < p->stations; k++)
        here[k] += throughput[c] * response[k];
    }
  }
  free(queue);
}

static void schweitzer(const struct problem *p, double *throughput) {
  static double queue[MOST_CLASSES][MOST_STATIONS], response[MOST_CLASSES][MOST_STATIONS];
  for (int c = 0; c < p->classes; c++)
    for (int k = 0; k < p->stations; k++)
      queue[c][k] = (double)p->population[c] / p->stations;
  for (double change = 1; change > 1e-10;) {
    double all[MOST_STATIONS] = {0};
    change = 0;
    for (int c = 0; c < p->classes; c++)
      for (int k = 0; k < p->stations; k++)
        all[k] += queue[c][k];
    for (int c = 0; c < p->classes; c++) {
      double cycle = p->think[c];
      for (int k = 0; k < p->stations; k++)
        cycle += response[c][k] = p->demand[c][k] * (1 + all[k] - queue[c][k] / p->population[c]);
      throughput[c] = p->population[c] / cycle;
      for (int k = 0; k < p->stations; k++) {
        double next = throughput[c] * response[c][k];
        change = fmax(change, fabs(next - queue[c][k]));
        queue[c][k] = next;
      }
    }
  }
}

/* ---- the same as a model ---- */

static char *model(const struct problem *p, const char *solver) {
  size_t size = 4096 + (size_t)p->classes * (size_t)p->stations * 16;
  char *text = malloc(size), *out = text;
  if (!text) exit(1);
  out += sprintf(out, "let demand = [");
  for (int c = 0; c < p->classes; c++) {
    out += sprintf(out, "%s[", c ? ", " : "");
    for (int k = 0; k < p->stations; k++)
      out += sprintf(out, "%s%.3f s", k ? ", " : "", p->demand[c][k]);
    out += sprintf(out, "]");
  }
  sprintf(out,
          "];\n"
          "transaction work(class : int);\n"
          "transaction cycle();\n"
          "component station [k] : 0 <= k < %d {\n"
          "  accepts: profile = { domain = hardware[server], node type = station }; transaction = work(class);\n"
          "    protocol = call-return; servers = 1; discipline = processor-sharing;\n"
          "  body: hold exponential(demand[class][k]);\n"
          "}\n"
          "component customer [c] : 0 <= c < %d {\n"
          "  accepts: profile = { domain = application[queueing], node type = customer,\n"
          "                       evaluation mode = analysis[%s] };\n"
          "    transaction = cycle(); protocol = dataflow; servers = unlimited;\n"
          "  body: hold exponential(1 s + (c mod 7) * 1 s); for k in 0 .. %d { call go(k); }\n"
          "  requests:\n"
          "    go(k): selector = { domain = hardware[server], k = k }; transaction = work(c); protocol = call-return;\n"
          "    selector = { domain = application[queueing], c = c }; transaction = cycle(); protocol = dataflow;\n"
          "}\n"
          "system closed { requests: every selector = { domain = application[queueing] }; transaction = cycle();\n"
          "  visits = %d; protocol = dataflow; }\n",
          p->stations, p->classes, solver, p->stations - 1, p->population[0]);
  return text;
}

static void say(void *user, const struct psl_diagnostic *diagnostic) { fputs(diagnostic->text, (FILE *)user); }

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void compare(const char *name, const struct problem *p, const char *solver,
                    void (*plain)(const struct problem *, double *)) {
  double own[RUNS], theirs[RUNS], throughput[MOST_CLASSES], apart = 0;
  char *text = model(p, solver);
  struct psl *psl = psl_open(&(struct psl_options){.diagnostic = say, .user = stderr});
  if (!psl || psl_load_text(psl, "network", text, strlen(text)) != PSL_OK) exit(1);
  for (int run = 0; run < RUNS; run++) {
    const struct psl_results *results;
    double begin = now();
    plain(p, throughput);
    theirs[run] = now() - begin;
    if (psl_run(psl, NULL, NULL, &results) != PSL_OK) exit(1);
    own[run] = results->timing.run;
    for (int c = 0; c < p->classes; c++)
      apart = fmax(apart, fabs(results->queueing->classes[c].throughput.value / throughput[c] - 1));
    psl_drop(psl, results);
  }
  qsort(own, RUNS, sizeof *own, by_time);
  qsort(theirs, RUNS, sizeof *theirs, by_time);
  printf("%s\t%.9f\t%.9f\t%.3g\n", name, own[RUNS / 2], theirs[RUNS / 2], apart);
  psl_close(psl);
  free(text);
}

int main(void) {
  static struct problem p;
  make(&p, 3, 4, 20);
  compare("MVA, 3 classes, 4 stations", &p, "MVA", exact);
  make(&p, 100, 20, 10);
  compare("Schweitzer, 100 classes, 20", &p, "Schweitzer", schweitzer);
  return 0;
}
