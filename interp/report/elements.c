/* Named elements in results: those of each process, and their sums over all.  Called by results_make; the
 * reports that show them are in their own files. */
#include "interp/report/results.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
  const struct psl_element *one = a, *other = b;
  int order = strcmp(one->name, other->name);
  return order ? order : strcmp(one->kind, other->kind);
}

/* What takes most comes first. */
static int by_own_time(const void *a, const void *b) {
  const struct psl_element *one = a, *other = b;
  if (one->own != other->own) return one->own > other->own ? -1 : 1;
  return by_name(a, b);
}

static int by_process(const void *a, const void *b) {
  const struct psl_element *one = a, *other = b;
  if (one->process != other->process) return one->process < other->process ? -1 : 1;
  return by_own_time(a, b);
}

static void add(struct psl_element *sum, const struct psl_element *element) {
  sum->count += element->count;
  sum->time += element->time;
  sum->own += element->own;
  if (element->minimum < sum->minimum) sum->minimum = element->minimum;
  if (element->maximum > sum->maximum) sum->maximum = element->maximum;
}

static int by_name_then_process(const void *a, const void *b) {
  int order = by_name(a, b);
  return order ? order : by_process(a, b);
}

/* The rows of one kind and name become one; `rows` are sorted by these. */
static size_t sum_up(struct psl_element *sums, const struct psl_element *rows, size_t count) {
  size_t made = 0;
  for (size_t i = 0; i < count; i++) {
    if (made && !by_name(&sums[made - 1], &rows[i])) {
      add(&sums[made - 1], &rows[i]);
      continue;
    }
    sums[made] = rows[i];
    sums[made++].process = PSL_ALL_PROCESSES;
  }
  return made;
}

void results_elements(struct results *results, const struct run_result *run) {
  struct psl_results *public = &results->public;
  struct psl_element *rows = ARENA_ARRAY(&results->arena, struct psl_element, run->element_count);
  struct psl_element *sums = ARENA_ARRAY(&results->arena, struct psl_element, run->element_count);
  struct arena *arena = &results->arena;
  size_t count = 0;
  for (uint32_t e = 0; e < run->element_count; e++) {
    const struct run_element *element = &run->elements[e];
    uint32_t process = results->process_of[element->instance];
    if (process == UINT32_MAX) continue; /* it serves others */
    rows[count++] = (struct psl_element){arena_copy(arena, element->kind, strlen(element->kind)),
                                         arena_copy(arena, element->name, strlen(element->name)),
                                         process,
                                         element->count,
                                         element->time,
                                         element->own,
                                         element->minimum,
                                         element->maximum};
  }
  if (!count) return;
  qsort(rows, count, sizeof *rows, by_name_then_process);
  public->elements = sums;
  public->element_count = sum_up(sums, rows, count);
  qsort(sums, public->element_count, sizeof *sums, by_own_time);
  qsort(rows, count, sizeof *rows, by_process);
  public->process_elements = rows;
  public->process_element_count = count;
}
