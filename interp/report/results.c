/* From what the executor left to the public psl_results: names in place of numbers, units, shares, the grade
 * of evidence.  Called by psl_run; what it makes needs neither graph nor executor afterwards. */
#include "interp/report/results.h"
#include "interp/check/check.h"

#include <math.h>
#include <string.h>

static const char *copy(struct results *results, const char *text) {
  return arena_copy(&results->arena, text, strlen(text));
}

static const char *instance_name(struct results *results, const struct graph *graph, uint32_t instance) {
  struct text text = {.arena = &results->arena};
  graph_instance_print(&text, graph, instance);
  return text.data ? text.data : "";
}

static size_t part_offset(enum activity activity) {
  static const size_t offsets[SHARES] = {
      [ACTIVITY_COMPUTE] = offsetof(struct psl_share, compute),
      [ACTIVITY_COMMUNICATE] = offsetof(struct psl_share, communicate),
      [ACTIVITY_WAIT] = offsetof(struct psl_share, wait),
      [WAIT_LATE_SENDER] = offsetof(struct psl_share, late_sender),
      [WAIT_LATE_RECEIVER] = offsetof(struct psl_share, late_receiver),
      [WAIT_COLLECTIVE] = offsetof(struct psl_share, collective),
      [WAIT_TRANSFER] = offsetof(struct psl_share, transfer),
      [WAIT_CONTENTION] = offsetof(struct psl_share, contention),
      [WAIT_STARVED] = offsetof(struct psl_share, starved),
      [WAIT_BLOCKED] = offsetof(struct psl_share, blocked),
      [COMMUNICATION] = offsetof(struct psl_share, communication),
  };
  return offsets[activity];
}

static double *part_of(struct psl_share *share, enum activity activity) {
  return (double *)(void *)((char *)share + part_offset(activity));
}

double share_part(const struct psl_share *share, enum activity activity) {
  return *(const double *)(const void *)((const char *)share + part_offset(activity));
}

uint32_t results_told(const struct psl_results *run) {
  uint32_t told = 0;
  for (int a = ACTIVITIES; a < STRETCHES; a++)
    if (!isnan(share_part(&run->mean, a)) || (run->component_count && !isnan(share_part(&run->components->share, a))))
      told |= 1u << a;
  return told;
}

/* Sums of parts are not always, to the last digit, the whole. */
static double other_wait(const struct psl_results *run, const struct psl_share *share) {
  double other = share->wait;
  uint32_t told = results_told(run) & WAITS_OF_MESSAGES;
  for (int a = ACTIVITIES; a < STRETCHES; a++)
    if (told >> a & 1) other -= share_part(share, a);
  return other > 1e-12 * share->wait ? other : 0;
}

double results_rest(const struct psl_results *run, const struct psl_process *process, enum result_rest rest) {
  const struct psl_share *share = &process->share;
  double end = fmax(process->end - run->warm_up, 0);
  double idle = end - share->compute - share->communicate - share->wait;
  switch (rest) {
  case REST_OTHER_WAIT: return other_wait(run, share);
  case REST_IDLE: return fabs(idle) > 1e-12 * end ? idle : 0;
  case REST_ENDED_EARLY: return ((const struct results *)run)->end - run->warm_up - end;
  case REST_END: return process->end;
  case RESTS: break;
  }
  return NAN;
}

/* `told`: run_result.waits_told */
static struct psl_share share_of(const double time[ACTIVITIES], const double parts[WAIT_PARTS], uint32_t told) {
  struct psl_share share;
  for (int a = 0; a < ACTIVITIES; a++)
    *part_of(&share, a) = time[a];
  for (int a = ACTIVITIES; a < STRETCHES; a++)
    *part_of(&share, a) = told >> a & 1 ? parts[a - ACTIVITIES] : NAN;
  share.communication = share.communicate;
  for (int a = ACTIVITIES; a < STRETCHES; a++)
    if (told & WAITS_OF_MESSAGES & 1u << a) share.communication += *part_of(&share, a);
  return share;
}

static struct psl_share share_of_process(const struct run_result *run, uint32_t p) {
  double parts[WAIT_PARTS];
  for (int k = 0; k < WAIT_PARTS; k++)
    parts[k] = run->waits_of[k] ? sum_total(&run->waits_of[k][p]) : 0;
  return share_of(run->processes[p].time, parts, run->waits_told);
}

static struct psl_share share_of_component(const struct run_component *row, uint32_t told) {
  double time[ACTIVITIES], parts[WAIT_PARTS];
  for (int k = 0; k < ACTIVITIES; k++)
    time[k] = sum_total(&row->time[k]);
  for (int k = 0; k < WAIT_PARTS; k++)
    parts[k] = sum_total(&row->parts.time[k]);
  return share_of(time, parts, told);
}

static void note_maximum(double value, uint32_t process, double *maximum, uint32_t *slowest) {
  if (value <= *maximum) return;
  *maximum = value;
  *slowest = process;
}

static void note_shares(struct psl_results *public, struct psl_share *share, uint32_t p) {
  uint32_t ignored;
  uint32_t *const slowest[ACTIVITIES] = {&public->slowest_compute, &public->slowest_communicate, &public->slowest_wait};
  for (int a = 0; a < SHARES; a++) {
    *part_of(&public->mean, a) += *part_of(share, a);
    note_maximum(*part_of(share, a), p, part_of(&public->maximum, a), a < ACTIVITIES ? slowest[a] : &ignored);
  }
}

static void make_processes(struct results *results, const struct graph *graph, const struct run_result *run) {
  struct psl_results *public = &results->public;
  struct psl_process *processes = ARENA_ARRAY(&results->arena, struct psl_process, run->process_count);
  struct text text = {.arena = &results->arena}; /* used again for each name */
  for (uint32_t p = 0; p < run->process_count; p++) {
    const struct run_process *process = &run->processes[p];
    struct psl_share share = share_of_process(run, p);
    text.size = 0;
    if (run->by_processor)
      text_printf(&text, "processor %u", process->instance);
    else
      graph_instance_print(&text, graph, process->instance);
    processes[p] = (struct psl_process){arena_copy(&results->arena, text.data, text.size), share, process->end};
    note_shares(public, &share, p);
  }
  for (int a = 0; a < SHARES && run->process_count; a++)
    *part_of(&public->mean, a) /= run->process_count;
  for (int a = ACTIVITIES; a < STRETCHES; a++)
    if (!(run->waits_told >> a & 1)) /* nor is the greatest known of what nobody tells */
      *part_of(&public->mean, a) = *part_of(&public->maximum, a) = NAN;
  public->processes = processes;
  public->process_count = run->process_count;
}

/* What is told by instance is told of several alone. */
static const char *only_instance(struct results *results, const struct graph *graph,
                                 const struct model_component *component) {
  const struct instances *instances = &graph->instances[component->id];
  return component->index_count && instances->count == 1 ? instance_name(results, graph, instances->first) : NULL;
}

static void make_components(struct results *results, const struct graph *graph, const struct run_result *run) {
  struct psl_component *components = ARENA_ARRAY(&results->arena, struct psl_component, run->component_count);
  for (uint32_t c = 0; c < run->component_count; c++) {
    const struct run_component *row = &run->components[c];
    components[c] = (struct psl_component){copy(results, row->component->symbol->name->text),
                                           row->firings,
                                           share_of_component(row, run->waits_told),
                                           (uint64_t)row->servers,
                                           row->left,
                                           row->left_wait,
                                           only_instance(results, graph, row->component)};
  }
  results->public.components = components;
  results->public.component_count = run->component_count;
}

static struct psl_facility make_facility(struct results *results, const struct graph *graph,
                                         const struct run_facility *row, double time) {
  double served = (double)row->usage.served, waited = sum_total(&row->usage.waited);
  double stayed = sum_total(&row->usage.stayed);
  return (struct psl_facility){
      .component = copy(results, row->component->symbol->name->text),
      .instance = row->instance == INSTANCE_NONE ? NULL : instance_name(results, graph, row->instance),
      .class = row->class ? copy(results, row->class) : NULL,
      .servers = row->servers,
      .served = row->usage.served,
      .left = row->usage.left,
      .left_after = row->usage.left ? sum_total(&row->usage.lost) / (double)row->usage.left : (double)NAN,
      .throughput = time > 0 ? served / time : (double)NAN,
      .utilisation = time > 0 ? sum_total(&row->usage.held) / (row->servers * time) : (double)NAN,
      .waiting = served > 0 ? waited / served : (double)NAN,
      .service = served > 0 ? (stayed - waited) / served : (double)NAN,
      .response = served > 0 ? stayed / served : (double)NAN,
      .queue = time > 0 ? sum_total(&row->usage.present) / time : (double)NAN,
  };
}

static void make_facilities(struct results *results, const struct graph *graph, const struct run_result *run) {
  struct psl_facility *facilities = ARENA_ARRAY(&results->arena, struct psl_facility, run->facility_count);
  for (uint32_t f = 0; f < run->facility_count; f++)
    facilities[f] = make_facility(results, graph, &run->facilities[f], run->end - run->from);
  results->public.facilities = facilities;
  results->public.facility_count = run->facility_count;
}

/* The difference of the greatest and the least may be more than a number holds. */
static double class_begin(const struct run_tally *tally, uint32_t k, uint32_t count) {
  return tally->minimum * ((double)(count - k) / count) + tally->maximum * ((double)k / count);
}

/* Classes of one width from the least value to the greatest; the counts add up. */
static void make_histogram(struct results *results, const struct run_record *row, struct psl_record *record) {
  const struct run_tally *all = &row->all;
  uint32_t count = all->maximum > all->minimum ? row->keeping->classes : 1;
  struct psl_histogram_class *classes = ARENA_ARRAY(&results->arena, struct psl_histogram_class, count);
  uint64_t below = 0;
  for (uint32_t k = 0; k < count; k++) {
    double low = class_begin(all, k, count), high = class_begin(all, k + 1, count);
    uint64_t to = k + 1 < count ? (uint64_t)llround(sketch_below(&all->sketch, high)) : all->count;
    classes[k] = (struct psl_histogram_class){low, high, to - below};
    below = to;
  }
  record->classes = classes;
  record->class_count = count;
}

static void make_quantiles(struct results *results, const struct run_record *row, const struct run_tally *tally,
                           struct psl_record *record) {
  uint32_t count = row->keeping ? row->keeping->quantile_count : 0;
  struct psl_quantile *quantiles = ARENA_ARRAY(&results->arena, struct psl_quantile, count);
  for (uint32_t k = 0; k < count; k++) {
    const struct model_quantile *asked = &row->keeping->quantiles[k];
    quantiles[k] =
        (struct psl_quantile){copy(results, asked->name), asked->part, sketch_quantile(&tally->sketch, asked->part)};
  }
  record->quantiles = quantiles;
  record->quantile_count = count;
}

/* `like` has what all of a record have in common. */
static struct psl_record make_record(struct results *results, const struct run_record *row,
                                     const struct run_tally *tally, const struct psl_record *like) {
  struct psl_record record = *like;
  record.count = tally->count;
  record.sum = sum_total(&tally->sum);
  record.mean = tally->mean;
  record.minimum = tally->minimum;
  record.maximum = tally->maximum;
  record.deviation = tally->deviation;
  record.last = tally->last;
  make_quantiles(results, row, tally, &record);
  return record;
}

static void make_own(struct results *results, const struct graph *graph, const struct run_record *row,
                     const struct psl_record *like, struct psl_record *record) {
  const struct instances *instances = &graph->instances[row->component->id];
  struct psl_record *own = ARENA_ARRAY(&results->arena, struct psl_record, instances->count);
  for (uint32_t i = 0; i < instances->count; i++) {
    if (!row->own[i].count) continue;
    own[record->own_count] = make_record(results, row, &row->own[i], like);
    own[record->own_count++].instance = instance_name(results, graph, instances->first + i);
  }
  record->own = own;
}

static void make_records(struct results *results, const struct graph *graph, const struct run_result *run) {
  struct psl_record *records = ARENA_ARRAY(&results->arena, struct psl_record, run->record_count);
  struct dimension *dimensions = ARENA_ARRAY(&results->arena, struct dimension, run->record_count);
  for (uint32_t r = 0; r < run->record_count; r++) {
    const struct run_record *row = &run->records[r];
    struct text unit = {.arena = &results->arena};
    dimensions[r] = row->type->dimension;
    unit_print(&unit, results->types, row->type->dimension);
    struct psl_record like = {
        .name = copy(results, row->name->text),
        .component = row->component ? copy(results, row->component->symbol->name->text) : "",
        .unit = unit.data ? unit.data : "",
        .level = row->levels != NULL,
        .states_time = model_states(row->component, row->name->text),
        .half_width = NAN,
    };
    records[r] = make_record(results, row, &row->all, &like);
    if (row->wished > 0) records[r].half_width = row->half_width;
    if (row->keeping && row->keeping->classes) make_histogram(results, row, &records[r]);
    if (row->own) make_own(results, graph, row, &like, &records[r]);
  }
  results->record_dimensions = dimensions;
  results->public.records = records;
  results->public.record_count = run->record_count;
}

/* The seconds that are stated under the name; NaN: nobody states it. */
static double stated_time(const struct psl_results *public, const char *name) {
  double sum = NAN;
  for (size_t r = 0; r < public->record_count; r++) {
    const struct psl_record *record = &public->records[r];
    if (!record->states_time || strcmp(record->name, name)) continue;
    sum = isnan(sum) ? record->sum : sum + record->sum;
  }
  return sum;
}

/* Where no process has a clock of its own, an analysis may have stated where its time goes. */
static void make_stated_shares(struct psl_results *public) {
  for (int a = 0; a < STRETCHES; a++)
    *part_of(&public->mean, a) = a < ACTIVITIES ? stated_time(public, activity_names[a]) : NAN;
  public->mean.communication = public->mean.communicate;
  public->maximum = public->mean;
}

bool results_split(const struct psl_results *run) {
  return run->mean.compute > 0 || run->mean.communicate > 0 || run->mean.wait > 0;
}

static void make_figures(struct results *results, const struct run_result *run) {
  struct psl_figure *figures = ARENA_ARRAY(&results->arena, struct psl_figure, run->statistic_count);
  for (uint32_t s = 0; s < run->statistic_count; s++) {
    const struct psl_statistic *row = &run->statistics[s];
    figures[s] = (struct psl_figure){
        copy(results, row->name), {row->value, copy(results, row->unit ? row->unit : "")}, row->whole};
  }
  results->public.figures = figures;
  results->public.figure_count = run->statistic_count;
}

/* That a component under analysis takes distributions by their means; NULL: it does not. */
static const char *means_text(struct results *results, const struct graph *graph,
                              const struct model_component *component) {
  uint32_t count = 0;
  struct place place = {0};
  for (uint32_t k = 0; k < component->accept_count; k++) {
    const struct means *means = &graph->means[component->accepts[k]->id];
    if (means->count && !count) place = source_place(graph->model->sources, means->items[0]->span.begin);
    count += means->count;
  }
  if (!count) return NULL;
  return arena_printf(&results->arena, "%u distribution%s taken by the mean (%s:%u:%u%s)", count,
                      count == 1 ? " is" : "s are", place.source->path, place.line, place.column,
                      count == 1 ? "" : ", …");
}

/* The attribute of a component of the model's own, where it is that of a component of the library which it is like. */
static const struct model_profile *inherited(const struct model *model, const struct model_component *component,
                                             const char *attribute) {
  if (model_in_library(model, source_of(model->sources, component->symbol->span.begin))) return NULL;
  for (uint32_t a = 0; a < component->accept_count; a++) {
    const struct model_accept *accept = component->accepts[a];
    for (uint32_t p = 0; p < accept->profile_count; p++) {
      const struct model_profile *profile = &accept->profile[p];
      if (profile->value && !strcmp(profile->attribute->text, attribute) &&
          model_in_library(model, source_of(model->sources, profile->value->span.begin)))
        return profile;
    }
  }
  return NULL;
}

/* That a component leaves an attribute which times are made of to what it is like; NULL: it does not. */
static const char *relied_text(struct results *results, const struct graph *graph,
                               const struct model_component *component, const char *attribute) {
  const struct model_profile *profile = attribute ? inherited(graph->model, component, attribute) : NULL;
  if (!profile) return NULL;
  struct span span = profile->value->span;
  const struct source *source = source_of(graph->model->sources, span.begin);
  return arena_printf(&results->arena, "its %s is %.*s, since it does not say 'profile %s = …;'", attribute,
                      (int)(span.end - span.begin), source->text + (span.begin - source->base), attribute);
}

/* Is a param of the component's file given a value from outside of the model? */
static bool is_given(const struct model *model, const struct model_component *component, const char *name,
                     size_t length) {
  for (uint32_t i = 0; i < model->param_count; i++) {
    const struct symbol *param = model->params[i];
    bool named = param->file == component->symbol->file && strlen(param->name->text) == length;
    if (named && !memcmp(param->name->text, name, length)) return param->setting != NULL;
  }
  return false;
}

/* What a line of documentation assumes in this run: behind `Assumed: `, or with a condition, `Assumed where PARAM is
 * given: `, `Assumed unless PARAM is given: `. NULL: nothing. */
static const char *assumed_by(const struct model *model, const struct model_component *component, const char *line) {
  static const char mark[] = "Assumed: ", where[] = "Assumed where ", unless[] = "Assumed unless ",
                    given[] = " is given: ";
  if (!strncmp(line, mark, sizeof mark - 1)) return line + sizeof mark - 1;
  bool wanted = !strncmp(line, where, sizeof where - 1);
  if (!wanted && strncmp(line, unless, sizeof unless - 1) != 0) return NULL;
  const char *name = line + (wanted ? sizeof where : sizeof unless) - 1;
  size_t length = strcspn(name, " \n");
  if (strncmp(name + length, given, sizeof given - 1) != 0) return NULL;
  return is_given(model, component, name, length) == wanted ? name + length + sizeof given - 1 : NULL;
}

/* The next line of a component's documentation that says what the model assumes there; NULL: there is none. */
static const char *documented_text(struct results *results, const struct model *model,
                                   const struct model_component *component, const char **doc) {
  while (*doc && **doc) {
    const char *line = *doc + strspn(*doc, " "), *text = assumed_by(model, component, line);
    size_t length = strcspn(line, "\n");
    *doc = line[length] ? line + length + 1 : NULL;
    if (text) return arena_printf(&results->arena, "%.*s", (int)(line + length - text), text);
  }
  return NULL;
}

static void make_assumptions(struct results *results, const struct graph *graph, const struct run_result *run) {
  size_t count = 0, capacity = 0;
  struct psl_assumed *assumptions = NULL;
  const char *relied = NULL;
  for (uint32_t u = 0; u < run->used_count; u++) {
    const struct psl_evaluator *evaluator = run->used[u].evaluator;
    for (int k = 0; evaluator->assumptions && evaluator->assumptions[k].text; k++) {
      struct psl_assumed assumption = {evaluator->name, evaluator->assumptions[k].text};
      if (!(run->used[u].assumes >> k & 1)) continue;
      ARENA_PUSH(&results->arena, assumptions, count, capacity, assumption);
      results->uncontended |= evaluator->assumptions[k].uncontended;
      if (evaluator->assumptions[k].relied) relied = evaluator->assumptions[k].relied;
    }
  }
  for (uint32_t c = 0; c < run->component_count; c++) {
    const struct model_component *component = run->components[c].component;
    const char *name = copy(results, component->symbol->name->text);
    const char *const texts[] = {relied_text(results, graph, component, relied), means_text(results, graph, component)};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
      if (texts[k]) ARENA_PUSH(&results->arena, assumptions, count, capacity, ((struct psl_assumed){name, texts[k]}));
    const char *doc = component->decl ? component->decl->doc : NULL;
    for (const char *text; (text = documented_text(results, graph->model, component, &doc));)
      ARENA_PUSH(&results->arena, assumptions, count, capacity, ((struct psl_assumed){name, text}));
  }
  results->public.assumptions = assumptions;
  results->public.assumption_count = count;
}

struct psl_place results_place(struct results *results, const struct sources *sources, struct span span) {
  struct place begin, end;
  source_places(sources, span, &begin, &end);
  if (!begin.source) return (struct psl_place){0};
  return (struct psl_place){copy(results, begin.source->path), begin.line, begin.column, end.line, end.column};
}

static void make_waiting(struct results *results, const struct graph *graph, const struct run_result *run) {
  struct psl_waiting *waiting = ARENA_ARRAY(&results->arena, struct psl_waiting, run->wait_count);
  for (uint32_t w = 0; w < run->wait_count; w++) {
    const struct run_wait *row = &run->waits[w];
    waiting[w] =
        (struct psl_waiting){instance_name(results, graph, row->instance), copy(results, row->text ? row->text : ""),
                             results_place(results, graph->model->sources, row->span)};
  }
  results->public.waiting = waiting;
  results->public.waiting_count = run->wait_count;

  const char **critical = ARENA_ARRAY(&results->arena, const char *, run->critical_count);
  for (uint32_t c = 0; c < run->critical_count; c++)
    critical[c] = instance_name(results, graph, run->critical[c]);
  results->public.critical = critical;
  results->public.critical_count = run->critical_count;
}

static void make_responses(struct results *results, const struct psl_queueing *from, struct psl_queueing *to) {
  size_t size = from->part_count * sizeof *from->parts;
  to->responses = ARENA_ARRAY(&results->arena, struct psl_queueing_response, from->response_count);
  to->parts = size ? memcpy(arena_alloc(&results->arena, size), from->parts, size) : NULL;
  for (size_t r = 0; r < from->response_count; r++) {
    struct psl_queueing_response *row = &to->responses[r];
    *row = from->responses[r];
    row->name = copy(results, row->name);
    row->component = copy(results, row->component);
    row->percentiles = ARENA_ARRAY(&results->arena, struct psl_estimate, from->part_count);
    memcpy(row->percentiles, from->responses[r].percentiles, from->part_count * sizeof *row->percentiles);
  }
}

static void make_queueing(struct results *results, const struct psl_queueing *from) {
  struct arena *arena = &results->arena;
  struct psl_queueing *to = ARENA_NEW(arena, struct psl_queueing);
  size_t cells = from->station_count * from->class_count;
  *to = *from;
  to->solver = copy(results, from->solver);
  if (from->approximation) to->approximation = copy(results, from->approximation);
  if (from->unknown) to->unknown = copy(results, from->unknown);
  to->stations = ARENA_ARRAY(arena, struct psl_queueing_station, from->station_count);
  to->classes = ARENA_ARRAY(arena, struct psl_queueing_class, from->class_count);
  to->cells = ARENA_ARRAY(arena, struct psl_queueing_cell, cells);
  for (size_t k = 0; k < from->station_count; k++) {
    to->stations[k] = from->stations[k];
    to->stations[k].name = copy(results, from->stations[k].name);
    to->stations[k].component = copy(results, from->stations[k].component);
  }
  for (size_t c = 0; c < from->class_count; c++) {
    to->classes[c] = from->classes[c];
    to->classes[c].name = copy(results, from->classes[c].name);
    to->classes[c].component = copy(results, from->classes[c].component);
    if (from->classes[c].class) to->classes[c].class = copy(results, from->classes[c].class);
  }
  if (cells) memcpy(to->cells, from->cells, cells * sizeof *to->cells);
  make_responses(results, from, to);
  results->public.queueing = to;
}

/* `customer[c=0]` is the instance `customer[0]`, `disk[0].read` a part of `disk[0]`. */
bool results_is_instance(const char *row, const char *instance) {
  bool index = false;
  for (; *instance; instance++, row++) {
    size_t name = index ? strcspn(row, "=,]") : 0;
    if (name && row[name] == '=') row += name + 1;
    if (*row != *instance) return false;
    index = *row == '[' || *row == ' ';
  }
  return !*row || *row == '.';
}

/* `instance` NULL: all of the component. */
static bool is_of(const char *row_component, const char *row, const char *component, const char *instance) {
  return !strcmp(row_component, component) && (!instance || results_is_instance(row, instance));
}

double results_queueing(const struct psl_queueing *network, const char *component, const char *instance,
                        enum queueing_figure part) {
  double rate = 0, queue = 0, busy = 0, servers = 0, response = 0;
  size_t rows = 0;
  for (size_t c = 0; c < network->class_count; c++) {
    const struct psl_queueing_class *class = &network->classes[c];
    if (!is_of(class->component, class->name, component, instance)) continue;
    rows++;
    rate += class->throughput.value;
    if (class->throughput.value > 0) response += class->throughput.value * class->response.value;
  }
  for (size_t k = 0; k < network->station_count && !network->bounds; k++) {
    const struct psl_queueing_station *station = &network->stations[k];
    if (!is_of(station->component, station->name, component, instance)) continue;
    rows++;
    rate += station->throughput.value;
    queue += station->queue.value;
    busy += station->servers < INFINITY ? station->utilisation.value : NAN;
    servers++;
    response += station->queue.value;
  }
  if (!rows) return NAN;
  switch (part) {
  case QUEUEING_THROUGHPUT: return rate;
  case QUEUEING_RESPONSE: return rate > 0 ? response / rate : NAN;
  case QUEUEING_QUEUE: return servers > 0 ? queue : NAN;
  case QUEUEING_UTILISATION: return servers > 0 ? busy / servers : NAN;
  case QUEUEING_WAITING:
  case QUEUEING_LEFT:
  case QUEUEING_LEFT_AFTER:
  case QUEUEING_SERVED:
  case QUEUEING_FIGURES: break;
  }
  return NAN;
}

double results_facility(const struct psl_facility *facility, enum queueing_figure part) {
  switch (part) {
  case QUEUEING_THROUGHPUT: return facility->throughput;
  case QUEUEING_RESPONSE: return facility->response;
  case QUEUEING_QUEUE: return facility->queue;
  case QUEUEING_UTILISATION: return facility->utilisation;
  case QUEUEING_WAITING: return facility->waiting;
  case QUEUEING_LEFT: return (double)facility->left;
  case QUEUEING_LEFT_AFTER: return facility->left_after;
  case QUEUEING_SERVED: return (double)facility->served;
  case QUEUEING_FIGURES: break;
  }
  return NAN;
}

const char *results_class(struct arena *arena, const char *class) {
  bool number = *class == '-' || (*class >= '0' && *class <= '9');
  return results_field(arena, number ? arena_printf(arena, "class=%s", class) : class);
}

static const struct psl_estimate *class_figure(const struct psl_queueing_class *class, enum queueing_figure part) {
  return part == QUEUEING_THROUGHPUT ? &class->throughput : part == QUEUEING_RESPONSE ? &class->response : NULL;
}

static const struct psl_estimate *station_figure(const struct psl_queueing_station *station,
                                                 enum queueing_figure part) {
  switch (part) {
  case QUEUEING_THROUGHPUT: return &station->throughput;
  case QUEUEING_QUEUE: return &station->queue;
  case QUEUEING_UTILISATION: return station->servers < INFINITY ? &station->utilisation : NULL;
  case QUEUEING_RESPONSE: return &station->response;
  case QUEUEING_WAITING:
  case QUEUEING_LEFT:
  case QUEUEING_LEFT_AFTER:
  case QUEUEING_SERVED:
  case QUEUEING_FIGURES: break;
  }
  return NULL;
}

struct psl_estimate results_cell(const struct psl_queueing_cell *cell, enum queueing_figure part) {
  const struct psl_estimate *all = &cell->response;
  double visits = cell->visits;
  switch (part) {
  case QUEUEING_THROUGHPUT: return cell->throughput;
  case QUEUEING_QUEUE: return cell->queue;
  case QUEUEING_UTILISATION: return cell->utilisation;
  case QUEUEING_RESPONSE: return (struct psl_estimate){all->value / visits, all->low / visits, all->high / visits};
  case QUEUEING_WAITING:
  case QUEUEING_LEFT:
  case QUEUEING_LEFT_AFTER:
  case QUEUEING_SERVED:
  case QUEUEING_FIGURES: break;
  }
  return (struct psl_estimate){NAN, NAN, NAN};
}

bool results_one_draw(const struct psl_results *results) {
  const struct psl_queueing *network = results->queueing;
  return ((const struct results *)results)->drawn && results->complete && !(network && network->intervals);
}

bool results_unsteady(const struct psl_results *results) {
  return results->queueing && !strcmp(results->stop, stop_text(STOP_UNSTEADY));
}

bool results_cut(const struct psl_results *results) {
  return !strcmp(results->stop, stop_text(STOP_MAX_TIME)) || !strcmp(results->stop, stop_text(STOP_NARROW));
}

const char *results_untimed(const char *stop) {
  if (!strcmp(stop, stop_text(STOP_MAX_TIME))) return "--max-time has ended the run";
  if (!strcmp(stop, stop_text(STOP_NARROW))) return "the run has ended when its means were known as well as wished";
  return "no customer has ended a cycle";
}

double results_half(const struct psl_queueing *network, const struct psl_estimate *figure) {
  return network->intervals && figure ? (figure->high - figure->low) / 2 : NAN;
}

double results_queueing_half(const struct psl_queueing *network, const char *component, const char *instance,
                             enum queueing_figure part) {
  const struct psl_estimate *found = NULL;
  size_t rows = 0;
  for (size_t c = 0; c < network->class_count; c++) {
    const struct psl_queueing_class *class = &network->classes[c];
    if (component && !is_of(class->component, class->name, component, instance)) continue;
    found = class_figure(class, part);
    rows++;
  }
  for (size_t k = 0; component && k < network->station_count; k++) {
    const struct psl_queueing_station *station = &network->stations[k];
    if (!is_of(station->component, station->name, component, instance)) continue;
    found = station_figure(station, part);
    rows++;
  }
  return rows == 1 ? results_half(network, found) : NAN; /* of a sum the interval is not known */
}

const struct psl_queueing_response *results_response(const struct psl_queueing *network, const char *component,
                                                     const char *instance) {
  const struct psl_queueing_response *found = NULL;
  for (size_t r = 0; r < network->response_count; r++) {
    const struct psl_queueing_response *row = &network->responses[r];
    if ((instance && row->any) || !is_of(row->component, row->name, component, instance)) continue;
    if (!found || (row->any && row->visit == found->visit)) found = row;
  }
  return found;
}

const struct psl_estimate *results_percentile(const struct psl_queueing *network, const char *component,
                                              const char *instance, double part) {
  const struct psl_queueing_response *found = results_response(network, component, instance);
  for (size_t p = 0; found && p < network->part_count; p++)
    if (network->parts[p] == part) return &found->percentiles[p];
  return NULL;
}

const char *results_field(struct arena *arena, const char *name) {
  char *copy = arena_copy(arena, name, strlen(name)), *to = copy;
  for (const char *c = name; *c; c++) {
    if (*c == '[' || *c == ',' || *c == '=')
      *to++ = '_';
    else if (*c == '.')
      *to++ = '-';
    else if (*c == ' ' && c > name && c[-1] != ',')
      *to++ = '-';
    else if (*c != ']' && *c != ' ')
      *to++ = *c;
  }
  *to = '\0';
  return copy;
}

bool response_known(const struct psl_queueing *network, const struct psl_queueing_response *row) {
  for (size_t p = 0; p < network->part_count; p++)
    if (isfinite(row->percentiles[p].value)) return true;
  return false;
}

const char *response_kind(const struct psl_queueing_response *row) {
  return row->visit ? row->any ? "any visit" : "visit" : row->any ? "any cycle" : "cycle";
}

/* The trace names components by number. */
static void make_trace(struct results *results, const struct model *model) {
  const char **names = ARENA_ARRAY(&results->arena, const char *, model->component_count);
  for (uint32_t c = 0; c < model->component_count; c++)
    names[c] = copy(results, model->components[c]->symbol->name->text);
  results->component_names = names;
}

/* Trace and elements name instances by number. */
static void make_places(struct results *results, const struct graph *graph, const struct run_result *run) {
  results->instance_count = graph->instance_count;
  for (uint32_t p = 0; p < run->process_count; p++) /* processors of a task graph have numbers of their own */
    if (run->processes[p].instance >= results->instance_count) results->instance_count = run->processes[p].instance + 1;
  results->process_of = ARENA_ARRAY(&results->arena, uint32_t, results->instance_count);
  for (uint32_t i = 0; i < results->instance_count; i++)
    results->process_of[i] = UINT32_MAX;
  for (uint32_t p = 0; p < run->process_count; p++) {
    uint32_t *process = &results->process_of[run->processes[p].instance];
    if (*process == UINT32_MAX) *process = p;
  }
}

void results_make(struct results *results, struct graph *graph, const struct run_result *run) {
  struct psl_results *public = &results->public;
  results->types = &graph->model->types;
  results->end = run->end;
  public->system = copy(results, graph->system->symbol->name->text);
  bool analysed = run->queueing && !run->queueing->intervals;
  public->makespan = (struct psl_quantity){run->makespan, "s"};
  public->simulated = (struct psl_quantity){analysed ? (double)NAN : run->end, "s"};
  public->uncertain = run->uncertain;
  public->makespan_low = (struct psl_quantity){run->low, "s"};
  public->makespan_high = (struct psl_quantity){run->high, "s"};
  if (run->unbounded) public->unbounded = copy(results, run->unbounded);
  public->warm_up = run->from;
  public->messages_counted = run->messages_counted;
  public->messages = run->messages;
  public->bytes = run->bytes;
  public->firings = run->firings;
  public->events = run->events;
  public->stop = stop_text(run->stop);
  if (run->stop_detail) public->stop_detail = copy(results, run->stop_detail);
  if (run->unsound) results->unsound = copy(results, run->unsound);
  results->drawn = run->drawn;
  public->complete = stop_is_end(run->stop);
  public->passing = run->passing;
  public->assertions = model_assertions(graph->model);
  results_sources(results, graph, run);
  make_processes(results, graph, run);
  make_components(results, graph, run);
  make_facilities(results, graph, run);
  make_records(results, graph, run);
  if (!public->process_count) make_stated_shares(public);
  make_figures(results, run);
  make_assumptions(results, graph, run);
  make_waiting(results, graph, run);
  if (results->trace || run->element_count) make_places(results, graph, run);
  if (results->trace) make_trace(results, graph->model);
  if (results->trace && results->trace->causes) results_why(results, graph);
  if (results->levels) results_levels(results, graph);
  if (run->element_count) results_elements(results, run);
  if (run->queueing) make_queueing(results, run->queueing);
  public->timing.frame_memory = run->frame_bytes;
  public->timing.paired_calls = run->paired_calls;
  public->timing.partitions = run->partitions;
  public->timing.instances = graph->instance_count;
  public->timing.requests = graph->statistics.requests;
}
