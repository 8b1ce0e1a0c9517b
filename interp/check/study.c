/* Studies: names and types of what is varied, reported, optimised and plotted. A report's field may use the
 * params, the results of a run (makespan, messages, bytes, what bodies record) and the fields before it. */
#include "interp/check/checker.h"

#include <string.h>

static struct symbol *varied(struct checker *c, const struct qname *name) {
  const struct ident *last = &name->parts[name->count - 1];
  struct symbol *found = NULL;
  struct words_list list = {0};
  if (name->count == 1) {
    found = table_find(c, SPACE_VALUE, last->name, last->span);
  } else {
    struct symbol *file = table_find(c, SPACE_QUALIFIER, name->parts[0].name, name->parts[0].span);
    if (file && file->kind == SYMBOL_FILE && name->count == 2)
      found = table_in_file(c, SPACE_VALUE, last->name, file->file);
  }
  if (found && found->kind == SYMBOL_PARAM) return found;
  for (uint32_t i = 0; i < c->model->param_count; i++) words_add(c, &list, c->model->params[i]->name->text);
  check_error(c, name->span, found ? "'%s' is not a param and cannot be varied" : "unknown param '%s'",
              last->name->text);
  if (found) check_note(c, found->span, "declared here");
  else check_meant(c, last->name->text, &list);
  return NULL;
}

static void check_vary(struct checker *c, struct context *x, struct vary *vary) {
  struct symbol *param = varied(c, &vary->name);
  const struct type *wanted = param && param->type->kind != TYPE_ERROR ? type_plain(c, param->type) : NULL;
  const char *what = param ? arena_printf(c->arena, "param '%s'", param->name->text) : "";
  x->terms = !wanted;
  if (vary->tied) {
    if (wanted) expr_check_as(c, x, vary->tied, wanted, what);
    else expr_check(c, x, vary->tied, NULL);
  } else if (vary->range->kind == EXPR_LIST) {
    for (uint32_t i = 0; i < vary->range->list.count; i++) {
      struct expr *item = vary->range->list.items[i];
      if (wanted) expr_check_as(c, x, item, wanted, what);
      else expr_check(c, x, item, NULL);
    }
    vary->range->type = type_list(&c->model->types, wanted ? wanted : c->model->types.error);
  } else {
    const struct type *type = walk_check(c, x, vary->range, vary->step, vary->geometric);
    if (wanted && !type_conforms(type, wanted)) {
      check_error(c, vary->range->span, "%s wants %s, and this range is of %s", what, type_text(c, wanted),
                  type_text(c, type));
      check_note(c, param->span, "declared here");
    }
  }
  x->terms = false;
}

static void add_result(struct checker *c, struct context *x, struct scope *scope, const struct name *name,
                       struct span span, const struct type *type) {
  for (uint32_t i = 0; i < scope->count; i++)
    if (scope->items[i]->name == name) return; /* a report may well be called as what it reports */
  scope_local(c, x, scope, (struct ident){name, span}, type);
}

static void add_results(struct checker *c, struct context *x, struct scope *scope) {
  struct names *names = c->model->names;
  const struct types *types = &c->model->types;
  add_result(c, x, scope, name_of(names, "makespan"), (struct span){0, 0}, types->time);
  add_result(c, x, scope, name_of(names, "messages"), (struct span){0, 0}, types->integer);
  add_result(c, x, scope, name_of(names, "bytes"), (struct span){0, 0}, types->data);
  for (uint32_t i = 0; i < c->record_count; i++)
    add_result(c, x, scope, c->records[i].name, c->records[i].span, c->records[i].type);
}

static void check_fields(struct checker *c, struct context *x, struct scope *scope, struct study_item *item) {
  for (uint32_t i = 0; i < item->field_count; i++) {
    const struct type *type = expr_check(c, x, item->fields[i].value, NULL);
    if (type->kind == TYPE_VOID) check_error(c, item->fields[i].value->span, "this gives no value");
    if (item->kind != STUDY_REPORT && type->kind != TYPE_ERROR && !type_is_number(type))
      check_error(c, item->fields[i].value->span, "what is optimised is a number, not %s",
                  type_text(c, type));
    add_result(c, x, scope, item->fields[i].name.name, item->fields[i].name.span, type);
  }
}

static void check_plot(struct checker *c, struct context *x, struct study_item *item) {
  for (uint32_t i = 0; i < item->series_count; i++) {
    const struct type *type = expr_check(c, x, item->series[i], NULL);
    if (type->kind != TYPE_ERROR && !type_is_number(type))
      check_error(c, item->series[i]->span, "what is plotted is a number, not %s", type_text(c, type));
  }
  expr_check(c, x, item->against, NULL);
  if (item->by) expr_check(c, x, item->by, NULL);
  for (uint32_t i = 0; i < item->option_count; i++) {
    const char *word = item->options[i].name->folded->text;
    if (!strcmp(word, "log-x") || !strcmp(word, "log-y")) continue;
    check_error(c, item->options[i].span, "unknown option '%s' of plot: it is log x or log y",
                item->options[i].name->text);
  }
}

static void check_setting(struct checker *c, struct context *x, struct study_item *item) {
  const struct field *field = &item->fields[0];
  struct words_list list = {0};
  words_add(c, &list, "repetitions");
  words_add(c, &list, "seed");
  if (strcmp(field->name.name->text, "repetitions") && strcmp(field->name.name->text, "seed")) {
    check_error(c, field->name.span, "a study has no '%s': it has repetitions and seed",
                field->name.name->text);
    check_meant(c, field->name.name->text, &list);
    return;
  }
  expr_check_as(c, x, field->value, c->model->types.integer,
                arena_printf(c->arena, "'%s'", field->name.name->text));
}

static void check_item(struct checker *c, struct context *globals, struct context *results,
                       struct scope *scope, struct study_item *item) {
  const struct type *boolean = c->model->types.boolean;
  switch (item->kind) {
  case STUDY_VARY:
    for (uint32_t i = 0; i < item->vary_count; i++) check_vary(c, globals, &item->varies[i]);
    break;
  case STUDY_WHERE: expr_check_as(c, globals, item->condition, boolean, "where"); break;
  case STUDY_ASSERT: expr_check_as(c, results, item->condition, boolean, "assert"); break;
  case STUDY_REPORT: check_fields(c, results, scope, item); break;
  case STUDY_MINIMIZE:
  case STUDY_MAXIMIZE:
    check_fields(c, results, scope, item);
    if (item->condition) expr_check_as(c, results, item->condition, boolean, "where");
    break;
  case STUDY_PLOT: check_plot(c, results, item); break;
  case STUDY_SETTING: check_setting(c, globals, item); break;
  }
}

static void check_study(struct checker *c, const struct decl *decl) {
  const struct qname *of = &decl->study.of;
  const struct ident *last = &of->parts[of->count - 1];
  struct symbol *system = table_find(c, SPACE_COMPONENT, last->name, last->span);
  if (!system || !system->component->system) {
    struct words_list list = {0};
    check_error(c, of->span, system ? "'%s' is a component, not a system" : "unknown system '%s'",
                last->name->text);
    for (uint32_t i = 0; i < c->model->component_count; i++)
      if (c->model->components[i]->system) words_add(c, &list, c->model->components[i]->symbol->name->text);
    if (system) check_note(c, system->span, "declared here");
    else check_meant(c, last->name->text, &list);
  }
  struct scope scope = {0};
  uint32_t slots = 0;
  struct context globals = {.slots = &slots, .draws = "a study"};
  struct context results = {.slots = &slots, .draws = "a study", .scope = &scope, .study = true};
  add_results(c, &results, &scope);
  for (struct study_item *item = decl->study.items; item; item = item->next)
    check_item(c, &globals, &results, &scope, item);
}

void studies_check(struct checker *c) {
  for (uint32_t i = 0; i < c->model->study_count; i++) check_study(c, c->model->studies[i]);
}
