/* What was derived as functions of PSL, which a model uses as any others.  Called by interp/library/derived.c. */
#include "interp/check/check.h"
#include "interp/derive/derive.h"

#include <string.h>

static bool reads_index(const struct derived *item, const struct poly *a, uint32_t k) {
  return item->indices && poly_reads(a, item->indices[k]);
}

static void put_type(struct text *out, const struct derivation *d, bool whole, struct dimension dimension) {
  if (whole)
    text_put(out, "int");
  else if (dimension_none(dimension))
    text_put(out, "real");
  else
    dimension_print(out, &d->graph->model->types, dimension);
}

/* With types and defaults, or their names alone. */
static void put_parameters(struct text *out, struct derivation *d, const struct derived *item, bool each,
                           const struct poly *a, bool declared) {
  const struct model *model = d->graph->model;
  bool any = false;
  for (uint32_t k = 0; k < item->index_count; k++)
    if (reads_index(item, a, k)) {
      text_printf(out, "%s%s%s", any ? ", " : "", item->accept->component->indices[k]->name->text,
                  declared ? " : int" : "");
      any = true;
    }
  for (uint32_t k = 0; k < item->formal_count; k++) {
    if (!poly_reads(a, item->formals[k])) continue;
    text_printf(out, "%s%s%s", any ? ", " : "", item->formals[k]->name, declared ? " : " : "");
    any = true;
    if (declared) put_type(out, d, item->formals[k]->whole, item->formals[k]->dimension);
  }
  for (uint32_t k = 0; each && k < item->around_count; k++) {
    const struct atom *variable = item->around[k]->terms[0].factors[0].atom;
    if (!poly_reads(a, variable)) continue;
    text_printf(out, "%s%s%s", any ? ", " : "", variable->name, declared ? " : int" : "");
    any = true;
  }
  for (uint32_t k = 0; k < d->param_count; k++) {
    struct symbol *symbol = (struct symbol *)d->params[k];
    struct expr name = {.kind = EXPR_NAME, .type = symbol->type, .name = {symbol->name, symbol}};
    struct value value;
    if (!poly_reads(a, d->atoms[k])) continue;
    text_printf(out, "%s%s%s", any ? ", " : "", symbol->name->text, declared ? " : " : "");
    any = true;
    if (!declared) continue;
    put_type(out, d, symbol->type->kind == TYPE_INT, type_dimension(symbol->type));
    if (!resolver_quietly(d->graph->resolver, &name, NULL, &value) || value.kind == VALUE_RANGE) continue;
    text_put(out, " = ");
    value_print(out, &model->types, model->names, symbol->type, value, 0);
  }
}

/* The sum of the functions of all parts, each of whose parameters is one of this function's. */
static void put_calls(const struct derived_report *report, struct text *out, const struct derived *item, bool each,
                      const struct costs *costs, const char *name) {
  bool any = false;
  for (int k = 0; k < COST_PARTS; k++) {
    if (!costs->part[k]->count) continue;
    text_printf(out, "%s%s-%s(", any ? " + " : "", name, part_words[k].name);
    put_parameters(out, report->derivation, item, each, costs->part[k], false);
    text_put(out, ")");
    any = true;
  }
}

/* `parts`: the beginning of the names of those that it is the sum of; NULL: it is none. */
static void put_function(const struct derived_report *report, struct text *out, const struct derived *item,
                         const struct costs *costs, bool each, const char *name, const char *what, const struct poly *a,
                         const char *parts) {
  bool time = strcmp(name + strlen(name) - 6, "-times");
  struct derivation *d = report->derivation;
  const struct types *types = &d->graph->model->types;
  text_printf(out, "/// %s of %s%s%s.\n", what, item->name, item->where ? ", where " : "",
              item->where ? item->where : "");
  text_printf(out, "function %s(", name);
  put_parameters(out, d, item, each, a, true);
  text_printf(out, ") -> %s =\n  ", time ? "time" : "real");
  if (parts)
    put_calls(report, out, item, each, costs, parts);
  else
    poly_write(out, &d->al, a, NOTATION_PSL, time ? type_dimension(types->time) : (struct dimension){{0}});
  text_put(out, ";\n");
}

static void put_functions(const struct derived_report *report, struct text *out, const struct derived *item,
                          const struct costs *costs, bool each, const char *name, const char *behind) {
  struct derivation *d = report->derivation;
  struct derived_lines lines = {.costs = costs};
  while (derived_lines_next(&lines, &d->al)) {
    bool all = lines.part == COST_PARTS;
    const char *function = arena_printf(report->arena, "%s-%s", name, all ? "time" : part_words[lines.part].name);
    const char *what =
        all ? "All time of its own" : arena_printf(report->arena, "Time for %s", part_words[lines.part].text);
    put_function(report, out, item, costs, each, function, arena_printf(report->arena, "%s%s", what, behind),
                 lines.poly, all && lines.shown ? name : NULL);
  }
}

/* A comment, on as many lines as it takes. */
static void put_comment(struct text *out, const char *words) {
  enum { WIDTH = 110 };
  size_t used = 0;
  while (*words) {
    size_t length = strcspn(words, " ");
    if (used && used + 1 + length > WIDTH) {
      text_char(out, '\n');
      used = 0;
    }
    text_printf(out, used ? " " : "/// ");
    text_put_n(out, words, length);
    used += length + 1;
    words += length + strspn(words + length, " ");
  }
  text_char(out, '\n');
}

static bool has_unit(const struct derivation *d, uint32_t dimension) {
  for (uint32_t k = 0; k < d->param_count; k++)
    if (d->atoms[k]->dimension.power[dimension]) return true;
  return false;
}

/* Where the unit of a dimension is declared, the file of the library, or the model's own; NULL: it is built in. */
static const struct source *declared_in(const struct model *model, const struct name *unit) {
  for (uint32_t f = 0; f < model->file_count; f++)
    for (const struct decl *decl = model->files[f]->decls; decl; decl = decl->next)
      if (decl->kind == DECL_UNIT && !decl->value.value && decl->name.name == unit) return model->files[f]->source;
  return NULL;
}

/* Units of parameters' types are those of the library, or declared as the model does. */
static void put_units(struct text *out, const struct derivation *d) {
  const struct model *model = d->graph->model;
  for (uint32_t p = DIMENSION_DATA + 1; p < model->types.dimension_count; p++) {
    const struct name *unit = model->types.base_units[p];
    const struct source *source = has_unit(d, p) ? declared_in(model, unit) : NULL;
    if (source && !model_in_library(model, source)) text_printf(out, "unit %s;\n", unit->text);
  }
  for (uint32_t p = DIMENSION_DATA + 1; p < model->types.dimension_count; p++) {
    const struct source *source = has_unit(d, p) ? declared_in(model, model->types.base_units[p]) : NULL;
    if (!source || !model_in_library(model, source)) continue;
    text_printf(out, "use %s;\n", source->name);
    return; /* they stand in one file */
  }
}

/* The component's name, with the transaction where it has several bodies, and with a number where that is the same. */
static const char *function_name(const struct derived_report *report, uint32_t at) {
  const struct derivation *d = report->derivation;
  const struct model_accept *accept = d->items[at]->accept;
  uint32_t bodies = 0, alike = 0, before = 0;
  for (uint32_t k = 0; k < d->count; k++) {
    const struct model_accept *other = d->items[k]->accept;
    if (other->component->symbol->name != accept->component->symbol->name) continue;
    bodies++;
    alike += other->transaction == accept->transaction;
    before += other->transaction == accept->transaction && k < at;
  }
  const char *name = accept->component->symbol->name->text;
  if (bodies > 1) name = arena_printf(report->arena, "%s-%s", name, accept->transaction->symbol->name->text);
  return alike > 1 ? arena_printf(report->arena, "%s%u", name, before + 1) : name;
}

void derived_psl(struct output *out, const struct derived_report *report) {
  struct derivation *d = report->derivation;
  struct text *text = &out->text;
  put_comment(text,
              arena_printf(report->arena,
                           "What processes of %s spend their own time for, without waiting for others: by psl derive.",
                           report->model));
  for (uint32_t k = 0; k < d->count; k++)
    for (uint32_t n = 0; n < d->items[k]->note_count; n++)
      if (d->items[k]->notes[n].left_out)
        put_comment(text, arena_printf(report->arena, "Left out: %s: %s",
                                       place_text(d->graph->resolver, d->items[k]->notes[n].span),
                                       d->items[k]->notes[n].text));
  put_units(text, d);
  text_char(text, '\n');
  bool line = d->section && strspn(d->section, "0123456789") == strlen(d->section);
  for (uint32_t k = 0; k < d->count; k++) {
    const struct derived *item = d->items[k];
    const char *name = function_name(report, k);
    if (d->section) name = arena_printf(report->arena, "%s-%s%s", name, line ? "line" : "", d->section);
    bool once = item->costs.times == d->al.one; /* all times together are the same */
    if (d->section && item->each.times && item->each.part[0] && !once)
      put_functions(report, text, item, &item->each, true, arena_printf(report->arena, "%s-once", name), ", once,");
    if (d->section)
      put_function(report, text, item, &item->costs, false, arena_printf(report->arena, "%s-times", name),
                   "How often it is executed, by an instance", item->costs.times, NULL);
    put_functions(report, text, item, &item->costs, false, name, "");
    if (item->whole)
      put_function(report, text, item, &item->costs, false, arena_printf(report->arena, "%s-whole", name),
                   derived_phases_exact(d) ? "Time of the run: its phases, one after the other,"
                                           : "Time of the run at least: its phases, one after the other,",
                   item->whole, NULL);
  }
}
