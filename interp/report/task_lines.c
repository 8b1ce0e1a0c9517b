/* The dynamic task graph of a run of processes, from its trace: what each has computed, and done for messages, as
 * tasks, with edges from one to the next and from who has sent a message to who has received it.  For
 * psl_dynamic_graph.
 *
 * A stretch of a trace may be several operations: it is cut where messages are sent, posted for and received. */
#include "interp/report/results.h"

#include <stdlib.h>
#include <string.h>

struct cut {
  uint32_t process; /* instance */
  double time;
};
struct task { /* ordered by process and then by time */
  uint32_t process;
  const struct trace_event *event;
  double begin, end;
};
struct tasks {
  struct task *items;
  size_t count, capacity;
};

static int by_process(const void *a, const void *b) {
  const struct cut *x = a, *y = b;
  if (x->process != y->process) return x->process < y->process ? -1 : 1;
  return (x->time > y->time) - (x->time < y->time);
}

static struct cut *cuts_of(const struct trace *trace, struct arena *arena) {
  struct cut *cuts = ARENA_ARRAY(arena, struct cut, 3 * trace->message_count + 1);
  for (size_t k = 0; k < trace->message_count; k++) {
    const struct trace_message *message = &trace->messages[k];
    cuts[3 * k] = (struct cut){message->source, message->sent};
    cuts[3 * k + 1] = (struct cut){message->destination, message->posted};
    cuts[3 * k + 2] = (struct cut){message->destination, message->received};
  }
  if (trace->message_count) qsort(cuts, 3 * trace->message_count, sizeof *cuts, by_process);
  return cuts;
}

static void add_task(struct tasks *tasks, struct arena *arena, const struct trace_event *event, double begin,
                     double end) {
  struct task task = {event->process, event, begin, end};
  if (end > begin) ARENA_PUSH(arena, tasks->items, tasks->count, tasks->capacity, task);
}

static struct tasks tasks_of(const struct results *results, struct arena *arena) {
  const struct trace *trace = results->trace;
  const struct cut *cut = cuts_of(trace, arena), *last = cut + 3 * trace->message_count;
  struct tasks tasks = {0};
  for (size_t e = 0; e < trace->count; e++) {
    const struct trace_event *event = &trace->events[e];
    double begin = event->begin;
    if (event->activity > ACTIVITY_COMMUNICATE || results->process_of[event->process] == UINT32_MAX) continue;
    while (cut < last && (cut->process < event->process || (cut->process == event->process && cut->time <= begin)))
      cut++;
    for (; cut < last && cut->process == event->process && cut->time < event->end; cut++) {
      add_task(&tasks, arena, event, begin, cut->time);
      begin = cut->time > begin ? cut->time : begin;
    }
    add_task(&tasks, arena, event, begin, event->end);
  }
  return tasks;
}

/* The last task of the process that begins at the time or before; -1: there is none. */
static int64_t task_at(const struct tasks *tasks, uint32_t process, double time) {
  size_t low = 0, high = tasks->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct task *task = &tasks->items[middle];
    if (task->process < process || (task->process == process && task->begin <= time))
      low = middle + 1;
    else
      high = middle;
  }
  return low && tasks->items[low - 1].process == process ? (int64_t)low - 1 : -1;
}

static void put_edge(struct output *out, int64_t from, int64_t to, double delay) {
  text_printf(&out->text, "edge %lld %lld ", (long long)from, (long long)to);
  text_number(&out->text, delay);
  text_char(&out->text, '\n');
}

/* What has received the message ends where it is there, or begins then where receiving takes no time. */
static int64_t head_of(const struct tasks *tasks, const struct trace_message *message) {
  int64_t at = task_at(tasks, message->destination, message->received);
  bool begins = at >= 0 && tasks->items[at].begin == message->received;
  bool before = begins && at && tasks->items[at - 1].process == message->destination &&
                tasks->items[at - 1].end == message->received &&
                tasks->items[at - 1].event->activity == ACTIVITY_COMMUNICATE;
  return before ? at - 1 : at;
}

void report_task_lines(struct output *out, const struct results *results) {
  const struct trace *trace = results->trace;
  struct tasks tasks = tasks_of(results, out->text.arena);
  for (size_t k = 0; k < tasks.count; k++) {
    const struct task *task = &tasks.items[k];
    uint32_t process = results->process_of[task->process];
    text_printf(&out->text, "task %zu %u ", k, process);
    text_number(&out->text, task->begin);
    text_char(&out->text, ' ');
    text_number(&out->text, task->end - task->begin);
    text_printf(&out->text, " %s\n",
                task->event->activity == ACTIVITY_COMPUTE ? results->component_names[task->event->component]
                                                          : activity_names[task->event->activity]);
    if (k && tasks.items[k - 1].process == task->process) put_edge(out, (int64_t)k - 1, (int64_t)k, 0);
    output_pass(out);
  }
  for (size_t k = 0; k < trace->message_count; k++) {
    const struct trace_message *message = &trace->messages[k];
    int64_t from = task_at(&tasks, message->source, message->sent), to = head_of(&tasks, message);
    if (from < 0 || to < 0) continue;
    const struct task *tail = &tasks.items[from], *head = &tasks.items[to];
    if (head->end > tail->begin && from != to) put_edge(out, from, to, head->begin - tail->end);
    output_pass(out);
  }
}
