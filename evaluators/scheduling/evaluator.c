/* Scheduler: task graphs that the threads of a program execute together. A graph is described by lists or a file, then
 * begun by a schedule; each thread asks for its next task, executes it in the model, and says when it has. What taking
 * a task costs is the model's: stdlib/task-scheduling.psl. */
#include "evaluators/scheduling/run.h"

#include <math.h>
#include <string.h>

enum { THREADS_MOST = 100000 };

struct state {
  struct psl_host *host;
  struct graph graph;
  struct plan plan;
  bool described, planned, begun;
  struct run *run;
  double *busy;              /* of a plan, s by thread */
  uint64_t finished, stolen; /* in runs before this one */
  bool taken_by_others;      /* has some run had queues of threads? */
};

static void *scheduler_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  return s;
}

/* ---- descriptions ---- */

static bool threads_take(struct psl_call *call, union psl_argument threads, union psl_argument speeds,
                         struct graph_lists *lists) {
  if (threads.integer < 1 || threads.integer > THREADS_MOST) {
    psl_failed(call, "there are %lld threads; 1 to %d can be scheduled", (long long)threads.integer, THREADS_MOST);
    return false;
  }
  lists->thread_count = (uint32_t)threads.integer;
  lists->speeds = speeds.list.items;
  lists->speed_count = speeds.list.count;
  return true;
}

static enum psl_status described(struct state *s, struct psl_call *call, bool fine) {
  if (!fine) return PSL_FAILED;
  s->described = true;
  s->begun = s->planned = false;
  call->result.integer = s->graph.task_count;
  return PSL_DONE;
}

/* Arguments: threads, speeds, works, tails, heads, delays, each. */
static enum psl_status describe(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *given = call->arguments;
  struct graph_lists lists = {.works = given[2].list.items,
                              .work_count = given[2].list.count,
                              .tails = given[3].list.items,
                              .edge_count = given[3].list.count,
                              .heads = given[4].list.items,
                              .head_count = given[4].list.count,
                              .delays = given[5].list.items,
                              .delay_count = given[5].list.count,
                              .each = given[6].integer != 0};
  bool fine = threads_take(call, given[0], given[1], &lists) && graph_make(s->host, &lists, &s->graph, call->error);
  return described(s, call, fine);
}

/* Arguments: threads, speeds, file, scale. */
static enum psl_status read_file(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *given = call->arguments;
  struct graph_lists lists = {.each = false};
  if (!*given[2].string) return psl_failed(call, "no file of a task graph is named");
  if (!(given[3].real >= 0)) return psl_failed(call, "the scale is %g s, and must not be negative", given[3].real);
  bool fine = threads_take(call, given[0], given[1], &lists) &&
              graph_read(s->host, given[2].string, given[3].real, &lists, &s->graph, call->error);
  return described(s, call, fine);
}

/* What is asked of a graph that has been described, of one of its tasks, of one of its threads. */
static bool graph_given(const struct state *s, struct psl_call *call) {
  if (!s->described) psl_failed(call, "no task graph has been described");
  return s->described;
}

static bool task_given(const struct state *s, struct psl_call *call, int64_t task) {
  if (!graph_given(s, call)) return false;
  bool fine = task >= 0 && task < s->graph.task_count;
  if (!fine) psl_failed(call, "there is no task %lld: tasks are 0 to %u", (long long)task, s->graph.task_count - 1);
  return fine;
}

static bool thread_given(const struct state *s, struct psl_call *call, int64_t thread) {
  if (!graph_given(s, call)) return false;
  bool fine = thread >= 0 && thread < s->graph.thread_count;
  if (!fine)
    psl_failed(call, "there is no thread %lld: threads are 0 to %u", (long long)thread, s->graph.thread_count - 1);
  return fine;
}

/* ---- schedules ---- */

static enum psl_status begin(void *state, struct psl_call *call) {
  struct state *s = state;
  const char *schedule = call->arguments[0].string;
  if (!graph_given(s, call)) return PSL_FAILED;
  if (s->run) s->finished += run_finished(s->run), s->stolen += run_stolen(s->run);
  s->planned = plan_make(s->host, &s->graph, schedule, &s->plan);
  s->run = run_open(s->host, &s->graph, schedule, s->planned ? &s->plan : NULL);
  if (!s->run)
    return psl_failed(call,
                      "'%.40s' is no schedule of task graphs: block, cyclic, HLFET, HEFT and CPOP are, dynamic, "
                      "critical-path and stealing",
                      schedule);
  s->begun = true;
  s->taken_by_others |= !strcmp(schedule, "stealing");
  s->busy = s->host->allocate(s->host, s->graph.thread_count * sizeof *s->busy);
  for (uint32_t t = 0; s->planned && t < s->graph.task_count; t++)
    s->busy[s->plan.thread[t]] += graph_work(&s->graph, t, s->plan.thread[t]);
  return PSL_DONE;
}

static bool begun_given(const struct state *s, struct psl_call *call, int64_t thread) {
  if (!thread_given(s, call, thread)) return false;
  if (!s->begun) psl_failed(call, "the task graph has not been begun by a schedule");
  return s->begun;
}

static bool plan_given(const struct state *s, struct psl_call *call) {
  if (!graph_given(s, call)) return false;
  if (!s->planned) psl_failed(call, "the task graph has not been begun by a static schedule");
  return s->planned;
}

static enum psl_status next_task(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  if (!begun_given(s, call, call->arguments[0].integer)) return PSL_FAILED;
  return run_next(s->run, call, (uint32_t)call->arguments[0].integer);
}

static enum psl_status finish_task(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  if (!begun_given(s, call, call->arguments[0].integer)) return PSL_FAILED;
  return run_finish(s->run, call, (uint32_t)call->arguments[0].integer) ? PSL_DONE : PSL_FAILED;
}

static enum psl_status looked(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!begun_given(s, call, call->arguments[0].integer)) return PSL_FAILED;
  call->result.integer = run_looked(s->run, (uint32_t)call->arguments[0].integer);
  return PSL_DONE;
}

static enum psl_status queue_of(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!begun_given(s, call, call->arguments[0].integer)) return PSL_FAILED;
  call->result.integer = run_queue(s->run, (uint32_t)call->arguments[0].integer);
  return PSL_DONE;
}

/* ---- figures ---- */

static enum psl_status work(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t task = call->arguments[0].integer, thread = call->arguments[1].integer;
  if (!task_given(s, call, task) || !thread_given(s, call, thread)) return PSL_FAILED;
  call->result.real = graph_work(&s->graph, (uint32_t)task, (uint32_t)thread);
  return PSL_DONE;
}

static enum psl_status tasks(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!graph_given(s, call)) return PSL_FAILED;
  call->result.integer = s->graph.task_count;
  return PSL_DONE;
}

static enum psl_status makespan(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!plan_given(s, call)) return PSL_FAILED;
  call->result.real = s->plan.makespan;
  return PSL_DONE;
}

static enum psl_status thread_of(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!plan_given(s, call) || !task_given(s, call, call->arguments[0].integer)) return PSL_FAILED;
  call->result.integer = s->plan.thread[call->arguments[0].integer];
  return PSL_DONE;
}

static enum psl_status start_of(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!plan_given(s, call) || !task_given(s, call, call->arguments[0].integer)) return PSL_FAILED;
  call->result.real = s->plan.start[call->arguments[0].integer];
  return PSL_DONE;
}

static enum psl_status busy(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!plan_given(s, call) || !thread_given(s, call, call->arguments[0].integer)) return PSL_FAILED;
  call->result.real = s->busy[call->arguments[0].integer];
  return PSL_DONE;
}

static enum psl_status end_of(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!plan_given(s, call) || !thread_given(s, call, call->arguments[0].integer)) return PSL_FAILED;
  uint32_t last = s->plan.last[call->arguments[0].integer];
  call->result.real = last == PLAN_NONE ? 0 : s->plan.finish[last];
  return PSL_DONE;
}

static enum psl_status least(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!graph_given(s, call)) return PSL_FAILED;
  call->result.real = graph_bounds(s->host, &s->graph).least;
  return PSL_DONE;
}

static enum psl_status greatest(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!graph_given(s, call)) return PSL_FAILED;
  call->result.real = graph_bounds(s->host, &s->graph).greatest;
  return PSL_DONE;
}

/* ---- the run ---- */

static void explain_wait(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  const struct state *s = state;
  uint32_t thread = 0, task = 0;
  (void)other;
  if (s->run && run_waits(s->run, process, &thread, &task))
    snprintf(out, size, "for task %u to be ready, which thread %u executes next", task, thread);
  else
    snprintf(out, size, "for a task that thread %u can take", thread);
}

static size_t statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  size_t used = 0;
  if (!s->begun) return 0;
  if (used < capacity)
    out[used++] = (struct psl_statistic){"tasks", "", (double)(s->finished + run_finished(s->run)), true};
  if (used < capacity && s->taken_by_others)
    out[used++] = (struct psl_statistic){"stolen tasks", "", (double)(s->stolen + run_stolen(s->run)), true};
  return used;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "describe",
     .signature =
         "(threads : int, speeds : [real], works : [time], tails : [int], heads : [int], delays : [time] = [], "
         "each : bool = false) -> int",
     .kind = PSL_EVENT,
     .call = describe,
     .doc =
         "A task graph: what each task takes at speed 1, or `each`: on each thread, at task x threads + thread; from "
         "which task to which each edge goes, and how long its data take to another thread. The number of tasks."},
    {.name = "read",
     .signature = "(threads : int, speeds : [real], file : string, scale : time) -> int",
     .kind = PSL_EVENT,
     .call = read_file,
     .reads = 4,
     .doc = "The same of a file in the format of the Standard Task Graph Set (Tobita and Kasahara, 2002), whose times "
            "are each so many times the scale."},
    {.name = "begin",
     .signature = "(schedule : string)",
     .kind = PSL_EVENT,
     .call = begin,
     .doc = "Threads may ask for tasks now, which they get by that schedule: a static one, block, cyclic, HLFET, HEFT, "
            "CPOP, or dynamic, critical-path, stealing."},
    {.name = "next",
     .signature = "(thread : int) -> int",
     .kind = PSL_CALL,
     .call = next_task,
     .doc = "The thread's next task, with its data there, when there is one; -1: there is none any more."},
    {.name = "finish",
     .signature = "(thread : int)",
     .kind = PSL_CALL,
     .call = finish_task,
     .doc = "The thread has executed its task: those that waited for it alone can be taken."},
    {.name = "looked",
     .signature = "(thread : int) -> int",
     .kind = PSL_EVENT,
     .call = looked,
     .doc = "In how many queues of other threads it looked until it found its last task; 0: that was in its own."},
    {.name = "queue",
     .signature = "(thread : int) -> int",
     .kind = PSL_EVENT,
     .call = queue_of,
     .doc = "Which thread's queue its last task was in; 0 where they share one."},
    {.name = "work",
     .signature = "(task : int, thread : int) -> time",
     .kind = PSL_EVENT,
     .call = work,
     .doc = "What the task takes on the thread."},
    {.name = "tasks", .signature = "() -> int", .kind = PSL_EVENT, .call = tasks, .doc = "How many there are."},
    {.name = "makespan",
     .signature = "() -> time",
     .kind = PSL_EVENT,
     .call = makespan,
     .doc = "Of a static schedule, where nothing but tasks and data takes time."},
    {.name = "thread-of",
     .signature = "(task : int) -> int",
     .kind = PSL_EVENT,
     .call = thread_of,
     .doc = "Which thread executes the task, by a static schedule."},
    {.name = "start-of",
     .signature = "(task : int) -> time",
     .kind = PSL_EVENT,
     .call = start_of,
     .doc = "When it starts there."},
    {.name = "busy",
     .signature = "(thread : int) -> time",
     .kind = PSL_EVENT,
     .call = busy,
     .doc = "What the thread's tasks take, by a static schedule."},
    {.name = "end-of",
     .signature = "(thread : int) -> time",
     .kind = PSL_EVENT,
     .call = end_of,
     .doc = "When the last of them ends."},
    {.name = "least",
     .signature = "() -> time",
     .kind = PSL_EVENT,
     .call = least,
     .doc = "Less no schedule takes: all work spread evenly, or the longest path."},
    {.name = "greatest",
     .signature = "() -> time",
     .kind = PSL_EVENT,
     .call = greatest,
     .doc = "More none takes that leaves no thread idle while a task waits for one (Graham, 1969): both together."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"a thread executes a task without interruption, on a processor of its own"},
    {"data of several tasks do not meet on their way"},
    {NULL},
};

const struct psl_evaluator scheduler_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Scheduler",
    .revision = "1",
    .doc = "Task graphs that threads execute by a schedule: static lists, shared queues, work stealing.",
    .evidence = PSL_ANALYTIC,
    .functions = functions,
    .assumptions = assumptions,
    .open = scheduler_open,
    .statistics = statistics,
    .explain_wait = explain_wait,
};
