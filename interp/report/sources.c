/* Of what evidence a result is, and who has answered the params that are asked for. Called by results_make.
 *
 * What answers, and whom that asks in turn, is apart from what plays the model: an equation one of whose figures was
 * measured is analytic, with measured. */
#include "interp/report/results.h"

#include <math.h>
#include <string.h>

enum { TABLE = 1 << 3 }; /* beside the bits of enum psl_evaluator.evidence */

struct survey {
  struct results *results;
  struct graph *graph;
  const struct run_result *run;
  unsigned *evidence; /* by component id: a bit each; 0: it says nothing, or has not fired */
  bool *asked;        /* by request id: it is made to ask for a param */
  bool *answers;      /* by component id: questions alone have led there */
};

/* ---- by component ---- */

static unsigned mode_evidence(struct graph *graph, const struct model_component *component) {
  const struct name *mode = name_known(graph->model->names, KNOWN_EVALUATION_MODE);
  const struct instances *instances = &graph->instances[component->id];
  const struct name **names = graph->model->names->by_id;
  unsigned evidence = 0;
  for (uint32_t a = 0; instances->count && a < component->accept_count; a++) {
    struct value value;
    if (!graph_attribute(graph, component->accepts[a], instances->first, mode, NULL, &value)) continue;
    if (value.kind != VALUE_TERM || !value.term.head) continue;
    bool table = value.term.qualifier && !strcmp(names[value.term.qualifier]->folded->text, "table");
    if (value.term.head == KNOWN_ANALYSIS) evidence |= table ? TABLE : 1U << PSL_ANALYTIC;
    if (value.term.head == KNOWN_SIMULATION) evidence |= 1U << PSL_SIMULATED;
    if (value.term.head == KNOWN_MEASUREMENT) evidence |= 1U << PSL_MEASURED;
  }
  return evidence;
}

/* Where several grades took part: simulated as soon as anything was, since then it is one history that a simulation
 * played; analytic where all was equations; measured where all was measured. Where nothing says what it is, the
 * executor played the model: simulated. */
static const char *evidence_text(unsigned evidence) {
  if (evidence & 1U << PSL_SIMULATED) return "simulated";
  if (evidence & 1U << PSL_ANALYTIC) return "analytic";
  if (evidence & 1U << PSL_MEASURED) return "measured";
  return evidence & TABLE ? "table" : "simulated";
}

/* ---- who leads to whom ---- */

struct way {
  struct survey *s;
  bool *reached;
  struct model_component **queue; /* reached, and not looked at yet */
  uint32_t count;
};

static void way_add(struct way *way, struct model_component *component) {
  if (way->reached[component->id]) return;
  way->reached[component->id] = true;
  way->queue[way->count++] = component;
}

static void way_request(struct way *way, const struct model_request *request) {
  const struct graph *graph = way->s->graph;
  const struct binding *binding = &graph->bindings[request->id];
  const struct model *model = graph->model;
  uint32_t count = graph->instances[request->component->id].count;
  uint32_t many = binding->kind == BINDING_EVERY ? binding->starts[count] : count;
  switch (binding->kind) {
  case BINDING_ABSENT: break;
  case BINDING_SAME:
    if (binding->target.instance < INSTANCE_ABSENT) way_add(way, model->accepts[binding->target.accept]->component);
    break;
  case BINDING_TABLE:
  case BINDING_EVERY:
    if (binding->accept) way_add(way, binding->accept->component);
    for (uint32_t k = 0; !binding->accept && k < many; k++)
      if (binding_target(binding, k) < INSTANCE_ABSENT) way_add(way, model->accepts[binding->accepts[k]]->component);
    break;
  case BINDING_LATE:
    for (uint32_t k = 0; k < binding->candidate_count; k++)
      way_add(way, binding->candidates[k]->component);
    break;
  }
}

/* All that those in the queue lead to; by questions, too? */
static void way_follow(struct way *way, bool questions) {
  for (uint32_t at = 0; at < way->count; at++) {
    const struct model_component *component = way->queue[at];
    for (uint32_t r = 0; r < component->request_count; r++)
      if (questions || !way->s->asked[component->requests[r]->id]) way_request(way, component->requests[r]);
  }
}

static struct way way_open(struct survey *s) {
  const struct model *model = s->graph->model;
  return (struct way){.s = s,
                      .reached = ARENA_ARRAY(&s->results->arena, bool, model->component_count),
                      .queue = ARENA_ARRAY(&s->results->arena, struct model_component *, model->component_count)};
}

/* ---- questions ---- */

/* What was answered, from the least to the greatest, with the ends of ranges. */
static void answer_bounds(const struct run_result *run, const struct model_component *component,
                          struct psl_asked *asked) {
  asked->minimum = asked->maximum = NAN;
  for (uint32_t k = 0; k < run->record_count; k++) {
    const struct run_record *record = &run->records[k];
    if (record->component != component || strcmp(record->name->text, asked->name) || !record->all.count) continue;
    asked->minimum = record->ranges ? record->low : record->all.minimum;
    asked->maximum = record->ranges ? record->high : record->all.maximum;
  }
}

static void question_answer(struct survey *s, const struct model_component *component,
                            const struct model_question *question, struct psl_asked *asked) {
  struct text from = {.arena = &s->results->arena};
  unsigned evidence = 0;
  if (question->callee->kind == SYMBOL_EVALUATOR_FUNCTION) {
    text_put(&from, question->callee->evaluator_of->name);
    evidence = 1U << question->callee->evaluator_of->evidence;
  } else {
    struct way way = way_open(s);
    way_request(&way, question->callee->request);
    for (uint32_t k = 0; k < way.count; k++)
      text_printf(&from, "%s%s", k ? ", " : "", way.queue[k]->symbol->name->text);
    way_follow(&way, true);
    for (uint32_t k = 0; k < way.count; k++) {
      evidence |= s->evidence[way.queue[k]->id];
      s->answers[way.queue[k]->id] = true;
    }
  }
  asked->name = arena_copy(&s->results->arena, question->param->name->text, strlen(question->param->name->text));
  asked->component =
      arena_copy(&s->results->arena, component->symbol->name->text, strlen(component->symbol->name->text));
  asked->from = from.data ? from.data : "";
  answer_bounds(s->run, component, asked);
  asked->evidence = evidence_text(evidence);
}

/* Of components that have fired, and so have asked. */
static void questions_answer(struct survey *s) {
  struct psl_results *public = &s->results->public;
  struct psl_asked *all = NULL;
  size_t capacity = 0;
  for (uint32_t c = 0; c < s->run->component_count; c++) {
    const struct model_component *component = s->run->components[c].component;
    for (uint32_t q = 0; s->run->components[c].fired && q < component->question_count; q++) {
      struct psl_asked asked;
      question_answer(s, component, &component->questions[q], &asked);
      ARENA_PUSH(&s->results->arena, all, public->asked_count, capacity, asked);
    }
  }
  public->asked = all;
}

/* ---- the whole ---- */

static const char *evidence_whole(struct survey *s) {
  const struct psl_results *public = &s->results->public;
  struct text text = {.arena = &s->results->arena};
  unsigned evidence = 0;
  for (uint32_t c = 0; c < s->run->component_count; c++) {
    uint32_t id = s->run->components[c].component->id;
    if (!s->answers[id]) evidence |= s->evidence[id];
  }
  for (uint32_t u = 0; !public->asked_count && u < s->run->used_count; u++) /* who has solved a network has no row */
    if (s->run->used[u].evident) evidence |= 1U << s->run->used[u].evaluator->evidence;
  const char *own = evidence_text(evidence & TABLE ? evidence | 1U << PSL_ANALYTIC : evidence);
  text_put(&text, own);
  for (unsigned bit = 0; bit < 4; bit++) {
    static const unsigned order[] = {1U << PSL_SIMULATED, 1U << PSL_ANALYTIC, 1U << PSL_MEASURED, TABLE};
    const char *other = evidence_text(order[bit]);
    bool found = false;
    for (size_t q = 0; q < public->asked_count; q++)
      found |= other != own && !strcmp(public->asked[q].evidence, other);
    if (found) text_printf(&text, "%s %s", strchr(text.data, ' ') ? " and" : " with", other);
  }
  return text.data;
}

void results_sources(struct results *results, struct graph *graph, const struct run_result *run) {
  const struct model *model = graph->model;
  struct survey s = {.results = results,
                     .graph = graph,
                     .run = run,
                     .evidence = ARENA_ARRAY(&results->arena, unsigned, model->component_count),
                     .asked = ARENA_ARRAY(&results->arena, bool, model->request_count),
                     .answers = ARENA_ARRAY(&results->arena, bool, model->component_count)};
  for (uint32_t c = 0; c < run->component_count; c++) {
    const struct run_component *row = &run->components[c];
    if (row->fired) s.evidence[row->component->id] = row->evidence | mode_evidence(graph, row->component);
    for (uint32_t q = 0; q < row->component->question_count; q++) {
      const struct symbol *callee = row->component->questions[q].callee;
      if (callee->kind == SYMBOL_LABEL) s.asked[callee->request->id] = true;
    }
  }
  questions_answer(&s);
  if (results->public.asked_count) { /* what is reached without a question, too, plays the model */
    struct way way = way_open(&s);
    way_add(&way, graph->system);
    way_follow(&way, false);
    for (uint32_t k = 0; k < way.count; k++)
      s.answers[way.queue[k]->id] = false;
  }
  results->public.evidence = evidence_whole(&s);
}

size_t results_answered(const struct psl_results *run, const struct psl_asked *asked) {
  for (size_t r = 0; r < run->record_count; r++)
    if (!strcmp(run->records[r].name, asked->name) && !strcmp(run->records[r].component, asked->component)) return r;
  return SIZE_MAX;
}

void results_answer(struct text *out, const struct results *results, const struct psl_asked *asked) {
  size_t r = results_answered(&results->public, asked);
  if (r == SIZE_MAX) {
    text_put(out, "no number");
    return;
  }
  report_quantity(out, results->types, asked->minimum, results->record_dimensions[r]);
  if (asked->maximum <= asked->minimum) return;
  text_put(out, " to ");
  report_quantity(out, results->types, asked->maximum, results->record_dimensions[r]);
}
