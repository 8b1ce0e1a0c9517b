/* Plans: which study is meant, what it varies and over which values, what it wants to know.  A plan without a
 * declared study, or with axes of the caller's, is made from a declaration of its own, which goes through the
 * same check.  Called by psl_study and by all else that runs points. */
#include "interp/study/study.h"
#include "interp/check/load.h"
#include "interp/resolve/effects.h"
#include "interp/evaluate/reached.h"

#include <string.h>
#include <strings.h>

static const struct span nowhere = {0, 0};

/* ---- which study ---- */

/* Of the model's own file, or of the session. */
static bool is_own(const struct psl *psl, const struct symbol *symbol) { return model_owns(&psl->model, symbol->file); }

static struct model_study *study_named(struct psl *psl, const char *name) {
  struct model_study *found = NULL;
  for (uint32_t i = 0; i < psl->model.study_count; i++) {
    struct model_study *study = psl->model.studies[i];
    if (strcmp(study->decl->name.name->text, name)) continue;
    if (!found || is_own(psl, study->decl->symbol)) found = study;
  }
  return found;
}

static bool system_named(struct psl *psl, const char *name) {
  for (uint32_t c = 0; c < psl->model.component_count; c++)
    if (psl->model.components[c]->system && !strcmp(psl->model.components[c]->symbol->name->text, name)) return true;
  return false;
}

bool study_can_be(struct psl *psl, const char *name) { return study_named(psl, name) || system_named(psl, name); }

static void unknown_study(struct psl *psl, const char *name) {
  struct model *model = &psl->model;
  uint32_t count = 0;
  const char **words = ARENA_ARRAY(&psl->work, const char *, model->study_count + model->component_count);
  for (uint32_t i = 0; i < model->study_count; i++)
    words[count++] = model->studies[i]->decl->name.name->text;
  for (uint32_t i = 0; i < model->component_count; i++)
    if (model->components[i]->system) words[count++] = model->components[i]->symbol->name->text;
  diagnostic_misuse(&psl->diagnostics, "no study or system is named '%s'", name);
  const char *near = nearest_name(name, words, count);
  struct text all = {.arena = &psl->work};
  for (uint32_t i = 0; i < count && i < 20; i++)
    text_printf(&all, "%s%s", i ? ", " : "", words[i]);
  if (near)
    diagnostic_help(&psl->diagnostics, nowhere, "did you mean '%s'?", near);
  else if (strpbrk(name, "^/")) /* the unit of a value that a blank has parted from it */
    diagnostic_help(&psl->diagnostics, nowhere, "a value with a blank stands in quotes: --vary 'NAME=5 %s'", name);
  else if (count)
    diagnostic_help(&psl->diagnostics, nowhere, "there are: %s", all.data);
}

struct model_study *study_declared(struct psl *psl, const char *name, bool *fine) {
  struct model *model = &psl->model;
  struct model_study *only = NULL;
  const struct model_component *system = NULL;
  uint32_t own = 0;
  *fine = true;
  if (name) {
    struct model_study *study = study_named(psl, name);
    *fine = study || system_named(psl, name);
    if (!*fine) unknown_study(psl, name);
    return study;
  }
  for (uint32_t i = 0; i < model->study_count; i++) {
    if (!is_own(psl, model->studies[i]->decl->symbol)) continue;
    only = model->studies[i];
    own++;
  }
  if (own < 2) return only;
  *fine = false;
  diagnostic_misuse(&psl->diagnostics, "%s has more than one study: name one", model->files[0]->source->path);
  for (uint32_t i = 0; i < model->study_count; i++) {
    const struct decl *decl = model->studies[i]->decl;
    if (is_own(psl, decl->symbol))
      diagnostic_note(&psl->diagnostics, decl->name.span, "study '%s' is here", decl->name.name->text);
    if (is_own(psl, decl->symbol) && model->studies[i]->system && !system) system = model->studies[i]->system;
  }
  if (system)
    diagnostic_help(&psl->diagnostics, nowhere, "name the system, '%s', to vary what --vary says alone",
                    system->symbol->name->text);
  return NULL;
}

/* ---- axes of the caller's ---- */

static bool blank(char c) { return c == ' ' || c == '\t'; }

/* Is the expression in parentheses of its own in the text? The tree does not tell. */
static bool in_parentheses(const struct source *source, struct span span) {
  const char *begin = source->text + (span.begin - source->base), *end = source->text + (span.end - source->base);
  while (begin > source->text && blank(begin[-1]))
    begin--;
  while (blank(*end))
    end++;
  return begin > source->text && begin[-1] == '(' && *end == ')';
}

/* Is the range's high bound a sum or a product that no parentheses hold? Then it has a step or a factor. */
static bool has_step(const struct source *source, const struct expr *range) {
  const struct expr *high = range->range.high;
  return high->kind == EXPR_BINARY && (high->binary.op == OP_ADD || high->binary.op == OP_MUL) &&
         !in_parentheses(source, high->span);
}

/* low..high+step and low..high*factor, as the command line has them; a high bound that is a sum or a product
 * stands in parentheses. */
static void read_range(const struct source *source, struct vary *vary, struct expr *range) {
  struct expr *high = range->range.high;
  vary->range = range;
  if (!has_step(source, range)) return;
  vary->geometric = high->binary.op == OP_MUL;
  vary->step = high->binary.right;
  range->range.high = high->binary.left;
}

/* 1-3 is a difference, and meant for a range. */
static void note_difference(struct psl *psl, const struct expr *item) {
  if (item->kind != EXPR_BINARY || item->binary.op != OP_SUB || item->binary.left->kind != EXPR_INTEGER ||
      item->binary.right->kind != EXPR_INTEGER)
    return;
  long long low = item->binary.left->integer, high = item->binary.right->integer;
  diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, item->span, "this is the one value %lld", low - high);
  if (low < high) diagnostic_help(&psl->diagnostics, nowhere, "a range is written %lld..%lld", low, high);
}

/* A list in brackets of its own is the list of values, but for a param that is a list. */
static bool is_values(const struct expr *expr, const struct symbol *param) {
  return param->type->kind != TYPE_LIST && (expr->kind == EXPR_LIST || expr->kind == EXPR_EACH);
}

/* Values and ranges do not stand side by side. */
static bool is_alone(struct psl *psl, const struct source *source, const struct expr *list,
                     const struct symbol *param) {
  bool whole = param->type->kind == TYPE_INT; /* others may be uncertain, which is a range for a value */
  for (uint32_t i = 0; list->list.count > 1 && i < list->list.count; i++) {
    const struct expr *item = list->list.items[i];
    if (item->kind != EXPR_RANGE || !(whole || has_step(source, item))) continue;
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, item->span, "--vary takes values or one range, not both");
    diagnostic_help(&psl->diagnostics, nowhere, "write out the values of the range%s",
                    whole ? arena_printf(&psl->work, ": --vary %s=1,2,4", param->name->text) : "");
    return false;
  }
  return true;
}

/* 1,2,...,8, 4;8 and 4.. as others have lists and ranges. */
static void help_values(struct psl *psl, const char *values) {
  size_t size = strlen(values);
  if (strstr(values, ",..") || strstr(values, ", ..")) {
    diagnostic_help(&psl->diagnostics, nowhere, "values are written out, or as a range with its step: 1..8 by 1");
  } else if (strchr(values, ';')) {
    struct text commas = {.arena = &psl->work};
    for (const char *at = values; *at; at++)
      text_char(&commas, *at == ';' ? ',' : *at);
    diagnostic_help(&psl->diagnostics, nowhere, "values are parted by commas: %s", commas.data);
  } else if (size > 2 && !strcmp(values + size - 2, "..")) {
    diagnostic_help(&psl->diagnostics, nowhere, "a range has both its ends: %sHIGH", values);
  }
}

static bool read_vary(struct psl *psl, const struct psl_vary *given, struct vary *vary) {
  struct symbol *param = model_param(&psl->model, given->param);
  if (!param) return false;
  const char *name = arena_printf(&psl->loaded, "--vary %s", given->param);
  struct source *source = source_add(&psl->sources, name, given->values, strlen(given->values));
  struct ident *parts = ARENA_ARRAY(&psl->loaded, struct ident, 2);
  parts[0] = (struct ident){name_of(&psl->names, param->file->name), param->span};
  parts[1] = (struct ident){param->name, param->span};
  *vary = (struct vary){.name = {parts, 2, param->span}};
  bool fine = source && parse_values(&psl->loaded, &psl->names, &psl->diagnostics, source, vary);
  if (!source)
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, nowhere, "the values of '%s' are too large", given->param);
  if (source && !fine) help_values(psl, given->values);
  diagnostic_flush(&psl->diagnostics);
  if (!fine || !is_alone(psl, source, vary->range, param)) return false;
  if (vary->range->list.count != 1) return true;
  struct expr *only = vary->range->list.items[0];
  if (vary->step || is_values(only, param))
    vary->range = only;
  else if (only->kind == EXPR_RANGE)
    read_range(source, vary, only);
  note_difference(psl, only);
  return true;
}

static bool varies(const struct vary *vary, const struct symbol *param) {
  const struct qname *name = &vary->name;
  return name->parts[name->count - 1].name == param->name &&
         (name->count == 1 || !strcmp(name->parts[0].name->text, param->file->name));
}

/* ---- declarations made for a plan ---- */

static struct decl *parse_study(struct psl *psl, const char *name, const char *text) {
  struct source *source = source_add(&psl->sources, name, text, strlen(text));
  struct file *file = parse_file(&psl->loaded, &psl->names, &psl->diagnostics, source);
  diagnostic_flush(&psl->diagnostics);
  return file->broken ? NULL : file->decls;
}

static struct decl *default_study(struct psl *psl, const char *system, bool repeated) {
  return parse_study(psl, "study",
                     arena_printf(&psl->work, "study runs of %s { report %s; }", system, study_columns(psl, repeated)));
}

/* The declaration with the axes given: in the place of those of the same params, else behind the others. */
static struct decl *with_axes(struct psl *psl, const struct decl *decl, const struct vary *given,
                              struct symbol *const *params, size_t count) {
  struct decl *own = ARENA_NEW(&psl->loaded, struct decl);
  bool *placed = ARENA_ARRAY(&psl->work, bool, count);
  struct study_item **link = &own->study.items;
  *own = *decl;
  for (const struct study_item *item = decl->study.items; item; item = item->next) {
    struct study_item *copy = ARENA_NEW(&psl->loaded, struct study_item);
    *copy = *item;
    *link = copy;
    link = &copy->next;
    copy->varies = ARENA_ARRAY(&psl->loaded, struct vary, item->vary_count);
    for (uint32_t v = 0; v < item->vary_count; v++) {
      copy->varies[v] = item->varies[v];
      for (size_t g = 0; g < count; g++) {
        if (!varies(&item->varies[v], params[g])) continue;
        copy->varies[v] = given[g];
        placed[g] = true;
      }
    }
  }
  for (size_t g = 0; g < count; g++) {
    if (placed[g]) continue;
    struct study_item *item = ARENA_NEW(&psl->loaded, struct study_item);
    item->kind = STUDY_VARY;
    item->varies = ARENA_NEW(&psl->loaded, struct vary);
    item->varies[0] = given[g];
    item->vary_count = 1;
    *link = item;
    link = &item->next;
  }
  *link = NULL;
  return own;
}

static bool is_objective(enum study_item_kind kind) { return kind == STUDY_MINIMIZE || kind == STUDY_MAXIMIZE; }

static bool is_column(enum study_item_kind kind) { return kind == STUDY_REPORT || is_objective(kind); }

/* The declaration with the items that were given behind its own ones, which its assertions name. `asked`: the first of
 * them that is a column or an objective. */
static struct decl *with_items(struct psl *psl, const struct decl *decl, const struct psl_study_options *options,
                               const struct study_item **asked) {
  static const char *const words[] = {
      [PSL_ITEM_REPORT] = "report", [PSL_ITEM_MINIMIZE] = "minimize", [PSL_ITEM_MAXIMIZE] = "maximize",
      [PSL_ITEM_WHERE] = "where",   [PSL_ITEM_ASSERT] = "assert",     [PSL_ITEM_FIGURE] = "report",
      [PSL_ITEM_GOAL] = "assert"};
  static const char optimised[] =
      "what is optimised is FIGURE or NAME = EXPRESSION, one an option: cost = workers * makespan; behind it may stand "
      "by PARAM and where CONDITION";
  static const char *const shapes[] = {
      [PSL_ITEM_REPORT] =
          "columns are FIGURE or NAME = EXPRESSION, parted by commas: makespan, cost = workers * makespan",
      [PSL_ITEM_MINIMIZE] = optimised,
      [PSL_ITEM_MAXIMIZE] = optimised,
      [PSL_ITEM_WHERE] = "a condition is on params, and several are joined by 'and': n > 2 and n * m < 64",
      [PSL_ITEM_ASSERT] = "a condition is on params and figures, and several are joined by 'and': makespan < 3 s",
      [PSL_ITEM_FIGURE] = "a figure is FIGURE or NAME = EXPRESSION: desk.wait, cost = workers * makespan",
      [PSL_ITEM_GOAL] = "a goal is a condition on figures, and several are joined by 'and': makespan < 60 s"};
  const struct qname *of = &decl->study.of;
  struct decl *own = ARENA_NEW(&psl->loaded, struct decl);
  struct study_item **link = &own->study.items;
  *own = *decl;
  for (const struct study_item *item = decl->study.items; item; item = item->next) {
    *link = ARENA_NEW(&psl->loaded, struct study_item);
    **link = *item;
    link = &(*link)->next;
  }
  for (size_t i = 0; i < options->item_count; i++) {
    bool figure = options->items[i].kind == PSL_ITEM_FIGURE;
    const char *word = words[options->items[i].kind];
    const char *option = figure ? "of" : options->items[i].kind == PSL_ITEM_GOAL ? "goal" : word;
    const char *text = arena_printf(&psl->work, "study given of %s { %s %s; }", of->parts[of->count - 1].name->text,
                                    word, options->items[i].text);
    const struct decl *read = parse_study(psl, arena_printf(&psl->loaded, "--%s", option), text);
    if (!read) {
      diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, nowhere, "%s", shapes[options->items[i].kind]);
      return NULL;
    }
    if (figure && (read->study.items->next || read->study.items->field_count > 1)) {
      diagnostic_misuse(&psl->diagnostics, "--of takes one figure, not '%s'", options->items[i].text);
      return NULL;
    }
    if (!*asked && is_column(read->study.items->kind)) *asked = read->study.items;
    for (*link = read->study.items; *link; link = &(*link)->next)
      continue;
  }
  return own;
}

/* The declaration with one plot, read from a text, in the place of its own ones; `usual` as in study_item. */
static struct decl *with_plot(struct psl *psl, const struct decl *decl, const char *text, uint32_t usual) {
  const struct qname *of = &decl->study.of;
  const char *whole =
      arena_printf(&psl->work, "study plot of %s { plot %s; }", of->parts[of->count - 1].name->text, text);
  const struct decl *read = parse_study(psl, "--plot", whole);
  if (!read) {
    diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, nowhere,
                   "a plot is FIGURE against PARAM, as in makespan against workers, or FIGURE against PARAM by PARAM; "
                   "what says how it is drawn stands behind a comma: FIGURE against PARAM, log x");
    return NULL;
  }
  struct decl *own = ARENA_NEW(&psl->loaded, struct decl);
  struct study_item **link = &own->study.items;
  *own = *decl;
  for (const struct study_item *item = decl->study.items; item; item = item->next) {
    if (item->kind == STUDY_PLOT) continue;
    *link = ARENA_NEW(&psl->loaded, struct study_item);
    **link = *item;
    link = &(*link)->next;
  }
  *link = read->study.items;
  (*link)->usual = usual;
  return own;
}

static bool says_columns(const struct decl *decl) {
  for (const struct study_item *item = decl->study.items; item; item = item->next)
    if (is_column(item->kind)) return true;
  return false;
}

/* With the default columns where it says nothing of what it wants. */
static struct decl *with_report(struct psl *psl, struct decl *decl, bool repeated) {
  const struct qname *of = &decl->study.of;
  if (says_columns(decl)) return decl;
  const struct decl *read = default_study(psl, of->parts[of->count - 1].name->text, repeated);
  if (!read) return NULL;
  struct decl *own = ARENA_NEW(&psl->loaded, struct decl);
  *own = *decl;
  own->study.items = read->study.items;
  own->study.items->next = decl->study.items;
  return own;
}

/* Of a param whose default is a range or a distribution: what one number of it is. */
static const struct type *plain_type(struct types *types, const struct type *type) {
  bool uncertain = type->kind == TYPE_RANGE || type->kind == TYPE_DISTRIBUTION;
  return uncertain ? type_real(types, type->dimension) : type;
}

static bool asks_columns(const struct psl_study_options *options) {
  bool asks = false;
  for (size_t i = 0; i < options->item_count; i++) {
    unsigned kind = options->items[i].kind;
    asks |= kind != PSL_ITEM_WHERE && kind != PSL_ITEM_ASSERT && kind != PSL_ITEM_GOAL;
  }
  return asks;
}

/* The param as a plot has it: with its file where the study varies two of that name. */
static void put_axis(struct text *out, const struct decl *decl, const struct vary *axis) {
  const struct ident *parts = axis->name.parts, *own = &parts[axis->name.count - 1];
  uint32_t alike = 0;
  for (const struct study_item *item = decl->study.items; item; item = item->next)
    for (uint32_t v = 0; item->kind == STUDY_VARY && v < item->vary_count; v++) {
      const struct qname *name = &item->varies[v].name;
      alike += name->parts[name->count - 1].name == own->name;
    }
  if (own != parts && alike > 1) text_printf(out, "%s.", parts->name->text);
  text_put(out, own->name->text);
}

/* Has an item before it a column of that name? What is optimised may be a column that is reported. */
static bool is_named_before(const struct study_item *first, const struct study_item *item, const struct name *name) {
  for (; first != item; first = first->next)
    for (uint32_t f = 0; is_column(first->kind) && f < first->field_count; f++)
      if (first->fields[f].name.name == name) return true;
  return false;
}

/* The columns of an item as figures of a plot, but for those of the items from `first` on. */
static void put_figures(struct text *out, const struct study_item *first, const struct study_item *item) {
  for (uint32_t f = 0; is_column(item->kind) && f < item->field_count; f++)
    if (!is_named_before(first, item, item->fields[f].name.name))
      text_printf(out, "%s%s", out->size ? ", " : "", item->fields[f].name.name->text);
}

/* Has it one value alone, so that nothing goes along it? */
static bool has_one_value(const struct vary *vary) {
  return vary->range && vary->range->kind == EXPR_LIST && vary->range->list.count == 1;
}

/* The axes of a plot where nothing is said: the first one of numbers, and the first other one; `all`: of one value,
 * too. */
static void usual_axes(struct psl *psl, const struct decl *decl, bool all, const struct vary **x,
                       const struct vary **by) {
  const struct vary *other = NULL;
  for (const struct study_item *item = decl->study.items; item; item = item->next)
    for (uint32_t v = 0; item->kind == STUDY_VARY && v < item->vary_count; v++) {
      const struct vary *vary = &item->varies[v];
      const struct qname *name = &vary->name;
      const char *text = name->parts[name->count - 1].name->text;
      if (name->count == 2) text = arena_printf(&psl->work, "%s.%s", name->parts[0].name->text, text);
      const struct symbol *param = model_param(&psl->model, text);
      if (!param || vary->tied || (!all && has_one_value(vary)) || (param->was_set && param->setting)) continue;
      bool number = type_is_number(plain_type(&psl->model.types, param->type));
      if (number && !*x)
        *x = vary;
      else if (!*by)
        *by = vary;
      else if (!other)
        other = vary;
    }
  if (!*x) *x = *by, *by = other;
}

/* What is plotted where nothing is said: the columns of `asked` and the items behind it, else the study's first one
 * that is a number, else the makespan. NULL: nothing is varied. */
static const char *usual_plot(struct psl *psl, const struct decl *decl, const struct study_item *asked,
                              uint32_t *usual) {
  const struct vary *x = NULL, *by = NULL;
  usual_axes(psl, decl, false, &x, &by);
  if (!x) usual_axes(psl, decl, true, &x, &by);
  if (!x) return NULL;
  struct text text = {.arena = &psl->work};
  const struct study_item *first = asked ? asked : decl->study.items;
  for (const struct study_item *item = first; item; item = item->next)
    put_figures(&text, first, item);
  *usual = asked ? UINT32_MAX : 1;
  if (!asked) text_put(&text, text.size ? ", makespan" : "makespan");
  text_put(&text, " against ");
  put_axis(&text, decl, x);
  if (by) text_put(&text, " by ");
  if (by) put_axis(&text, decl, by);
  if (x->geometric) text_put(&text, ", log x");
  return text.data;
}

static bool has_plots(const struct decl *decl) {
  for (const struct study_item *item = decl->study.items; item; item = item->next)
    if (item->kind == STUDY_PLOT) return true;
  return false;
}

/* ---- axes ---- */

/* The param among those that the study varies, of which the value is another at each point; NULL: none. */
static struct symbol *varied_in(struct study_plan *plan, const struct expr *expr) {
  const struct model_study *study = plan->study;
  struct symbol **open = ARENA_ARRAY(&plan->psl->work, struct symbol *, study->varied_count);
  uint32_t count = 0;
  for (uint32_t v = 0; v < study->varied_count; v++)
    if (!study->varied[v]->setting) open[count++] = study->varied[v];
  return effects_reads(&plan->psl->work, expr, open, count);
}

/* Of an expression that names no axis. */
static bool evaluated(struct study_plan *plan, struct expr *expr, struct value *out) {
  struct psl *psl = plan->psl;
  struct environment environment = {
      .model = &psl->model,
      .scratch = &psl->work,
      .locals = ARENA_ARRAY(&psl->work, struct value, psl->model.slot_max + 1),
  };
  return evaluate(&environment, expr, out);
}

/* The value of an expression that is the same at all points. */
static bool constant(struct study_plan *plan, struct expr *expr, struct value *out) {
  struct psl *psl = plan->psl;
  const struct symbol *varied = varied_in(plan, expr);
  if (varied) {
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, expr->span,
                   "this must be the same at all points and cannot follow '%s', which is varied", varied->name->text);
    diagnostic_help(&psl->diagnostics, nowhere,
                    "vary over all values that are wanted somewhere, and say by where which go together");
    return false;
  }
  return evaluated(plan, expr, out);
}

static bool number_of(struct study_plan *plan, struct expr *expr, double *out) {
  struct value value;
  if (!constant(plan, expr, &value)) return false;
  *out = value.kind == VALUE_INT ? (double)value.integer : value.real;
  return true;
}

static bool wrong(struct study_plan *plan, struct span span, const char *text) {
  diagnostic_add(&plan->psl->diagnostics, SEVERITY_ERROR, span, "%s", text);
  return false;
}

/* A setting that holds any number of the param's type: its unit is shown where settings are. */
static struct expr *make_literal(struct study_plan *plan, const struct study_axis *axis) {
  struct arena *arena = &plan->psl->loaded;
  struct expr *literal = ARENA_NEW(arena, struct expr);
  const struct type *type = axis->type;
  *literal = (struct expr){.kind = EXPR_REAL, .span = axis->span, .type = type};
  if (type->kind == TYPE_INT) literal->kind = EXPR_INTEGER;
  if (type->kind != TYPE_REAL || dimension_none(type->dimension)) return literal;
  struct text unit = {.arena = arena};
  unit_print(&unit, &plan->psl->model.types, type->dimension);
  literal->kind = EXPR_QUANTITY;
  literal->quantity.unit = unit.data;
  literal->quantity.factor = 1;
  return literal;
}

/* Of a range that is written out and whose step leads away from its end. */
static void help_direction(struct study_plan *plan, const struct study_axis *axis, const struct vary *vary) {
  struct text by = {.arena = &plan->psl->work}, ends = {.arena = &plan->psl->work};
  const struct expr *step = vary->step;
  bool down = axis->high < axis->low, negative = step && step->kind == EXPR_UNARY;
  if (axis->geometric || !expr_is_literal(vary->range->range.low) || !expr_is_literal(vary->range->range.high)) return;
  expr_format(&ends, vary->range);
  if (step)
    expr_format(&by, negative ? step->unary.operand : step);
  else
    text_put(&by, "1");
  diagnostic_help(&plan->psl->diagnostics, nowhere, "it goes %s: %s by %s%s",
                  down ? "down by a step below 0" : "up by a step above 0", ends.data, down ? "-" : "", by.data);
}

static bool open_range(struct study_plan *plan, struct study_axis *axis, const struct vary *vary) {
  static const double most = 0x1p53; /* beyond it whole numbers are not exact as the places of a point */
  axis->step = axis->geometric ? 2 : 1;
  if (!number_of(plan, vary->range->range.low, &axis->low) || !number_of(plan, vary->range->range.high, &axis->high) ||
      (vary->step && !number_of(plan, vary->step, &axis->step)))
    return false;
  struct span span = vary->step ? vary->step->span : vary->range->span;
  if (fabs(axis->low) > most || fabs(axis->high) > most)
    return wrong(plan, vary->range->span, "the numbers of this range are too large");
  double steps = (axis->high - axis->low) / axis->step;
  if (axis->geometric) {
    if (!(axis->step > 1)) {
      wrong(plan, span, "the factor of 'by *' is greater than 1");
      if (axis->step > 0 && axis->step < 1)
        diagnostic_help(&plan->psl->diagnostics, nowhere, "a range goes up, from its lower end: by *%g",
                        1 / axis->step);
      return false;
    }
    if (!(axis->low > 0)) return wrong(plan, vary->range->span, "a range 'by *' begins above 0");
    steps = log(axis->high / axis->low) / log(axis->step);
  } else if (axis->step == 0) {
    return wrong(plan, span, "the step of a range must not be 0");
  }
  if (!(steps > -1e-9)) {
    wrong(plan, vary->range->span, "this range is empty");
    help_direction(plan, axis, vary);
    return false;
  }
  if (steps >= most) return wrong(plan, vary->range->span, "this range has too many steps");
  axis->count = (uint64_t)floor(steps + 1e-9) + 1; /* 0.1 + 0.2 is no more than 0.3 here */
  axis->literal = make_literal(plan, axis);
  return true;
}

/* A value that names nothing else. */
static bool is_plain(const struct expr *expr) {
  switch (expr->kind) {
  case EXPR_INTEGER:
  case EXPR_REAL:
  case EXPR_QUANTITY:
  case EXPR_BOOLEAN:
  case EXPR_STRING: return true;
  case EXPR_NAME: return !expr->name.symbol;
  case EXPR_INDEX: return expr->index.term != NULL;
  default: return false;
  }
}

/* 4,4 and cluster,Cluster: values of a list, told apart. */
struct values_met {
  struct study_plan *plan;
  struct study_axis *axis;
  struct groups groups;
  uint64_t again; /* values that were met before */
};

/* Adds the next value, but where it is there already. */
static void add_item(struct values_met *met, struct expr *item, const struct value *value) {
  const struct model *model = &met->plan->psl->model;
  struct study_axis *axis = met->axis;
  struct text key = {.arena = &met->plan->psl->work};
  uint32_t before = met->groups.count;
  if (value) value_print(&key, &model->types, model->names, axis->type, *value, 0);
  if (!value || groups_find(&met->groups, key.data, key.size) == before) {
    axis->items[axis->count++] = item;
    return;
  }
  if (met->again++) return;
  diagnostic_add(&met->plan->psl->diagnostics, SEVERITY_NOTE, item->span, "%s = %s is given again: a point is run once",
                 axis->name, key.data);
}

/* What is wrong with a value is said where a point has it. */
static bool quietly_known(struct study_plan *plan, struct expr *item, struct value *out) {
  struct handle_catch caught;
  handle_catch(&caught, plan->psl);
  bool known = (is_plain(item) || !varied_in(plan, item)) && evaluated(plan, item, out);
  handle_release(&caught);
  return known;
}

/* LIST[i] */
static struct expr *item_of(struct study_plan *plan, struct expr *list, uint32_t i) {
  struct arena *arena = &plan->psl->loaded;
  struct expr *item = ARENA_NEW(arena, struct expr), *index = ARENA_NEW(arena, struct expr);
  *index =
      (struct expr){.kind = EXPR_INTEGER, .span = list->span, .type = plan->psl->model.types.integer, .integer = i};
  *item = (struct expr){.kind = EXPR_INDEX, .span = list->span, .type = list->type->element};
  item->index.base = list;
  item->index.subscripts = ARENA_NEW(arena, struct expr *);
  item->index.subscripts[0] = index;
  item->index.count = 1;
  return item;
}

/* A list that is not written out (of a let, or [i in 1 .. 3 : 2^i]) is known by its value. */
static bool open_list(struct study_plan *plan, struct study_axis *axis, struct expr *list) {
  struct values_met met = {.plan = plan, .axis = axis, .groups.arena = &plan->psl->work};
  bool written = list->kind == EXPR_LIST;
  struct value value;
  if (!written && !constant(plan, list, &value)) return false;
  uint32_t count = written ? list->list.count : value.object->count;
  if (!count) return wrong(plan, list->span, "this list is empty");
  axis->items = ARENA_ARRAY(&plan->psl->loaded, struct expr *, count);
  axis->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct expr *item = written ? list->list.items[i] : item_of(plan, list, i);
    struct value own;
    bool known = written && quietly_known(plan, item, &own);
    add_item(&met, item, !written ? &value.object->items[i] : known ? &own : NULL);
  }
  return true;
}

/* The user's setting holds: an axis of one value. */
static bool open_set(struct study_plan *plan, struct study_axis *axis) {
  axis->tied = NULL;
  axis->items = ARENA_NEW(&plan->psl->handed, struct expr *);
  axis->items[0] = axis->set;
  return true;
}

/* Is a value of the axis the same at whatever point it is taken? */
static bool is_settled(const struct study_axis *axis) {
  bool settled = !axis->tied;
  for (uint64_t k = 0; axis->items && settled && k < axis->count; k++)
    settled = expr_settled(axis->items[k]);
  return settled;
}

static bool is_fixed(const struct study_axis *axis) {
  if (axis->set) return true;
  if (axis->tied) return is_plain(axis->tied);
  return axis->count == 1 && (!axis->items || is_plain(axis->items[0]));
}

const char *study_param_name(const struct study_plan *plan, const struct symbol *param) {
  if (map_get(&plan->shared_params, map_key(param->name), 0))
    return arena_printf(&plan->psl->handed, "%s.%s", param->file->name, param->name->text);
  return arena_copy(&plan->psl->handed, param->name->text, param->name->length);
}

/* 0 .. 1 of reals is walked as whole numbers are. */
static void note_coarse(struct study_plan *plan, const struct study_axis *axis, const struct vary *vary) {
  struct diagnostics *d = &plan->psl->diagnostics;
  if (axis->type->kind != TYPE_REAL || vary->step || axis->count > 2) return;
  struct text step = {.arena = &plan->psl->work};
  number_print(&step, (axis->high - axis->low) / 10, 6);
  diagnostic_add(d, SEVERITY_NOTE, vary->range->span, "this is %s, since the step is 1 where none is given",
                 axis->count > 1 ? "two points" : "one point");
  if (axis->high > axis->low)
    diagnostic_help(d, nowhere, "more points: %g .. %g by %s", axis->low, axis->high, step.data);
}

static bool add_axis(struct study_plan *plan, const struct vary *vary, enum study_role role, struct symbol *param) {
  struct study_axis axis = {
      .param = param, .bound = param->type, .span = vary->name.span, .tied = vary->tied, .count = 1, .role = role};
  axis.name = study_param_name(plan, param);
  axis.type = plain_type(&plan->psl->model.types, param->type);
  axis.geometric = vary->geometric;
  axis.place = UINT32_MAX;
  axis.set = param->setting;
  bool fine = axis.set                          ? open_set(plan, &axis)
              : vary->tied                      ? true
              : vary->range->kind == EXPR_RANGE ? open_range(plan, &axis, vary)
                                                : open_list(plan, &axis, vary->range);
  if (fine && !axis.set && !vary->tied && vary->range->kind == EXPR_RANGE) note_coarse(plan, &axis, vary);
  if (!axis.tied) axis.place = plan->free_count++;
  axis.fixed = fine && is_fixed(&axis);
  axis.settled = fine && is_settled(&axis);
  if (axis.count && plan->size > UINT64_MAX / axis.count / 2) plan->size = UINT64_MAX;
  if (plan->size != UINT64_MAX) plan->size *= axis.count;
  ARENA_PUSH(&plan->psl->handed, plan->axes, plan->axis_count, plan->axis_capacity, axis);
  return fine;
}

/* ---- items ---- */

static void add_items(struct study_plan *plan, enum study_item_kind kind, struct study_item ***list, uint32_t *count) {
  uint32_t capacity = 0;
  for (struct study_item *item = plan->study->decl->study.items; item; item = item->next)
    if (item->kind == kind) ARENA_PUSH(&plan->psl->handed, *list, *count, capacity, item);
}

static const struct symbol *group_param(const struct expr *expr) {
  return expr->kind == EXPR_NAME ? expr->name.symbol : expr->member.symbol;
}

/* What is optimised as people read it: a column that has another name for its condition, by that. */
static const char *objective_name(struct study_plan *plan, const struct study_goal *goal) {
  const char *column = plan->columns[goal->column].name, *name = goal->item->fields[0].name.name->text;
  if (!strcmp(name, column)) return column;
  struct text text = {.arena = &plan->psl->handed};
  text_printf(&text, "%s where ", name);
  expr_format(&text, goal->item->condition);
  return text.data;
}

static void add_objective(struct study_plan *plan, const struct study_goal *goal) {
  const struct study_item *item = goal->item;
  struct study_objective *objective = &plan->objectives[plan->objective_count++];
  if (!objective->by) objective->by = ARENA_ARRAY(&plan->psl->handed, uint32_t, item->group_count);
  *objective = (struct study_objective){.column = goal->column,
                                        .name = objective_name(plan, goal),
                                        .maximize = item->kind == STUDY_MAXIMIZE,
                                        .by = objective->by};
  for (uint32_t g = 0; g < item->group_count; g++)
    for (uint32_t a = 0; a < plan->axis_count; a++)
      if (plan->axes[a].param == group_param(item->groups[g])) objective->by[objective->by_count++] = a;
}

/* Of a network it stands behind it, of the mean that bodies record among the statistics. */
uint32_t study_half_of_result(const struct study_plan *plan, uint32_t place) {
  const struct model_result *figure = study_result(plan, place);
  bool mean = figure->kind == RESULT_RECORD && figure->part == STATISTIC_MEAN && !figure->end && !figure->instance;
  uint32_t count = study_result_count(plan);
  if (place + 1 < count && study_result(plan, place + 1)->half && !figure->half) return place + 1;
  for (uint32_t r = 0; mean && r < count; r++) {
    const struct model_result *other = study_result(plan, r);
    if (other->kind == RESULT_RECORD && other->part == STATISTIC_HALF_WIDTH && other->record == figure->record &&
        other->component == figure->component)
      return r;
  }
  return (uint32_t)STUDY_NONE;
}

/* NULL: it is no name alone. */
static const struct symbol *symbol_named(const struct expr *value) {
  return value->kind == EXPR_NAME ? value->name.symbol : value->kind == EXPR_MEMBER ? value->member.symbol : NULL;
}

/* Of a column that is such a figure, or such a column, alone. */
static uint32_t half_of(const struct study_plan *plan, const struct expr *value) {
  const struct model_study *study = plan->study;
  const struct symbol *symbol = symbol_named(value);
  for (uint32_t c = 0; symbol && c < study->column_count && c < plan->column_count; c++)
    if (study->columns[c].symbol == symbol) return plan->columns[c].half;
  for (uint32_t u = 0; symbol && u < study->use_count; u++)
    if (study->uses[u].symbol == symbol) return study_half_of_result(plan, study->uses[u].result);
  return (uint32_t)STUDY_NONE;
}

/* Does it name an end of an interval, or a column that does? */
static bool names_end(struct study_plan *plan, const struct expr *value) {
  const struct model_study *study = plan->study;
  uint32_t count = 0;
  struct symbol **ends =
      ARENA_ARRAY(&plan->psl->work, struct symbol *, study->use_count + study->end_count + study->column_count);
  for (uint32_t u = 0; u < study->use_count; u++)
    if (study->uses[u].end) ends[count++] = study->uses[u].symbol;
  for (uint32_t e = 0; e < study->end_count; e++)
    ends[count++] = study->ends[e].symbol;
  for (uint32_t c = 0; c < plan->column_count && c < study->column_count; c++)
    if (plan->columns[c].of_ends) ends[count++] = study->columns[c].symbol;
  return count && effects_reads(&plan->psl->work, value, ends, count);
}

/* Is it a column of the table, or what one of these is? */
static bool is_in_table(const struct study_plan *plan, const struct study_column *objective) {
  const struct symbol *symbol = symbol_named(objective->value);
  bool reports = false, varied = false, reported = false;
  for (uint32_t a = 0; symbol && a < plan->axis_count; a++)
    varied |= plan->axes[a].param == symbol;
  for (uint32_t c = 0; symbol && c < plan->column_count; c++) {
    if (plan->columns[c].kind != COLUMN_REPORT) continue;
    reports = true;
    reported |= plan->study->columns[c].symbol == symbol || symbol_named(plan->columns[c].value) == symbol;
  }
  return reported || (varied && reports);
}

static void add_columns(struct study_plan *plan) {
  const struct model_study *study = plan->study;
  plan->column_count = plan->objective_count = plan->plot_count = 0;
  for (uint32_t k = 0; k < study->column_count; k++) {
    const struct study_figure *figure = &study->columns[k];
    struct expr *value = figure->field->value;
    plan->columns[plan->column_count++] =
        (struct study_column){.kind = figure->reported ? COLUMN_REPORT : COLUMN_OBJECTIVE,
                              .name = figure->symbol->name->text,
                              .type = figure->symbol->type,
                              .value = value,
                              .condition = figure->item->condition,
                              .slot = figure->symbol->slot,
                              .half = half_of(plan, value),
                              .of_ends = names_end(plan, value)};
  }
  for (uint32_t c = 0; c < plan->column_count; c++)
    plan->columns[c].repeats = plan->columns[c].kind == COLUMN_OBJECTIVE && is_in_table(plan, &plan->columns[c]);
  for (uint32_t g = 0; g < study->goal_count; g++)
    add_objective(plan, &study->goals[g]);
}

bool study_is_optimised(const struct study_plan *plan, const struct study_column *column) {
  bool optimised = false;
  for (uint32_t o = 0; o < plan->objective_count; o++)
    optimised |= &plan->columns[plan->objectives[o].column] == column;
  return optimised;
}

/* The figure that an expression of a plot is: an axis, a column, or else a column of its own. */
static uint32_t figure_of(struct study_plan *plan, struct expr *expr) {
  const struct symbol *symbol = expr->kind == EXPR_NAME     ? expr->name.symbol
                                : expr->kind == EXPR_MEMBER ? expr->member.symbol /* FILE.PARAM */
                                                            : NULL;
  for (uint32_t a = 0; symbol && a < plan->axis_count; a++)
    if (plan->axes[a].param == symbol) return a;
  for (uint32_t c = 0; symbol && c < plan->study->column_count && c < plan->column_count; c++)
    if (symbol->kind == SYMBOL_LOCAL && plan->columns[c].slot == symbol->slot) return plan->axis_count + c;
  struct text text = {.arena = &plan->psl->handed};
  expr_format(&text, expr);
  for (uint32_t c = 0; expr->kind == EXPR_MEMBER && c < plan->column_count; c++) /* report disk.wait; plot disk.wait */
    if (!strcmp(plan->columns[c].name, text.data)) return plan->axis_count + c;
  plan->columns[plan->column_count] = (struct study_column){.kind = COLUMN_PLOT,
                                                            .name = text.data,
                                                            .type = expr->type,
                                                            .value = expr,
                                                            .slot = (uint32_t)STUDY_NONE,
                                                            .half = half_of(plan, expr),
                                                            .of_ends = names_end(plan, expr)};
  return plan->axis_count + plan->column_count++;
}

static const char *value_text(struct study_plan *plan, const struct study_column *column) {
  struct text text = {.arena = &plan->psl->work};
  expr_format(&text, column->value);
  return text.data ? text.data : "";
}

/* Is it the best of what the plot has a series of? */
static bool is_drawn(struct study_plan *plan, const struct study_plot *plot, uint32_t figure) {
  const struct study_column *column = figure < plan->axis_count ? NULL : &plan->columns[figure - plan->axis_count];
  bool drawn = false;
  for (uint32_t s = 0; column && column->kind == COLUMN_OBJECTIVE && s < plot->series_count; s++) {
    if (plot->series[s] < plan->axis_count) continue;
    const struct study_column *other = &plan->columns[plot->series[s] - plan->axis_count];
    const char *value = value_text(plan, column);
    drawn |= !strcmp(value, other->name) || !strcmp(value, value_text(plan, other));
  }
  return drawn;
}

static void add_plot(struct study_plan *plan, const struct study_item *item) {
  struct study_plot *plot = &plan->plots[plan->plot_count++];
  if (!plot->series) plot->series = ARENA_ARRAY(&plan->psl->handed, uint32_t, item->series_count);
  plot->series_count = 0;
  for (uint32_t s = 0; s < item->series_count; s++) {
    uint32_t figure = figure_of(plan, item->series[s]);
    if (!item->usual || !is_drawn(plan, plot, figure)) plot->series[plot->series_count++] = figure;
  }
  plot->against = figure_of(plan, item->against);
  plot->by = item->by ? figure_of(plan, item->by) : (uint32_t)STUDY_NONE;
  plot->apart = item->usual > 0;
  for (uint32_t o = 0; o < item->option_count; o++) {
    bool x = name_is(item->options[o].name->folded, KNOWN_LOG_X);
    plot->log_x |= x;
    plot->log_y |= !x;
  }
}

/* Columns, objectives and plots; again after the model was checked again. */
static void add_figures(struct study_plan *plan) {
  add_columns(plan);
  for (const struct study_item *item = plan->study->decl->study.items; item; item = item->next)
    if (item->kind == STUDY_PLOT) add_plot(plan, item);
}

static void make_room(struct study_plan *plan) {
  struct arena *arena = &plan->psl->handed;
  uint32_t figures = plan->study->column_count, plots = 0;
  for (const struct study_item *item = plan->study->decl->study.items; item; item = item->next) {
    if (item->kind != STUDY_PLOT) continue;
    figures += item->series_count + 2;
    plots++;
  }
  plan->columns = ARENA_ARRAY(arena, struct study_column, figures);
  plan->objectives = ARENA_ARRAY(arena, struct study_objective, plan->study->goal_count);
  plan->plots = ARENA_ARRAY(arena, struct study_plot, plots);
}

static bool read_settings(struct study_plan *plan, const struct psl_study_options *options) {
  struct study_item **settings = NULL;
  uint32_t count = 0;
  struct span span = nowhere;
  plan->repetitions = options->repetitions ? options->repetitions : 1;
  plan->seed = options->run.seed;
  add_items(plan, STUDY_SETTING, &settings, &count);
  for (uint32_t i = 0; i < count; i++) {
    const struct field *field = &settings[i]->fields[0];
    bool seed = name_is(field->name.name, KNOWN_SEED);
    struct value value;
    if (!constant(plan, field->value, &value)) return false;
    if (value.integer < !seed)
      return wrong(plan, field->value->span, seed ? "a seed is 0 or more" : "repetitions are 1 or more");
    if (seed && !options->seeded) plan->seed = (uint64_t)value.integer;
    if (!seed && !options->repetitions) plan->repetitions = (uint64_t)value.integer;
    span = field->value->span;
  }
  if (plan->seed <= INT64_MAX && plan->repetitions - 1 <= INT64_MAX - plan->seed) return true;
  return wrong(plan, span,
               arena_printf(&plan->psl->work, "%llu repetitions take the seeds from %llu on, and the greatest is %lld",
                            (unsigned long long)plan->repetitions, (unsigned long long)plan->seed,
                            (long long)INT64_MAX));
}

/* Files and databases have NAME.low and NAME.high behind a column with intervals. */
static bool refuse_end_names(struct study_plan *plan) {
  struct diagnostics *d = &plan->psl->diagnostics;
  struct arena *arena = &plan->psl->work;
  bool fine = true;
  for (uint32_t c = 0; c < plan->column_count; c++) {
    const struct study_column *column = &plan->columns[c];
    const char *low = arena_printf(arena, "%s.low", column->name), *high = arena_printf(arena, "%s.high", column->name);
    for (uint32_t e = 0; study_has_interval(plan, column) && e < plan->study->column_count; e++) {
      const char *name = plan->columns[e].name;
      if (strcasecmp(name, low) != 0 && strcasecmp(name, high) != 0) continue;
      diagnostic_add(
          d, SEVERITY_ERROR, plan->columns[e].value->span,
          "a column cannot be called '%s': '%s' has the ends of its interval beside it, by the names '%s' and "
          "'%s'",
          name, column->name, low, high);
      diagnostic_help(d, nowhere, "leave it out, or give it a name of its own: %s = %s",
                      strcasecmp(name, low) ? "upper" : "lower", name);
      fine = false;
    }
  }
  return fine;
}

/* What stands in the plan by pointers into the checked model. */
static bool open_plan(struct study_plan *plan, const struct psl_study_options *options) {
  const struct model_study *study = plan->study;
  bool fine = true;
  uint32_t v = 0;
  plan->size = 1;
  for (struct study_item *item = study->decl->study.items; item; item = item->next)
    for (uint32_t i = 0; item->kind == STUDY_VARY && i < item->vary_count; i++)
      fine &= add_axis(plan, &item->varies[i], item->role, study->varied[v++]);
  make_room(plan);
  add_figures(plan);
  add_items(plan, STUDY_WHERE, &plan->wheres, &plan->where_count);
  add_items(plan, STUDY_ASSERT, &plan->asserts, &plan->assert_count);
  plan->system = study->system->symbol->name->text;
  plan->locals = ARENA_ARRAY(&plan->psl->handed, struct value, plan->psl->model.slot_max + 1);
  return read_settings(plan, options) && fine && refuse_end_names(plan);
}

bool study_bind(struct study_plan *plan) {
  struct psl *psl = plan->psl;
  bool again = psl->model.loading->stale;
  bool fine = model_bind(&psl->model);
  for (uint32_t a = 0; again && a < plan->axis_count; a++)
    plan->axes[a].param = model_param(&psl->model, plan->axes[a].name);
  if (!again || psl->model.loading->stale) return fine;
  struct model_study *study = NULL;
  for (uint32_t i = 0; i < psl->model.study_count; i++)
    if (psl->model.studies[i]->decl == plan->study->decl) study = psl->model.studies[i];
  plan->study = study ? study : model_study_add(&psl->model, plan->study->decl);
  if (!plan->study) return false;
  add_figures(plan);
  plan->locals = ARENA_ARRAY(&psl->handed, struct value, psl->model.slot_max + 1);
  return fine;
}

/* The study with the caller's axes in it, checked. */
static struct model_study *make_study(struct psl *psl, struct model_study *study, const char *name,
                                      const struct psl_study_options *options) {
  struct vary *given = ARENA_ARRAY(&psl->loaded, struct vary, options->vary_count);
  struct symbol **params = ARENA_ARRAY(&psl->work, struct symbol *, options->vary_count);
  struct decl *decl = study ? study->decl : NULL;
  for (size_t g = 0; g < options->vary_count; g++) {
    if (!read_vary(psl, &options->vary[g], &given[g])) return NULL;
    params[g] = model_param(&psl->model, options->vary[g].param);
    for (size_t before = 0; before < g; before++)
      if (params[before] == params[g]) {
        diagnostic_misuse(&psl->diagnostics, "param '%s' is varied twice", params[g]->name->text);
        diagnostic_help(&psl->diagnostics, nowhere, "all its values stand in one: --vary %s=A,B,...",
                        options->vary[g].param);
        return NULL;
      }
  }
  if (!decl) {
    const struct model_component *system = handle_system(psl, name);
    if (!system) return NULL;
    decl = parse_study(psl, "study", arena_printf(&psl->work, "study runs of %s {}", system->symbol->name->text));
  }
  const struct study_item *asked = NULL;
  if (options->item_count && !(decl = with_items(psl, decl, options, &asked))) return NULL;
  if (!(decl = with_report(psl, decl, options->repetitions > 1))) return NULL;
  if (options->vary_count) decl = with_axes(psl, decl, given, params, options->vary_count);
  bool drawn = options->plot.format != PSL_PLOT_NONE;
  uint32_t usual = 0;
  const char *what = drawn ? options->plot.what : NULL;
  if (!what && (drawn || options->database) && !has_plots(decl)) { /* which a page of it draws, too */
    what = usual_plot(psl, decl, asked, &usual);
    if (!what && drawn) {
      diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, nowhere, "there is nothing to plot: no param is varied");
      diagnostic_help(&psl->diagnostics, nowhere,
                      "--vary PARAM=LOW..HIGH varies one; what a run does over its time draws 'psl run --plot'");
      return NULL;
    }
  }
  if (what && !(decl = with_plot(psl, decl, what, usual))) return NULL;
  if (study && decl == study->decl) return study;
  return model_study_add(&psl->model, decl);
}

/* A study that nobody named has axes of its own beside those that were given: it is said which. */
static void note_axes(struct psl *psl, const struct model_study *declared, const struct psl_study_options *options) {
  struct text others = {.arena = &psl->work};
  uint32_t v = 0;
  for (const struct study_item *item = declared->decl->study.items; item; item = item->next)
    for (uint32_t i = 0; item->kind == STUDY_VARY && i < item->vary_count; i++) {
      const struct symbol *param = declared->varied[v++];
      bool given = !options->vary_count || item->varies[i].tied; /* what is tied follows another one */
      for (size_t g = 0; g < options->vary_count; g++)
        given |= model_param(&psl->model, options->vary[g].param) == param;
      if (!given) text_printf(&others, "%s%s", others.size ? ", " : "", param->name->text);
    }
  if (!others.size) return;
  diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, (struct span){0, 0}, "study '%s' varies more than --vary says: %s",
                 declared->decl->name.name->text, others.data);
  diagnostic_help(&psl->diagnostics, (struct span){0, 0}, "name the system, '%s', to vary what --vary says alone",
                  declared->system->symbol->name->text);
}

/* What no axis reaches is the same at all points, and so is what is wrong with it. */
static bool bind_beside_axes(struct study_plan *plan) {
  struct arena *arena = &plan->psl->work;
  struct symbol **params = ARENA_ARRAY(arena, struct symbol *, plan->axis_count);
  for (uint32_t a = 0; a < plan->axis_count; a++)
    params[a] = plan->axes[a].param;
  return model_bind_beside(&plan->psl->model, arena, params, plan->axis_count);
}

struct study_plan *study_plan_make(struct psl *psl, const char *name, const struct psl_study_options *options) {
  bool fine;
  if (!model_refresh(&psl->model)) return NULL;
  struct model_study *declared = study_declared(psl, name, &fine);
  if (!fine) return NULL;
  struct model_study *study = make_study(psl, declared, name, options);
  if (!study) return NULL;
  struct study_plan *plan = ARENA_NEW(&psl->handed, struct study_plan);
  *plan = (struct study_plan){.psl = psl,
                              .study = study,
                              .run = options->run,
                              .keeps = options->database != NULL,
                              .jobs = options->jobs,
                              .ranks = options->ranks};
  plan->name = options->name ? options->name : declared ? declared->decl->name.name->text : NULL;
  plan->usual = !asks_columns(options) && !(declared && says_columns(declared->decl));
  if (declared && !name) note_axes(psl, declared, options);
  plan->shared_params = model_shared_params(&psl->model, &psl->handed);
  fine = open_plan(plan, options) && bind_beside_axes(plan);
  diagnostic_flush(&psl->diagnostics);
  return fine ? plan : NULL;
}
