/* What recommendations, rules and cases read like. */
#include "interp/recommend/recommend.h"
#include "interp/study/study_report.h"

#include <string.h>

enum { NEAR = 5, SPEAKING = 5 };

/* ---- rules ---- */

static void put_bound(struct text *out, const struct recommender *r, const struct recommend_feature *feature,
                      const char *sign, double bound) {
  bool whole = feature->type->kind == TYPE_INT;
  text_printf(out, "%s %s %s", feature->name, sign, recommend_value(r, feature, whole ? floor(bound) : bound));
}

static void put_words(struct text *out, const struct recommend_feature *feature, uint64_t words) {
  const char *before = "";
  for (uint32_t w = 0; w < feature->word_count; w++) {
    if (!(words >> w & 1)) continue;
    text_printf(out, "%s%s = %s", before, feature->name, feature->words[w]);
    before = " or ";
  }
}

static void put_condition(struct text *out, const struct recommender *r, const struct rule_condition *when,
                          const char *and) {
  const struct recommend_feature *feature = &r->features[when->feature];
  bool whole = feature->type->kind == TYPE_INT, below = isfinite(when->low), above = isfinite(when->high);
  if (when->words)
    put_words(out, feature, when->words);
  else if (whole && below && above && floor(when->high) == floor(when->low) + 1)
    put_bound(out, r, feature, "=", when->high);
  else {
    if (below) put_bound(out, r, feature, ">", when->low);
    if (below && above) text_put(out, and);
    if (above) put_bound(out, r, feature, "<=", when->high);
  }
}

const char *report_rule(const struct recommender *r, const struct recommend_rule *rule, bool selector) {
  struct text text = {.arena = &r->psl->handed};
  const char *and = selector ? ", " : " and ";
  for (uint32_t c = 0; c < rule->when_count; c++) {
    if (c) text_put(&text, and);
    put_condition(&text, r, &rule->when[c], and);
  }
  return text.data ? text.data : "";
}

const char *report_advice(const struct recommender *r, const struct recommend_rule *rule) {
  struct arena *arena = &r->psl->handed;
  if (rule->association) return arena_printf(arena, "within %g %% of the best", 100 * r->options->tolerance);
  const struct recommend_feature *feature = &r->features[rule->then];
  return arena_printf(arena, "%s = %s is best", feature->name, recommend_value(r, feature, rule->value));
}

static void put_rules(struct recommender *r, struct report *report, const double *x, const char *title) {
  static const struct report_column columns[] = {
      {"if", "if", .names = true},          {"then", "then"},
      {"support", "support", FIGURE_SHARE}, {"confidence", "confidence", FIGURE_SHARE},
      {"lift", "lift", FIGURE_NUMBER},      {"cases", "cases", FIGURE_COUNT},
      {"kind", .audience = FOR_PROGRAMS},
  };
  const struct report_section section = {.key = "rules",
                                         .title = title,
                                         REPORT_COLUMNS(columns),
                                         .main = r->options->what == PSL_RECOMMEND_RULES,
                                         .kept = true};
  uint32_t shown = 0;
  report_section(report, &section);
  for (uint32_t i = 0; i < r->rules.count && (!x || shown < SPEAKING); i++) {
    const struct recommend_rule *rule = &r->rules.items[i];
    if (x && (!rule_applies(rule, x) || (!rule->association && x[rule->then] != rule->value))) continue;
    const char *when = report_rule(r, rule, false);
    shown++;
    report_row(report,
               (struct report_cell[]){cell_word(*when ? when : "any problem"), cell_word(report_advice(r, rule)),
                                      cell_real(rule->support), cell_real(rule->confidence), cell_real(rule->lift),
                                      cell_count(rule->cases), cell_word(rule->association ? "association" : "tree")});
  }
  report_end(report);
}

/* ---- how good it is ---- */

/* Two digits, without an exponent where people read it easily. */
static const char *two_digits(const struct recommender *r, double number) {
  double unit = 1;
  while (number / unit >= 99.5)
    unit *= 10;
  if (number >= 1e6 || unit == 1) return arena_printf(&r->psl->handed, "%.2g", number);
  return arena_printf(&r->psl->handed, "%.0f", round(number / unit) * unit);
}

static const char *error_text(const struct recommender *r, const struct forecaster_quality *quality, double error,
                              const struct type *type) {
  if (isnan(error)) return "-";
  if (error < 1e-9) return "none";
  if (quality->relative && error > 1) return arena_printf(&r->psl->handed, "a factor of %s", two_digits(r, exp(error)));
  if (quality->relative) return arena_printf(&r->psl->handed, "%s %%", two_digits(r, 100 * (exp(error) - 1)));
  return study_value_text(r->plan, type, value_real(error));
}

/* Relative ones as a part, 0.14; others in the figure's unit. */
static struct report_cell error_cell(const struct recommender *r, const struct forecaster_quality *quality,
                                     double error, const struct type *type) {
  struct report_cell cell = isnan(error) ? cell_none() : cell_real(quality->relative ? exp(error) - 1 : error);
  if (!quality->relative) cell = cell_in(cell, study_unit(r->plan, type));
  return cell_shown(cell, error_text(r, quality, error, type));
}

void report_quality(struct recommender *r, struct report *report) {
  static const struct report_column columns[] = {
      {"figure", "figure", .names = true},
      {"cases", "cases", FIGURE_COUNT},
      {"problems", "problems", FIGURE_COUNT},
      {"median_error", "median error", FIGURE_NUMBER},
      {"most", "nine in ten within", FIGURE_NUMBER},
      {"median_of_half", "learnt from half", FIGURE_NUMBER},
      {"relative", "relative", .audience = FOR_PROGRAMS},
      {"degree", "trend's degree", FIGURE_COUNT},
      {"trees", "trees", FIGURE_COUNT},
  };
  static const struct report_section section = {
      .key = "quality", .title = "predictions, of problems left out in turn", REPORT_COLUMNS(columns), .kept = true};
  report_section(report, &section);
  for (uint32_t f = 0; f < r->figure_count; f++) {
    const struct study_column *column = &r->plan->columns[r->figures[f].column];
    if (!r->figures[f].forecaster) continue;
    const struct forecaster_quality *q = forecaster_quality(r->figures[f].forecaster);
    report_row(report, (struct report_cell[]){cell_word(column->name), cell_count(q->cases), cell_count(q->problems),
                                              error_cell(r, q, q->median, column->type),
                                              error_cell(r, q, q->most, column->type),
                                              error_cell(r, q, q->median_of_half, column->type), cell_flag(q->relative),
                                              cell_count(q->degree), cell_count(q->trees)});
  }
  report_end(report);
}

static void put_head(struct recommender *r, struct report *report, const char *what) {
  const struct recommend_learnt *learnt = &r->learnt;
  const char *model = r->psl->model.files[0]->source->path;
  report->title = arena_printf(report->arena, "%s, study %s of %s, %s", what, r->plan->name, r->plan->system,
                               shown_line(report->arena, model));
  report_line(report, "%s", report->title);
  report_fact(report, &(struct report_fact){.key = "model"}, cell_word(model));
  report_fact(report, &(struct report_fact){.key = "study"}, cell_word(r->plan->name));
  report_fact(report, &(struct report_fact){.key = "runs"}, cell_count(learnt->runs - learnt->known));
  report_fact(report, &(struct report_fact){.key = "case_count"}, cell_count(learnt->cases));
  report_fact(report, &(struct report_fact){.key = "problem_count"}, cell_count(learnt->problems));
}

static void put_learnt(struct recommender *r, struct report *report) {
  const struct recommend_learnt *learnt = &r->learnt;
  report_line(report, "learnt from  %u case%s of %u problem%s, %llu of %llu runs made now", learnt->cases,
              learnt->cases == 1 ? "" : "s", learnt->problems, learnt->problems == 1 ? "" : "s",
              (unsigned long long)(learnt->runs - learnt->known), (unsigned long long)learnt->runs);
}

void report_rules(struct recommender *r, struct report *report) {
  put_head(r, report, "rules");
  put_learnt(r, report);
  report_quality(r, report);
  put_rules(r, report, NULL, "rules");
}

/* ---- cases ---- */

struct case_columns {
  struct report_column *items;
  size_t count, features; /* features: the first of them */
};

static struct report_column column_of(const struct recommender *r, const char *name, const struct type *type,
                                      bool named) {
  return (struct report_column){.key = name,
                                .head = name,
                                .figure = named ? FIGURE_WORD : FIGURE_NUMBER,
                                .unit = named ? NULL : study_unit(r->plan, type),
                                .names = true};
}

static struct case_columns feature_columns(struct recommender *r, size_t more) {
  struct case_columns out = {
      ARENA_ARRAY(&r->psl->handed, struct report_column, r->feature_count + r->figure_count + more)};
  for (uint32_t f = 0; f < r->feature_count; f++)
    out.items[out.count++] = column_of(r, r->features[f].name, r->features[f].type, r->features[f].named);
  out.features = out.count;
  return out;
}

static struct report_cell feature_cell(const struct recommender *r, uint32_t f, double x) {
  const struct recommend_feature *feature = &r->features[f];
  if (feature->named || isnan(x)) return cell_word(recommend_value(r, feature, x));
  bool whole = feature->type->kind == TYPE_INT;
  return cell_shown(whole ? (struct report_cell){.kind = CELL_COUNT, .count = (int64_t)x} : cell_real(x),
                    recommend_value(r, feature, x));
}

static struct report_cell figure_cell(const struct recommender *r, uint32_t column, double y) {
  const struct type *type = r->plan->columns[column].type;
  if (isnan(y)) return cell_none();
  bool whole = type->kind == TYPE_INT && y == floor(y);
  struct value value = whole ? value_integer((int64_t)y) : value_real(y);
  const struct type *shown = whole || type->kind == TYPE_REAL ? type : r->psl->model.types.real;
  return cell_shown(cell_real(y), study_value_text(r->plan, shown, value));
}

static void put_case(const struct recommender *r, const struct recommend_case *item, struct report_cell *cells) {
  for (uint32_t f = 0; f < r->feature_count; f++)
    *cells++ = feature_cell(r, f, item->x[f]);
  for (uint32_t f = 0; f < r->figure_count; f++)
    *cells++ = figure_cell(r, r->figures[f].column, item->y[f]);
  *cells++ = cell_flag(item->fits);
  *cells = cell_count(item->problem);
}

static struct case_columns case_columns(struct recommender *r) {
  struct case_columns out = feature_columns(r, 2);
  for (uint32_t f = 0; f < r->figure_count; f++) {
    const struct study_column *column = &r->plan->columns[r->figures[f].column];
    out.items[out.count] = column_of(r, column->name, column->type, false);
    out.items[out.count++].names = false;
  }
  out.items[out.count++] =
      (struct report_column){.key = "fits", .head = "fits", .audience = r->conditional ? FOR_ALL : FOR_PROGRAMS};
  out.items[out.count++] = (struct report_column){.key = "of_problem", .audience = FOR_PROGRAMS};
  return out;
}

void report_cases(struct recommender *r, struct report *report) {
  struct case_columns columns = case_columns(r);
  struct report_cell *cells = ARENA_ARRAY(&r->psl->handed, struct report_cell, columns.count);
  const struct report_section section = {
      .key = "cases", .columns = columns.items, .column_count = columns.count, .main = true, .kept = true};
  put_head(r, report, "cases");
  put_learnt(r, report);
  report_section(report, &section);
  for (uint32_t c = 0; c < r->cases.count; c++) {
    put_case(r, &r->cases.items[c], cells);
    report_row(report, cells);
  }
  report_end(report);
}

/* The cases that are nearest to the choice, each feature by how far its values lie apart. */
static void put_near(struct recommender *r, struct report *report, const double *x) {
  struct case_columns columns = case_columns(r);
  struct report_cell *cells = ARENA_ARRAY(&r->psl->handed, struct report_cell, columns.count);
  bool *shown = ARENA_ARRAY(&r->psl->handed, bool, r->learnt.cases + 1);
  double *width = ARENA_ARRAY(&r->psl->handed, double, r->feature_count + 1);
  const struct report_section section = {
      .key = "cases", .title = "cases near the first", .columns = columns.items, .column_count = columns.count};
  for (uint32_t f = 0; f < r->feature_count; f++) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t c = 0; c < r->learnt.cases; c++) {
      low = fmin(low, r->cases.items[c].x[f]);
      high = fmax(high, r->cases.items[c].x[f]);
    }
    width[f] = high > low ? high - low : 1;
  }
  report_section(report, &section);
  for (uint32_t k = 0; k < NEAR && k < r->learnt.cases; k++) {
    double least = INFINITY;
    uint32_t nearest = 0;
    for (uint32_t c = 0; c < r->learnt.cases; c++) {
      double far = 0;
      for (uint32_t f = 0; f < r->feature_count; f++) {
        double away = r->cases.items[c].x[f] - x[f];
        far += r->features[f].named ? away != 0 : away * away / (width[f] * width[f]);
      }
      if (shown[c] || far >= least) continue;
      least = far;
      nearest = c;
    }
    shown[nearest] = true;
    put_case(r, &r->cases.items[nearest], cells);
    report_row(report, cells);
  }
  report_end(report);
}

/* ---- choices ---- */

static const char *const goal_words[] = {
    [GOAL_SURE] = "sure", [GOAL_LIKELY] = "likely", [GOAL_UNLIKELY] = "unlikely", [GOAL_NOT] = "no"};

static bool is_stated(const struct recommender *r, const struct recommend_query *query,
                      const struct recommend_feature *feature) {
  return feature->axis != (uint32_t)STUDY_NONE && !query->chosen[feature->axis] && !r->plan->axes[feature->axis].tied;
}

static const char *const roles[] = {
    [ROLE_VARIED] = "problem", [ROLE_PROBLEM] = "problem", [ROLE_MACHINE] = "machine", [ROLE_CHOICE] = "choice"};

static void put_stated(struct recommender *r, const struct recommend_query *query, struct report *report) {
  const double *x = query->candidates->x;
  for (enum study_role role = ROLE_PROBLEM; role <= ROLE_MACHINE; role++) {
    struct text text = {.arena = report->arena};
    for (uint32_t f = 0; f < r->feature_count; f++) {
      const struct recommend_feature *feature = &r->features[f];
      if (!is_stated(r, query, feature) || strcmp(roles[feature->role], roles[role])) continue;
      text_printf(&text, "%s%s = %s%s", text.size ? ", " : "", feature->name, recommend_value(r, feature, x[f]),
                  query->own[feature->axis] ? " (the model's)" : "");
    }
    if (text.size) report_line(report, "%-11s  %s", roles[role], text.data);
    report_fact(report, &(struct report_fact){.key = roles[role]}, cell_word(text.size ? text.data : NULL));
  }
}

/* The same for programs, a row a param. */
static void put_stated_values(struct recommender *r, const struct recommend_query *query, struct report *report) {
  static const struct report_column columns[] = {
      {"param", "param", .names = true},
      {"role", "role"},
      {"value", "value", FIGURE_NUMBER},
      {"own", "the model's"},
  };
  static const struct report_section section = {
      .key = "stated", REPORT_COLUMNS(columns), .audience = FOR_PROGRAMS, .kept = true};
  report_section(report, &section);
  for (uint32_t f = 0; f < r->feature_count; f++) {
    const struct recommend_feature *feature = &r->features[f];
    if (!is_stated(r, query, feature)) continue;
    struct report_cell value = feature_cell(r, f, query->candidates->x[f]);
    if (!feature->named) value = cell_in(value, study_unit(r->plan, feature->type));
    report_row(report, (struct report_cell[]){cell_word(feature->name), cell_word(roles[feature->role]), value,
                                              cell_flag(query->own[feature->axis])});
  }
  report_end(report);
}

static void put_goals(struct recommender *r, struct report *report) {
  const struct study_plan *plan = r->plan;
  struct text text = {.arena = report->arena};
  text_printf(&text, "%s %s", r->maximize ? "maximize" : "minimize", plan->objectives->name);
  for (uint32_t w = 0; w < plan->assert_count; w++) {
    text_put(&text, ", ");
    expr_format(&text, plan->asserts[w]->condition);
  }
  uint32_t asked = 0; /* conditions of the query, which stand behind the study's own */
  for (size_t i = 0; i < r->options->item_count; i++)
    asked += r->options->items[i].kind == PSL_ITEM_WHERE;
  for (uint32_t w = plan->where_count - asked; w < plan->where_count; w++) {
    text_put(&text, w > plan->where_count - asked ? " and " : " where ");
    expr_format(&text, plan->wheres[w]->condition);
  }
  report_line(report, "%-11s  %s", "goal", text.data);
  report_fact(report, &(struct report_fact){.key = "goal"}, cell_word(text.data));
}

static void put_choices(struct recommender *r, const struct recommend_query *query, struct report *report) {
  struct case_columns columns = feature_columns(r, 9);
  struct report_cell *cells = ARENA_ARRAY(&r->psl->handed, struct report_cell, columns.count + 9);
  const struct study_column *goal = &r->plan->columns[r->figures[r->goal].column];
  struct report_column figure = column_of(r, "predicted", goal->type, false);
  bool ran = query->count && query->choices->ran;
  size_t at = columns.count;
  for (uint32_t f = 0; f < r->feature_count; f++) /* what stands still is said above the table */
    if (is_stated(r, query, &r->features[f])) columns.items[f].audience = FOR_PROGRAMS;
  columns.items[at++] = figure;
  figure.key = figure.head = "from";
  columns.items[at++] = figure;
  figure.key = figure.head = "to";
  columns.items[at++] = figure;
  columns.items[at++] = (struct report_column){.key = "chance", .head = "chance", FIGURE_SHARE, .optional = true};
  columns.items[at++] = (struct report_column){.key = "goal_held", .head = "goal", .optional = true};
  figure.key = "found";
  figure.head = "run";
  figure.optional = true;
  columns.items[at++] = figure;
  columns.items[at++] = (struct report_column){.key = "held", .head = "held", .optional = true};
  const struct report_section section = {
      .key = "choices", .columns = columns.items, .column_count = at, .main = true, .kept = true};
  report_section(report, &section);
  for (uint32_t c = 0; c < query->count; c++) {
    const struct recommend_choice *choice = &query->choices[c];
    const double *x = query->candidates->x + (size_t)choice->candidate * r->feature_count;
    uint32_t column = r->figures[r->goal].column;
    at = 0;
    for (uint32_t f = 0; f < r->feature_count; f++)
      cells[at++] = feature_cell(r, f, x[f]);
    cells[at++] = figure_cell(r, column, choice->goal.value);
    cells[at++] = figure_cell(r, column, choice->goal.low);
    cells[at++] = figure_cell(r, column, choice->goal.high);
    cells[at++] = r->fits ? cell_real(choice->chance) : cell_none();
    cells[at++] = cell_word(r->plan->assert_count ? goal_words[choice->holds] : NULL);
    cells[at++] = ran ? figure_cell(r, column, choice->found) : cell_none();
    cells[at++] = ran ? cell_word(choice->ran && choice->fits && choice->kept ? "yes" : "no") : cell_none();
    report_row(report, cells);
  }
  report_end(report);
}

static void put_better(struct recommender *r, const struct recommend_query *query, struct report *report) {
  const struct forecaster *forecaster = r->figures[r->goal].forecaster;
  struct text text = {.arena = report->arena};
  uint64_t each = r->plan->repetitions;
  if (query->out_of_reach) {
    report_line(report, "%s", "");
    report_line(report, "rules do not reach: %s", query->out_of_reach);
    report_line(report, "%s", query->searched);
  }
  report_fact(report, &(struct report_fact){.key = "out_of_reach"}, cell_word(query->out_of_reach));
  report_fact(report, &(struct report_fact){.key = "searched"}, cell_word(query->searched));
  report_fact(report, &(struct report_fact){.key = "candidates"}, cell_count(query->candidates->count));
  if (query->out_of_reach) return;
  text_printf(&text, "--verify runs these, %llu run%s; all candidates are %s%llu",
              (unsigned long long)(each * query->count), each * query->count == 1 ? "" : "s",
              query->candidates->sampled ? "more than " : "", (unsigned long long)(each * query->candidates->count));
  const struct forecaster_quality *q = forecaster_quality(forecaster);
  if (!r->options->from && q->median_of_half > q->median && q->median > 0) {
    const struct type *type = r->plan->columns[r->figures[r->goal].column].type;
    double less = fmax(0.5, q->median / q->median_of_half); /* as much again as the second half has brought */
    text_printf(&text, "; --runs %llu may bring the median error from %s to %s",
                (unsigned long long)(2 * r->options->runs), error_text(r, q, q->median, type),
                error_text(r, q, q->median * less, type));
  }
  report_line(report, "%s", "");
  report_line(report, "to know better: %s", text.data);
  report_fact(report, &(struct report_fact){.key = "to_know_better"}, cell_word(text.data));
}

void report_choices(struct recommender *r, const struct recommend_query *query, struct report *report) {
  put_head(r, report, "recommended");
  put_stated(r, query, report);
  put_goals(r, report);
  put_learnt(r, report);
  put_stated_values(r, query, report);
  put_choices(r, query, report);
  put_better(r, query, report);
  report_quality(r, report);
  if (!query->count) return;
  const double *x = query->candidates->x + (size_t)query->choices->candidate * r->feature_count;
  put_rules(r, report, x, "rules that speak for the first");
  if (r->figures[r->goal].forecaster) put_near(r, report, x);
}
