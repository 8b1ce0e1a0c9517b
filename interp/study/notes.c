/* Notes of rows. What a run notes itself is kept as it is said; what a study notes depends on the columns that it has,
 * too, and is made of facts about the run. Both stand in the row, a line each: a word for its kind, a component or
 * nothing, and a text, with a tab between two; so that a row out of a database notes what it did when it was run, to
 * any study. */
#include "interp/study/study.h"
#include "interp/queueing/queueing.h"

#include <string.h>

enum kind {
  KIND_SAID,     /* the text of a note of the run */
  KIND_CYCLES,   /* customers draw whether they make a request: the name of a class */
  KIND_ALL,      /* the same of all classes of the component together */
  KIND_BOUNDS,   /* bounds of the predicted time are known */
  KIND_RANGES,   /* ranges take part in it */
  KIND_SOLVER,   /* of a network without intervals: its name */
  KIND_SERVANTS, /* instances of the component have worked, and none is a process of its own */
  KIND_CALLERS,  /* its processes spend time in what they call, not in it: the first of them, a tab, which shares */
  KIND_DRAWN,    /* the run has drawn random numbers, and its figures have no intervals */
  KINDS
};
static const char *const kinds[KINDS] = {
    [KIND_SAID] = "note",         [KIND_CYCLES] = "cycles",   [KIND_ALL] = "all cycles",
    [KIND_BOUNDS] = "bounds",     [KIND_RANGES] = "ranges",   [KIND_SOLVER] = "solver",
    [KIND_SERVANTS] = "servants", [KIND_CALLERS] = "callers", [KIND_DRAWN] = "drawn",
};

/* ---- what is to be kept of a run ---- */

static void put(struct text *out, enum kind kind, const char *component, const char *text) {
  text_put(out, kinds[kind]);
  text_char(out, '\t');
  text_put(out, component);
  text_char(out, '\t');
  text_add_line(out, text);
}

/* The first process of its own that the component has, and what all of them spend; NULL: none. */
static const char *processes_of(const struct psl_results *results, const char *component, struct psl_share *sum) {
  size_t length = strlen(component);
  const char *first = NULL;
  *sum = (struct psl_share){0};
  for (size_t p = 0; p < results->process_count; p++) {
    const struct psl_process *process = &results->processes[p];
    if (strncmp(process->name, component, length) || process->name[length] != '[') continue;
    sum->compute += process->share.compute;
    sum->communicate += process->share.communicate;
    sum->wait += process->share.wait;
    if (!first) first = process->name;
  }
  return first;
}

static void put_component(struct text *out, const struct psl_results *results, const struct psl_component *component) {
  struct psl_share sum, own = component->share;
  if (!component->firings) return;
  const char *process = processes_of(results, component->name, &sum);
  if (!process) {
    put(out, KIND_SERVANTS, component->name, "");
    return;
  }
  double least = 1e-9 * (sum.compute + sum.communicate + sum.wait);
  const char *shares = arena_printf(out->arena, "%s%s%s", sum.compute - own.compute > least ? "compute " : "",
                                    sum.communicate - own.communicate > least ? "communicate " : "",
                                    sum.wait - own.wait > least ? "wait " : "");
  if (*shares) put(out, KIND_CALLERS, component->name, arena_printf(out->arena, "%s\t%s", process, shares));
}

static void put_network(struct text *out, const struct psl_queueing *network) {
  if (!network->intervals) put(out, KIND_SOLVER, "", network->solver);
  for (size_t r = 0; r < network->response_count; r++) {
    const struct psl_queueing_response *row = &network->responses[r];
    if (row->fractional) put(out, row->any ? KIND_ALL : KIND_CYCLES, row->component, row->name);
  }
}

const char *study_notes_of(struct arena *arena, const struct psl_results *results, const char *said) {
  struct text out = {.arena = arena};
  text_put(&out, "");
  for (const char *line; (line = text_next_line(arena, &said));)
    put(&out, KIND_SAID, "", line);
  if (!results) return out.data;
  if (results_one_draw(results)) put(&out, KIND_DRAWN, "", "");
  bool bounds = results->queueing && results->queueing->bounds;
  if (results->uncertain) put(&out, bounds ? KIND_BOUNDS : KIND_RANGES, "", "");
  if (results->queueing) put_network(&out, results->queueing);
  for (size_t c = 0; c < results->component_count; c++)
    put_component(&out, results, &results->components[c]);
  return out.data;
}

/* ---- what a study says of it ---- */

/* The first line of that kind, and of that component; NULL: there is none. */
static const char *find(struct study_plan *plan, const struct study_row *row, enum kind kind, const char *component) {
  size_t word = strlen(kinds[kind]), length = strlen(component);
  for (const char *at = row->notes, *end; at && *at; at = end ? end + 1 : NULL) {
    end = strchr(at, '\n');
    if (strncmp(at, kinds[kind], word) || at[word] != '\t') continue;
    if (!strncmp(at + word + 1, component, length) && at[word + 1 + length] == '\t')
      return text_next_line(&plan->psl->work, &at) + word + length + 2;
  }
  return NULL;
}

bool study_notes_solved(struct study_plan *plan, const struct study_row *row) {
  return find(plan, row, KIND_SOLVER, "") != NULL;
}

bool study_notes_drawn(struct study_plan *plan, const struct study_row *row) {
  return find(plan, row, KIND_DRAWN, "") != NULL;
}

static const struct model_result *used(const struct study_plan *plan, uint32_t u) {
  return study_result(plan, plan->study->uses[u].result);
}

static bool is_unknown(const struct study_plan *plan, const struct study_row *row, uint32_t u) {
  return isnan(row->results[plan->study->uses[u].result]);
}

static void note(struct study_plan *plan, uint32_t u, const char *text) {
  diagnostic_add(&plan->psl->diagnostics, SEVERITY_NOTE, plan->study->uses[u].symbol->span, "%s", text);
}

static bool lacks_percentile(const struct study_plan *plan, const struct study_row *row, uint32_t u) {
  const struct model_result *result = used(plan, u);
  return result->kind == RESULT_PERCENTILE && !result->half && is_unknown(plan, row, u);
}

/* A study that reports percentiles which an analysis does not know is told who does, once for all columns. */
static void note_percentiles(struct study_plan *plan, const struct study_row *row) {
  const char *solver = find(plan, row, KIND_SOLVER, "");
  uint32_t count = plan->study->use_count, first = count;
  struct text names = {.arena = &plan->psl->work};
  for (uint32_t u = 0; solver && u < count; u++) {
    if (!lacks_percentile(plan, row, u)) continue;
    const struct model_component *component = used(plan, u)->component;
    uint32_t same = 0;
    while (!(lacks_percentile(plan, row, same) && used(plan, same)->component == component))
      same++;
    if (same == u) text_printf(&names, "%s%s", first < count ? ", " : "", component->symbol->name->text);
    if (first == count) first = u;
  }
  if (first == count) return;
  struct arena *arena = &plan->psl->work;
  note(plan, first,
       arena_printf(arena, NETWORK_NO_PERCENTILES, solver, names.data,
                    simulated_by(arena, used(plan, first)->component)));
}

/* The class whose cycles the result is of, if they differ by chance; NULL: they do not. */
static const char *drawn_cycles(struct study_plan *plan, const struct study_row *row,
                                const struct model_result *result) {
  const char *component = result->component->symbol->name->text;
  const char *all = result->instance ? NULL : find(plan, row, KIND_ALL, component);
  if (all) return all;
  const char *head = arena_printf(&plan->psl->work, "%s\t%s\t", kinds[KIND_CYCLES], component);
  for (const char *at = row->notes, *line; (line = text_next_line(&plan->psl->work, &at));) {
    if (strncmp(line, head, strlen(head))) continue;
    const char *class = line + strlen(head);
    if (!result->instance || results_is_instance(class, result->instance)) return class;
  }
  return NULL;
}

/* A study that reports percentiles of cycles which differ by chance is told what they are of, once a class. */
static void note_cycles(struct study_plan *plan, const struct study_row *row) {
  const char *said = NULL;
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct model_result *result = used(plan, u);
    const char *class = result->kind == RESULT_PERCENTILE ? drawn_cycles(plan, row, result) : NULL;
    if (!class || (said && !strcmp(said, class))) continue;
    note(plan, u, arena_printf(&plan->psl->work, CYCLES_FRACTIONAL, class));
    said = class;
  }
}

/* A study that reports the predicted time, whose bounds it does not. */
static void note_bounds(struct study_plan *plan, const struct study_row *row) {
  bool asked = false, bounds = find(plan, row, KIND_BOUNDS, "");
  if (!bounds && !find(plan, row, KIND_RANGES, "")) return;
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct model_result *result = used(plan, u);
    if (result->kind == RESULT_LOW || result->kind == RESULT_HIGH) return;
    asked |= result->kind == RESULT_MAKESPAN && !result->half;
  }
  if (!asked) return;
  diagnostic_add(&plan->psl->diagnostics, SEVERITY_NOTE, (struct span){0, 0}, "%s",
                 bounds ? "bounds of the predicted time are known, and it is their middle"
                        : "ranges take part, and the predicted time is with their middles");
  if (plan->columnless) return;
  diagnostic_help(&plan->psl->diagnostics, (struct span){0, 0},
                  "the columns makespan.low and makespan.high are the bounds");
}

/* A study that reports the predicted time of a run that has none is told why. */
static void note_makespan(struct study_plan *plan, const struct study_row *row) {
  for (uint32_t u = 0; !plan->usual && u < plan->study->use_count; u++) {
    if (used(plan, u)->kind != RESULT_MAKESPAN || used(plan, u)->half || !is_unknown(plan, row, u)) continue;
    note(plan, u, arena_printf(&plan->psl->work, "there is no predicted time: %s", results_untimed(row->stop)));
    diagnostic_help(&plan->psl->diagnostics, (struct span){0, 0}, "simulated-time is how far the run has come");
    return;
  }
}

/* A study that reports a share of an instance which is no process is told so. */
static void note_shares(struct study_plan *plan, const struct study_row *row) {
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct model_result *result = used(plan, u);
    bool share = result->kind == RESULT_SHARE || result->kind == RESULT_REST;
    if (!share || !result->instance || !is_unknown(plan, row, u)) continue;
    const char *name = result->component->symbol->name->text;
    if (!find(plan, row, KIND_SERVANTS, name)) continue;
    note(plan, u,
         arena_printf(&plan->psl->work,
                      "of single instances the shares of time are known where they are processes of their own, and "
                      "those of '%s' serve others",
                      name));
  }
}

/* A share of a component is of what its own bodies spend: not what its processes wait for in what they call. */
static void note_callers(struct study_plan *plan, const struct study_row *row) {
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct model_result *result = used(plan, u);
    if (result->kind != RESULT_SHARE || !result->component || result->instance || result->half) continue;
    const char *name = result->component->symbol->name->text, *part = strrchr(result->name, '.');
    const char *process = find(plan, row, KIND_CALLERS, name), *shares = process ? strchr(process, '\t') : NULL;
    if (!shares || !part) continue;
    if (!strcmp(part, ".starved") || !strcmp(part, ".blocked")) continue; /* where the process waits itself */
    bool activity = !strcmp(part, ".compute") || !strcmp(part, ".communicate");
    if (!strstr(shares, activity ? part + 1 : "wait")) continue;
    note(
        plan, u,
        arena_printf(&plan->psl->work,
                     "%s has what bodies of '%s' spend themselves, and not what they call: %.*s%s is all of a process, "
                     "%s the mean of all processes",
                     result->name, name, (int)(shares - process), process, part, part + 1));
  }
}

static void flush(struct study_plan *plan) { diagnostic_flush(&plan->psl->diagnostics); }

void study_notes_say(struct study_plan *plan, const struct study_row *row) {
  if (row->status != STUDY_DONE) return;
  note_makespan(plan, row);
  flush(plan);
  if (!*row->notes) return;
  note_shares(plan, row);
  note_callers(plan, row);
  flush(plan);
  note_bounds(plan, row);
  flush(plan);
  note_percentiles(plan, row);
  flush(plan);
  note_cycles(plan, row);
  flush(plan);
}

void study_notes_one_draw(struct psl *psl, const char *where, const char *which) {
  diagnostic_add(
      &psl->diagnostics, SEVERITY_NOTE, (struct span){0},
      "random numbers are drawn%s, by one seed each: differences may be chance, and so may be which one is %s", where,
      which);
  diagnostic_help(&psl->diagnostics, (struct span){0},
                  "--repetitions 10 has means of ten seeds, with their intervals and those of the differences");
}

const char *study_notes_said(struct arena *arena, const char *notes) {
  struct text out = {.arena = arena};
  const char *head = arena_printf(arena, "%s\t\t", kinds[KIND_SAID]);
  text_put(&out, "");
  for (const char *line; (line = text_next_line(arena, &notes));)
    if (!strncmp(line, head, strlen(head))) text_add_line(&out, line + strlen(head));
  return out.data;
}
