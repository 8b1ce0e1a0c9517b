/* Runs of queueing networks to a steady state; see steady.h. Frames and facilities report departures, the
 * scheduler asks when to end, and the run's result takes the figures from here. */
#include "interp/execute/steady.h"
#include "interp/model/discipline.h"
#include "interp/include/psl.h"
#include "interp/queueing/queueing.h"
#include "interp/statistics/quantiles.h"
#include "interp/statistics/series.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_CLASS = UINT32_MAX, LEAST_COUNT = 100 * BATCHES }; /* departures of a class before anything is concluded */

/* A column of a grid's row: departures, and of them the times that they took, and that servers worked. */
enum { COLUMN_COUNT, COLUMN_RESPONSE, COLUMN_BUSY, COLUMNS };

/* Visits that last longer and longer are a queue that grows without end where so many have ended, and where at so many
 * looks the growth from batch to batch was so many of its standard errors: one that is only long wanders. */
enum { GROWN_COUNT = 20000, GROWN_LOOKS = 3 };
static const double grown_errors = 7;
/* A queue that has as much to do as it can wanders instead. Its servers work for so much of the time, and for more than
 * `always_busy` of it by so many standard errors of what comes, which no other station does but by chance. */
static const double saturated = 0.998, saturated_errors = 4;
/* What lasts after a look is at least so much of what was before it: else it has too few bins for percentiles. */
static const double least_part = 0.6;
static const double always_busy = 0.99; /* part of the servers */
/* So many who share a station and have come for each that has left are more than a station has that is ever empty. */
enum { CROWD = 1000 };
static const double crowded = 1.05;
static const double come_errors = 2;

struct controls { /* params of stdlib/queueing */
  double half_width, confidence, warm_up, longest;
  double own_half_width; /* wished of this run alone, where others are to follow */
  int64_t limit, replications;
  double *parts; /* that responses do not exceed, whose percentiles are wanted: ascending */
  uint32_t part_count;
  bool parts_asked; /* their intervals are to be as narrow as those of means */
};

struct steady {
  struct grid grid;           /* rows: classes, then by station and class */
  struct quantiles responses; /* of single cycles and visits; rows: classes, then stations */
  bool *fractional;           /* by class: customers draw whether they make a request */
  bool *split; /* by class: a customer was in several places at once, so that no single cycle has a response */
  struct controls controls;
  const struct network *network;
  uint32_t class_count, station_count;
  const struct network_class *classes;
  const struct network_station *stations;
  uint64_t *started;     /* by class: customers that came from outside, or that the system sent */
  uint32_t **station_of; /* by accept, by place of the instance; NULL: no station */
  bool *observed;        /* by accept */
  double warm_up;        /* s, as the last look found it */
  bool settled;          /* it was less than half of the time so far */
  bool told;             /* a look has told how long the run lasts: */
  double told_at, till;  /* s: of that look, and when the run ends if its intervals are narrow then */
  uint32_t grown_looks;  /* the last ones, that found the queue at station `grown` to grow */
  uint32_t grown;
  struct {               /* what the estimates are made of */
    uint32_t first, end; /* bins */
    bool settled;
  } window;
};

struct row { /* of a class, or of a class at a station */
  struct estimate throughput, response, queue, busy;
  double count;
};

/* ---- what there is ---- */

/* A param of stdlib/queueing.psl, where the model uses it. */
static bool control_value(struct executor *executor, const char *name, struct value *value) {
  struct environment environment = executor_environment(executor, NULL);
  struct symbol *param = queueing_param(executor->model, name);
  return param && evaluate_symbol(&environment, param, param->span, value);
}

/* Else what it is by default. */
static double control(struct executor *executor, const char *name, double otherwise) {
  struct value value;
  if (!control_value(executor, name, &value)) return otherwise;
  return value.kind == VALUE_REAL ? value.real : value.kind == VALUE_INT ? (double)value.integer : otherwise;
}

static void controls_read(struct executor *executor, struct controls *controls) {
  struct environment environment = executor_environment(executor, NULL);
  struct network_parts parts = network_parts(&environment, executor->results);
  controls->parts = parts.items;
  controls->part_count = parts.count;
  controls->parts_asked = parts.asked;
  controls->half_width = control(executor, "half-width", 0.05);
  controls->confidence = control(executor, "confidence", 0.95);
  controls->warm_up = fmax(control(executor, "warm-up", 0), executor->from);
  controls->longest = control(executor, "longest", 0);
  if (controls->longest == 0) controls->longest = INFINITY;
  controls->limit = (int64_t)control(executor, "limit", 10e6);
  controls->replications = (int64_t)control(executor, "replications", 1);
  controls->own_half_width = controls->half_width * sqrt((double)controls->replications);
}

static const char *station_name(struct executor *executor, uint32_t s) {
  struct text name = {.arena = executor->arena};
  graph_instance_print(&name, executor->graph, executor->steady->stations[s].instance);
  return name.data;
}

static void end_unstable(struct executor *executor, const char *why) {
  executor_stop(executor, STOP_ERROR, executor->graph->system->symbol->span, "no steady state: %s", why);
  diagnostic_help(
      executor->model->diagnostics, (struct span){0, 0},
      "fewer arrivals, faster or more servers would do; with queueing.longest it is simulated for that time");
}

struct load {          /* of a station that its network's numbers tell, by open customers: */
  double brings, does; /* work a second that comes, and that it can do at most */
  bool random;         /* who brings it comes at random */
};

static struct load load_of(const struct psl_network *net, uint32_t s) {
  const struct psl_station *station = &net->stations[s];
  struct load load = {.does = station->rates ? station->rates[station->rate_count - 1] : station->servers};
  for (uint32_t c = 0; c < net->class_count; c++) {
    double brings = net->classes[c].open ? net->classes[c].rate * net->demand[s * net->class_count + c] : 0;
    load.brings += brings;
    load.random |= brings > 0 && net->classes[c].arrival_scv > 0;
  }
  return load;
}

/* Of a network that numbers tell it is known beforehand what comes to each station. One that has just so much to do as
 * it can do gets there, unless everything in it is regular. */
static void overload_find(struct executor *executor) {
  double worst = 0; /* the part that the bottleneck has to do of what it can */
  const char *why = NULL;
  const struct psl_network *net = &executor->steady->network->net;
  if (executor->steady->network->outline || isfinite(executor->steady->controls.longest)) return;
  for (uint32_t s = 0; s < net->station_count; s++) {
    struct load load = load_of(net, s);
    if (isinf(load.does) || load.brings < load.does * (1 - 1e-12) ||
        (!load.random && load.brings <= load.does * (1 + 1e-12)))
      continue;
    if (load.brings / load.does <= worst) continue;
    worst = load.brings / load.does;
    why =
        arena_printf(executor->arena, "station %s is saturated: each second brings %.4g s of work, and it does %.4g s",
                     net->stations[s].name, load.brings, load.does);
  }
  if (why) end_unstable(executor, why);
}

void steady_open(struct executor *executor) {
  struct arena *arena = executor->arena;
  struct steady *steady = executor->steady = ARENA_NEW(arena, struct steady);
  const struct network *network = steady->network = executor->options->network;
  steady->class_count = network->net.class_count;
  steady->station_count = network->net.station_count;
  steady->classes = network->classes;
  steady->stations = network->stations;
  steady->started = ARENA_ARRAY(arena, uint64_t, steady->class_count);
  steady->station_of = ARENA_ARRAY(arena, uint32_t *, executor->model->accept_count + 1);
  steady->observed = ARENA_ARRAY(arena, bool, executor->model->accept_count + 1);
  for (uint32_t s = 0; s < steady->station_count; s++) {
    const struct model_accept *accept = steady->stations[s].accept;
    const struct instances *instances = &executor->graph->instances[accept->component->id];
    uint32_t **row = &steady->station_of[accept->id];
    if (!*row) {
      *row = ARENA_ARRAY(arena, uint32_t, instances->count);
      memset(*row, 0xff, instances->count * sizeof **row);
    }
    (*row)[steady->stations[s].instance - instances->first] = s;
    steady->observed[accept->id] = true;
  }
  for (uint32_t c = 0; c < steady->class_count; c++)
    steady->observed[steady->classes[c].accept->id] = true;
  grid_open(&steady->grid, arena, steady->class_count * (1 + steady->station_count), COLUMNS);
  steady->fractional = ARENA_ARRAY(arena, bool, steady->class_count);
  steady->split = ARENA_ARRAY(arena, bool, steady->class_count);
  quantiles_open(&steady->responses, arena, steady->class_count + steady->station_count);
  controls_read(executor, &steady->controls);
  executor->steady_at = 0;
  overload_find(executor);
}

bool steady_observes(const struct executor *executor, const struct model_accept *accept) {
  return executor->steady && executor->steady->observed[accept->id];
}

/* Whose customers start there; NO_CLASS: nobody's. */
static uint32_t class_at(const struct executor *executor, const struct model_accept *accept, uint32_t instance) {
  const uint32_t *row = executor->steady->network->class_of[accept->id];
  return row ? row[instance - executor->graph->instances[accept->component->id].first] : NO_CLASS;
}

bool steady_starts(const struct executor *executor, const struct model_accept *accept, uint32_t instance) {
  uint32_t class = class_at(executor, accept, instance);
  return class != NO_CLASS && executor->steady->classes[class].started &&
         customer_of(executor, executor->running) != class + 1;
}

/* Can the time be entered? */
static bool is_usual(double clock) { return clock <= DBL_MAX / GRID_BINS; }

static void enter_response(struct steady *steady, uint32_t row, double clock, double response) {
  if (steady->controls.part_count && is_usual(clock))
    quantiles_add(&steady->responses, row, clock, response > 0 ? fmin(response, DBL_MAX) : 0);
}

/* A customer that comes back to where customers start has ended a cycle. */
void steady_customer(struct executor *executor, struct process *process, const struct model_accept *accept,
                     const struct token *token) {
  struct steady *steady = executor->steady;
  if (!steady) return;
  uint32_t class = class_at(executor, accept, process->instance);
  customer_set(executor, process, class == NO_CLASS ? token->customer : class + 1);
  if (class == NO_CLASS) {
    *process->response = token->response;
  } else if (token->customer) {
    enter_response(steady, token->customer - 1, token->sent.time, token->response);
  } else {
    steady->started[class]++;
  }
}

/* ---- observations ---- */

static uint32_t row_of(const struct steady *steady, uint32_t station, uint32_t class) {
  return (1 + station) * steady->class_count + class;
}

static uint32_t station_of(const struct executor *executor, const struct model_accept *accept, uint32_t instance) {
  const uint32_t *row = executor->steady->station_of[accept->id];
  return row ? row[instance - executor->graph->instances[accept->component->id].first] : NO_CLASS;
}

/* Of the frame and those below it the lowest that is at a station; NULL: none is. */
static struct frame *station_frame(const struct executor *executor, struct frame *frame) {
  struct frame *found = NULL;
  for (; frame; frame = frame_parent(frame))
    if (frame->body->observed && station_of(executor, frame->body->accept, frame->instance) != NO_CLASS) found = frame;
  return found;
}

/* The process of a customer has been at a station, or waited for others. Who sends a token on and stays is in two
 * places. */
static void spend(struct executor *executor, struct process *process, double seconds) {
  if (!process->passed)
    *process->response += seconds;
  else if (process->clock > *process->response)
    executor->steady->split[customer_of(executor, process) - 1] = true;
}

/* An accept of dataflow that is a station ends behind its requests: of the visit there is what has been so far. */
double steady_passes(struct executor *executor, struct process *process) {
  struct steady *steady = executor->steady;
  struct frame *frame = station_frame(executor, process->frame);
  double response = *process->response + (frame ? process->clock - frame_visit(frame)->entered : 0);
  if (process->passed || process->join) steady->split[customer_of(executor, process) - 1] = true;
  process->passed = true;
  *process->response = process->clock;
  return response;
}

void steady_fraction(struct executor *executor, const struct process *process) {
  if (executor->steady && customer_of(executor, process))
    executor->steady->fractional[customer_of(executor, process) - 1] = true;
}

void steady_end(struct executor *executor, struct process *process) {
  struct steady *steady = executor->steady;
  uint32_t class = customer_of(executor, process) - 1;
  if (process->passed || process->join || !steady->network->net.classes[class].open) return;
  enter_response(steady, class, process->clock, *process->response);
}

void steady_departure(struct executor *executor, struct process *process, struct frame *frame) {
  struct steady *steady = executor->steady;
  const struct model_accept *accept = frame->body->accept;
  double clock = process->clock;
  if (!customer_of(executor, process) || !is_usual(clock)) return;
  uint32_t class = customer_of(executor, process) - 1;
  if (!frame_parent(frame) && class_at(executor, accept, frame->instance) == class)
    grid_at(&steady->grid, class, clock)[COLUMN_COUNT] += 1;
  uint32_t station = station_of(executor, accept, frame->instance);
  if (station == NO_CLASS) return;
  const struct visit *visit = frame_visit(frame);
  double *sums = grid_at(&steady->grid, row_of(steady, station, class), clock);
  const struct facility *facility = frame_called(frame)->facility;
  bool shares = facility && facility_shares(facility);
  sums[COLUMN_COUNT] += 1;
  sums[COLUMN_RESPONSE] += clock - visit->entered;
  sums[COLUMN_BUSY] += shares ? visit->served : clock - visit->began;
  enter_response(steady, steady->class_count + station, clock, clock - visit->entered);
  if (process->join || station_frame(executor, frame_parent(frame))) return;
  grid_at(&steady->grid, class, clock)[COLUMN_RESPONSE] += clock - visit->entered;
  spend(executor, process, clock - visit->entered);
}

void steady_joined(struct executor *executor, struct process *process, double seconds) {
  struct steady *steady = executor->steady;
  if (!customer_of(executor, process) || process->join || !is_usual(process->clock)) return;
  if (station_frame(executor, process->frame)) return; /* the station's time has it */
  grid_at(&steady->grid, customer_of(executor, process) - 1, process->clock)[COLUMN_RESPONSE] += seconds;
  spend(executor, process, seconds);
}

/* ---- estimates ---- */

static bool entered(const struct steady *steady, uint32_t row) { return steady->grid.sums[row] != NULL; }

static double total(struct steady *steady, uint32_t row, uint32_t column, uint32_t first, uint32_t end) {
  struct series series = grid_series(&steady->grid, row, column);
  double sum = 0;
  for (uint32_t k = first; k < end; k++)
    sum += series.at[(size_t)k * series.stride];
  return sum;
}

/* The longest of the warm-ups of all throughputs of classes and of all stations' queues, in bins of `end`. */
static uint32_t warm_up_find(struct steady *steady, uint32_t end) {
  struct grid *grid = &steady->grid;
  uint32_t warm = 0, found;
  double queues[GRID_BINS];
  for (uint32_t c = 0; c < steady->class_count; c++) {
    if (!entered(steady, c)) continue;
    found = series_warm_up(grid_series(grid, c, COLUMN_COUNT), end);
    warm = found > warm ? found : warm;
  }
  for (uint32_t s = 0; s < steady->station_count; s++) {
    memset(queues, 0, sizeof queues);
    for (uint32_t c = 0; c < steady->class_count; c++) {
      if (!entered(steady, row_of(steady, s, c))) continue;
      struct series series = grid_series(grid, row_of(steady, s, c), COLUMN_RESPONSE);
      for (uint32_t k = 0; k < end; k++)
        queues[k] += series.at[(size_t)k * series.stride];
    }
    found = series_warm_up((struct series){queues, 1}, end);
    warm = found > warm ? found : warm;
  }
  return warm;
}

/* What the estimates are made of: the time after the warm-up that the look before this one has found, and after the
 * look that has told how long the run lasts, unless it is cut off before. What comes of the data that chose where they
 * begin or how long they last would seem to vary less than it does, and be low. */
static void window_find(struct steady *steady, double now) {
  const struct grid *grid = &steady->grid;
  uint32_t end = grid_bins(grid, now), warm = warm_up_find(steady, end), first;
  bool settled = warm < end / 2;
  double begin = steady->settled ? steady->warm_up : warm * grid->width;
  steady->window.settled = steady->settled && settled;
  steady->settled = settled;
  steady->warm_up = warm * grid->width;
  if (steady->told && now >= steady->till) begin = fmax(begin, steady->told_at);
  begin = ceil(fmax(begin, steady->controls.warm_up) * grid->per_second);
  first = begin < end ? (uint32_t)begin : end;
  if (end - first >= BATCHES) first = end - (end - first) / BATCHES * BATCHES; /* batches of one length */
  steady->window.first = first;
  steady->window.end = end;
}

static struct estimate per_second(struct estimate estimate, double factor) {
  estimate.value *= factor;
  estimate.half_width *= factor;
  return estimate;
}

static struct row row_estimate(struct steady *steady, struct series count, struct series response, struct series busy) {
  uint32_t first = steady->window.first, end = steady->window.end;
  double confidence = steady->controls.confidence, rate = steady->grid.per_second;
  struct series one = {NULL, 0};
  return (struct row){
      .throughput = per_second(series_ratio(count, one, first, end, confidence), rate),
      .response = series_ratio(response, count, first, end, confidence),
      .queue = per_second(series_ratio(response, one, first, end, confidence), rate),
      .busy = per_second(series_ratio(busy, one, first, end, confidence), rate),
  };
}

static struct row row_make(struct steady *steady, uint32_t row) {
  struct grid *grid = &steady->grid;
  struct row made = row_estimate(steady, grid_series(grid, row, COLUMN_COUNT), grid_series(grid, row, COLUMN_RESPONSE),
                                 grid_series(grid, row, COLUMN_BUSY));
  made.count = total(steady, row, COLUMN_COUNT, steady->window.first, steady->window.end);
  return made;
}

/* What is known of bins that are wider than the grid's lies within the window as a whole. */
static void percentiles_find(struct steady *steady, const uint32_t *rows, uint32_t row_count, struct quantile *found) {
  const struct controls *controls = &steady->controls;
  double scale = steady->responses.width / steady->grid.width;
  uint32_t first = (uint32_t)ceil(steady->window.first / scale), end = (uint32_t)(steady->window.end / scale);
  quantiles_estimate(&steady->responses, rows, row_count, first, end, controls->confidence, controls->parts,
                     controls->part_count, found);
}

/* Makes the bins of responses as wide as they have to be beside the grid's. */
static void responses_reach(struct steady *steady) {
  quantiles_reach(&steady->responses, 0, steady->grid.width * (GRID_BINS / QUANTILE_BINS));
}

/* How many times as wide as wished the intervals of a class's percentiles are at most, where they were asked for. */
static double percentiles_excess(struct steady *steady, uint32_t class, double wished) {
  struct quantile found[QUANTILE_PARTS];
  double most = 0;
  if (!steady->controls.parts_asked || steady->split[class] || steady->responses.width == 0) return 0;
  responses_reach(steady);
  percentiles_find(steady, &class, 1, found);
  for (uint32_t k = 0; k < steady->controls.part_count; k++)
    most = fmax(most, series_excess((struct estimate){found[k].value, found[k].half_width, 0}, wished));
  return most;
}

/* A network whose classes' figures are known may still wander between its stations. */
static bool stations_independent(struct steady *steady) {
  for (uint32_t r = steady->class_count; r < steady->grid.rows; r++) {
    if (!entered(steady, r)) continue;
    struct row row = row_make(steady, r);
    if (!series_independent(row.queue) || !series_independent(row.busy)) return false;
  }
  return true;
}

/* Have all classes ended so many cycles that there is something to look at? */
static bool have_come(struct steady *steady, uint32_t end) {
  uint32_t classes = 0;
  for (uint32_t c = 0; c < steady->class_count; c++) {
    if (!steady->started[c]) continue;
    if (!entered(steady, c) || total(steady, c, COLUMN_COUNT, 0, end) < LEAST_COUNT) return false;
    classes++;
  }
  return classes > 0;
}

/* How many times as wide as wished the intervals of classes are at most; infinity where one is not sound. */
static double excess(struct executor *executor, double now) {
  struct steady *steady = executor->steady;
  double most = 0, wished = steady->controls.own_half_width;
  if (!have_come(steady, grid_bins(&steady->grid, now))) return INFINITY;
  window_find(steady, now);
  if (!steady->window.settled || steady->window.end - steady->window.first < BATCHES) return INFINITY;
  for (uint32_t c = 0; c < steady->class_count; c++) {
    if (!steady->started[c]) continue;
    struct row row = row_make(steady, c);
    if (row.count < LEAST_COUNT) return INFINITY;
    most = fmax(most, fmax(series_excess(row.throughput, wished), series_excess(row.response, wished)));
    most = fmax(most, percentiles_excess(steady, c, wished));
  }
  return stations_independent(steady) ? most : INFINITY;
}

/* NULL: a delay. */
static const struct facility *station_facility(const struct executor *executor, uint32_t s) {
  const struct network_station *station = &executor->steady->stations[s];
  const struct model_accept *accept = station->accept;
  bool clock = accept->protocol == PROTOCOL_DATAFLOW && !accept->servers && !accept->unlimited;
  struct facility **row = clock ? executor->states[accept->component->id].clocks : executor->facilities[accept->id];
  const struct instances *instances = &executor->graph->instances[station->accept->component->id];
  const struct facility *facility = row ? row[station->instance - instances->first] : NULL;
  return facility && !facility->unlimited ? facility : NULL;
}

/* Infinity: a delay. */
static double station_servers(const struct executor *executor, uint32_t s) {
  const struct facility *facility = station_facility(executor, s);
  return facility ? (double)facility->servers : INFINITY;
}

/* The work a second that the station can do at most; of a delay 1, so that its utilisation is how many are there. */
static double station_capacity(const struct executor *executor, uint32_t s) {
  const struct facility *facility = station_facility(executor, s);
  if (!facility) return 1;
  double most = facility->rates ? 0 : (double)facility->servers;
  for (uint32_t i = 0; facility->rates && i < facility->rate_count; i++)
    most = fmax(most, facility->rates[i]);
  return most;
}

/* All classes together. */
static struct row station_row(struct steady *steady, struct arena *scratch, uint32_t station) {
  double *sums = ARENA_ARRAY(scratch, double, (size_t)GRID_BINS *COLUMNS);
  double count = 0;
  for (uint32_t c = 0; c < steady->class_count; c++) {
    uint32_t row = row_of(steady, station, c);
    if (!entered(steady, row)) continue;
    for (uint32_t k = 0; k < GRID_BINS * COLUMNS; k++)
      sums[k] += steady->grid.sums[row][k];
    count += total(steady, row, COLUMN_COUNT, steady->window.first, steady->window.end);
  }
  struct row made =
      row_estimate(steady, (struct series){sums + COLUMN_COUNT, COLUMNS},
                   (struct series){sums + COLUMN_RESPONSE, COLUMNS}, (struct series){sums + COLUMN_BUSY, COLUMNS});
  made.count = count;
  return made;
}

/* ---- when to end ---- */

/* How many have come to the station, for each that has left it. */
static double crowding(struct executor *executor, uint32_t s, uint32_t end) {
  struct steady *steady = executor->steady;
  const struct facility *facility = station_facility(executor, s);
  double left = 0;
  for (uint32_t c = 0; c < steady->class_count; c++)
    if (entered(steady, row_of(steady, s, c))) left += total(steady, row_of(steady, s, c), COLUMN_COUNT, 0, end);
  return (left + (double)facility->busy + facility->waiting) / left;
}

static double busy_of(struct steady *steady, uint32_t s, uint32_t first, uint32_t end) {
  double busy = 0;
  for (uint32_t c = 0; c < steady->class_count; c++)
    if (entered(steady, row_of(steady, s, c))) busy += total(steady, row_of(steady, s, c), COLUMN_BUSY, first, end);
  return busy;
}

/* Do the station's servers hardly rest in these bins? Where they are shared, whoever leaves has had little to do, and
 * what was done for the others is not known. */
static bool hardly_rests(struct executor *executor, uint32_t s, uint32_t first, uint32_t end) {
  struct steady *steady = executor->steady;
  const struct facility *facility = station_facility(executor, s);
  double seconds = (end - first) * steady->grid.width;
  if (!facility) return false;
  if (facility_shares(facility) && facility->busy >= CROWD && crowding(executor, s, end) > crowded) return true;
  return busy_of(steady, s, first, end) >= always_busy * seconds * station_capacity(executor, s);
}

/* Of the stations that hardly rest in these bins the one that has most to do for what it can; NULL: all rest. */
static const struct network_station *bottleneck(struct executor *executor, uint32_t first, uint32_t end) {
  struct steady *steady = executor->steady;
  const struct network_station *found = NULL;
  double most = 0;
  for (uint32_t s = 0; s < steady->station_count; s++) {
    double part = hardly_rests(executor, s, first, end) ? crowding(executor, s, end) : 0;
    if (!(part > most)) continue;
    most = part;
    found = &steady->stations[s];
  }
  return found;
}

static double ratio_of(struct steady *steady, uint32_t row, uint32_t column, uint32_t first, uint32_t end) {
  return total(steady, row, column, first, end) / total(steady, row, COLUMN_COUNT, first, end);
}

struct growth {               /* of responses from batch to batch of a time: */
  double mean, error, length; /* s: its standard error; NaN: a batch has none; the length of a batch */
};

/* Of an open class at a station, in the second half of the time. */
static struct growth growth_of(struct steady *steady, uint32_t row, uint32_t end) {
  uint32_t size = end / 2 / BATCHES, first = end - size * BATCHES;
  if (!size || total(steady, row, COLUMN_COUNT, first, end) < GROWN_COUNT) return (struct growth){NAN, NAN, NAN};
  double before = ratio_of(steady, row, COLUMN_RESPONSE, first, first + size), mean = 0, square = 0;
  for (uint32_t k = 1; k < BATCHES; k++) {
    double now = ratio_of(steady, row, COLUMN_RESPONSE, first + k * size, first + (k + 1) * size);
    double growth = now - before, far = growth - mean;
    mean += far / k;
    square += far * (growth - mean);
    before = now;
  }
  return (struct growth){mean, sqrt(square / (BATCHES - 2) / (BATCHES - 1)), size * steady->grid.width};
}

/* Did its responses grow all through that time? */
static bool has_grown(struct steady *steady, uint32_t row, uint32_t end) {
  struct growth growth = growth_of(steady, row, end);
  return growth.mean > grown_errors * growth.error;
}

/* Has the station, in whose line open customers alone stand, so much to do that its line wanders, without an end to be
 * seen? What comes to it in a second varies by as much as the growth of the responses. */
static bool is_saturated(struct executor *executor, uint32_t s, uint32_t end) {
  struct steady *steady = executor->steady;
  const struct facility *facility = station_facility(executor, s);
  double seconds = (end - end / 2) * steady->grid.width, most = 0;
  if (!facility || facility_shares(facility)) return false;
  for (uint32_t c = 0; c < steady->class_count; c++) {
    if (!entered(steady, row_of(steady, s, c))) continue;
    if (!steady->network->net.classes[c].open) return false;
    struct growth growth = growth_of(steady, row_of(steady, s, c), end);
    most = fmax(most, growth.error / growth.length);
    if (isnan(growth.error)) return false;
  }
  double part = busy_of(steady, s, end / 2, end) / seconds / station_capacity(executor, s);
  if (part < saturated || part - always_busy < saturated_errors * most) return false;
  return most > 0 && !series_independent(station_row(steady, executor->arena, s).queue);
}

/* An always busy station at which open customers take longer and longer. */
static bool growth_find(struct executor *executor, uint32_t end, uint32_t *station) {
  struct steady *steady = executor->steady;
  for (uint32_t s = 0; s < steady->station_count; s++)
    for (uint32_t c = 0; c < steady->class_count; c++) {
      uint32_t row = row_of(steady, s, c);
      if (!steady->network->net.classes[c].open || !entered(steady, row) || !has_grown(steady, row, end)) continue;
      if (!hardly_rests(executor, s, end / 2, end)) continue;
      *station = s;
      return true;
    }
  return false;
}

static void saturation_look(struct executor *executor, uint32_t end) {
  struct steady *steady = executor->steady;
  uint32_t s = 0;
  if (steady->window.end != end || end - steady->window.first < BATCHES) return; /* a look that has found no window */
  while (s < steady->station_count && !is_saturated(executor, s, end))
    s++;
  if (s == steady->station_count) return;
  executor->stop = STOP_UNSTEADY;
  executor->stop_detail =
      arena_printf(executor->arena,
                   "%s is always busy, and its queue goes up and down without end: as much may come as it can serve",
                   station_name(executor, s));
  executor->unsound = arena_printf(executor->results, "%s: %s", UNSOUND_STATE, executor->stop_detail);
  diagnostic_add(executor->model->diagnostics, SEVERITY_WARNING, executor->graph->system->symbol->span, "%s",
                 executor->unsound);
  diagnostic_help(executor->model->diagnostics, (struct span){0, 0},
                  "with queueing.longest it is simulated for that time");
}

static void growth_look(struct executor *executor, double now) {
  struct steady *steady = executor->steady;
  uint32_t station, end = grid_bins(&steady->grid, now);
  if (isfinite(steady->controls.longest)) return;
  if (!growth_find(executor, end, &station)) {
    steady->grown_looks = 0;
    saturation_look(executor, end);
    return;
  }
  if (steady->grown != station) steady->grown_looks = 0;
  steady->grown = station;
  if (++steady->grown_looks < GROWN_LOOKS) return;
  const struct network_station *named = bottleneck(executor, end / 2, end);
  end_unstable(executor, arena_printf(executor->arena,
                                      "%s is always busy, and visits to it last longer and longer: more comes than it "
                                      "can serve",
                                      station_name(executor, (uint32_t)(named - steady->stations))));
}

static bool has_open(const struct steady *steady) {
  for (uint32_t c = 0; c < steady->class_count; c++)
    if (steady->network->net.classes[c].open) return true;
  return false;
}

/* Do customers wait at this instance for each other? */
static bool is_queue(const struct executor *executor, uint32_t instance) {
  for (uint32_t s = 0; s < executor->steady->station_count; s++) {
    if (executor->steady->stations[s].instance != instance) continue;
    const struct facility *facility = station_facility(executor, s);
    return facility && !facility_shares(facility);
  }
  return false;
}

/* The least shape of a Pareto distribution without a finite variance that an instance has drawn from; 0: none has. */
static double tail_find(const struct executor *executor, uint32_t *instance) {
  const struct model *model = executor->model;
  double least = 0;
  for (uint32_t c = 0; c < model->component_count; c++) {
    const struct instances *set = &executor->graph->instances[c];
    struct random_stream **streams = executor->states[c].random;
    for (uint32_t i = 0; streams && i < set->count; i++) {
      if (!streams[i] || !(streams[i]->tail > 0) || (least > 0 && streams[i]->tail >= least)) continue;
      least = streams[i]->tail;
      *instance = set->first + i;
    }
  }
  return least;
}

const char *steady_tail(struct executor *executor) {
  uint32_t instance;
  double shape = tail_find(executor, &instance);
  if (shape == 0) return NULL;
  struct text text = {.arena = executor->results};
  bool queue = has_open(executor->steady) && is_queue(executor, instance);
  text_printf(&text, "%s: ", shape > 1 ? UNSOUND_VARIANCE : UNSOUND_MEAN);
  graph_instance_print(&text, executor->graph, instance);
  text_printf(&text, " draws from a pareto distribution of shape %g; unless the model bounds that, %s", shape,
              shape <= 1 ? "there is no steady state"
              : queue    ? "a queue in order of arrival has no mean response, and no interval is valid"
                         : "no interval is valid");
  return text.data;
}

/* The station at which more may come than it can serve, as far as was seen and as the network's numbers tell; NULL:
 * there is none. */
static const struct network_station *overloaded(struct executor *executor) {
  const struct steady *steady = executor->steady;
  bool seen = steady->grid.width > 0 && steady->window.first < steady->window.end && has_open(steady);
  const struct network_station *station = seen ? bottleneck(executor, steady->window.first, steady->window.end) : NULL;
  if (!station || steady->network->outline) return station;
  struct load load = load_of(&steady->network->net, (uint32_t)(station - steady->stations));
  return load.brings < load.does ? NULL : station;
}

/* Does more come to a station that hardly rests than it serves, as the network's numbers tell, or else by what has
 * come: by so many standard errors of it as of exponential times? A queue at 95 % may be long for as short a time. */
static bool is_unstable(struct executor *executor, uint32_t s) {
  struct steady *steady = executor->steady;
  uint32_t end = steady->window.end;
  double come = 0, ratio = crowding(executor, s, end);
  if (!steady->network->outline) return true;
  for (uint32_t c = 0; c < steady->class_count; c++)
    if (entered(steady, row_of(steady, s, c))) come += total(steady, row_of(steady, s, c), COLUMN_COUNT, 0, end);
  come *= ratio;
  return ratio - 1 > come_errors * sqrt(2 / come);
}

/* A limit of stdlib/queueing has come before the wished half-widths. */
static void end_unsteady(struct executor *executor, const char *limit) {
  struct steady *steady = executor->steady;
  struct diagnostics *d = executor->model->diagnostics;
  struct span span = executor->graph->system->symbol->span;
  struct text text = {.arena = executor->arena};
  if (steady->grid.width > 0) window_find(steady, executor->now);
  bool warming = steady->controls.warm_up >= executor->now;
  const struct network_station *busiest = warming ? NULL : overloaded(executor);
  bool unstable = busiest && is_unstable(executor, (uint32_t)(busiest - steady->stations));
  text_printf(&text, "%s came before half-widths of %g %%", limit, 100 * steady->controls.half_width);
  executor->stop = STOP_UNSTEADY;
  executor->stop_detail = text.data;
  uint32_t instance;
  executor->unsound = arena_printf(executor->results, "%s: %s", unstable ? UNSOUND_STATE : UNSOUND_WIDTH, text.data);
  diagnostic_add(d, SEVERITY_WARNING, span, "%s", executor->unsound);
  if (busiest)
    diagnostic_note(d, busiest->accept->syntax->span,
                    "%s was always busy: more may come than it can serve, or too little was seen of it",
                    station_name(executor, (uint32_t)(busiest - steady->stations)));
  if (warming && steady->controls.warm_up > 0) {
    struct text warm_up = {.arena = executor->arena};
    quantity_print(&warm_up, &executor->model->types, steady->controls.warm_up, executor->model->types.time->dimension,
                   6);
    diagnostic_help(d, (struct span){0, 0}, "the warm-up takes %s, and nothing counts before its end: set a greater %s",
                    warm_up.data, limit);
  } else if (!unstable && tail_find(executor, &instance) == 0) { /* else no limit would do */
    diagnostic_help(d, (struct span){0, 0}, "set a greater %s or a greater queueing.half-width", limit);
  }
}

/* Are the wished half-widths there, after as long as an earlier look has told? */
static bool enough(struct executor *executor, double now) {
  struct steady *steady = executor->steady;
  if (now < steady->till) return false;
  double lasts = series_lasts(steady->told, excess(executor, now), steady->controls.own_half_width);
  if (steady->told && lasts == 1) return true;
  if (lasts == 0) return false;
  if (!steady->told) {
    steady->told_at = now;
    steady->till = now + fmax((now - steady->window.first * steady->grid.width) * lasts, least_part * now);
  } else {
    steady->till = steady->told_at + (now - steady->told_at) * lasts;
  }
  steady->told = true;
  return false;
}

void steady_look(struct executor *executor) {
  struct grid *grid = &executor->steady->grid;
  const struct controls *controls = &executor->steady->controls;
  double now = executor->now;
  if (now >= controls->longest) {
    end_unsteady(executor, "queueing.longest");
    return;
  }
  if (grid->width == 0) return; /* nothing has come to its end yet: looked at again at each event */
  while (!(now < grid->end))
    grid_reach(grid, now);
  if (grid_bins(grid, now) >= GRID_BINS / 2 && enough(executor, now)) {
    struct text text = {.arena = executor->arena};
    text_printf(&text, "half-widths within %g %% at %g %% confidence", 100 * controls->half_width,
                100 * controls->confidence);
    executor->stop = STOP_STEADY;
    executor->stop_detail = text.data;
    return;
  }
  growth_look(executor, now);
  executor->steady_at = fmin(now < 0.75 * grid->end ? 0.75 * grid->end : grid->end, controls->longest);
  if (executor->steady->till > now) executor->steady_at = fmin(executor->steady_at, executor->steady->till);
}

void steady_limits(struct executor *executor) {
  if (firings_of(executor) > (uint64_t)executor->steady->controls.limit) end_unsteady(executor, "queueing.limit");
}

void steady_time_is_up(struct executor *executor) { end_unsteady(executor, "--max-time"); }

/* ---- the result ---- */

static struct psl_estimate interval(struct estimate estimate, double part) {
  double value = estimate.value * part, half = estimate.half_width * part;
  return (struct psl_estimate){value, value - half, value + half};
}

static void fill_class(struct steady *steady, uint32_t c, struct psl_queueing_class *class) {
  struct row row = row_make(steady, c);
  class->throughput = interval(row.throughput, 1);
  class->response = interval(row.response, 1);
  if (!steady->network->outline) return;
  class->population = class->open ? 0 : steady->started[c];
  if (class->open)
    class->rate = row.throughput.value;
  else
    class->think = fmax(0, (double)class->population / row.throughput.value - row.response.value);
}

static void fill_cell(struct steady *steady, uint32_t s, uint32_t c, double capacity, struct psl_queueing_cell *cell) {
  uint32_t row = row_of(steady, s, c), first = steady->window.first, end = steady->window.end;
  if (!entered(steady, row) || !entered(steady, c)) return;
  struct row made = row_make(steady, row);
  struct estimate cycle =
      series_ratio(grid_series(&steady->grid, row, COLUMN_RESPONSE), grid_series(&steady->grid, c, COLUMN_COUNT), first,
                   end, steady->controls.confidence);
  cell->throughput = interval(made.throughput, 1);
  cell->response = interval(cycle, 1);
  cell->queue = interval(made.queue, 1);
  cell->utilisation = interval(made.busy, 1 / capacity);
  if (steady->network->outline) cell->visits = made.count / total(steady, c, COLUMN_COUNT, first, end);
}

static void fill_station(struct executor *executor, uint32_t s, struct psl_queueing *report) {
  struct steady *steady = executor->steady;
  struct psl_queueing_station *station = &report->stations[s];
  double capacity = station_capacity(executor, s);
  struct row all = station_row(steady, executor->arena, s);
  station->throughput = interval(all.throughput, 1);
  station->queue = interval(all.queue, 1);
  station->response = interval(all.response, 1);
  station->utilisation = interval(all.busy, 1 / capacity);
  for (uint32_t c = 0; c < steady->class_count; c++)
    fill_cell(steady, s, c, capacity, &report->cells[(size_t)s * steady->class_count + c]);
  if (!steady->network->outline) return;
  station->servers = station_servers(executor, s);
  if (isinf(station->servers)) station->discipline = "delay";
}

static void fill_response(struct executor *executor, const uint32_t *rows, uint32_t row_count,
                          struct psl_queueing_response *response) {
  struct quantile found[QUANTILE_PARTS];
  percentiles_find(executor->steady, rows, row_count, found);
  for (uint32_t k = 0; k < executor->steady->controls.part_count; k++)
    response->percentiles[k] = (struct psl_estimate){found[k].value, found[k].low, found[k].high};
}

static void fill_responses(struct executor *executor, struct psl_queueing *report) {
  struct steady *steady = executor->steady;
  uint32_t *rows = ARENA_ARRAY(executor->arena, uint32_t, steady->class_count + steady->station_count);
  network_responses(report, executor->results, steady->controls.parts, steady->controls.part_count);
  if (steady->responses.width == 0) return;
  responses_reach(steady);
  for (size_t r = 0; r < report->response_count; r++) {
    struct psl_queueing_response *response = &report->responses[r];
    uint32_t count = 0, first = response->visit ? steady->class_count : 0;
    bool split = false;
    for (size_t k = 0; k < (response->visit ? report->station_count : report->class_count); k++) {
      if (!network_response_has(report, response, k)) continue;
      split |= !response->visit && steady->split[k];
      response->fractional |= !response->visit && steady->fractional[k];
      rows[count++] = first + (uint32_t)k;
    }
    if (!split) fill_response(executor, rows, count, response);
  }
}

struct psl_queueing *steady_result(struct executor *executor) {
  struct steady *steady = executor->steady;
  struct grid *grid = &steady->grid;
  if (grid->width == 0) return NULL;
  double now = executor->stop == STOP_END ? executor->makespan : executor->now;
  if (!is_usual(now)) return NULL;
  if (!(now < grid->end)) grid_reach(grid, now);
  if (!executor_stopped(executor) || !steady->window.end) window_find(steady, now);
  struct psl_queueing *report = network_report(executor->graph, steady->network, executor->results);
  report->solver = "simulation[queueing]";
  report->intervals = true;
  report->confidence = steady->controls.confidence;
  report->half_width = steady->controls.half_width;
  report->parts_asked = steady->controls.parts_asked;
  report->replications = (uint64_t)steady->controls.replications; /* wished */
  report->limit = (uint64_t)steady->controls.limit;
  report->begin = steady->window.first * grid->width;
  report->end = steady->window.end * grid->width;
  for (uint32_t c = 0; c < steady->class_count; c++)
    if (entered(steady, c)) fill_class(steady, c, &report->classes[c]);
  for (uint32_t s = 0; s < steady->station_count; s++)
    fill_station(executor, s, report);
  fill_responses(executor, report);
  return report;
}
