/* Service: the holds of frames whose facility serves them together, by processor sharing, in turns or with preemption.
 * Called by both engines where such a frame holds, and by the scheduler for the events that stand for these jobs.
 *
 * What is left of a job is a matter of that job's own work, never of the clock: a job is done by the event that was
 * made for its end, when what it has attained is set to what it wanted, so that no rounding leaves a rest and no
 * tolerance takes one for nothing. In line, a job that has a server ends at the time since which it has had it plus
 * what was left then. Under processor sharing all jobs attain the same: each is entered under what any of them will
 * have attained when it is done, and they end in that order. */
#include "interp/execute/steps.h"
#include "interp/execute/steady.h"
#include <math.h>
#include <string.h>

struct attained { /* s of work, to twice the precision of a double: long busy periods leave small jobs their size */
  double high, low;
};

struct job {
  struct process *process;
  double demand; /* s of work */
  double warmed; /* s of it: what had been done when the warm-up ended */
  double until;  /* when something happens to it: its end, or that of its quantum */
  double due;    /* of the first event for it in the queue; infinite: there is none */
  /* processor sharing: */
  struct attained end; /* what each job has attained when it is done */
  uint64_t order;      /* of coming */
  uint32_t place;      /* in the heap */
  /* in line: */
  struct job *before, *next;
  double priority;
  double left;  /* of the demand, at `since` */
  double lost;  /* s of work done in vain: it began anew */
  double since; /* when it got the server that it has */
  double turns; /* quanta from then to `until`; 0: `until` is its end */
  bool served;  /* it has a server */
  bool instant; /* something is left, but less than the clock can tell: whoever comes at that time may push it out */
};

struct service { /* of a facility */
  uint32_t count;
  bool warm; /* the warm-up is over, and what had been done of its jobs is known */
  /* processor sharing: */
  struct job **heap; /* the first to end is first */
  uint32_t capacity;
  struct attained attained; /* by a job that is there from the beginning of the busy period, at `updated` */
  double updated;
  uint64_t sequence;
  /* in line: the first ones have a server each, up to `edge` */
  struct job *first, *last, *edge;
  int64_t served;
};

static struct service *service_of(struct executor *executor, struct facility *facility) {
  if (!facility->service) facility->service = ARENA_NEW(executor->arena, struct service);
  return facility->service;
}

/* An event at the time at which something happens to the job, unless one stands before. One that comes too early is
 * made again, so that few stand there for a job that is pushed out often. */
static void job_await(struct executor *executor, const struct facility *facility, struct job *job) {
  if (job->due <= job->until) return;
  job->due = job->until;
  enum event_kind kind = job->instant ? EVENT_RETRY : EVENT_SHARE;
  event_push(executor, job->until, kind, (struct stamp){facility->instance, facility->accept->id}, facility->instance,
             job->process, job->process->generation);
}

/* Of a job that leaves, `work` seconds are taken to be its last ones. Where it had been served during the warm-up it
 * was served for less of those behind that, and has waited for the rest. */
static void warm_up_correct(struct executor *executor, struct process *process, double work, double later) {
  uint32_t component = process->frame->body->component->id;
  double over = counted(executor, process->clock, work) - later;
  if (!(over > 0)) return;
  time_count(executor, process, component, frame_activity(process->frame), -over);
  time_count(executor, process, component, ACTIVITY_WAIT, over);
}

/* So much has been done of the job, perhaps in vain, and it leaves: the time that this takes without others is work,
 * the rest waiting. */
static void job_end(struct executor *executor, const struct facility *facility, struct job *job, double done,
                    double time) {
  struct process *process = job->process;
  struct frame *frame = process->frame;
  double alone_rate = facility->rates ? facility->rates[0] : 1, work = done / alone_rate, alone = process->clock + work;
  double later = time < executor->from ? 0 : done - job->warmed; /* done behind the warm-up */
  process->job = NULL;
  process->generation++; /* of other events for it */
  process->wait = NULL;  /* the facility's component is the one that made it wait */
  if (executor->causes)
    causes_tell(executor, process, causes_note(executor, CAUSE_SHARED, process, process->clock, facility->instance));
  if (time < alone)
    work = time - process->clock;
  else
    process_queue_until(executor, process, process->clock + (time - alone));
  usage_work(executor, process, done, later, work);
  hold_count(executor, process, frame->body->component->id, frame_activity(frame), work, process->clock,
             process->clock + work);
  warm_up_correct(executor, process, work, later / alone_rate);
  process->clock = time;
  slab_give(&executor->slabs, job, sizeof *job);
}

static void job_done(struct executor *executor, const struct facility *facility, struct job *job, double time) {
  struct process *process = job->process;
  job_end(executor, facility, job, job->demand + job->lost, time);
  process_wake(executor, process);
}

/* ---- processor sharing ---- */

static struct attained attained_plus(struct attained a, double work) {
  double sum = a.high + work, part = sum - a.high;
  double low = (a.high - (sum - part)) + (work - part) + a.low;
  return (struct attained){sum + low, low - ((sum + low) - sum)};
}

static double attained_minus(struct attained a, struct attained b) { return (a.high - b.high) + (a.low - b.low); }

static bool ends_before(const struct job *a, const struct job *b) {
  double difference = attained_minus(a->end, b->end);
  return difference != 0 ? difference < 0 : a->order < b->order;
}

static void heap_set(struct service *service, uint32_t at, struct job *job) {
  service->heap[at] = job;
  job->place = at;
}

/* Into the heap, from the place `at`, where none is. */
static void heap_settle(struct service *service, struct job *job, uint32_t at) {
  struct job **heap = service->heap;
  for (; at > 0 && ends_before(job, heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap_set(service, at, heap[(at - 1) / 2]);
  for (uint32_t below; (below = 2 * at + 1) < service->count; at = below) {
    if (below + 1 < service->count && ends_before(heap[below + 1], heap[below])) below++;
    if (!ends_before(heap[below], job)) break;
    heap_set(service, at, heap[below]);
  }
  heap_set(service, at, job);
}

static void heap_push(struct executor *executor, struct service *service, struct job *job) {
  ARENA_PUSH(executor->arena, service->heap, service->count, service->capacity, job);
  heap_settle(service, job, service->count - 1);
}

static void heap_remove(struct service *service, struct job *job) {
  struct job *last = service->heap[--service->count];
  if (last != job) heap_settle(service, last, job->place);
}

/* The work a second that each job gets. */
static double rate_each(const struct facility *facility) {
  uint32_t count = facility->service->count;
  if (facility->rates)
    return facility->rates[(count < facility->rate_count ? count : facility->rate_count) - 1] / count;
  return count <= facility->servers ? 1 : (double)facility->servers / count;
}

/* Brings what is attained up to the time, before the number of jobs changes; the first end is an event to come. */
static void sharing_advance(struct facility *facility, double time) {
  struct service *service = facility->service;
  double passed = time - service->updated;
  service->updated = time;
  if (service->count == 0) {
    service->attained = (struct attained){0, 0};
    return;
  }
  struct attained end = service->heap[0]->end;
  double work = passed * rate_each(facility);
  service->attained = work < attained_minus(end, service->attained) ? attained_plus(service->attained, work) : end;
}

static void sharing_await(struct executor *executor, struct facility *facility) {
  struct service *service = facility->service;
  if (service->count == 0) return;
  struct job *first = service->heap[0];
  first->until = service->updated + attained_minus(first->end, service->attained) / rate_each(facility);
  job_await(executor, facility, first);
}

static void sharing_join(struct executor *executor, struct facility *facility, struct job *job, double time) {
  struct service *service = facility->service;
  sharing_advance(facility, time);
  job->end = attained_plus(service->attained, job->demand);
  job->order = service->sequence++;
  heap_push(executor, service, job);
  sharing_await(executor, facility);
}

static double sharing_cancel(struct executor *executor, struct facility *facility, struct job *job, double time) {
  struct service *service = facility->service;
  sharing_advance(facility, time);
  double left = fmax(0, attained_minus(job->end, service->attained));
  heap_remove(service, job);
  sharing_await(executor, facility);
  return job->demand - left;
}

/* The first job has attained what it wanted, and others that want the same. */
static void sharing_happen(struct executor *executor, struct facility *facility, struct job *job, double time) {
  struct service *service = facility->service;
  if (job != service->heap[0]) return; /* another one has come that ends before */
  if (job->until > time) {
    job_await(executor, facility, job);
    return;
  }
  service->updated = time;
  service->attained = job->end;
  while (service->count && !(attained_minus(service->heap[0]->end, service->attained) > 0)) {
    job = service->heap[0];
    heap_remove(service, job);
    job_done(executor, facility, job, time);
  }
  sharing_await(executor, facility);
}

/* ---- in line ---- */

static void line_link(struct service *service, struct job *job, struct job *before) {
  job->before = before;
  job->next = before ? before->next : service->first;
  *(before ? &before->next : &service->first) = job;
  *(job->next ? &job->next->before : &service->last) = job;
}

static void line_unlink(struct service *service, struct job *job) {
  *(job->before ? &job->before->next : &service->first) = job->next;
  *(job->next ? &job->next->before : &service->last) = job->before;
}

static bool some_wait(const struct service *service) { return service->count > service->served; }

/* The end of the job, or, while others wait for a turn, that of its quantum if it comes before. */
static void turn_plan(struct executor *executor, const struct facility *facility, struct job *job, double time) {
  double quantum = facility->quantum, turns = floor((time - job->since) / quantum) + 1;
  job->until = job->since + job->left;
  job->instant = job->until <= job->since && job->left > 0 && facility->discipline != PSL_ROUND_ROBIN;
  job->turns = 0;
  if (facility->discipline == PSL_ROUND_ROBIN && some_wait(facility->service) && turns * quantum < job->left) {
    job->until = fmax(time, job->since + turns * quantum);
    job->turns = turns;
  }
  job_await(executor, facility, job);
}

static void line_begin(struct executor *executor, struct facility *facility, struct job *job, double time) {
  job->served = true;
  job->since = time;
  facility->service->served++;
  turn_plan(executor, facility, job, time);
}

static void line_break(const struct facility *facility, struct job *job, double worked) {
  struct service *service = facility->service;
  if (facility->discipline == PSL_PRIORITY_PREEMPTIVE_RESTART)
    job->lost += worked;
  else
    job->left = fmax(0, job->left - worked);
  job->served = false;
  service->served--;
}

/* The server that the last in line with one has given back goes to the next. */
static void line_go_on(struct executor *executor, struct facility *facility, struct job *next, double time) {
  if (!next) return;
  facility->service->edge = next;
  line_begin(executor, facility, next, time);
}

/* Behind which one a new job goes; NULL: it is the first. */
static struct job *line_place(const struct facility *facility, const struct job *job) {
  struct job *place = facility->service->last;
  if (facility->discipline == PSL_LCFS_PREEMPTIVE) return NULL;
  while (place && place->priority < job->priority)
    place = place->before;
  return place;
}

static bool pushes_out(const struct facility *facility, const struct job *job, const struct job *other) {
  return facility->discipline == PSL_LCFS_PREEMPTIVE || job->priority > other->priority;
}

static void line_join(struct executor *executor, struct facility *facility, struct job *job, double time) {
  struct service *service = facility->service;
  line_link(service, job, line_place(facility, job));
  service->count++;
  if (service->served < facility->servers) {
    service->edge = service->last;
    line_begin(executor, facility, job, time);
  } else if (pushes_out(facility, job, service->edge)) {
    line_break(facility, service->edge, time - service->edge->since);
    service->edge = service->edge->before;
    line_begin(executor, facility, job, time);
  } else if (service->count == service->served + 1 && facility->discipline == PSL_ROUND_ROBIN) {
    for (struct job *other = service->first; other != job; other = other->next)
      turn_plan(executor, facility, other, time); /* the first that waits: now the others have turns */
  }
}

static void line_leave(struct executor *executor, struct facility *facility, struct job *job, double time) {
  struct service *service = facility->service;
  struct job *next = service->edge->next;
  if (service->edge == job) service->edge = job->before;
  line_unlink(service, job);
  service->count--;
  service->served--;
  line_go_on(executor, facility, next, time);
}

/* It is cancelled; what has been done of it. */
static double line_cancel(struct executor *executor, struct facility *facility, struct job *job, double time) {
  struct service *service = facility->service;
  bool served = job->served;
  double left = served ? fmax(0, job->left - (time - job->since)) : job->left;
  if (served) {
    line_leave(executor, facility, job, time);
  } else {
    line_unlink(service, job);
    service->count--;
  }
  return job->demand + job->lost - left;
}

/* Its quantum is over: it goes to the end of the line, and the first that waits gets its server. */
static void line_rotate(struct executor *executor, struct facility *facility, struct job *job, double time) {
  struct service *service = facility->service;
  struct job *next = service->edge->next;
  line_break(facility, job, job->turns * facility->quantum);
  if (service->edge == job) service->edge = job->before;
  line_unlink(service, job);
  line_link(service, job, service->last);
  line_go_on(executor, facility, next, time);
}

static void line_look(struct executor *executor, struct facility *facility, struct job *job, double time) {
  if (!job->served) return; /* it has been pushed out */
  if (job->until > time) {
    job_await(executor, facility, job);
  } else if (job->turns == 0) {
    line_leave(executor, facility, job, time);
    job_done(executor, facility, job, time);
  } else if (some_wait(facility->service)) {
    line_rotate(executor, facility, job, time);
  } else {
    turn_plan(executor, facility, job, time);
  }
}

/* What ends at one time goes in the order of the line; `last`: behind all else of that time. */
static void line_happen(struct executor *executor, struct facility *facility, struct job *job, double time, bool last) {
  struct service *service = facility->service;
  for (struct job *at = service->first, *next, *edge = service->edge; at; at = next) {
    next = at == edge ? NULL : at->next;
    if (at != job && !(at->served && at->until <= time)) continue;
    if (!at->served || !at->instant || last)
      line_look(executor, facility, at, time);
    else
      job_await(executor, facility, at);
  }
}

/* ---- both ---- */

/* How much is left of a job at a time at which nothing has happened since its line was looked at last. */
static double left_of(const struct facility *facility, const struct job *job, double time) {
  const struct service *service = facility->service;
  double left = job->left;
  if (facility->discipline == PSL_PROCESSOR_SHARING)
    left = attained_minus(job->end, service->attained) - (time - service->updated) * rate_each(facility);
  else if (job->served)
    left -= time - job->since;
  return fmax(0, left);
}

static void job_warm(const struct executor *executor, const struct facility *facility, struct job *job) {
  job->warmed = job->demand + job->lost - left_of(facility, job, executor->from);
}

/* Before anything happens there behind the warm-up. */
static void service_warm(const struct executor *executor, const struct facility *facility, double time) {
  struct service *service = facility->service;
  if (service->warm || time < executor->from) return;
  service->warm = true;
  for (uint32_t i = 0; facility->discipline == PSL_PROCESSOR_SHARING && i < service->count; i++)
    job_warm(executor, facility, service->heap[i]);
  for (struct job *job = service->first; job; job = job->next)
    job_warm(executor, facility, job);
}

void service_hold(struct executor *executor, struct facility *facility, struct process *process, double seconds) {
  struct job *job = slab_take(&executor->slabs, sizeof *job);
  happens_now(executor, "a hold that is shared", process->clock);
  service_of(executor, facility);
  service_warm(executor, facility, process->clock);
  process->state = PROCESS_SHARE;
  process->job = job;
  job->process = process;
  job->demand = job->left = seconds;
  job->due = INFINITY;
  if (facility->discipline == PSL_PROCESSOR_SHARING) {
    sharing_join(executor, facility, job, process->clock);
    return;
  }
  job->priority = facility_priority(executor, facility, process->frame);
  line_join(executor, facility, job, process->clock);
}

void service_happen(struct executor *executor, struct process *process, double time, bool last) {
  struct facility *facility = frame_called(process->frame)->facility;
  struct job *job = process->job;
  uint32_t first = executor->ready_count;
  service_warm(executor, facility, time);
  job->due = INFINITY;
  if (facility->discipline == PSL_PROCESSOR_SHARING)
    sharing_happen(executor, facility, job, time);
  else
    line_happen(executor, facility, job, time, last);
  heads_given(executor, first);
}

void service_leave(struct executor *executor, struct process *process, double time) {
  struct facility *facility = frame_called(process->frame)->facility;
  struct job *job = process->job;
  service_warm(executor, facility, time);
  double done = facility->discipline == PSL_PROCESSOR_SHARING ? sharing_cancel(executor, facility, job, time)
                                                              : line_cancel(executor, facility, job, time);
  job_end(executor, facility, job, done, time);
}
