/* An evaluator of a user with pairs of calls: parcels that are posted and delivered, then fetched, or awaited, and
 * opened. What has been done at which clocks can be seen in its figures, however the host has called it. */
#include "interp/include/evaluator.h"
#include <math.h>
#include <stdio.h>

enum { MOST = 64 };
struct state {
  double size[MOST], there[MOST]; /* s: when it is there; negative: not yet */
  int64_t posted, fetched;
  double post_clocks, deliver_clocks, open_clocks;
  struct psl_host *host;
  bool waits, paired; /* a process, for the next parcel; and it opens that, too */
  uint32_t waiter;
  double since;
};

static void *parcel_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  return s;
}

static int64_t post(struct state *s, double size, int64_t weight, double clock) {
  s->size[s->posted] = size;
  s->there[s->posted] = -1;
  s->post_clocks += (double)weight * clock;
  return s->posted++;
}

/* The one that waits gets its parcel. */
static void hand_over(struct state *s, double clock) {
  int64_t parcel = s->fetched++;
  s->waits = false;
  if (!s->paired) {
    s->host->resume(s->host, s->waiter, clock, (union psl_argument){.integer = 2 * parcel});
    return;
  }
  s->open_clocks += clock;
  s->host->resume_pair(s->host, s->waiter, clock, (union psl_argument){.real = s->size[parcel]});
}

static void deliver(struct state *s, int64_t parcel, double clock) {
  s->there[parcel] = clock;
  s->deliver_clocks += clock;
  if (s->waits && parcel == s->fetched) hand_over(s, clock > s->since ? clock : s->since);
}

static enum psl_status parcel_post(void *state, struct psl_call *call) {
  struct state *s = state;
  if (s->posted == MOST) return psl_failed(call, "there are %d parcels", MOST);
  int64_t parcel = post(s, call->arguments[0].real, call->arguments[2].integer, call->clock);
  call->result.integer = 2 * parcel + call->arguments[1].integer;
  return PSL_DONE;
}

static bool parcel_announced(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->integer = arguments[0].integer % 2;
  return true;
}

static enum psl_status parcel_deliver(void *state, struct psl_call *call) {
  deliver(state, call->arguments[0].integer / 2, call->clock);
  call->result.integer = call->arguments[0].integer % 2;
  return PSL_DONE;
}

/* One without weight is not posted together with its delivery. */
static bool weight_prepare(void *state, const union psl_argument *arguments, void *prepared) {
  *(int64_t *)prepared = arguments[2].integer;
  return arguments[2].integer != 0;
}

static enum psl_status both_post(void *state, const void *prepared, struct psl_call *call, union psl_number size,
                                 union psl_number announced, double later) {
  struct state *s = state;
  if (announced.integer || s->posted == MOST) return PSL_LATER;
  deliver(s, post(s, size.real, *(const int64_t *)prepared, call->clock), later);
  call->result.integer = false;
  return PSL_DONE;
}

/* The next that was delivered. */
static enum psl_status parcel_fetch(void *state, struct psl_call *call) {
  struct state *s = state;
  if (s->fetched == s->posted) return psl_failed(call, "there is no parcel");
  double there = s->there[s->fetched];
  if (there > call->clock) call->clock = there;
  call->result.integer = 2 * s->fetched++;
  return PSL_DONE;
}

static enum psl_status parcel_unpack(void *state, struct psl_call *call) {
  struct state *s = state;
  s->open_clocks += call->clock;
  call->result.real = s->size[call->arguments[0].integer / 2];
  return PSL_DONE;
}

static enum psl_status both_fetch(void *state, const void *prepared, struct psl_call *call, union psl_number none,
                                  union psl_number nothing, double later) {
  struct state *s = state;
  if (later != call->clock || s->fetched == s->posted) return PSL_LATER;
  if (s->there[s->fetched] > later) call->clock = s->there[s->fetched];
  s->open_clocks += call->clock;
  call->result.real = s->size[s->fetched++];
  return PSL_DONE;
}

static bool next_is_there(const struct state *s) { return s->fetched < s->posted && s->there[s->fetched] >= 0; }

static enum psl_status wait_for(struct state *s, const struct psl_call *call, bool paired) {
  s->waits = true;
  s->paired = paired;
  s->waiter = call->process;
  s->since = call->clock;
  return PSL_BLOCKED;
}

static enum psl_status parcel_await(void *state, struct psl_call *call) {
  return next_is_there(state) ? parcel_fetch(state, call) : wait_for(state, call, false);
}

static enum psl_status both_await(void *state, const void *prepared, struct psl_call *call, union psl_number none,
                                  union psl_number nothing, double later) {
  if (next_is_there(state)) return both_fetch(state, prepared, call, none, nothing, later);
  return later != call->clock ? PSL_LATER : wait_for(state, call, call->paired);
}

static enum psl_status parcel_turn(void *state, struct psl_call *call) {
  (void)state;
  return call->ordered ? PSL_DONE : PSL_LATER;
}

/* Of kinds 0 and 1 a number is what it says, of others in tens. */
static enum psl_status parcel_number(void *state, struct psl_call *call) {
  (void)state;
  const union psl_argument *a = call->arguments;
  call->result.integer = a[0].integer >= 0 && a[0].integer <= 1 ? a[1].integer : 10 * a[1].integer;
  return PSL_DONE;
}

static size_t parcel_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  const struct psl_statistic all[] = {{"clocks of posting", "s", s->post_clocks, false},
                                      {"clocks of delivery", "s", s->deliver_clocks, false},
                                      {"clocks of opening", "s", s->open_clocks, false}};
  for (size_t k = 0; k < 3 && k < capacity; k++)
    out[k] = all[k];
  return capacity < 3 ? capacity : 3;
}

static const struct psl_call_pair post_pair = {
    .second = "deliver", .unless = "announced", .prepare = weight_prepare, .size = sizeof(int64_t), .call = both_post};
static const struct psl_call_pair fetch_pair = {.second = "unpack", .call = both_fetch};
static const struct psl_call_pair await_pair = {.second = "unpack", .call = both_await};
static const struct psl_call_pair no_pair = {.second = "unpack"};

static const struct psl_evaluator_function functions[] = {
    {.name = "post",
     .signature = "(size : time, announced : bool, weight : int = 1) -> int",
     .kind = PSL_CALL,
     .call = parcel_post,
     .pair = &post_pair,
     .doc = "Posts one."},
    {.name = "announced",
     .signature = "(parcel : int) -> bool",
     .kind = PSL_PURE,
     .pure = parcel_announced,
     .doc = "Was it?"},
    {.name = "deliver",
     .signature = "(parcel : int) -> bool",
     .kind = PSL_EVENT,
     .call = parcel_deliver,
     .doc = "Delivers it: was it announced?"},
    {.name = "fetch",
     .signature = "() -> int",
     .kind = PSL_CALL,
     .call = parcel_fetch,
     .pair = &fetch_pair,
     .doc = "Waits for the next one."},
    {.name = "await",
     .signature = "() -> int",
     .kind = PSL_CALL,
     .call = parcel_await,
     .pair = &await_pair,
     .doc = "Waits until the next one is delivered."},
    {.name = "turn", .signature = "()", .kind = PSL_CALL, .call = parcel_turn, .doc = "All before it has happened."},
    {.name = "number",
     .signature = "(kind : int, number : int) -> int",
     .kind = PSL_EVENT,
     .call = parcel_number,
     .passing = &(const struct psl_passing){0, 1},
     .doc = "The number for kinds 0 and 1, ten times it for others."},
    {.name = "fetch-alone",
     .signature = "() -> int",
     .kind = PSL_CALL,
     .call = parcel_fetch,
     .pair = &no_pair,
     .doc = "The same, with a pair that lacks its call."},
    {.name = "unpack",
     .signature = "(parcel : int) -> time",
     .kind = PSL_EVENT,
     .call = parcel_unpack,
     .doc = "How much is in it."},
    {.name = NULL},
};

const struct psl_evaluator psl_evaluator = {.version = PSL_EVALUATOR_VERSION,
                                            .name = "parcel",
                                            .revision = "1",
                                            .doc = "Parcels.",
                                            .evidence = PSL_SIMULATED,
                                            .functions = functions,
                                            .open = parcel_open,
                                            .statistics = parcel_statistics};
