/* Routing probabilities to visits: the traffic equations v = start + v P of a queueing network. Called through the
 * table of builtin.c.
 *
 * Stations are taken out one by one, the last first, as Grassmann, Taksar and Heyman (1985) do for Markov chains: what
 * leaves a station is the sum of what goes to others and out, so that nothing is subtracted and small chances keep
 * their digits. */
#include "interp/evaluate/builtin.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double SLACK = 1e-9; /* that chances written in decimals may be off */

struct routing {
  uint32_t count;
  double *to;          /* from * count + to */
  double *out, *start; /* by station */
};

static bool wrong(struct builtin_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct builtin_call *call, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(call->error, sizeof call->error, format, arguments);
  va_end(arguments);
  return false;
}

static double number_of(struct value value) {
  return value.kind == VALUE_INT ? (double)value.integer : value.kind == VALUE_REAL ? value.real : NAN;
}

/* A row of chances; *rest is what is missing to 1. */
static bool chances(struct builtin_call *call, struct value row, uint32_t count, const char *what, double *out,
                    double *rest) {
  double sum = 0;
  if (row.kind != VALUE_LIST || row.object->count != count)
    return wrong(call, "%s has %u chances, and there are %u stations", what,
                 row.kind == VALUE_LIST ? row.object->count : 0, count);
  for (uint32_t i = 0; i < count; i++) {
    out[i] = number_of(row.object->items[i]);
    if (!(out[i] >= 0 && out[i] <= 1)) return wrong(call, "%s: %g is no chance", what, out[i]);
    sum += out[i];
  }
  if (sum > 1 + SLACK) return wrong(call, "%s: the chances come to %.10g", what, sum);
  *rest = 1 - sum > SLACK ? 1 - sum : 0;
  return true;
}

static bool routing_read(struct builtin_call *call, struct routing *routing) {
  struct value matrix = call->arguments[0];
  if (matrix.kind != VALUE_LIST) return wrong(call, "visit-ratios wants a list of rows of chances");
  uint32_t count = routing->count = matrix.object->count;
  if (count == 0) return wrong(call, "visit-ratios of no station");
  if (count > 5000) return wrong(call, "visit-ratios of %u stations: 5,000 are the most", count);
  routing->to = ARENA_ARRAY(call->scratch, double, (size_t)count *count);
  routing->out = ARENA_ARRAY(call->scratch, double, count);
  routing->start = ARENA_ARRAY(call->scratch, double, count);
  for (uint32_t i = 0; i < count; i++) {
    char what[40];
    snprintf(what, sizeof what, "row %u of the routing", i);
    if (!chances(call, matrix.object->items[i], count, what, routing->to + (size_t)i * count, &routing->out[i]))
      return false;
  }
  return true;
}

/* Where a cycle begins: by a list of chances; or it lasts from one visit of a station to the next. */
static bool start_read(struct builtin_call *call, struct routing *routing) {
  struct value start = call->arguments[1];
  uint32_t count = routing->count;
  double rest;
  if (start.kind == VALUE_LIST) {
    if (!chances(call, start, count, "the start", routing->start, &rest)) return false;
    return rest == 0 || wrong(call, "the chances of the start come to %.10g, not to 1", 1 - rest);
  }
  double number = number_of(start);
  if (!(number >= 0 && number < count && number == floor(number)))
    return wrong(call, "there is no station %g: they are 0 to %u", number, count - 1);
  uint32_t station = (uint32_t)number;
  for (uint32_t i = 0; i < count; i++) {
    if (routing->out[i] > 0)
      return wrong(call, "row %u of the routing: the chances come to %.10g, not to 1", i, 1 - routing->out[i]);
    routing->out[i] = routing->to[(size_t)i * count + station];
    routing->to[(size_t)i * count + station] = 0;
  }
  routing->start[station] = 1;
  return true;
}

/* Takes out station n: its customers go on as from where they came. *leaves: what goes anywhere else. */
static void take_out(struct routing *routing, uint32_t n, double *leaves) {
  uint32_t count = routing->count;
  const double *from = routing->to + (size_t)n * count;
  *leaves = routing->out[n];
  for (uint32_t j = 0; j < n; j++)
    *leaves += from[j];
  if (*leaves <= 0) return;
  for (uint32_t i = 0; i < n; i++) {
    double *row = routing->to + (size_t)i * count, part = row[n] / *leaves;
    if (part <= 0) continue;
    for (uint32_t j = 0; j < n; j++)
      row[j] += part * from[j];
    routing->out[i] += part * routing->out[n];
  }
  double part = routing->start[n] / *leaves;
  for (uint32_t j = 0; j < n; j++)
    routing->start[j] += part * from[j];
}

bool routing_visits(const struct builtin *builtin, struct builtin_call *call) {
  struct routing routing = {0};
  (void)builtin;
  if (!routing_read(call, &routing) || !start_read(call, &routing)) return false;
  uint32_t count = routing.count;
  double *leaves = ARENA_ARRAY(call->scratch, double, count);
  for (uint32_t n = count; n-- > 0;) {
    if (interrupted(call->scratch->memory)) return wrong(call, "interrupted");
    take_out(&routing, n, &leaves[n]);
  }
  call->result = value_object(call->scratch, VALUE_LIST, count);
  for (uint32_t n = 0; n < count; n++) {
    double comes = routing.start[n];
    for (uint32_t i = 0; i < n; i++)
      comes += call->result.object->items[i].real * routing.to[(size_t)i * count + n];
    if (comes > 0 && leaves[n] <= 0) return wrong(call, "a customer that comes to station %u never leaves", n);
    call->result.object->items[n] = value_real(comes > 0 ? comes / leaves[n] : 0);
  }
  return true;
}
