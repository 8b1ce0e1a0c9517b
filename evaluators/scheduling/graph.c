/* Makes a task graph of lists, or of a file of the Standard Task Graph Set, in the order in which tasks can be done. */
#include "evaluators/scheduling/graph.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TASKS_MOST = 1 << 26, TEXT_MOST = 1 << 28, DONE = UINT32_MAX };

/* ---- lists ---- */

static bool times_check(const double *times, uint32_t count, const char *what, char error[200]) {
  for (uint32_t k = 0; k < count; k++)
    if (!(times[k] >= 0)) {
      snprintf(error, 200, "item %u of %s is %g s, and must not be negative", k, what, times[k]);
      return false;
    }
  return true;
}

static bool speeds_check(const struct graph_lists *lists, char error[200]) {
  if (lists->speed_count > lists->thread_count)
    return snprintf(error, 200, "%u speeds are given, and there are %u threads", lists->speed_count,
                    lists->thread_count),
           false;
  if (lists->each && lists->speed_count)
    return snprintf(error, 200, "speeds are given, and works of each thread"), false;
  for (uint32_t k = 0; k < lists->speed_count; k++)
    if (!(lists->speeds[k] > 0))
      return snprintf(error, 200, "item %u of speeds is %g, and must be more than 0", k, lists->speeds[k]), false;
  return true;
}

static bool counts_check(const struct graph_lists *lists, uint32_t *tasks, char error[200]) {
  if (lists->each && lists->work_count % lists->thread_count)
    return snprintf(error, 200, "works has %u items, and needs one for each task and each of %u threads",
                    lists->work_count, lists->thread_count),
           false;
  *tasks = lists->each ? lists->work_count / lists->thread_count : lists->work_count;
  if (*tasks < 1) return snprintf(error, 200, "there are no tasks: works is empty"), false;
  if (*tasks > TASKS_MOST)
    return snprintf(error, 200, "there are %u tasks; %d can be scheduled", *tasks, TASKS_MOST), false;
  if (lists->head_count != lists->edge_count)
    return snprintf(error, 200, "tails and heads have %u and %u items: an edge has one of each", lists->edge_count,
                    lists->head_count),
           false;
  if (lists->delay_count && lists->delay_count != lists->edge_count)
    return snprintf(error, 200, "delays has %u items, and needs one for each edge: %u", lists->delay_count,
                    lists->edge_count),
           false;
  return true;
}

static bool end_check(double end, uint32_t edge, const char *what, uint32_t tasks, char error[200]) {
  if (end >= 0 && end < tasks) return true;
  snprintf(error, 200, "item %u of %s is %.0f, and there are tasks 0 to %u", edge, what, end, tasks - 1);
  return false;
}

static bool edges_check(const struct graph_lists *lists, uint32_t tasks, char error[200]) {
  for (uint32_t k = 0; k < lists->edge_count; k++)
    if (!end_check(lists->tails[k], k, "tails", tasks, error) || !end_check(lists->heads[k], k, "heads", tasks, error))
      return false;
  return times_check(lists->delays, lists->delay_count, "delays", error);
}

/* ---- edges ---- */

static int by_task(const void *a, const void *b) {
  const struct edge *x = a, *y = b;
  return x->task != y->task ? x->task < y->task ? -1 : 1 : (x->delay > y->delay) - (x->delay < y->delay);
}

/* Those of each task stand together. */
static void edges_put(struct psl_host *host, const struct graph_lists *lists, uint32_t tasks, const double *from,
                      const double *to, uint32_t **at, struct edge **edges) {
  uint32_t *next = host->allocate(host, ((size_t)tasks + 2) * sizeof *next);
  *edges = host->allocate(host, ((size_t)lists->edge_count + 1) * sizeof **edges);
  for (uint32_t k = 0; k < lists->edge_count; k++)
    next[(uint32_t)from[k] + 2]++;
  for (uint32_t t = 1; t <= tasks; t++)
    next[t + 1] += next[t];
  for (uint32_t k = 0; k < lists->edge_count; k++) {
    double delay = lists->delay_count ? lists->delays[k] : 0;
    (*edges)[next[(uint32_t)from[k] + 1]++] = (struct edge){(uint32_t)to[k], delay};
  }
  *at = next;
  for (uint32_t t = 0; t < tasks; t++)
    qsort(*edges + next[t], next[t + 1] - next[t], sizeof **edges, by_task);
}

/* ---- the order ---- */

struct ready { /* a heap, the least number first */
  uint32_t *tasks, count;
};

static void ready_put(struct ready *ready, uint32_t task) {
  uint32_t k = ready->count++;
  for (; k > 0 && ready->tasks[(k - 1) / 2] > task; k = (k - 1) / 2)
    ready->tasks[k] = ready->tasks[(k - 1) / 2];
  ready->tasks[k] = task;
}

static uint32_t ready_take(struct ready *ready) {
  uint32_t first = ready->tasks[0], last = ready->tasks[--ready->count], k = 0;
  for (uint32_t child; (child = 2 * k + 1) < ready->count; k = child) {
    if (child + 1 < ready->count && ready->tasks[child + 1] < ready->tasks[child]) child++;
    if (ready->tasks[child] >= last) break;
    ready->tasks[k] = ready->tasks[child];
  }
  ready->tasks[k] = last;
  return first;
}

/* False: there is a circle, and `error` names a task of it or behind it. */
static bool order_make(struct psl_host *host, struct graph *graph, char error[200]) {
  uint32_t tasks = graph->task_count, count = 0;
  uint32_t *missing = host->allocate(host, tasks * sizeof *missing);
  struct ready ready = {host->allocate(host, ((size_t)tasks + 1) * sizeof *ready.tasks), 0};
  graph->order = host->allocate(host, tasks * sizeof *graph->order);
  for (uint32_t t = 0; t < tasks; t++) {
    missing[t] = graph->before_at[t + 1] - graph->before_at[t];
    if (!missing[t]) ready_put(&ready, t);
  }
  while (ready.count) {
    uint32_t task = graph->order[count++] = ready_take(&ready);
    missing[task] = DONE;
    for (uint32_t k = graph->after_at[task]; k < graph->after_at[task + 1]; k++)
      if (--missing[graph->after[k].task] == 0) ready_put(&ready, graph->after[k].task);
  }
  if (count == tasks) return true;
  uint32_t left = 0;
  while (missing[left] == DONE)
    left++;
  snprintf(error, 200, "task %u waits for itself: the edges have a circle at it or before it", left);
  return false;
}

bool graph_make(struct psl_host *host, const struct graph_lists *lists, struct graph *graph, char error[200]) {
  uint32_t tasks;
  if (!counts_check(lists, &tasks, error) || !speeds_check(lists, error) ||
      !times_check(lists->works, lists->work_count, "works", error) || !edges_check(lists, tasks, error))
    return false;
  double *works = host->allocate(host, lists->work_count * sizeof *works);
  double *speeds = host->allocate(host, lists->thread_count * sizeof *speeds);
  memcpy(works, lists->works, lists->work_count * sizeof *works);
  for (uint32_t k = 0; k < lists->thread_count; k++)
    speeds[k] = k < lists->speed_count ? lists->speeds[k] : 1;
  *graph = (struct graph){tasks, lists->thread_count, works, speeds, lists->each, NULL, NULL, NULL, NULL, NULL};
  edges_put(host, lists, tasks, lists->tails, lists->heads, &graph->after_at, &graph->after);
  edges_put(host, lists, tasks, lists->heads, lists->tails, &graph->before_at, &graph->before);
  return order_make(host, graph, error);
}

/* ---- files ---- */

struct file { /* numbers with comments from # to the end of their line */
  const char *name;
  char *at;
  uint32_t line;
  char *error;
};

struct tasks { /* as they are read */
  double *works, *tails, *heads;
  size_t count, edges, task_room, edge_room;
};

static bool refuse(const struct file *file, const char *what) {
  const char *slash = strrchr(file->name, '/');
  snprintf(file->error, 200, "%.60s:%u: %s", slash ? slash + 1 : file->name, file->line, what);
  return false;
}

static void pass_blanks(struct file *file) {
  for (; isspace((unsigned char)*file->at) || *file->at == '#'; file->at++) {
    if (*file->at == '#') file->at += strcspn(file->at, "\n");
    if (!*file->at) return;
    file->line += *file->at == '\n';
  }
}

static bool read_number(struct file *file, double least, double most, bool whole, const char *what, double *out) {
  char *end;
  pass_blanks(file);
  *out = strtod(file->at, &end);
  if (end == file->at || !(*out >= least && *out <= most) || (whole && *out != floor(*out)) ||
      (*end && !isspace((unsigned char)*end)))
    return refuse(file, what);
  file->at = end;
  return true;
}

static double *grow(double *items, size_t *room, size_t count) {
  if (count < *room) return items;
  *room = *room ? 2 * *room : 1024;
  double *grown = realloc(items, *room * sizeof *items);
  if (!grown) free(items);
  return grown;
}

/* One task: its number, its time, how many it waits for, and which. */
static bool read_task(struct file *file, double unit, struct tasks *t) {
  double number, work, count;
  if (!read_number(file, (double)t->count, (double)t->count, true, "tasks are numbered from 0 on", &number) ||
      !read_number(file, 0, 1e100, false, "expected the time of a task", &work) ||
      !read_number(file, 0, TASKS_MOST, true, "expected how many tasks it waits for", &count))
    return false;
  if (!(t->works = grow(t->works, &t->task_room, t->count))) return refuse(file, "there is not enough memory");
  for (uint32_t k = 0; k < count; k++) {
    double before;
    if (!read_number(file, 0, TASKS_MOST, true, "expected the number of a task that it waits for", &before))
      return false;
    size_t room = t->edge_room;
    if (!(t->tails = grow(t->tails, &room, t->edges)) || !(t->heads = grow(t->heads, &t->edge_room, t->edges)))
      return refuse(file, "there is not enough memory");
    t->tails[t->edges] = before;
    t->heads[t->edges++] = (double)t->count;
  }
  t->works[t->count++] = work * unit;
  return true;
}

/* The number of tasks, without those of no time at the beginning and the end, then these all. */
static bool read_tasks(struct file *file, double unit, struct tasks *t) {
  double count;
  if (!read_number(file, 1, TASKS_MOST, true, "expected the number of tasks", &count)) return false;
  for (pass_blanks(file); *file->at; pass_blanks(file))
    if (!read_task(file, unit, t)) return false;
  if ((double)t->count == count + 2 || (double)t->count == count) return true;
  char what[120];
  snprintf(what, sizeof what,
           "the file has %zu tasks; by its first number these are %.0f, or %.0f with a first and a last one", t->count,
           count, count + 2);
  return refuse(file, what);
}

/* A plain file, since others may let a reader wait; NULL: it cannot be had. */
static FILE *open_plain(const char *path) {
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return NULL;
  FILE *file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(descriptor, "r") : NULL;
  if (!file) close(descriptor);
  return file;
}

/* All of it, and a 0; NULL: it cannot be had. */
static char *text_of(const char *path) {
  FILE *file = open_plain(path);
  if (!file) return NULL;
  size_t size = 0, room = 1 << 16;
  char *text = malloc(room);
  while (text && size < TEXT_MOST) {
    size += fread(text + size, 1, room - 1 - size, file);
    if (size + 1 < room) break;
    char *grown = realloc(text, room *= 2);
    if (!grown) free(text);
    text = grown;
  }
  bool whole = text && !ferror(file) && size < TEXT_MOST;
  fclose(file);
  if (!whole) return free(text), NULL;
  text[size] = 0;
  return text;
}

bool graph_read(struct psl_host *host, const char *path, double unit, const struct graph_lists *threads,
                struct graph *graph, char error[200]) {
  char *text = text_of(path);
  struct file file = {path, text, 1, error};
  struct tasks t = {NULL, NULL, NULL, 0, 0, 0, 0};
  if (!text) return refuse(&file, "cannot be read");
  bool fine = read_tasks(&file, unit, &t);
  struct graph_lists lists = *threads;
  lists.works = t.works, lists.work_count = (uint32_t)t.count;
  lists.tails = t.tails, lists.heads = t.heads;
  lists.edge_count = lists.head_count = (uint32_t)t.edges;
  fine = fine && graph_make(host, &lists, graph, error);
  free(text), free(t.works), free(t.tails), free(t.heads);
  return fine;
}

/* ---- what is asked of one ---- */

double graph_mean_work(const struct graph *graph, uint32_t task) {
  double sum = 0;
  for (uint32_t k = 0; k < graph->thread_count; k++)
    sum += graph_work(graph, task, k);
  return sum / graph->thread_count;
}

double *graph_levels(struct psl_host *host, const struct graph *graph, bool delays) {
  double *levels = host->allocate(host, graph->task_count * sizeof *levels);
  for (uint32_t n = graph->task_count; n-- > 0;) {
    uint32_t task = graph->order[n];
    for (uint32_t k = graph->after_at[task]; k < graph->after_at[task + 1]; k++) {
      const struct edge *edge = &graph->after[k];
      levels[task] = fmax(levels[task], levels[edge->task] + (delays ? edge->delay : 0));
    }
    levels[task] += graph_mean_work(graph, task);
  }
  return levels;
}

/* What a task takes at least and at most on any thread, the latter with its data, whichever edge they come by. */
static void work_bounds(const struct graph *graph, uint32_t task, double *least, double *greatest) {
  double data = 0;
  *least = INFINITY, *greatest = 0;
  for (uint32_t k = 0; k < graph->thread_count; k++) {
    *least = fmin(*least, graph_work(graph, task, k));
    *greatest = fmax(*greatest, graph_work(graph, task, k));
  }
  for (uint32_t k = graph->before_at[task]; k < graph->before_at[task + 1]; k++)
    data = fmax(data, graph->before[k].delay);
  *greatest += data;
}

struct graph_bounds graph_bounds(struct psl_host *host, const struct graph *graph) {
  double least_work = 0, greatest_work = 0, least_path = 0, greatest_path = 0, work = 0, speed = 0;
  double *least = host->allocate(host, graph->task_count * sizeof *least);
  double *greatest = host->allocate(host, graph->task_count * sizeof *greatest);
  for (uint32_t n = 0; n < graph->task_count; n++) {
    uint32_t task = graph->order[n];
    double low, high;
    work_bounds(graph, task, &low, &high);
    for (uint32_t k = graph->before_at[task]; k < graph->before_at[task + 1]; k++) {
      least[task] = fmax(least[task], least[graph->before[k].task]);
      greatest[task] = fmax(greatest[task], greatest[graph->before[k].task]);
    }
    least_work += low, greatest_work += high;
    work += graph->each ? 0 : graph->works[task];
    least_path = fmax(least_path, least[task] += low);
    greatest_path = fmax(greatest_path, greatest[task] += high);
  }
  for (uint32_t k = 0; k < graph->thread_count; k++)
    speed += graph->speeds[k];
  double even = graph->each ? least_work / graph->thread_count : work / speed;
  return (struct graph_bounds){fmax(even, least_path), greatest_work / graph->thread_count + greatest_path};
}
