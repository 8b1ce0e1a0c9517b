/* Studies: names and types of what is varied, reported, optimised and plotted. A report's field may use the
 * params, the results of a run (makespan, messages, bytes, what bodies record) and the fields before it. */
#include "interp/check/checker.h"
#include "interp/check/load.h"
#include "grammar/children.h"

#include <string.h>
#include <strings.h>

static bool is_objective(const struct study_item *item) {
  return item->kind == STUDY_MINIMIZE || item->kind == STUDY_MAXIMIZE;
}

static struct symbol *varied(struct checker *c, const struct qname *name) {
  const struct ident *last = &name->parts[name->count - 1];
  struct symbol *found = NULL;
  struct words_list list = {0};
  if (name->count == 1) {
    found = table_find(c, SPACE_VALUE, last->name, last->span);
  } else {
    struct symbol *file = qualifier_find(c, name->parts[0], SPACE_VALUE, name->parts[1].name);
    if (file && file->kind == SYMBOL_FILE && name->count == 2)
      found = table_in_file(c, SPACE_VALUE, last->name, file->file);
  }
  if (found && found->kind == SYMBOL_PARAM) return found;
  for (uint32_t i = 0; i < c->model->param_count; i++)
    words_add(c, &list, c->model->params[i]->name->text);
  check_error(c, name->span, found ? "'%s' is not a param and cannot be varied" : "unknown param '%s'",
              last->name->text);
  if (found)
    check_note(c, found->span, "declared here");
  else if (!check_meant(c, last->name->text, &list) && name_is(last->name, KNOWN_SERVERS))
    check_help(
        c, (struct span){0, 0},
        "a study varies params: 'servers = desks;' in the accept, and 'param desks : int = 1;' outside of components");
  return NULL;
}

/* 6 .. 9 where numbers have a unit. */
static void help_range_units(struct checker *c, const struct vary *vary, const struct type *wanted) {
  const struct expr *low = vary->range->range.low, *high = vary->range->range.high;
  if (vary->range->kind != EXPR_RANGE || !type_is_number(wanted) || dimension_none(wanted->dimension) ||
      !expr_is_literal(low) || !expr_is_literal(high) || low->kind == EXPR_QUANTITY || high->kind == EXPR_QUANTITY)
    return;
  const char *unit = unit_example(c, wanted->dimension);
  const char *step = vary->step && !vary->geometric && expr_is_literal(vary->step) ? expr_text(c, vary->step) : "1";
  check_help(c, (struct span){0, 0}, "write units, and a step: %s %s .. %s %s by %s %s", expr_text(c, low), unit,
             expr_text(c, high), unit, step, unit);
}

/* `vary n = [1, 2]` is a slip for `vary n in [1, 2]`. */
static void check_tied(struct checker *c, struct context *x, struct expr *value, const struct type *wanted,
                       const char *what) {
  if (expr_check_as(c, x, value, wanted, what)->kind == TYPE_ERROR && wanted->kind != TYPE_LIST &&
      (value->kind == EXPR_LIST || value->kind == EXPR_RANGE))
    check_help(c, (struct span){0, 0}, "what takes several values is varied by 'in'");
}

static void check_vary(struct checker *c, struct model_study *study, struct context *x, struct vary *vary) {
  struct symbol *param = varied(c, &vary->name);
  for (uint32_t i = 0; param && i < study->varied_count; i++)
    if (study->varied[i] == param) check_error(c, vary->name.span, "'%s' is varied twice", param->name->text);
  if (param) ARENA_PUSH(c->arena, study->varied, study->varied_count, study->varied_capacity, param);
  const struct type *wanted =
      param && param->type->kind != TYPE_ERROR ? type_plain(&c->model->types, param->type) : NULL;
  const char *what = param ? arena_printf(c->arena, "param '%s'", param->name->text) : "";
  x->terms = !wanted;
  if (vary->tied) {
    if (wanted)
      check_tied(c, x, vary->tied, wanted, what);
    else
      expr_check(c, x, vary->tied, NULL);
  } else if (vary->range->kind == EXPR_LIST) {
    for (uint32_t i = 0; i < vary->range->list.count; i++) {
      struct expr *item = vary->range->list.items[i];
      if (wanted)
        expr_check_as(c, x, item, wanted, what);
      else
        expr_check(c, x, item, NULL);
    }
    if (wanted && wanted->kind == TYPE_INT) check_bracketed(c, vary->range);
    vary->range->type = type_list(&c->model->types, wanted ? wanted : c->model->types.error);
  } else {
    const struct type *type = walk_check(c, x, vary->range, vary->step, vary->geometric, true);
    if (wanted && !type_conforms(type, wanted)) {
      check_error(c, vary->range->span, "%s wants %s, and this range is of %s", what, type_text(c, wanted),
                  type_text(c, type));
      check_note(c, param->span, "declared here");
      help_range_units(c, vary, wanted);
      if (vary->geometric && wanted->kind == TYPE_INT && vary->range->kind == EXPR_RANGE)
        check_help(c, (struct span){0, 0}, "a range goes up by a whole factor: %s..%s by *2",
                   expr_text(c, vary->range->range.low), expr_text(c, vary->range->range.high));
    }
  }
  x->terms = false;
}

/* A column's name stands for it in what comes after; its own value may well name a result that is called so. */
static void add_column(struct checker *c, struct context *x, struct scope *scope, const struct study_item *item,
                       const struct field *field, struct ident name) {
  struct model_study *study = x->study;
  const struct type *type = field->value->type ? field->value->type : c->model->types.error;
  struct study_figure figure = {
      .symbol = scope_local(c, x, scope, name, type), .item = item, .field = field, .reported = !is_objective(item)};
  ARENA_PUSH(c->arena, study->columns, study->column_count, study->column_capacity, figure);
}

static void add_goal(struct checker *c, struct model_study *study, const struct study_item *item, uint32_t column) {
  struct study_goal goal = {item, column};
  ARENA_PUSH(c->arena, study->goals, study->goal_count, study->goal_capacity, goal);
}

/* Columns stand beside the params that are varied and what belongs to each point and run, in files and in
 * databases, which do not tell upper case from lower. */
static void check_names(struct checker *c, const struct model_study *study, const struct map *varied,
                        const struct study_item *item) {
  static const char *const own[] = {"point",    "number",   "repetition", "seed", "status", "stop",
                                    "warnings", "evidence", "error",      "wall", "best_of"};
  for (uint32_t f = 0; f < item->field_count; f++) {
    const struct ident *name = &item->fields[f].name;
    for (size_t o = 0; o < sizeof own / sizeof *own; o++)
      if (strcasecmp(name->name->text, own[o]) == 0)
        check_error(c, name->span, "a column cannot be called '%s': files and databases have one of that name",
                    name->name->text);
    uint32_t place = map_get(varied, map_key(name->name->folded), study->varied_count);
    if (place == study->varied_count) continue;
    check_error(c, name->span, "a column cannot be called '%s': the param of that name is varied, and has one",
                name->name->text);
    check_note(c, study->varied[place]->span, "declared here");
    const struct expr *value = item->fields[f].value;
    bool itself = value->kind == EXPR_NAME && value->name.name == name->name;
    check_help(c, (struct span){0, 0}, "give it a name of its own, such as best-%s = %s", name->name->text,
               itself ? name->name->text : "...");
  }
}

/* `wait[3]` would be the term `wait` with a qualifier, the same at all points: whoever writes it wants a result. */
static bool is_word_for_result(struct checker *c, struct context *x, struct expr *value) {
  if (value->kind != EXPR_INDEX || !value->index.term) return false;
  if (instance_component(c, x, value)) {
    instance_refuse(c, x, value);
    return true;
  }
  struct text text = {.arena = c->arena};
  expr_format(&text, value);
  check_error(c, value->span, "%s is a term here, no result", text.data);
  if (figure_meant(c, value)) return true;
  check_help(c, (struct span){0, 0}, "a result of one instance of a component is written COMPONENT[%s].%s",
             value->index.qualifier, value->index.term->text);
  return true;
}

/* What is called as it is written is a name, or a result: other texts are no names of columns. */
static void check_own_name(struct checker *c, const struct field *field) {
  const struct expr *value = field->value;
  if (field->name.span.begin != value->span.begin || value->kind == EXPR_NAME) return;
  if ((value->kind == EXPR_MEMBER && value->member.symbol) || (value->type && value->type->kind == TYPE_ERROR)) return;
  check_error(c, value->span, "this column has no name");
  check_help(c, (struct span){0, 0}, "write NAME = %s", field->name.name->text);
}

/* Does it stand in the declaration, and not on the command line? */
static bool is_declared(const struct model_study *study, struct span column) {
  return column.begin >= study->decl->span.begin && column.end <= study->decl->span.end;
}

/* minimize time < 10 s: the condition lacks its word. */
static void refuse_optimised(struct checker *c, const struct expr *value, const struct type *type) {
  check_error(c, value->span, "what is optimised is a number, not %s", type_text(c, type));
  if (type->kind == TYPE_BOOL && value->kind != EXPR_BOOLEAN)
    check_help(c, (struct span){0, 0}, "a condition stands behind it: NAME = FIGURE where %s", expr_text(c, value));
}

/* A name that the study does not have yet: NAME, NAME2, ... */
static const char *free_name(struct checker *c, struct scope *scope, const char *name) {
  const char *free = name;
  for (unsigned n = 2; scope_find(c, scope, name_of(c->model->names, free)); n++)
    free = arena_printf(c->arena, "%s%u", name, n);
  return free;
}

/* Of a column whose name another one has; `time` alone is the one that is there, `time = ...` another one. */
static void help_taken(struct checker *c, const struct model_study *study, struct scope *scope,
                       const struct study_item *item, const struct field *field, const struct symbol *taken) {
  static const char *const words[] = {
      [STUDY_REPORT] = "report", [STUDY_MINIMIZE] = "minimize", [STUDY_MAXIMIZE] = "maximize"};
  bool beside = !is_declared(study, field->name.span); /* by an option */
  bool alone = field->name.span.begin == field->value->span.begin;
  const char *word = arena_printf(c->arena, beside ? "--%s '" : "%s ", words[item->kind]), *quote = beside ? "'" : "";
  const char *value = expr_text(c, field->value), *name = field->name.name->text;
  struct text more = {.arena = c->arena};
  text_put(&more, "");
  for (uint32_t g = 0; g < item->group_count; g++)
    text_printf(&more, g ? ", %s" : " by %s", expr_text(c, item->groups[g]));
  if (item->condition) text_printf(&more, " where %s", expr_text(c, item->condition));
  if (item->kind == STUDY_REPORT && alone && beside && is_declared(study, taken->span))
    check_help(c, (struct span){0, 0},
               "it is a column of the study: leave it out, or name the system, '%s', to have no "
               "other columns of that",
               study->system->symbol->name->text);
  else if (item->kind == STUDY_REPORT)
    check_help(c, (struct span){0, 0}, "a column has a name of its own: %s%s = %s%s", word,
               free_name(c, scope, alone ? "other" : name), value, quote);
  else
    check_help(c, (struct span){0, 0}, "what is optimised is a column of its own: %s%s = %s%s%s", word,
               free_name(c, scope, item->kind == STUDY_MINIMIZE ? "least" : "most"), value, more.data, quote);
}

static void check_value(struct checker *c, struct context *x, const struct study_item *item,
                        const struct field *field) {
  const struct type *type = expr_check(c, x, field->value, NULL);
  if (type->kind == TYPE_ERROR && field->value->kind == EXPR_NAME && builtin_find(field->value->name.name->text))
    check_help(
        c, (struct span){0, 0},
        "a column is a figure such as makespan, of what bodies record NAME.mean; --repetitions N gives the means "
        "of N runs");
  if (type->kind == TYPE_VOID) check_error(c, field->value->span, "this gives no value");
  if (item->kind == STUDY_REPORT || type->kind != TYPE_BOOL) check_own_name(c, field);
  bool word = is_word_for_result(c, x, field->value);
  if (!word && is_objective(item) && type->kind != TYPE_ERROR && !type_is_number(type))
    refuse_optimised(c, field->value, type);
}

/* Has the field no value of its own but what it names? */
static bool is_alone(const struct field *field) {
  const struct expr *value = field->value;
  return field->name.span.begin == value->span.begin && (value->kind == EXPR_NAME || value->kind == EXPR_MEMBER);
}

/* Does a later item have the column that a field names, with a value at each point? */
static bool is_named_later(const struct study_item *item, const struct field *field) {
  for (item = item->next; item; item = item->next)
    for (uint32_t f = 0; (item->kind == STUDY_REPORT || is_objective(item)) && f < item->field_count; f++)
      if (!item->condition && is_alone(&item->fields[f]) && item->fields[f].name.name == field->name.name) return true;
  return false;
}

/* The column that a field names, where that has a value at each point; NULL: there is none. */
static struct study_figure *column_named(struct model_study *study, const struct field *field) {
  for (uint32_t k = 0; is_alone(field) && k < study->column_count; k++)
    if (study->columns[k].symbol->name == field->name.name && !study->columns[k].item->condition)
      return &study->columns[k];
  return NULL;
}

/* `report makespan; minimize makespan;` is one column, and is the other way round. */
static bool is_of_column(struct checker *c, struct model_study *study, const struct study_item *item,
                         struct study_figure *column) {
  if (!column || item->condition || (!is_objective(item) && column->reported)) return false;
  if (is_objective(item))
    add_goal(c, study, item, (uint32_t)(column - study->columns));
  else
    column->reported = true;
  return true;
}

/* Is there an objective of that name with another condition? Then both have a column, minimize t where a; minimize t
 * where b; of which the first is called so. */
static bool is_limited_before(const struct model_study *study, const struct study_item *item,
                              const struct field *field) {
  for (uint32_t k = 0; k < study->column_count; k++) {
    const struct study_item *other = study->columns[k].item;
    if (study->columns[k].symbol->name == field->name.name && other->condition && other != item) return true;
  }
  return false;
}

/* The best of a column where a condition holds has a column of its own. */
static struct ident conditional_name(struct checker *c, struct scope *scope, const struct study_item *item,
                                     const struct field *field) {
  const char *word = item->kind == STUDY_MINIMIZE ? "least" : "greatest";
  const char *name = arena_printf(c->arena, "%s-%s", word, field->name.name->text);
  return (struct ident){name_of(c->model->names, free_name(c, scope, name)), field->name.span};
}

/* The scope without columns of the name, where a figure or a param has it, too. */
static struct scope scope_beside(struct checker *c, const struct scope *scope, const struct name *name) {
  struct scope seen = {0};
  bool known = result_named(c, name->text) || table_first(c, SPACE_VALUE, name);
  for (uint32_t i = 0; i < scope->count; i++)
    if (!known || scope->items[i]->name != name) scope_add(c, &seen, scope->items[i]);
  return seen;
}

static void check_fields(struct checker *c, struct context *x, struct scope *scope, struct study_item *item) {
  struct model_study *study = x->study;
  for (uint32_t i = 0; i < item->field_count; i++) {
    const struct field *field = &item->fields[i];
    struct scope beside;
    if (item->condition && is_limited_before(study, item, field)) {
      beside = scope_beside(c, scope, field->name.name);
      x->scope = &beside;
    }
    check_value(c, x, item, field);
    x->scope = scope;
    struct study_figure *column = column_named(study, field);
    if (is_of_column(c, study, item, column)) continue;
    bool apart = item->condition && is_alone(field) &&
                 (column || is_named_later(item, field) || is_limited_before(study, item, field));
    const struct symbol *taken = apart ? NULL : scope_find(c, scope, field->name.name); /* it has none around it */
    if (is_objective(item)) add_goal(c, study, item, study->column_count);
    add_column(c, x, scope, item, field, apart ? conditional_name(c, scope, item, field) : field->name);
    if (taken) help_taken(c, study, scope, item, field, taken);
  }
}

/* minimize makespan where makespan < 60 s: a name that the condition has in common with the objective is what it is
 * elsewhere, a figure or a param; only where there is none is it the objective. */
static void check_condition(struct checker *c, struct context *x, struct scope *scope, struct study_item *item) {
  struct symbol **all = scope->items;
  uint32_t count = scope->count;
  struct scope seen = {0};
  bool limited = item->field_count && is_limited_before(x->study, item, &item->fields[0]);
  for (uint32_t i = 0; i < count; i++) {
    const struct name *name = all[i]->name;
    bool own = i + item->field_count >= count || (limited && name == item->fields[0].name.name);
    if (!own || !(result_named(c, name->text) || table_first(c, SPACE_VALUE, name))) scope_add(c, &seen, all[i]);
  }
  uint32_t end = x->study->end_count;
  x->scope = &seen;
  expr_check_as(c, x, item->condition, c->model->types.boolean, "where");
  x->scope = scope;
  for (; end < x->study->end_count; end++) {
    x->study->ends[end].column = x->study->column_count - 1;
    x->study->ends[end].limits = true;
  }
}

static bool is_column(const struct model_study *study, const struct expr *expr) {
  for (uint32_t k = 0; expr->kind == EXPR_NAME && k < study->column_count; k++)
    if (study->columns[k].symbol->name == expr->name.name) return true;
  return false;
}

static void help_groups(struct checker *c, const struct expr *expr, const char *name, const struct words_list *list) {
  struct text varied = {.arena = c->arena};
  if (expr->kind == EXPR_NAME && check_meant(c, name, list)) return;
  for (uint32_t i = 0; i < list->count; i++)
    text_printf(&varied, "%s%s", i ? ", " : "", list->items[i]);
  check_help(c, (struct span){0, 0}, list->count ? "it varies %s" : "it varies none", varied.data);
}

/* Is it a param that the study varies, with values of its own? */
static void check_group(struct checker *c, struct context *x, const struct model_study *study, struct expr *expr) {
  struct words_list list = {0};
  if (!is_column(study, expr) && expr_check(c, x, expr, NULL)->kind == TYPE_ERROR) return;
  const struct symbol *symbol = expr->kind == EXPR_NAME     ? expr->name.symbol
                                : expr->kind == EXPR_MEMBER ? expr->member.symbol /* FILE.PARAM */
                                                            : NULL;
  uint32_t v = 0;
  for (const struct study_item *vary = study->decl->study.items; vary; vary = vary->next)
    for (uint32_t i = 0; vary->kind == STUDY_VARY && i < vary->vary_count; i++, v++) {
      if (v == study->varied_count) return; /* one of them is no param, which has been said */
      words_add(c, &list, study->varied[v]->name->text);
      if (symbol != study->varied[v]) continue;
      if (vary->varies[i].tied)
        check_error(c, expr->span, "'%s' follows other params: a best point is found by those that it follows",
                    symbol->name->text);
      return;
    }
  struct text text = {.arena = c->arena};
  expr_format(&text, expr);
  check_error(c, expr->span, "a best point is found by params that the study varies, and '%s' is none", text.data);
  help_groups(c, expr, text.data, &list);
}

static void check_series(struct checker *c, struct context *x, struct study_item *item) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < item->series_count; i++) {
    const struct type *type = expr_check(c, x, item->series[i], NULL);
    bool fit = type->kind == TYPE_ERROR || type_is_number(type);
    if (!item->usual || (fit && kept < item->usual)) item->series[kept++] = item->series[i];
    if (!fit && (!item->usual || (!kept && i + 1 == item->series_count)))
      check_error(c, item->series[i]->span, "what is plotted is a number, not %s", type_text(c, type));
  }
  item->series_count = kept;
}

struct figure_search {
  struct checker *c;
  struct context *x, *results; /* of what a point's params say; of its run */
  struct expr *found;
};

/* A figure by one word, or what a component has as a result and as nothing else: not as a param. */
static bool is_figure(struct figure_search *search, struct expr *expr) {
  struct checker *c = search->c;
  if (expr->kind == EXPR_NAME)
    return !scope_find(c, search->x->scope, expr->name.name) && result_named(c, expr->name.name->text);
  return expr->kind == EXPR_MEMBER && !is_other_member(c, search->x, expr) && result_member(c, search->results, expr);
}

static bool names_figure(const struct expr *expr, void *user) {
  struct figure_search *search = user;
  bool figure = is_figure(search, (struct expr *)expr);
  if (figure) search->found = (struct expr *)expr;
  return figure || expr_any_child(expr, names_figure, search);
}

/* A point is left out before it is run. */
static void check_where(struct checker *c, struct context *x, struct context *results, struct study_item *item) {
  struct figure_search search = {.c = c, .x = x, .results = results};
  if (!names_figure(item->condition, &search)) {
    expr_check_as(c, x, item->condition, c->model->types.boolean, "where");
    return;
  }
  const struct source *source = source_of(c->model->sources, item->condition->span.begin);
  bool option = source && strncmp(source->path, "--", 2) == 0; /* of the command line */
  const char *condition = expr_text(c, item->condition);
  check_error(c, search.found->span, "'where' says by params which points are run, and '%s' is a figure of runs",
              expr_text(c, search.found));
  check_help(c, (struct span){0, 0},
             option
                 ? "--minimize 'WHAT where %s' finds the best point at which it holds, --assert '%s' tests it at each"
                 : "'minimize WHAT where %s;' finds the best point at which it holds, 'assert %s;' tests it at each",
             condition, condition);
}

static void check_plot(struct checker *c, struct context *x, struct study_item *item) {
  check_series(c, x, item);
  expr_check(c, x, item->against, NULL);
  if (item->by) expr_check(c, x, item->by, NULL);
  for (uint32_t i = 0; i < item->option_count; i++) {
    const struct name *word = item->options[i].name->folded;
    if (name_is(word, KNOWN_LOG_X) || name_is(word, KNOWN_LOG_Y)) continue;
    check_error(c, item->options[i].span, "unknown option '%s' of plot: it is log x or log y",
                item->options[i].name->text);
  }
}

static void check_once(struct checker *c, const struct study_item *items, const struct study_item *item) {
  const struct ident *name = &item->fields[0].name;
  for (; items != item; items = items->next) {
    if (items->kind != STUDY_SETTING || items->fields[0].name.name != name->name) continue;
    check_error(c, name->span, "'%s' is set twice", name->name->text);
    check_note(c, items->fields[0].name.span, "the first time here");
    return;
  }
}

static void check_setting(struct checker *c, struct context *x, struct study_item *item) {
  const struct field *field = &item->fields[0];
  struct words_list list = {0};
  words_add(c, &list, "repetitions");
  words_add(c, &list, "seed");
  if (!name_is(field->name.name, KNOWN_REPETITIONS) && !name_is(field->name.name, KNOWN_SEED)) {
    check_error(c, field->name.span, "a study has no '%s': it has repetitions and seed", field->name.name->text);
    const struct symbol *param = table_first(c, SPACE_VALUE, field->name.name);
    if (param && param->kind == SYMBOL_PARAM)
      check_help(c, (struct span){0, 0}, "a param has one value in all points by: vary %s = %s;",
                 field->name.name->text, expr_text(c, field->value));
    else if (!check_habit(c, HABIT_STUDY, field->name.name->text))
      check_meant(c, field->name.name->text, &list);
    return;
  }
  expr_check_as(c, x, field->value, c->model->types.integer, arena_printf(c->arena, "'%s'", field->name.name->text));
}

static void check_item(struct checker *c, struct context *globals, struct context *results, struct scope *scope,
                       struct study_item *item) {
  switch (item->kind) {
  case STUDY_VARY:
    for (uint32_t i = 0; i < item->vary_count; i++)
      check_vary(c, results->study, globals, &item->varies[i]);
    break;
  case STUDY_WHERE: check_where(c, globals, results, item); break;
  case STUDY_ASSERT: assertion_check(c, results, item); break;
  case STUDY_REPORT: check_fields(c, results, scope, item); break;
  case STUDY_MINIMIZE:
  case STUDY_MAXIMIZE:
    check_fields(c, results, scope, item);
    if (item->condition) check_condition(c, results, scope, item);
    break;
  case STUDY_PLOT: check_plot(c, results, item); break;
  case STUDY_SETTING: check_setting(c, globals, item); break;
  }
}

static struct model_component *system_of(struct checker *c, const struct qname *of) {
  const struct ident *last = &of->parts[of->count - 1];
  struct symbol *system = table_find(c, SPACE_COMPONENT, last->name, last->span);
  if (system && system->component->system) return system->component;
  struct words_list list = {0};
  check_error(c, of->span, system ? "'%s' is a component, not a system" : "unknown system '%s'", last->name->text);
  for (uint32_t i = 0; i < c->model->component_count; i++)
    if (c->model->components[i]->system) words_add(c, &list, c->model->components[i]->symbol->name->text);
  if (system)
    check_note(c, system->span, "declared here");
  else
    check_meant(c, last->name->text, &list);
  return NULL;
}

void study_check(struct checker *c, struct model_study *study) {
  const struct decl *decl = study->decl;
  struct scope scope = {0};
  uint32_t slots = 0;
  struct context globals = {.slots = &slots, .draws = "a study"};
  struct context results = {.slots = &slots, .draws = "a study", .scope = &scope, .study = study};
  model_list_results(c->model);
  study->system = system_of(c, &decl->study.of);
  for (struct study_item *item = decl->study.items; item; item = item->next)
    check_item(c, &globals, &results, &scope, item);
  struct map varied = {0};
  bool known;
  for (uint32_t v = 0; v < study->varied_count; v++)
    map_add(c->arena, &varied, map_key(study->varied[v]->name->folded), v, &known);
  for (struct study_item *item = decl->study.items; item; item = item->next) {
    if (item->kind == STUDY_SETTING) check_once(c, decl->study.items, item);
    for (uint32_t g = 0; g < item->group_count; g++)
      check_group(c, &globals, study, item->groups[g]);
    if (item->kind == STUDY_REPORT || is_objective(item)) check_names(c, study, &varied, item);
  }
}

void studies_check(struct checker *c) {
  for (uint32_t i = 0; i < c->model->study_count; i++)
    study_check(c, c->model->studies[i]);
}

struct model_study *model_study_add(struct model *model, struct decl *decl) {
  struct checker *c = model->loading->checker;
  struct model_study *study = ARENA_NEW(model->arena, struct model_study);
  unsigned errors = model->diagnostics->errors;
  study->decl = decl;
  c->reported = (struct map){0}; /* the same mistake again is said again */
  study_check(c, study);
  diagnostic_flush(model->diagnostics);
  return model->diagnostics->errors == errors ? study : NULL;
}
