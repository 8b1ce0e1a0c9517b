/* A list of what has been used, which all threads add to; written when the program ends. */
#include "evaluators/programs/reflector/totals.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct total {
  struct total *next;
  char *resource, *file;
  int line;
  unsigned long uses;
  double seconds, least, most;
  struct counted counted;
};

static struct total *totals, **last = &totals;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *path;

void totals_open(const char *file) { path = file; }

static int is_of(const struct total *total, const char *resource, const char *file, int line) {
  return total->line == line && !strcmp(total->resource, resource) && !strcmp(total->file, file);
}

static struct total *total_of(const char *resource, const char *file, int line) {
  struct total *total = totals;
  while (total && !is_of(total, resource, file, line))
    total = total->next;
  if (total || !(total = calloc(1, sizeof *total))) return total;
  total->resource = strdup(resource);
  total->file = strdup(file);
  total->line = line;
  if (!total->resource || !total->file) return NULL; /* it is not counted */
  *last = total;
  last = &total->next;
  return total;
}

void totals_add(const char *resource, const char *file, int line, double seconds, const struct counted *counted) {
  static const struct counted none;
  pthread_mutex_lock(&lock);
  struct total *total = total_of(resource, file, line);
  if (total) {
    if (!total->uses || seconds < total->least) total->least = seconds;
    if (seconds > total->most) total->most = seconds;
    total->uses++;
    total->seconds += seconds;
    counted_add(&total->counted, &none, counted);
  }
  pthread_mutex_unlock(&lock);
}

static void write_table(FILE *out) {
  fprintf(out, "%-20s %-20s %8s %12s %12s", "resource", "at", "uses", "seconds", "a use");
  for (int k = 0; k < COUNTED_KINDS; k++)
    fprintf(out, " %16s", counted_names[k]);
  fputc('\n', out);
  for (const struct total *t = totals; t; t = t->next) {
    char at[80] = "";
    if (t->line) snprintf(at, sizeof at, "%.63s:%d", t->file, t->line);
    fprintf(out, "%-20s %-20s %8lu %12.6g %12.6g", t->resource, at, t->uses, t->seconds, t->seconds / (double)t->uses);
    for (int k = 0; k < COUNTED_KINDS; k++)
      t->counted.of[k] < 0 ? fprintf(out, " %16s", "not known") : fprintf(out, " %16.6g", t->counted.of[k]);
    fputc('\n', out);
  }
}

/* What is not known is left out. */
static void write_rows(FILE *out) {
  fprintf(out, "resource,file,line,uses,time [s],least [s],greatest [s]");
  for (int k = 0; k < COUNTED_KINDS; k++)
    fprintf(out, ",%s%s", counted_names[k], k == COUNTED_CPU ? " [s]" : "");
  fputc('\n', out);
  for (const struct total *t = totals; t; t = t->next) {
    fprintf(out, "%s,\"%s\",%d,%lu,%.9g,%.9g,%.9g", t->resource, t->file, t->line, t->uses, t->seconds, t->least,
            t->most);
    for (int k = 0; k < COUNTED_KINDS; k++)
      t->counted.of[k] < 0 ? fputc(',', out) : fprintf(out, ",%.9g", t->counted.of[k]);
    fputc('\n', out);
  }
}

void totals_write(void) {
  pthread_mutex_lock(&lock);
  FILE *out = path ? fopen(path, "w") : stderr;
  if (!out)
    fprintf(stderr, "psl-reflector: %s cannot be written\n", path);
  else
    path ? write_rows(out) : write_table(out);
  if (out && path) fclose(out);
  pthread_mutex_unlock(&lock);
}
