/* An evaluator of a user with two pairs of calls: parcels that are posted and delivered, then fetched and opened. What
 * has been done at which clocks can be seen in its figures, however the host has called it. */
#include "interp/include/evaluator.h"
#include <math.h>
#include <stdio.h>

enum { MOST = 64 };
struct state {
  double size[MOST], there[MOST]; /* s: when it is there; negative: not yet */
  int64_t posted, fetched;
  double post_clocks, deliver_clocks, open_clocks;
  struct psl_host *host;
};

static void *parcel_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  return s;
}

static int64_t post(struct state *s, double size, double clock) {
  s->size[s->posted] = size;
  s->there[s->posted] = -1;
  s->post_clocks += clock;
  return s->posted++;
}

static void deliver(struct state *s, int64_t parcel, double clock) {
  s->there[parcel] = clock;
  s->deliver_clocks += clock;
}

static enum psl_status parcel_post(void *state, struct psl_call *call) {
  struct state *s = state;
  if (s->posted == MOST) {
    snprintf(call->error, sizeof call->error, "there are %d parcels", MOST);
    return PSL_FAILED;
  }
  int64_t parcel = post(s, call->arguments[0].real, call->clock);
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

static bool both_post(void *state, struct psl_call *call, double later) {
  struct state *s = state;
  if (call->arguments[1].integer || s->posted == MOST) return false;
  deliver(s, post(s, call->arguments[0].real, call->clock), later);
  call->result.integer = false;
  return true;
}

/* The next that was delivered. */
static enum psl_status parcel_fetch(void *state, struct psl_call *call) {
  struct state *s = state;
  if (s->fetched == s->posted) {
    snprintf(call->error, sizeof call->error, "there is no parcel");
    return PSL_FAILED;
  }
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

static bool both_fetch(void *state, struct psl_call *call, double later) {
  struct state *s = state;
  if (later != call->clock || s->fetched == s->posted) return false;
  if (s->there[s->fetched] > later) call->clock = s->there[s->fetched];
  s->open_clocks += call->clock;
  call->result.real = s->size[s->fetched++];
  return true;
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

static const struct psl_call_pair post_pair = {.second = "deliver", .unless = "announced", .call = both_post};
static const struct psl_call_pair fetch_pair = {.second = "unpack", .call = both_fetch};
static const struct psl_call_pair no_pair = {.second = "unpack"};

static const struct psl_evaluator_function functions[] = {
    {.name = "post",
     .signature = "(size : time, announced : bool) -> int",
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
