/* psl_recommend: a study is learnt from, and what was learnt is shown, tried, or asked for choices. */
#include "interp/recommend/recommend.h"
#include "interp/resolve/effects.h"
#include "interp/study/optimize.h"
#include "interp/study/store.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 1000, CHOICES = 5, UNSEEN = 20, EVALUATIONS = 300, LEARNT = 10000 /* cases at most */ };

static const struct span nowhere = {0, 0};

struct recommend_given {
  const char *name;
  const struct psl_recommend_options *options;
  psl_write *write;
  void *user;
};

/* splitmix64: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014 */
double recommend_draw(struct recommender *r) {
  uint64_t z = r->seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* ---- which study ---- */

static bool has_choice(const struct decl *decl) {
  for (const struct study_item *item = decl->study.items; item; item = item->next)
    if (item->kind == STUDY_VARY && item->role == ROLE_CHOICE) return true;
  return false;
}

static void help_roles(struct psl *psl) {
  diagnostic_help(&psl->diagnostics, nowhere,
                  "in a study 'choice PARAM in [A, B];' says what is chosen, 'problem PARAM in A .. B;' for what");
}

/* The name of the study that is meant; NULL after a diagnostic. */
static const char *study_meant(struct psl *psl, const char *name) {
  struct model *model = &psl->model;
  const char *found = NULL;
  bool fine;
  if (name) {
    const struct model_study *study = study_declared(psl, name, &fine);
    if (!fine) return NULL;
    if (study && has_choice(study->decl)) return name;
    diagnostic_misuse(&psl->diagnostics, "'%s' says nothing that could be chosen", name);
    help_roles(psl);
    return NULL;
  }
  for (uint32_t s = 0; s < model->study_count; s++) {
    const struct decl *decl = model->studies[s]->decl;
    if (!has_choice(decl) || !model_owns(model, decl->symbol->file)) continue;
    if (found) {
      diagnostic_misuse(&psl->diagnostics, "%s has more than one study that says what is chosen: name one",
                        model->files[0]->source->path);
      diagnostic_help(&psl->diagnostics, nowhere, "there are: %s, %s", found, decl->name.name->text);
      return NULL;
    }
    found = decl->name.name->text;
  }
  if (found) return found;
  diagnostic_misuse(&psl->diagnostics, "no study of %s says what is chosen", model->files[0]->source->path);
  help_roles(psl);
  return NULL;
}

/* ---- settings of the query, which do not hold while it is learnt ---- */

struct stated {
  const char **names, **values;
  uint32_t count;
};

static struct stated take_settings(struct psl *psl, const char *name) {
  struct stated out = {0};
  struct study_plan names = {.psl = psl, .shared_params = model_shared_params(&psl->model, &psl->handed)};
  bool fine;
  const struct model_study *study = study_declared(psl, name, &fine);
  uint32_t v = 0;
  out.names = ARENA_ARRAY(&psl->handed, const char *, study->varied_count + 1);
  out.values = ARENA_ARRAY(&psl->handed, const char *, study->varied_count + 1);
  for (const struct study_item *item = study->decl->study.items; item; item = item->next)
    for (uint32_t i = 0; item->kind == STUDY_VARY && i < item->vary_count; i++) {
      const struct symbol *param = study->varied[v++];
      struct text text = {.arena = &psl->handed};
      if (item->role == ROLE_VARIED || !param->setting) continue;
      expr_format(&text, param->setting);
      out.names[out.count] = study_param_name(&names, param);
      out.values[out.count++] = text.data;
    }
  for (uint32_t s = 0; s < out.count; s++)
    model_unset(&psl->model, out.names[s]);
  return out;
}

static void give_settings(struct psl *psl, const struct stated *stated) {
  for (uint32_t s = 0; s < stated->count; s++)
    model_set(&psl->model, stated->names[s], stated->values[s]);
}

/* ---- plans ---- */

static struct study_plan *make_plan(struct recommender *r, const char *name, bool query) {
  const struct psl_recommend_options *options = r->options;
  struct psl_study_item *items = ARENA_ARRAY(&r->psl->handed, struct psl_study_item, options->item_count + 1);
  size_t count = 0;
  for (size_t i = 0; i < options->item_count; i++)
    if (query || options->what != PSL_RECOMMEND_CHOICES) items[count++] = options->items[i];
  struct psl_study_options study = {.items = items,
                                    .item_count = count,
                                    .seeded = options->seeded,
                                    .run = options->run,
                                    .jobs = options->jobs,
                                    .database = query ? NULL : options->database};
  return study_plan_make(r->psl, name, &study);
}

static bool refuse(struct recommender *r, const char *message, const char *help) {
  diagnostic_add(&r->psl->diagnostics, SEVERITY_ERROR, r->plan->study->decl->name.span, "study '%s' %s", r->plan->name,
                 message);
  diagnostic_help(&r->psl->diagnostics, nowhere, "%s", help);
  return false;
}

static bool can_learn(struct recommender *r) {
  const struct study_plan *plan = r->plan;
  bool free = false;
  for (uint32_t a = 0; a < plan->axis_count; a++)
    free |= plan->axes[a].role == ROLE_CHOICE && !plan->axes[a].tied && plan->axes[a].count > 1;
  if (!free) return refuse(r, "leaves nothing to choose: each of its choices has one value", "a choice has several");
  if (plan->objective_count > 1)
    return refuse(r, "has several objectives",
                  "leave one, which says what is best: the others can be reported, and --goal bounds what is reported");
  if (!plan->objective_count)
    return refuse(r, "minimizes and maximizes nothing", "one of these says which choice is best: minimize makespan;");
  if (type_is_number(plan->columns[plan->objectives->column].type)) return true;
  return refuse(r, "optimises what is no number", "minimize makespan;");
}

/* ---- learning ---- */

static enum psl_code collect(struct recommender *r) {
  const struct psl_recommend_options *options = r->options;
  enum psl_code code = PSL_OK;
  if (options->database && !store_open(r->plan, options->database)) return PSL_WRONG;
  if (options->database) code = cases_of_database(r, LEARNT);
  if (code == PSL_OK && options->from && !cases_of_file(r, options->from)) return PSL_WRONG;
  uint64_t left = options->runs > r->runs ? options->runs - r->runs : 0;
  if (code == PSL_OK && !options->from && left) code = design_run(r, left);
  return code;
}

static void say_failed(struct recommender *r) {
  struct diagnostics *d = &r->psl->diagnostics;
  if (!r->cases.failed) return;
  diagnostic_add(d, r->cases.count ? SEVERITY_WARNING : SEVERITY_ERROR, nowhere, "%llu point%s failed%s: %s",
                 (unsigned long long)r->cases.failed, r->cases.failed == 1 ? " has" : "s have",
                 r->cases.failed == 1 ? "" : ", the first", r->first_error);
}

static enum psl_code learn(struct recommender *r) {
  struct diagnostics *d = &r->psl->diagnostics;
  enum psl_code code = collect(r);
  if (code == PSL_STOPPED) {
    diagnostic_add(d, SEVERITY_ERROR, nowhere, "interrupted: %llu runs are there of at most %llu",
                   (unsigned long long)r->runs, (unsigned long long)r->asked);
    return code;
  }
  if (code != PSL_OK) return code;
  say_failed(r);
  if (!r->cases.count) {
    if (!r->cases.failed)
      diagnostic_add(d, SEVERITY_ERROR, nowhere, "there is nothing to learn from: no point has run");
    return PSL_WRONG;
  }
  diagnostic_flush(d);
  cases_settle(r);
  r->seed = ~r->plan->seed; /* what is drawn now has nothing to do with how cases were planned */
  r->learnt = (struct recommend_learnt){r->cases.count, r->problems.count, r->runs, r->known};
  learn_forecasters(r);
  learn_rules(r);
  return PSL_OK;
}

/* ---- a query ---- */

/* What the query leaves open is chosen; problems that nobody has stated are as the model has them. */
static void open_query(struct recommender *r, bool *chosen, bool *own) {
  struct study_plan *plan = r->plan;
  plan->size = 1;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    struct study_axis *axis = &plan->axes[a];
    bool open = !axis->tied && !axis->set && axis->count > 1;
    chosen[a] = open && (axis->role == ROLE_CHOICE || axis->role == ROLE_MACHINE);
    own[a] = open && !chosen[a];
    if (own[a]) {
      axis->items = ARENA_NEW(&r->psl->handed, struct expr *);
      axis->items[0] = value_expr(axis->param);
      axis->count = 1;
      axis->fixed = axis->settled = true;
    }
    plan->size = plan->size > UINT64_MAX / axis->count ? UINT64_MAX : plan->size * axis->count;
  }
}

/* Why what was learnt says nothing of this choice; NULL: it does. */
static const char *out_of_reach(struct recommender *r, const double *x, const struct recommend_choice *choice) {
  struct arena *arena = &r->psl->handed;
  for (uint32_t f = 0; f < r->feature_count; f++) {
    const struct recommend_feature *feature = &r->features[f];
    double low = INFINITY, high = -INFINITY;
    bool met = false;
    if (feature->axis == (uint32_t)STUDY_NONE) continue;
    for (uint32_t c = 0; c < r->cases.count; c++) {
      low = fmin(low, r->cases.items[c].x[f]);
      high = fmax(high, r->cases.items[c].x[f]);
      met |= r->cases.items[c].x[f] == x[f];
    }
    if (feature->named ? met : x[f] >= low && x[f] <= high) continue;
    if (feature->named)
      return arena_printf(arena, "%s = %s was never met", feature->name, recommend_value(r, feature, x[f]));
    return arena_printf(arena, "%s = %s is beyond what was learnt from, %s to %s", feature->name,
                        recommend_value(r, feature, x[f]), recommend_value(r, feature, low),
                        recommend_value(r, feature, high));
  }
  double wide = (choice->goal.high - choice->goal.low) / fabs(choice->goal.value);
  if (wide > 1)
    return arena_printf(arena, "the interval of what is predicted is %.0f %% of it, more than can be relied on",
                        100 * wide);
  return NULL;
}

static const struct recommend_case *case_at(const struct recommender *r, const double *x) {
  for (uint32_t c = r->cases.count; c-- > 0;)
    if (!memcmp(r->cases.items[c].x, x, r->feature_count * sizeof *x)) return &r->cases.items[c];
  return NULL;
}

static int by_found(const void *left, const void *right) {
  const struct recommend_choice *a = left, *b = right;
  bool fine_a = a->ran && a->fits && a->kept, fine_b = b->ran && b->fits && b->kept;
  if (fine_a != fine_b) return fine_a ? -1 : 1;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  return a->candidate < b->candidate ? -1 : a->candidate > b->candidate;
}

/* Gives choices what their runs have found, and sorts them by that. */
static void take_found(struct recommender *r, const struct recommend_candidates *candidates,
                       struct recommend_choice *choices, uint32_t count) {
  for (uint32_t c = 0; c < count; c++) {
    struct recommend_choice *choice = &choices[c];
    const struct recommend_case *item = case_at(r, candidates->x + (size_t)choice->candidate * r->feature_count);
    choice->cost = INFINITY;
    if (!item) continue;
    study_set(r->plan, &candidates->points[choice->candidate]);
    choice->ran = true;
    choice->fits = item->fits;
    choice->kept = choose_holds(r, item->y);
    choice->found = item->y[r->goal];
    choice->cost = r->maximize ? -choice->found : choice->found;
    arena_reset(&r->psl->work);
  }
  qsort(choices, count, sizeof *choices, by_found);
}

static enum psl_code verify(struct recommender *r, struct recommend_query *query) {
  struct study_point *points = ARENA_ARRAY(&r->psl->handed, struct study_point, query->count + 1);
  for (uint32_t c = 0; c < query->count; c++)
    points[c] = query->candidates->points[query->choices[c].candidate];
  enum psl_code code = cases_run(r, points, query->count);
  if (code == PSL_OK) take_found(r, query->candidates, query->choices, query->count);
  return code;
}

/* The points that a search has run, as candidates. */
static struct recommend_candidates found_since(struct recommender *r, uint32_t begin) {
  struct arena *arena = &r->psl->handed;
  uint32_t count = r->cases.count - begin;
  struct recommend_candidates out = {.count = count,
                                     .points = ARENA_ARRAY(arena, struct study_point, count + 1),
                                     .x = ARENA_ARRAY(arena, double, (size_t)count * r->feature_count + 1)};
  for (uint32_t c = 0; c < count; c++) {
    out.points[c] = (struct study_point){.number = STUDY_NO_NUMBER, .at = r->cases.items[begin + c].at};
    memcpy(out.x + (size_t)c * r->feature_count, r->cases.items[begin + c].x, r->feature_count * sizeof *out.x);
  }
  return out;
}

/* Runs candidates where rules do not reach: all, if the budget allows, else those of a search. */
static enum psl_code search(struct recommender *r, struct recommend_query *query, struct recommend_candidates *found) {
  struct study_plan *plan = r->plan;
  size_t most = r->options->evaluations;
  uint32_t begin = r->cases.count;
  uint64_t runs = r->runs;
  enum psl_code code;
  if (!query->candidates->sampled && query->candidates->count <= most) {
    code = cases_run(r, query->candidates->points, query->candidates->count);
    query->searched = query->candidates->count == 1
                          ? "the one candidate was run"
                          : arena_printf(&r->psl->handed, "all %u candidates were run", query->candidates->count);
  } else {
    struct search_result *results = ARENA_ARRAY(&r->psl->handed, struct search_result, plan->objective_count);
    r->lines = study_lines_open(plan);
    code = study_optimize(plan, &(struct study_optimize_options){most, cases_take, r, r->lines}, results);
    query->searched = arena_printf(&r->psl->handed, "a search ran %zu of them, at most %zu by --evaluations",
                                   results->evaluations, most);
  }
  query->searched_runs = r->runs - runs;
  if (code != PSL_OK) return code;
  *found = found_since(r, begin);
  query->candidates = found;
  struct recommend_choice *ranked = r->figures[r->goal].forecaster
                                        ? choose_rank(r, found)
                                        : ARENA_ARRAY(&r->psl->handed, struct recommend_choice, found->count + 1);
  for (uint32_t c = 0; c < found->count && !r->figures[r->goal].forecaster; c++)
    ranked[c] = (struct recommend_choice){.candidate = c, .goal = {NAN, NAN, NAN, NAN}, .chance = 1};
  query->choices = ranked;
  query->count = found->count;
  take_found(r, found, ranked, found->count);
  return code;
}

/* Figures that goals name and nothing was learnt of. */
static bool goals_known(struct recommender *r) {
  const struct study_plan *plan = r->plan;
  for (uint32_t u = 0; plan->assert_count && u < plan->study->use_count; u++) {
    struct symbol *symbol = plan->study->uses[u].symbol;
    bool learnt = false, named = false;
    for (uint32_t f = 0; f < r->figure_count; f++) {
      const struct expr *value = plan->columns[r->figures[f].column].value;
      learnt |= (value->kind == EXPR_NAME && value->name.symbol == symbol) ||
                (value->kind == EXPR_MEMBER && value->member.symbol == symbol);
    }
    for (uint32_t w = 0; w < plan->assert_count; w++)
      named |= effects_reads(&r->psl->work, plan->asserts[w]->condition, &symbol, 1) != NULL;
    if (learnt || !named) continue;
    diagnostic_add(&r->psl->diagnostics, SEVERITY_ERROR, plan->asserts[plan->assert_count - 1]->condition->span,
                   "nothing is learnt of '%s', which a goal names",
                   study_result(plan, plan->study->uses[u].result)->name);
    diagnostic_help(&r->psl->diagnostics, nowhere, "the study reports it: report %s;",
                    study_result(plan, plan->study->uses[u].result)->name);
    return false;
  }
  return true;
}

static enum psl_code no_candidate(struct recommender *r) {
  diagnostic_add(&r->psl->diagnostics, SEVERITY_ERROR, nowhere, "no choice is possible for this problem");
  diagnostic_help(&r->psl->diagnostics, nowhere, "'where' of the study, --where and the params' ranges leave out all");
  return PSL_WRONG;
}

static enum psl_code answer(struct recommender *r, struct recommend_query *query) {
  struct study_plan *plan = r->plan;
  struct arena *arena = &r->psl->handed;
  bool *chosen = ARENA_ARRAY(arena, bool, plan->axis_count + 1), *own = ARENA_ARRAY(arena, bool, plan->axis_count + 1);
  struct recommend_candidates *candidates = ARENA_NEW(arena, struct recommend_candidates);
  struct recommend_candidates *found = ARENA_NEW(arena, struct recommend_candidates);
  enum psl_code code = PSL_OK;
  open_query(r, chosen, own);
  if (!goals_known(r)) return PSL_WRONG;
  *candidates = design_candidates(r, chosen, ARENA_ARRAY(arena, uint64_t, plan->free_count + 1));
  if (!candidates->count) return no_candidate(r);
  *query = (struct recommend_query){.candidates = candidates, .chosen = chosen, .own = own};
  r->queried = true;
  if (r->figures[r->goal].forecaster) {
    query->choices = choose_rank(r, candidates);
    query->count = candidates->count < r->options->choices ? candidates->count : (uint32_t)r->options->choices;
    query->out_of_reach =
        out_of_reach(r, candidates->x + (size_t)query->choices->candidate * r->feature_count, query->choices);
  } else {
    query->out_of_reach = "too few cases are known";
  }
  if (query->out_of_reach)
    code = search(r, query, found);
  else if (r->options->verify)
    code = verify(r, query);
  if (query->count > r->options->choices) query->count = (uint32_t)r->options->choices;
  return code;
}

/* ---- the entry ---- */

static enum psl_code judge_answer(struct recommender *r, const struct recommend_query *query) {
  const struct recommend_choice *best = query->choices;
  struct diagnostics *d = &r->psl->diagnostics;
  bool wanted = r->plan->assert_count > 0;
  if (query->count && best->ran && best->fits && best->kept) return PSL_OK;
  if (query->count && !best->ran && isfinite(best->cost) && (!wanted || best->holds < GOAL_UNLIKELY)) return PSL_OK;
  diagnostic_add(d, SEVERITY_ERROR, nowhere, "no choice %s",
                 query->count && best->ran ? "that was run fulfils the goal" : "is predicted to fulfil the goal");
  return PSL_STOPPED;
}

static enum psl_code ask(struct recommender *r, const char *name, const struct stated *stated, struct report *report) {
  struct recommend_query query = {0};
  give_settings(r->psl, stated);
  if (!(r->plan = make_plan(r, name, true))) return PSL_WRONG;
  enum psl_code code = answer(r, &query);
  if (code == PSL_OK) report_choices(r, &query, report);
  study_close(r->plan);
  if (code == PSL_OK) code = judge_answer(r, &query);
  study_restore(r->plan);
  return code;
}

static enum psl_code show(struct recommender *r, const char *name, const struct stated *stated, struct report *report) {
  enum psl_code code = PSL_OK;
  switch (r->options->what) {
  case PSL_RECOMMEND_DATA: report_cases(r, report); break;
  case PSL_RECOMMEND_RULES: report_rules(r, report); break;
  case PSL_RECOMMEND_UNSEEN: code = unseen_report(r, report); break;
  case PSL_RECOMMEND_CHOICES: break;
  }
  bool kept = study_close(r->plan);
  study_restore(r->plan);
  if (!kept) return PSL_STOPPED;
  if (r->options->database && r->rules.count && !knowledge_keep(r, r->options->database)) return PSL_STOPPED;
  return r->options->what == PSL_RECOMMEND_CHOICES ? ask(r, name, stated, report) : code;
}

static bool goals_fit(struct psl *psl, const struct psl_recommend_options *options) {
  for (size_t i = 0; i < options->item_count && options->what != PSL_RECOMMEND_CHOICES; i++)
    if (options->items[i].kind == PSL_ITEM_GOAL) {
      diagnostic_misuse(&psl->diagnostics, "a goal is of choices that are recommended, and none are here");
      diagnostic_help(&psl->diagnostics, nowhere, "leave out --goal, or --data, --rules and --unseen");
      return false;
    }
  return true;
}

static struct psl_recommend_options with_defaults(const struct psl_recommend_options *given) {
  struct psl_recommend_options options = *given;
  if (!options.runs) options.runs = RUNS;
  if (!options.choices) options.choices = CHOICES;
  if (!options.unseen) options.unseen = UNSEEN;
  if (!options.evaluations) options.evaluations = EVALUATIONS;
  if (!(options.tolerance > 0)) options.tolerance = 0.05;
  return options;
}

static enum psl_code work_recommend(struct psl *psl, void *arguments) {
  const struct recommend_given *given = arguments;
  const struct psl_recommend_options options = with_defaults(given->options);
  struct recommender r = {.psl = psl, .options = &options};
  struct report report;
  struct stated stated = {0};
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed); /* what must outlive a run stands there */
  if (!goals_fit(psl, &options) || !model_refresh(&psl->model)) return PSL_WRONG;
  const char *name = study_meant(psl, given->name);
  if (!name) return PSL_MISUSE;
  if (options.what == PSL_RECOMMEND_CHOICES) stated = take_settings(psl, name);
  enum psl_code code = PSL_WRONG;
  if ((r.plan = make_plan(&r, name, false)) && can_learn(&r) && cases_open(&r)) {
    r.seed = r.plan->seed;
    code = learn(&r);
  }
  if (code == PSL_OK) {
    report_open(&report, options.format, psl->columns, &psl->handed, given->write, given->user);
    report.single = format_is_lines(options.format);
    code = show(&r, name, &stated, &report);
    report_close(&report);
  } else if (r.plan) {
    study_close(r.plan);
    study_restore(r.plan);
  }
  if (code != PSL_OK) give_settings(psl, &stated);
  return code;
}

enum psl_code psl_recommend(struct psl *psl, const char *name, const struct psl_recommend_options *options,
                            psl_write *write, void *user) {
  struct psl_recommend_options none = {0};
  return handle_enter(psl, work_recommend, &(struct recommend_given){name, options ? options : &none, write, user});
}
