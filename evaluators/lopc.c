/* LoPC: what active messages cost where their handlers contend for the processors, by approximate mean value
 * analysis (Frank, Agarwal, Vernon: LoPC, PPoPP 1997).  The equations are ASSUMED: written down from
 * knowledge of that paper, not copied from it; stdlib/active-messages.psl simulates the same system, and the
 * tests hold one against the other.
 *
 * A node has one processor and one thread.  The thread computes for `work`, sends V(c,k) requests a cycle to
 * node k, one at a time, and waits for each reply.  A message crosses the network in S_t (`latency`); a
 * handler takes the processor of its node for S_o (`handler`, with squared coefficient of variation C2),
 * before the thread there and behind the handlers that came before.  With X(c) = 1 / R(c), for node k
 *
 *   R_q(k) = S_o (1 + Q_q(k) + Q_y(k) + (C2 - 1)/2 (U_q(k) + U_y(k)))     a request's handler, with its
 * waiting R_y(k) = S_o (1 + Q_q(k) + (C2 - 1)/2 U_q(k))                         a reply's R_w(k) = (W(k) +
 * S_o Q_q(k)) / (1 - U_q(k))                           the thread's work, with its interruptions R(c)   =
 * R_w(c) + sum over k of V(c,k) (2 S_t + R_q(k) + R_y(c))      a cycle Q_q(k) = sum over c of V(c,k) X(c)
 * R_q(k),   U_q(k) = sum over c of V(c,k) X(c) S_o Q_y(c) = X(c) R_y(c) sum over k of V(c,k),   U_y(c) = X(c)
 * S_o sum over k of V(c,k)
 *
 * solved by iteration.  A node without work and visits has no thread; it serves others.  One node with V = 1
 * is the mean node of any number of nodes alike, all-to-all. */
#include "interp/include/evaluator.h"
#include <math.h>
#include <stdio.h>

enum { NODES = 256, ITERATIONS = 20000 };
static const double TOLERANCE = 1e-13; /* of R(c), relative */

struct system {
  uint32_t nodes;
  const double *work;   /* s, by thread */
  const double *visits; /* by thread and node */
  double latency, handler, scv;
};

struct solution { /* s, by node */
  double cycle[NODES], request[NODES], reply[NODES], work[NODES];
  double queue[NODES], reply_queue[NODES], busy[NODES], reply_busy[NODES];
};

static bool numbers_check(const double *items, uint32_t count, const char *name, const char *unit, char error[200]) {
  for (uint32_t i = 0; i < count; i++)
    if (!(items[i] >= 0)) {
      snprintf(error, 200, "item %u of %s is %g%s, and must not be negative", i, name, items[i], unit);
      return false;
    }
  return true;
}

static bool system_read(const union psl_argument *arguments, struct system *s, int64_t *node, char error[200]) {
  *node = arguments[0].integer;
  *s = (struct system){.nodes = arguments[1].list.count,
                       .work = arguments[1].list.items,
                       .visits = arguments[2].list.items,
                       .latency = arguments[3].real,
                       .handler = arguments[4].real,
                       .scv = arguments[5].real};
  if (s->nodes < 1 || s->nodes > NODES)
    return snprintf(error, 200, "work has %u items, one a node; 1 to %d can be solved", s->nodes, NODES), false;
  if (arguments[2].list.count != s->nodes * s->nodes)
    return snprintf(error, 200, "visits has %u items, and %u nodes need %u: one for each thread and node",
                    arguments[2].list.count, s->nodes, s->nodes * s->nodes),
           false;
  if (*node < 0 || *node >= s->nodes)
    return snprintf(error, 200, "there is no node %lld: there are 0 to %u", (long long)*node, s->nodes - 1), false;
  if (!(s->handler > 0))
    return snprintf(error, 200, "the handler takes %g s, and must take some time", s->handler), false;
  if (!(s->latency >= 0))
    return snprintf(error, 200, "the latency is %g s, and must not be negative", s->latency), false;
  if (!(s->scv >= 0)) return snprintf(error, 200, "scv is %g, and must not be negative", s->scv), false;
  return numbers_check(s->work, s->nodes, "work", " s", error) &&
         numbers_check(s->visits, s->nodes * s->nodes, "visits", "", error);
}

/* Queues and utilisations by the throughputs and residence times of the iteration before. */
static void find_queues(const struct system *s, struct solution *x) {
  for (uint32_t k = 0; k < s->nodes; k++)
    x->queue[k] = x->busy[k] = 0;
  for (uint32_t c = 0; c < s->nodes; c++) {
    double sent = 0;
    for (uint32_t k = 0; k < s->nodes; k++) {
      double rate = s->visits[c * s->nodes + k] / x->cycle[c];
      x->queue[k] += rate * x->request[k];
      x->busy[k] += rate * s->handler;
      sent += rate;
    }
    x->reply_queue[c] = sent * x->reply[c];
    x->reply_busy[c] = sent * s->handler;
  }
}

/* The greatest relative change of a cycle. */
static double find_times(const struct system *s, struct solution *x) {
  double half = (s->scv - 1) / 2, change = 0;
  for (uint32_t k = 0; k < s->nodes; k++) {
    double free = 1 - x->busy[k];
    x->request[k] = s->handler * fmax(1, 1 + x->queue[k] + x->reply_queue[k] + half * (x->busy[k] + x->reply_busy[k]));
    x->reply[k] = s->handler * fmax(1, 1 + x->queue[k] + half * x->busy[k]);
    x->work[k] = (s->work[k] + s->handler * x->queue[k]) / fmax(free, 1e-6); /* on the way, more than all of it */
  }
  for (uint32_t c = 0; c < s->nodes; c++) {
    if (isinf(x->cycle[c])) continue;
    double cycle = x->work[c];
    for (uint32_t k = 0; k < s->nodes; k++)
      cycle += s->visits[c * s->nodes + k] * (2 * s->latency + x->request[k] + x->reply[c]);
    change = fmax(change, fabs(cycle - x->cycle[c]) / cycle);
    x->cycle[c] = (cycle + x->cycle[c]) / 2; /* half of the way: it does not swing */
  }
  return change;
}

static bool solve(const struct system *s, struct solution *x, char error[200]) {
  for (uint32_t c = 0; c < s->nodes; c++) {
    x->request[c] = x->reply[c] = s->handler;
    x->cycle[c] = s->work[c];
    for (uint32_t k = 0; k < s->nodes; k++)
      x->cycle[c] += 2 * s->visits[c * s->nodes + k] * (s->latency + s->handler);
    if (!(x->cycle[c] > 0)) x->cycle[c] = INFINITY; /* a node without a thread, which serves others alone */
  }
  double change = INFINITY;
  for (int i = 0; i < ITERATIONS && change > TOLERANCE; i++) {
    find_queues(s, x);
    change = find_times(s, x);
  }
  if (change <= TOLERANCE) return true;
  snprintf(error, 200, "no solution after %d iterations: a cycle still changes by %.2g of itself", ITERATIONS, change);
  return false;
}

enum figure { CYCLE, WORK, REQUEST, REPLY, UTILISATION };

static bool find(const union psl_argument *arguments, enum figure figure, double *out, char error[200]) {
  struct system system;
  struct solution x;
  int64_t node;
  if (!system_read(arguments, &system, &node, error) || !solve(&system, &x, error)) return false;
  if (isinf(x.cycle[node]) && (figure == CYCLE || figure == WORK || figure == REPLY))
    return snprintf(error, 200, "node %lld has no thread: it neither computes nor sends", (long long)node), false;
  switch (figure) {
  case CYCLE: *out = x.cycle[node]; break;
  case WORK: *out = x.work[node]; break;
  case REQUEST: *out = x.request[node]; break;
  case REPLY: *out = x.reply[node]; break;
  case UTILISATION: *out = x.busy[node] + x.reply_busy[node] + system.work[node] / x.cycle[node]; break;
  }
  return true;
}

static bool lopc_cycle(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  return find(arguments, CYCLE, &result->real, error);
}
static bool lopc_work(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  return find(arguments, WORK, &result->real, error);
}
static bool lopc_request(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  return find(arguments, REQUEST, &result->real, error);
}
static bool lopc_reply(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  return find(arguments, REPLY, &result->real, error);
}
static bool lopc_utilisation(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  return find(arguments, UTILISATION, &result->real, error);
}

#define SYSTEM "(node : int, work : [time], visits : [real], latency : time, handler : time, scv : real = 0)"

static const struct psl_evaluator_function functions[] = {
    {.name = "cycle",
     .signature = SYSTEM " -> time",
     .kind = PSL_PURE,
     .pure = lopc_cycle,
     .doc = "R(c): the time of a cycle of the node's thread, from one begin of its work to the next."},
    {.name = "compute",
     .signature = SYSTEM " -> time",
     .kind = PSL_PURE,
     .pure = lopc_work,
     .doc = "R_w: the time that the work of a cycle takes with the handlers that interrupt it."},
    {.name = "request",
     .signature = SYSTEM " -> time",
     .kind = PSL_PURE,
     .pure = lopc_request,
     .doc = "R_q: the time from a request's arrival at the node to the end of its handler."},
    {.name = "reply",
     .signature = SYSTEM " -> time",
     .kind = PSL_PURE,
     .pure = lopc_reply,
     .doc = "R_y: the time from a reply's arrival back at the node to the end of its handler."},
    {.name = "utilisation",
     .signature = SYSTEM " -> real",
     .kind = PSL_PURE,
     .pure = lopc_utilisation,
     .doc = "Share of time in which the node's processor is busy, with work or with handlers."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"LoPC's equations are assumed (Frank, Agarwal, Vernon, 1997): they are checked against simulation "
     "alone"},
    {"a thread a node, which waits for each reply; handlers go before it and are not interrupted"},
    {"no contention in the network", .uncontended = true},
    {NULL},
};

const struct psl_evaluator lopc_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "LoPC",
    .revision = "1",
    .doc = "LoPC: active messages whose handlers contend for the processors, by approximate mean value "
           "analysis. "
           "`work`: what each node's thread computes in a cycle; `visits`: the requests that thread c sends "
           "in a cycle to node "
           "k, at c x nodes + k; `latency`: of the network, one way; `handler`: mean time of a handler; "
           "`scv`: the "
           "squared coefficient of variation of that, 0 where it is constant and 1 where it is exponential.",
    .evidence = PSL_ANALYTIC,
    .functions = functions,
    .assumptions = assumptions,
};
