/* Values of params: `--set`, defaults, ranges, and the assertions of the model. A setting that makes a param
 * a range where it was a number changes the types of what uses it: then the model is checked again. */
#include "interp/check/checker.h"
#include "interp/check/load.h"
#include "grammar/habits.h"
#include "interp/evaluate/evaluate.h"
#include "interp/evaluate/memo.h"
#include "interp/evaluate/reached.h"

#include <ctype.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

/* ---- which param ---- */

/* In a file of settings it has a place. */
static void refuse_name(struct model *m, const char *text) {
  if (m->loading->setting_name.end)
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, m->loading->setting_name, "%s", text);
  else
    diagnostic_misuse(m->diagnostics, "%s", text);
}

/* The words of an attribute are joined by blanks or hyphens, and are the same in any case. */
static bool same_words(const char *a, const char *b) {
  for (; *a && *b; a++, b++) {
    bool joint = strchr(" -_", *a) && strchr(" -_", *b);
    if (!joint && tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
  }
  return *a == *b;
}

static const struct model_profile *attribute_of(const struct model_component *component, const char *words) {
  for (uint32_t a = 0; a < component->accept_count; a++)
    for (uint32_t p = 0; p < component->accepts[a]->profile_count; p++)
      if (same_words(component->accepts[a]->profile[p].attribute->text, words))
        return &component->accepts[a]->profile[p];
  return NULL;
}

/* A value of its own that a component has, and --set gives to params of the model alone. */
struct own_value {
  const char *word, *name; /* `profile ` or `param `, and what it is called */
  const struct type *type;
  const struct expr *value; /* NULL: none */
};

/* A clause of an accept that has a value, by its words. */
static const struct expr *clause_of(const struct model_component *component, const char *words, const char **name) {
  static const char *const names[] = {"servers", "quantum", "rates"};
  for (uint32_t a = 0; a < component->accept_count; a++) {
    const struct model_accept *accept = component->accepts[a];
    const struct expr *values[] = {accept->servers, accept->quantum, accept->rates};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      *name = names[k];
      if (values[k] && same_words(names[k], words)) return values[k];
    }
  }
  return NULL;
}

/* How it comes to follow a param of the model. */
static void help_own(struct model *m, const struct model_component *component, struct own_value own) {
  const char *base = component->symbol->name->text;
  char *words = arena_copy(m->arena, own.name, strlen(own.name));
  struct text type = {.arena = m->arena}, value = {.arena = m->arena};
  for (char *at = words; (at = strchr(at, ' '));)
    *at = '-';
  if (own.type && own.type->kind != TYPE_ERROR && own.type->kind != TYPE_ANY) {
    text_put(&type, " : ");
    type_print(&type, &m->types, own.type);
  }
  if (own.value) expr_format(&value, own.value);
  const char *param = arena_printf(m->arena, "%s-%s", base, words);
  bool here = model_owns(m, component->symbol->file);
  diagnostic_help(m->diagnostics, (struct span){0, 0},
                  "write '%s%s = %s;' in %s, and 'param %s%s = %s;' outside of it: "
                  "then --set %s=... sets it, and --vary varies it",
                  own.word, own.name, param,
                  here ? arena_printf(m->arena, "component %s", base)
                       : arena_printf(m->arena, "'component NAME like %s { ... }'", base),
                  param, type.data ? type.data : "", value.data ? value.data : "...", param);
}

/* What belongs to a component has a value a component, not one. */
static bool is_of_component(struct model *m, const struct model_component *component, const char *last) {
  const struct model_profile *attribute = attribute_of(component, last);
  const char *base = component->symbol->name->text;
  for (uint32_t i = 0; i < component->instance_count; i++) {
    const struct symbol *own = component->instances[i];
    if (own->decl->kind != DECL_PARAM || strcmp(own->name->text, last)) continue;
    refuse_name(m, arena_printf(m->arena, "'%s.%s' is a param of component %s, not of the model", base, last, base));
    diagnostic_note(m->diagnostics, own->span, "declared here");
    help_own(m, component, (struct own_value){"param ", own->name->text, own->type, own->instance.value});
    return true;
  }
  const char *clause;
  const struct expr *value = attribute ? NULL : clause_of(component, last, &clause);
  if (value) {
    refuse_name(m, arena_printf(m->arena, "'%s' of component %s is a clause of an accept, not a param of the model",
                                clause, base));
    diagnostic_note(m->diagnostics, value->span, "given here");
    help_own(m, component, (struct own_value){"", clause, value->type, value});
    return true;
  }
  if (!attribute) return false;
  const char *shown = attribute->attribute->text;
  refuse_name(m, arena_printf(m->arena, "'%s' of component %s is an attribute, not a param of the model", shown, base));
  diagnostic_note(m->diagnostics, attribute->span, "given here");
  help_own(m, component, (struct own_value){"profile ", shown, attribute->type, attribute->value});
  return true;
}

/* COMPONENT.NAME, or the name alone, of a component of the model's own files. */
static bool is_of_some_component(struct model *m, const char *name, const char *point) {
  const char *base = point ? arena_copy(m->arena, name, (size_t)(point - name)) : NULL;
  const struct symbol *symbol =
      point ? table_first(m->loading->checker, SPACE_COMPONENT, name_of(m->names, base)) : NULL;
  if (point) return symbol && is_of_component(m, symbol->component, point + 1);
  for (uint32_t i = 0; i < m->component_count; i++)
    if (model_owns(m, m->components[i]->symbol->file) && is_of_component(m, m->components[i], name)) return true;
  return false;
}

enum { PARAMS_LISTED = 12 };

/* Those of the model's own files first, as far as a line holds. */
static void list_params(struct model *m) {
  struct text text = {.arena = m->arena};
  uint32_t listed = 0;
  for (int own = 1; own >= 0; own--)
    for (uint32_t i = 0; i < m->param_count && listed < PARAMS_LISTED; i++)
      if (model_owns(m, m->params[i]->file) == own)
        text_printf(&text, "%s%s", listed++ ? ", " : "", m->params[i]->name->text);
  if (!listed)
    diagnostic_help(m->diagnostics, (struct span){0, 0}, "the model has no params");
  else if (listed == m->param_count)
    diagnostic_help(m->diagnostics, (struct span){0, 0}, "its params: %s", text.data);
  else
    diagnostic_help(m->diagnostics, (struct span){0, 0}, "among its %u params, which 'psl params' lists: %s",
                    m->param_count, text.data);
}

/* How fast a traced or running program computes is asked for by the names of what processors do. */
static bool is_speed(const struct model *m, const char *name) {
  static const char *const words[] = {"rate",  "flops",      "flop-rate", "float-rate", "gflops", "Gflops",
                                      "power", "clock-rate", "frequency", "cpu-speed",  "cpu",    "host-speed"};
  bool replayed = false, asked = !strcmp(name, "float rate"); /* as the attribute of machines is called */
  for (uint32_t i = 0; i < m->param_count; i++)
    replayed |= source_is(source_place(m->sources, m->params[i]->span.begin).source, "stdlib/program.psl");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    asked |= !strcmp(words[i], name);
  return replayed && asked;
}

/* What other simulators call figures, by the file of the library that has them here. */
static bool of_library(struct model *m, const char *name) {
  static const struct {
    const char *file;
    enum habit_place place;
  } figures[] = {{"stdlib/dimemas.psl", HABIT_DIMEMAS},
                 {"stdlib/loggops.psl", HABIT_LOGGOPS},
                 {"stdlib/message-cost.psl", HABIT_MACHINE}};
  static const char *const words[] = {"latency", "bandwidth", "overhead"};
  const char *near = misspelt_name(name, words, sizeof words / sizeof *words);
  if (near) name = near;
  for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
    const char *help = habit_help(figures[f].place, name, strlen(name));
    for (uint32_t i = 0; help && i < m->param_count; i++) {
      if (!source_is(m->params[i]->file, figures[f].file)) continue;
      diagnostic_help(m->diagnostics, (struct span){0, 0}, "%s", help);
      return true;
    }
  }
  return false;
}

/* `sizes[0]` and `sizes.0`, of a param that is a list. */
static bool of_list(struct model *m, const char *name) {
  size_t length = strcspn(name, "[(.");
  for (uint32_t i = 0; name[length] && i < m->param_count; i++) {
    const struct symbol *param = m->params[i];
    if (strlen(param->name->text) != length || strncmp(param->name->text, name, length) != 0) continue;
    if (!param->type || param->type->kind != TYPE_LIST) continue;
    diagnostic_help(m->diagnostics, (struct span){0, 0}, "a list is given as a whole: %s=[...]", param->name->text);
    return true;
  }
  return false;
}

static void unknown_param(struct model *m, const char *name) {
  const char **words = NULL;
  uint32_t count = 0, capacity = 0;
  const char *point = strrchr(name, '.');
  if (is_of_some_component(m, name, point)) return;
  refuse_name(m, arena_printf(m->arena, "unknown param '%s'", name));
  if (of_library(m, name) || of_list(m, name)) return;
  if (is_speed(m, name)) {
    diagnostic_help(m->diagnostics, (struct span){0, 0},
                    "speed=2 computes twice as fast; flops take what the machine's 'float rate' says: machine=NAME, or "
                    "a machine of your own by --model FILE");
    return;
  }
  for (uint32_t i = 0; i < m->param_count; i++) {
    const struct symbol *param = m->params[i];
    const char *word =
        point ? arena_printf(m->arena, "%s.%s", param->file->name, param->name->text) : param->name->text;
    ARENA_PUSH(m->arena, words, count, capacity, word);
  }
  const char *near = nearest_name(name, words, count);
  if (near) {
    diagnostic_help(m->diagnostics, (struct span){0, 0}, "did you mean '%s'?", near);
    return;
  }
  check_habit_of(m->loading->checker, HABIT_PARAM, name, &(struct words_list){0}); /* of a component */
  list_params(m);
}

/* A let, function or component of the name is no param: better said than "unknown". */
static bool other_kind(struct model *m, const char *name) {
  const struct name *interned = name_of(m->names, name);
  struct symbol *symbol = table_first(m->loading->checker, SPACE_VALUE, interned);
  if (!symbol) return false;
  const char *kind = symbol->kind == SYMBOL_LET ? "let" : "function";
  refuse_name(m, arena_printf(m->arena, "'%s' is a %s, not a param", name, kind));
  diagnostic_note(m->diagnostics, symbol->span, "declared here");
  of_library(m, name);
  return true;
}

static struct symbol *find_param(struct model *m, const char *name) {
  const char *point = strrchr(name, '.');
  const char *last = point ? point + 1 : name;
  struct symbol *found = NULL, *own = NULL, *other = NULL;
  for (uint32_t i = 0; i < m->param_count; i++) {
    struct symbol *param = m->params[i];
    if (strcmp(param->name->text, last)) continue;
    size_t length = point ? (size_t)(point - name) : 0;
    if (point && (strlen(param->file->name) != length || memcmp(param->file->name, name, length))) continue;
    if (model_owns(m, param->file)) own = param;
    if (!found)
      found = param;
    else
      other = param;
  }
  if (other && !own) {
    refuse_name(m, arena_printf(m->arena, "param '%s' is defined in more than one file", name));
    diagnostic_note(m->diagnostics, found->span, "defined here");
    diagnostic_note(m->diagnostics, other->span, "and here");
    diagnostic_help(m->diagnostics, (struct span){0, 0}, "say which: %s.%s or %s.%s", found->file->name, last,
                    other->file->name, last);
    return NULL;
  }
  if (!found && !other_kind(m, name)) unknown_param(m, name);
  return own ? own : found;
}

struct symbol *model_param(struct model *model, const char *name) {
  struct symbol *param = find_param(model, name);
  diagnostic_flush(model->diagnostics);
  return param;
}

/* ---- settings ---- */

static bool is_varied(const struct model *m) { return !strcmp(m->loading->options.setting_name, "--vary"); }

/* `1,2,3`, `(1,2,3)`, `{1;2;3}`: what is given to a list by the signs of other languages, as it is written here; NULL:
 * it is something else. */
static const char *list_meant(struct arena *arena, const char *text) {
  size_t from = strspn(text, " \t"), end = strlen(text);
  while (end > from && strchr(" \t", text[end - 1]))
    end--;
  bool enclosed =
      end - from > 1 && ((text[from] == '(' && text[end - 1] == ')') || (text[from] == '{' && text[end - 1] == '}'));
  char *items = arena_copy(arena, text + from + enclosed, end - from - (enclosed ? 2 : 0));
  if (!strpbrk(items, ",;") || strpbrk(items, "()[]{}\"=")) return NULL;
  for (char *at = items; *at; at++)
    if (*at == ';') *at = ',';
  return arena_printf(arena, "[%s]", items);
}

/* A list without its brackets is refused before it is read. */
static bool refuse_items(struct model *m, const char *name, const struct symbol *param, const struct source *source) {
  const struct type *type = param->type;
  bool list = type && type->kind == TYPE_LIST && type->element->kind != TYPE_LIST;
  const char *meant = list ? list_meant(m->arena, source->text) : NULL;
  if (!meant) return false;
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, (struct span){source->base, source->base + (uint32_t)source->size},
                 "param '%s' is a list, which stands in brackets", name);
  diagnostic_help(m->diagnostics, (struct span){0, 0}, "it is written: %s", meant);
  return true;
}

static bool set(struct model *m, const char *name, const struct source *source) {
  struct checker *c = m->loading->checker;
  struct symbol *param = source ? find_param(m, name) : NULL;
  if (!source)
    diagnostic_add(m->diagnostics, SEVERITY_ERROR, (struct span){0, 0}, "the setting of '%s' is too large", name);
  if (!param || refuse_items(m, name, param, source)) return false;
  unsigned errors = m->diagnostics->errors;
  struct expr *expr = parse_expression(m->arena, m->names, m->diagnostics, source);
  if (!expr || m->diagnostics->errors != errors) return false;
  uint32_t slots = 0;
  struct context x = {.slots = &slots, .draws = "a param"};
  const struct type_expr *written = param->decl->value.type;
  const struct type *declared = written ? type_check(c, written) : type_plain(&c->model->types, param->type);
  c->reported = (struct map){0}; /* the same mistake again is said again */
  c->wanted_like = param->decl->value.value;
  const struct type *type = expr_check_as(c, &x, expr, declared, arena_printf(m->arena, "param '%s'", name));
  c->wanted_like = NULL;
  if (m->diagnostics->errors != errors) {
    bool unknown = expr->kind == EXPR_NAME;
    if (unknown || !type_conforms(expr->type, declared)) check_note(c, param->span, "declared here");
    if (expr->kind == EXPR_LIST && is_varied(m))
      diagnostic_help(m->diagnostics, (struct span){0, 0}, "values to vary stand without brackets: --vary %s=A,B",
                      name);
    return false;
  }
  if (type != param->type) m->loading->stale = true;
  param->setting = expr;
  param->was_set = true;
  model_forget(m);
  return true;
}

bool model_set(struct model *model, const char *name, const char *expression) {
  const char *path = arena_printf(model->arena, "%s %s", model->loading->options.setting_name, name);
  bool fine = set(model, name, source_add(model->sources, path, expression, strlen(expression)));
  diagnostic_flush(model->diagnostics);
  return fine;
}

/* The name and the value stand in sources of their own, at their places in the line. */
bool model_set_line(struct model *model, const struct setting_line *line) {
  struct text name = {.arena = model->arena}, value = {.arena = model->arena};
  size_t behind = line->value;
  text_put_n(&name, line->text, behind - 1);
  for (size_t i = 0; i < behind; i++)
    text_char(&value, ' ');
  text_put(&value, line->text + behind);
  struct source *named = source_add(model->sources, line->file, line->text, strlen(line->text));
  struct source *given = source_add(model->sources, line->file, value.data, value.size);
  size_t from = strspn(name.data, " \t"), end = behind - 1;
  while (end > from && strchr(" \t", name.data[end - 1]))
    end--;
  for (int i = 0; named && given && i < 2; i++) {
    struct source *made = i ? given : named;
    made->lines_before = line->number - 1;
    made->given = true;
  }
  if (named) model->loading->setting_name = (struct span){named->base + (uint32_t)from, named->base + (uint32_t)end};
  bool fine = set(model, arena_copy(model->arena, name.data + from, end - from), named ? given : NULL);
  diagnostic_flush(model->diagnostics);
  model->loading->setting_name = (struct span){0, 0};
  return fine;
}

bool model_unset(struct model *model, const char *name) {
  struct symbol *param = model_param(model, name);
  if (!param) return false;
  const struct expr *setting = param->setting;
  param->setting = NULL;
  param->was_set = false;
  if (setting && setting->type != value_expr(param)->type) model->loading->stale = true;
  model_forget(model);
  return true;
}

/* ---- binding ---- */

struct shown {
  struct arena *arena;
  struct symbol **items;
  uint32_t count, capacity;
};

/* The params and lets that an expression names, itself or by what belongs to a component. */
static void collect(void *user, struct symbol *symbol) {
  struct shown *out = user;
  if (symbol->kind == SYMBOL_INSTANCE) expr_symbols(symbol->instance.value, collect, out);
  if (symbol->kind != SYMBOL_PARAM && symbol->kind != SYMBOL_LET) return;
  for (uint32_t i = 0; i < out->count; i++)
    if (out->items[i] == symbol) return;
  ARENA_PUSH(out->arena, out->items, out->count, out->capacity, symbol);
}

/* A number of percents, or some of them, as parts of one: 0.95 for 95. */
static struct value part_of(struct arena *arena, struct value value) {
  if (value.kind == VALUE_INT) return value_real((double)value.integer / 100);
  if (value.kind == VALUE_REAL) return value_real(value.real / 100);
  if (value.kind != VALUE_LIST) return value;
  struct value list = value_object(arena, VALUE_LIST, value.object->count);
  for (uint32_t i = 0; i < value.object->count; i++)
    list.object->items[i] = part_of(arena, value.object->items[i]);
  return list;
}

/* No part of one: a percentage without its sign is mostly none. */
static bool beyond_one(struct value value) {
  if (value.kind == VALUE_INT) return value.integer >= 1;
  if (value.kind == VALUE_REAL) return value.real >= 1;
  for (uint32_t i = 0; value.kind == VALUE_LIST && i < value.object->count; i++)
    if (!beyond_one(value.object->items[i])) return false;
  return value.kind == VALUE_LIST;
}

/* Does the assertion hold if percents were meant? */
static void percents_meant(struct model *m, struct environment *e, const struct decl *decl, struct symbol *symbol) {
  const struct type *type = symbol->type->kind == TYPE_LIST ? symbol->type->element : symbol->type;
  struct value given = symbol->value, holds;
  if (symbol->kind != SYMBOL_PARAM || type->kind != TYPE_REAL || !beyond_one(given)) return;
  symbol->value = part_of(m->arena, given);
  bool meant = evaluate(e, decl->assertion, &holds) && holds.boolean;
  symbol->value = given;
  if (meant) diagnostic_help(m->diagnostics, (struct span){0, 0}, "a percentage is written with its sign: 95 %%");
}

/* An empty list that may have to be given. */
static void empty_list_meant(struct model *m, const struct symbol *symbol) {
  if (symbol->kind != SYMBOL_PARAM || symbol->setting || symbol->value.kind != VALUE_LIST) return;
  if (symbol->value.object->count) return;
  diagnostic_help(m->diagnostics, (struct span){0, 0}, "the param '%s' is empty: --set '%s=[...]' gives it items",
                  symbol->name->text, symbol->name->text);
}

static void assertion_failed(struct model *m, struct environment *e, const struct decl *decl) {
  struct shown shown = {.arena = m->arena};
  struct text text = {.arena = m->arena};
  expr_format(&text, decl->assertion);
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, decl->assertion->span, "assertion failed: %s", text.data);
  expr_symbols(decl->assertion, collect, &shown);
  for (uint32_t i = 0; i < shown.count; i++) {
    struct symbol *symbol = shown.items[i];
    if (!symbol->has_value) continue;
    diagnostic_note(m->diagnostics, symbol->setting ? symbol->setting->span : symbol->span, "%s is %s",
                    symbol->name->text, value_brief(m->arena, &m->types, m->names, symbol->type, symbol->value));
  }
  for (uint32_t i = 0; i < shown.count; i++) /* gives more of them values */
    if (shown.items[i]->has_value) percents_meant(m, e, decl, shown.items[i]);
  for (uint32_t i = 0; i < shown.count; i++)
    if (shown.items[i]->has_value) empty_list_meant(m, shown.items[i]);
}

bool model_refresh(struct model *m) {
  if (!m->loading->stale) return true;
  model_forget(m);
  m->compiled = NULL;
  m->checked++;
  if (m->code) arena_reset(m->code);
  m->loading->stale = !model_check(m, true); /* another setting may put it right */
  return !m->loading->stale;
}

/* The locals are kept: a study binds a million times. */
static struct environment bind_environment(struct model *m, struct arena *scratch) {
  if (m->local_count <= m->slot_max) {
    m->local_count = m->slot_max + 1;
    m->locals = ARENA_ARRAY(m->arena, struct value, m->local_count);
  }
  return (struct environment){.model = m, .scratch = scratch, .locals = m->locals};
}

/* left_out: params, and behind them assertions; NULL: none are. */
static bool bind(struct model *m, struct arena *scratch, const bool *left_out) {
  if (!model_refresh(m)) return false;
  struct environment e = bind_environment(m, scratch);
  struct value value;
  bool fine = true;
  m->binding = ++m->bindings;
  for (uint32_t i = 0; i < m->param_count; i++)
    if (!m->params[i]->has_value && (!left_out || !left_out[i]))
      fine &= evaluate_symbol(&e, m->params[i], m->params[i]->span, &value);
  if (!m->held) m->held = ARENA_ARRAY(memo_values(memo_of(m)), bool, m->assert_count);
  for (uint32_t i = 0; fine && i < m->assert_count; i++) {
    if (m->held[i] || (left_out && left_out[m->param_count + i])) continue;
    if (!evaluate(&e, m->asserts[i]->assertion, &value)) return false;
    if (!value.boolean) assertion_failed(m, &e, m->asserts[i]);
    fine = m->held[i] = value.boolean;
  }
  return fine;
}

/* With an arena for what is computed on the way to values, which are kept: a model that is bound for each point of
 * a study does not grow. */
static bool with_scratch(struct model *model, bool (*work)(struct model *, struct arena *, const bool *),
                         const bool *left_out) {
  struct memory *memory = model->arena->memory;
  struct arena scratch;
  jmp_buf here, *outer = memory->guard;
  arena_open(&scratch, memory);
  memory->guard = &here;
  bool lost = setjmp(here) != 0;
  bool fine = !lost && work(model, &scratch, left_out);
  memory->guard = outer;
  model->binding = 0; /* also where memory ended in one */
  if (!lost) diagnostic_flush(model->diagnostics);
  arena_close(&scratch);
  if (lost) longjmp(*outer, 1);
  return fine;
}

bool model_bind(struct model *model) {
  if (model->bound == model->epoch + 1 && model->bound_checked == model->checked && !model->loading->stale) return true;
  model->bound = 0;
  if (!with_scratch(model, bind, NULL)) return false;
  model->bound = model->epoch + 1;
  model->bound_checked = model->checked;
  return true;
}

bool model_bind_beside(struct model *model, struct arena *arena, struct symbol *const *params, uint32_t count) {
  bool native = model->loading->options.allow_native; /* if not, no value puts right what calls C */
  return with_scratch(model, bind, model_reached(model, arena, params, count, native));
}

bool model_bind_one(struct model *model, struct arena *arena, const struct symbol *param) {
  if (!model_refresh(model)) return false;
  struct symbol **others = ARENA_ARRAY(arena, struct symbol *, model->param_count), *one = NULL;
  bool *left_out = ARENA_ARRAY(arena, bool, model->param_count + model->assert_count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < model->param_count; i++) {
    left_out[i] = model->params[i] != param;
    if (left_out[i])
      others[count++] = model->params[i];
    else
      one = model->params[i];
  }
  const bool *of_one = model_reached(model, arena, &one, one != NULL, true);
  const bool *of_others = model_reached(model, arena, others, count, true);
  for (uint32_t i = model->param_count; i < model->param_count + model->assert_count; i++)
    left_out[i] = !of_one[i] || of_others[i];
  return with_scratch(model, bind, left_out);
}

struct inside { /* looked into so far: symbols may name each other in a circle */
  struct model *model;
  struct symbol **items;
  uint32_t count, capacity;
  bool foreign; /* one of them calls C */
};

static void look_inside(void *user, struct symbol *symbol) {
  struct inside *inside = user;
  bool known = symbol->look == inside->model->looks;
  inside->foreign |= symbol->kind == SYMBOL_FOREIGN || (known && symbol->calls_foreign);
  if (known || inside->foreign) return;
  symbol->look = inside->model->looks;
  symbol->calls_foreign = false;
  ARENA_PUSH(inside->model->arena, inside->items, inside->count, inside->capacity, symbol);
}

/* Does the let call C, itself or by what it names? That may not be allowed. Where it does not, nothing inside does;
 * where it does, that is known of it alone. */
static bool calls_foreign(struct model *m, struct symbol *let) {
  struct inside inside = {.model = m};
  if (let->look == m->looks) return let->calls_foreign;
  look_inside(&inside, let);
  for (uint32_t i = 0; i < inside.count && !inside.foreign; i++) {
    const struct symbol *symbol = inside.items[i];
    if (symbol->kind == SYMBOL_FUNCTION) expr_symbols(symbol->function->value, look_inside, &inside);
    if ((symbol->kind == SYMBOL_LET || symbol->kind == SYMBOL_PARAM) && symbol->decl)
      expr_symbols(value_expr(symbol), look_inside, &inside);
  }
  for (uint32_t i = 0; i < inside.count && inside.foreign; i++)
    inside.items[i]->look = 0;
  let->look = m->looks;
  let->calls_foreign = inside.foreign;
  return inside.foreign;
}

static bool compute_lets(struct model *model, struct arena *scratch, const bool *left_out) {
  struct environment e = bind_environment(model, scratch);
  struct value value;
  bool fine = true;
  (void)left_out;
  model->looks++;
  for (uint32_t i = 0; i < model->let_count; i++)
    if (!calls_foreign(model, model->lets[i]))
      fine &= evaluate_symbol(&e, model->lets[i], model->lets[i]->span, &value);
  return fine;
}

bool model_compute_lets(struct model *model) { return with_scratch(model, compute_lets, NULL); }
