/* Types and symbols of expressions: names, terms, members, lists, records; operators are in operator.c, calls
 * in function_call.c.  A bare word that nothing defines is a term where a term is wanted and an unknown name
 * elsewhere. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 4000 };

struct symbol *name_lookup(struct checker *c, struct context *x, const struct name *name, struct span span) {
  struct symbol *symbol = scope_find(c, x->scope, name);
  if (symbol || (symbol = result_find(c, x, name, span))) return symbol;
  if (x->clock && name_is(name, KNOWN_CLOCK)) return &c->clock;
  if (x->value && x->value->name == name) return x->value;
  return table_find(c, SPACE_VALUE, name, span);
}

/* Without a diagnostic: is there anything of the name? */
static struct symbol *name_peek(struct checker *c, struct context *x, const struct name *name, struct span span) {
  struct symbol *symbol = scope_find(c, x->scope, name);
  if (symbol || (symbol = result_find(c, x, name, span))) return symbol;
  if (x->clock && name_is(name, KNOWN_CLOCK)) return &c->clock;
  if (x->value && x->value->name == name) return x->value;
  symbol = value_first(c, name, span);
  return symbol ? symbol : last_named(c, name);
}

/* A value that stands by itself: no function. */
static bool is_value(const struct symbol *symbol) {
  return symbol && symbol->kind != SYMBOL_FUNCTION && symbol->kind != SYMBOL_FOREIGN && symbol->kind != SYMBOL_LABEL;
}

bool is_bare_word(struct checker *c, struct context *x, const struct expr *expr) {
  if (expr->kind == EXPR_INDEX) expr = expr->index.base;
  return expr->kind == EXPR_NAME && !is_value(name_peek(c, x, expr->name.name, expr->span));
}

/* `a-b` where a and b are known is likely a subtraction. */
static const char *hyphen_split(struct checker *c, struct context *x, const struct name *name, struct span span) {
  for (const char *at = strchr(name->text, '-'); at; at = strchr(at + 1, '-')) {
    const struct name *left = name_intern(c->model->names, name->text, (size_t)(at - name->text));
    const struct name *right = name_of(c->model->names, at + 1);
    if (is_value(name_peek(c, x, left, span)) && is_value(name_peek(c, x, right, span)))
      return arena_printf(c->arena, "%s - %s", left->text, right->text);
  }
  return NULL;
}

/* The caller's word of that name, with a colon before it if it is written so; NULL: none. */
static const char *command_named(const struct checker *c, const struct name *name) {
  const char *const *commands = c->model->loading->options.commands;
  while (commands && *commands && strcmp(*commands + (**commands == ':'), name->text))
    commands++;
  return commands ? *commands : NULL;
}

bool session_word(struct checker *c, const struct name *name) {
  if (!c->model->loading->options.session) return false;
  const char *command = command_named(c, name);
  if (name_is(name, KNOWN_LAST) && !c->last)
    check_help(c, (struct span){0, 0}, "'last' is the results of the last run, and nothing has been run yet");
  else if (name_is(name, KNOWN_ANS))
    check_help(c, (struct span){0, 0}, "'ans' is the value of the last expression, and there has been none yet");
  else if (name_is(name, KNOWN_EXIT) || name_is(name, KNOWN_QUIT) || !strcmp(name->text, "q"))
    check_help(c, (struct span){0, 0}, "':quit' ends the session");
  else if (command && *command == ':')
    check_help(c, (struct span){0, 0}, "the session's own commands begin with a colon: '%s'", command);
  else if (command)
    check_help(c, (struct span){0, 0}, "the command '%s' stands on a line of its own; '%s -o FILE' writes to a file",
               command, command);
  else
    return c->asked && check_habit(c, HABIT_INPUT, name->text);
  return true;
}

/* All of the table but what is being declared there: a let does not stand in its own value. */
static void words_add_others(struct checker *c, struct words_list *list, const struct table *table, struct span place) {
  for (uint32_t i = 0; i < table->count; i++) {
    const struct symbol *symbol = table->items[i];
    bool value = symbol->kind == SYMBOL_LET || symbol->kind == SYMBOL_PARAM;
    const struct span *whole = value && symbol->decl ? &symbol->decl->span : NULL;
    if (!whole || place.begin < whole->begin || place.end > whole->end) words_add(c, list, symbol->name->text);
  }
}

static const char *before_blanks(const char *text, const char *at) {
  while (at > text && at[-1] == ' ')
    at--;
  return at;
}

static const char *before_digits(const char *text, const char *at) {
  while (at > text && isdigit((unsigned char)at[-1]))
    at--;
  return at;
}

/* The number before `/` that stands before the place: 8 of `8 /s`. NULL: there is none. */
static const char *divided_by(struct checker *c, struct span span) {
  const struct source *source = source_of(c->model->sources, span.begin);
  const char *text = source->text, *slash = before_blanks(text, text + (span.begin - source->base));
  if (slash == text || slash[-1] != '/') return NULL;
  const char *end = before_blanks(text, slash - 1), *at = before_digits(text, end);
  if (at < end && at - text > 1 && at[-1] == '.' && isdigit((unsigned char)at[-2])) at = before_digits(text, at - 1);
  bool alone = at == text || !isalnum((unsigned char)at[-1]);
  return at < end && alone ? arena_copy(c->arena, at, (size_t)(end - at)) : NULL;
}

/* Stands it behind a quantity and '/': `5 ns / cell`? */
static bool divides_quantity(struct checker *c, struct span span) {
  const struct source *source = source_of(c->model->sources, span.begin);
  const char *text = source->text, *at = before_blanks(text, text + (span.begin - source->base));
  if (at == text || at[-1] != '/') return false;
  at = before_blanks(text, at - 1);
  const char *unit = at;
  while (unit > text && isalpha((unsigned char)unit[-1]))
    unit--;
  const char *end = before_blanks(text, unit);
  return unit < at && end > text && isdigit((unsigned char)end[-1]);
}

/* `100/s`, `100/sec` and `6000/min`. */
static bool help_rate(struct checker *c, const struct name *name, struct span span) {
  size_t length;
  const char *word = habit_word(HABIT_UNIT, name->text, strlen(name->text), &length);
  const struct name *unit = name_intern(c->model->names, word, length);
  const char *number = is_unit(c, unit) ? divided_by(c, span) : NULL;
  if (number) check_help(c, (struct span){0, 0}, "a rate is written %s %s^-1", number, unit->text);
  return number != NULL;
}

/* `x <- 3` at a prompt: an assignment of R, read as a comparison with -3. */
static bool help_arrow(struct checker *c, const struct name *name, struct span span) {
  const struct source *source = source_of(c->model->sources, span.begin);
  const char *behind = source->text + (span.end - source->base);
  behind += strspn(behind, " \t");
  if (!c->asked || strncmp(behind, "<-", 2) != 0) return false;
  check_help(c, (struct span){0, 0}, "'let %s = ...;' declares a name, ':set %s = ...' gives a param a value",
             name->text, name->text);
  return true;
}

/* Does a profile have the word as a term, elsewhere than here? */
static bool is_profile_word(const struct checker *c, const struct name *name, struct span here) {
  for (uint32_t i = 0; i < c->model->accept_count; i++) {
    const struct accept *accept = c->model->accepts[i]->syntax;
    for (uint32_t k = 0; k < accept->pair_count; k++) {
      const struct expr *value = accept->pairs[k].value;
      if (value && value->kind == EXPR_INDEX) value = value->index.base;
      if (value && value->kind == EXPR_NAME && value->name.name->folded == name->folded &&
          value->span.begin != here.begin)
        return true;
    }
  }
  return false;
}

void name_unknown(struct checker *c, struct context *x, const struct name *name, struct span span) {
  struct words_list list = {0};
  check_error(c, span, "unknown name '%s'", name->text);
  if (!diagnostics_told(c->d) || session_word(c, name) || instance_meant(c, x, name, "wait")) return;
  if (c->asked && percentile_help(c, x, name->text, NULL)) return;
  if (x->study && figure_near(c, name->text)) return;
  const char *split = hyphen_split(c, x, name, span);
  if (split) {
    check_help(c, (struct span){0, 0}, "'-' before a letter is part of a name: write %s to subtract", split);
    return;
  }
  if (help_arrow(c, name, span) || help_rate(c, name, span)) return;
  if (is_unit(c, name)) {
    check_help(c, (struct span){0, 0},
               "'%s' is a unit: it stands behind a number, as in 2 %s, 2 %s^-1 and, without blanks, 2 MB/s; "
               "'E -> %s' shows a value in it",
               name->text, name->text, name->text, name->text);
    return;
  }
  const struct symbol *component = c->asked ? table_first(c, SPACE_COMPONENT, name) : NULL;
  if (component && component->component && component->component->system) {
    check_help(c, (struct span){0, 0}, "it is a system: 'run %s' runs it", name->text);
    return;
  }
  if (component) {
    check_help(c, (struct span){0, 0}, "it is a component: '?%s' explains it, last.%s has its figures", name->text,
               name->text);
    return;
  }
  if (c->asked && last_has(c, name)) {
    check_help(c, (struct span){0, 0}, "that of the last run is last.%s", name->text);
    return;
  }
  if (is_profile_word(c, name, span)) {
    check_help(c, (struct span){0, 0},
               "a word of a profile is a term; where nothing asks for one its type is said: let kind : term = %s; "
               "let kinds : [term] = [%s];",
               name->text, name->text);
    return;
  }
  if (!x->study && (check_habit(c, HABIT_VALUE, name->text) || check_machine(c, name->text))) return;
  words_add_scope(c, &list, x->scope);
  words_add_others(c, &list, &c->tables[SPACE_VALUE], span);
  if (x->study) words_add_results(c, &list);
  if (x->clock) words_add(c, &list, "clock");
  bool typed = c->asked && strlen(name->text) > 1; /* a command, perhaps: not where it is a letter */
  for (const char *const *command = c->model->loading->options.commands; typed && command && *command; command++)
    words_add(c, &list, *command);
  if (check_meant(c, name->text, &list)) return;
  if (x->study)
    results_help(c, name->text);
  else if (!check_library(c, SPACE_VALUE, name) && divides_quantity(c, span))
    check_help(c, (struct span){0, 0},
               "what is counted has no unit and is left out; one of its own is declared, unit %s;, and written without "
               "blanks",
               name->text);
}

static const struct type *make_term(struct checker *c, struct expr *expr) {
  struct expr *base = expr->kind == EXPR_INDEX ? expr->index.base : expr;
  base->name.symbol = NULL;
  base->type = c->model->types.term;
  name_write(c->model->names, base->name.name);
  if (expr->kind == EXPR_INDEX) {
    expr->index.term = base->name.name;
    name_write(c->model->names, name_of(c->model->names, expr->index.qualifier));
  }
  return c->model->types.term;
}

/* Is the name, where a term is wanted, to be read as the word itself?  What belongs to the component or the
 * body is meant; of what is shared only terms are: a function of some library does not change a profile. */
static bool reads_as_term(struct checker *c, const struct symbol *symbol, const struct type *wanted) {
  if (!is_value(symbol)) return true;
  if (!wanted || wanted->kind != TYPE_TERM) return false;
  if (symbol->kind != SYMBOL_PARAM && symbol->kind != SYMBOL_LET) return false;
  enum type_kind kind = symbol_type(c, (struct symbol *)symbol, symbol->span)->kind;
  return kind != TYPE_TERM && kind != TYPE_ERROR && kind != TYPE_ANY;
}

static const struct type *symbol_value(struct checker *c, struct context *x, struct expr *expr, struct symbol *symbol) {
  const struct types *types = &c->model->types;
  switch (symbol->kind) {
  case SYMBOL_PARAM:
  case SYMBOL_LET:
  case SYMBOL_INSTANCE: return symbol_type(c, symbol, expr->span);
  case SYMBOL_VAR:
    if (symbol->instance.component != x->component) {
      check_error(c, expr->span, "'%s' is state of '%s', which only its own bodies and requests see",
                  symbol->name->text, symbol->instance.component->symbol->name->text);
      check_note(c, symbol->span, "declared here");
      return types->error;
    }
    if (symbol->decl->value.asked && (!x->vars || x->draws)) {
      check_error(c, expr->span, "'%s' is asked for while the model runs: bodies and requests alone know it",
                  symbol->name->text);
      check_note(c, symbol->decl->value.value->span, "it is asked for here");
      return types->error;
    }
    if (!x->vars) {
      check_error(c, expr->span, "'%s' is state and changes while the model runs: it is not known here",
                  symbol->name->text);
      check_note(c, symbol->span, "declared here");
      return types->error;
    }
    return symbol->type;
  case SYMBOL_INDEX:
  case SYMBOL_LOCAL:
  case SYMBOL_CLOCK:
  case SYMBOL_VALUE: return symbol->type;
  case SYMBOL_FUNCTION:
  case SYMBOL_FOREIGN:
    check_error(c, expr->span, "'%s' is a function: call it with its arguments in ( )", symbol->name->text);
    check_note(c, symbol->span, "declared here");
    return types->error;
  case SYMBOL_BUILTIN:
  case SYMBOL_EVALUATOR:
  case SYMBOL_EVALUATOR_FUNCTION:
  case SYMBOL_FILE:
  case SYMBOL_UNIT:
  case SYMBOL_DOMAIN:
  case SYMBOL_TRANSACTION:
  case SYMBOL_PROTOCOL:
  case SYMBOL_COMPONENT:
  case SYMBOL_COERCION:
  case SYMBOL_STUDY:
  case SYMBOL_LABEL:
  case SYMBOL_ATTRIBUTE:
  case SYMBOL_TARGET:
  case SYMBOL_CALLER: break;
  }
  check_error(c, expr->span, "'%s' is not a value", symbol->name->text);
  return types->error;
}

/* A name that is no value of its own: what is it then? */
static bool explain_other(struct checker *c, struct context *x, const struct name *name, struct span span) {
  const char *text = name->text;
  bool clock = name_is(name, KNOWN_CLOCK);
  if (clock || name_is(name, KNOWN_VALUE)) {
    check_error(c, span,
                clock ? "'clock' is known only in a firing: in bodies and requests"
                      : "'value' is known only in a coercion");
    if (clock && x->component && x->draws && !strcmp(x->draws, "a clause of an accept"))
      check_help(c, (struct span){0, 0}, "who waits for a time holds until it: 'hold 5 s - clock;' in a body");
    else if (clock && x->component)
      check_help(c, (struct span){0, 0}, "a label is given that of the call as an argument: call LABEL(clock);");
    return true;
  }
  if (name_is(name, KNOWN_TARGET) || name_is(name, KNOWN_CALLER)) {
    check_error(c, span, "'%s' stands before a point and an attribute: %s.rank", text, text);
    return true;
  }
  if (builtin_find(text)) {
    check_error(c, span, "'%s' is a function: call it with its arguments in ( )", text);
    if (help_rate(c, name, span)) return true;
    if (c->asked && name_is(name, KNOWN_LAST)) session_word(c, name);
    return true;
  }
  if (x->component && scope_find(c, x->scope, name)) return false;
  struct symbol *other = table_first(c, SPACE_QUALIFIER, name);
  if (!other) return false;
  check_error(c, span, "'%s' is %s: write %s.NAME for what it holds", text,
              other->kind == SYMBOL_FILE ? "a file" : "an evaluator", text);
  return true;
}

static const struct type *check_name(struct checker *c, struct context *x, struct expr *expr,
                                     const struct type *wanted) {
  const struct name *name = expr->name.name;
  struct symbol *symbol = name_peek(c, x, name, expr->span);
  bool term_wanted = wanted && wanted->kind == TYPE_TERM;
  expr->name.symbol = NULL;
  if (!symbol && (c->asked || !(term_wanted || x->terms)) && answer_take(c, expr))
    return expr_check(c, x, expr, wanted);
  if ((term_wanted || x->terms) && reads_as_term(c, symbol, wanted)) return make_term(c, expr);
  if (wanted && wanted->kind == TYPE_SIGNAL && !symbol && name_is(name, KNOWN_SIGNAL)) return c->model->types.signal;
  if (!symbol) {
    if (!explain_other(c, x, name, expr->span)) name_unknown(c, x, name, expr->span);
    return c->model->types.error;
  }
  if (symbol != c->last) symbol = name_lookup(c, x, name, expr->span);
  expr->name.symbol = symbol;
  if (symbol == c->last) last_note_use(c, expr->span);
  const char *split = strchr(name->text, '-') ? hyphen_split(c, x, name, expr->span) : NULL;
  if (split) {
    check_warning(c, expr->span, "'%s' is one name, and %s would be a difference of two others", name->text, split);
    check_note(c, symbol->span, "the name is declared here");
  }
  if (x->assertion) aggregate_meet(x, expr, symbol);
  return symbol_value(c, x, expr, symbol);
}

/* hardware[device], where a parameter, an index or a var is called device. */
static const struct type *make_qualified(struct checker *c, const struct context *x, struct expr *expr) {
  const struct symbol *symbol = scope_find(c, x->scope, name_of(c->model->names, expr->index.qualifier));
  const char *head = expr->index.base->name.name->text, *text = expr->index.qualifier;
  if (symbol && (symbol->kind == SYMBOL_LOCAL || symbol->kind == SYMBOL_INDEX || symbol->kind == SYMBOL_VAR)) {
    check_warning(c, expr->span, "'%s' in the brackets is the text itself, and not the value of '%s'", text, text);
    check_note(c, symbol->span, "the value is declared here");
    const struct symbol *other = table_first(c, SPACE_COMPONENT, expr->index.base->name.name);
    const struct model_component *component = other ? other->component : NULL;
    if (component && component->index_count == 1)
      check_help(c, (struct span){0, 0}, "the index of '%s' is %s: write %s, %s = %s", head,
                 component->indices[0]->name->text, head, component->indices[0]->name->text, text);
    else
      check_help(c, (struct span){0, 0},
                 "write %s alone, and compare another attribute with the value, such as node type = %s", head, text);
  }
  return make_term(c, expr);
}

/* `ans.f` and `ans[i]`. */
static void take_answer(struct checker *c, struct context *x, struct expr *base) {
  if (base->kind != EXPR_NAME || !name_is(base->name.name, KNOWN_ANS)) return;
  if (name_peek(c, x, base->name.name, base->span) || table_first(c, SPACE_QUALIFIER, base->name.name)) return;
  answer_take(c, base);
}

static const struct type *check_index(struct checker *c, struct context *x, struct expr *expr,
                                      const struct type *wanted) {
  struct types *types = &c->model->types;
  expr->index.term = NULL;
  if (last_instance(c, x, expr)) return expr->kind == EXPR_MEMBER ? expr_check(c, x, expr, wanted) : types->error;
  if (c->asked || !(x->terms || (wanted && wanted->kind == TYPE_TERM))) take_answer(c, x, expr->index.base);
  if (expr->index.base->kind == EXPR_NAME) {
    struct symbol *symbol = name_peek(c, x, expr->index.base->name.name, expr->span);
    if (!is_value(symbol)) return make_qualified(c, x, expr);
    const struct type *type = symbol->type;
    if (symbol->kind == SYMBOL_PARAM || symbol->kind == SYMBOL_LET || symbol->kind == SYMBOL_INSTANCE)
      type = symbol_type(c, symbol, expr->index.base->span);
    bool shared = symbol->kind == SYMBOL_PARAM || symbol->kind == SYMBOL_LET;
    bool term_place = x->terms || (wanted && wanted->kind == TYPE_TERM);
    if (term_place && shared && type->kind != TYPE_LIST) return make_qualified(c, x, expr);
  }
  const struct type *base = expr_check(c, x, expr->index.base, NULL);
  for (uint32_t i = 0; i < expr->index.count; i++) {
    const struct expr *subscript = expr->index.subscripts[i];
    if (base->kind == TYPE_RECORD && subscript->kind == EXPR_STRING) { /* r["a"] */
      check_error(c, expr->span, "a field of a record stands behind a point: %s.%s", expr_text(c, expr->index.base),
                  subscript->string);
      return types->error;
    }
    expr_check_as(c, x, expr->index.subscripts[i], types->integer, "the index of a list");
    if (base->kind == TYPE_ERROR) continue;
    if (base->kind != TYPE_LIST) {
      check_error(c, expr->index.base->span, "%s is %s, not a list", expr_text(c, expr->index.base),
                  type_text(c, base));
      const struct expr *of = expr->index.base;
      if (x->study && of->kind == EXPR_NAME && of->name.symbol && of->name.symbol->kind == SYMBOL_LOCAL)
        check_help(c, (struct span){0, 0}, "it is one figure, of the whole run: %s", expr_text(c, expr->index.base));
      base = types->error;
    } else {
      base = base->element;
    }
  }
  return base;
}

/* A param or let of the component's own, or NULL. */
static struct symbol *instance_of(const struct model_component *component, const struct name *name) {
  for (uint32_t i = 0; i < component->instance_count; i++)
    if (component->instances[i]->name == name) return component->instances[i];
  return NULL;
}

/* What the file has not may be a component's of it. */
static void in_component_help(struct checker *c, const struct source *file, const struct name *name) {
  for (uint32_t i = 0; i < c->model->component_count; i++) {
    const struct model_component *component = c->model->components[i];
    if (component->symbol->file != file || !instance_of(component, name)) continue;
    check_help(c, (struct span){0, 0}, "component '%s' of that file has it: %s.%s", component->symbol->name->text,
               component->symbol->name->text, name->text);
    return;
  }
}

/* The component that is called as the file is, where it has what the file has not: that is meant. */
static struct symbol *component_beside(struct checker *c, const struct symbol *qualifier, const struct expr *expr) {
  const struct name *name = expr->member.member.name;
  if (qualifier->kind != SYMBOL_FILE || table_in_file(c, SPACE_VALUE, name, qualifier->file)) return NULL;
  struct symbol *component = table_first(c, SPACE_COMPONENT, qualifier->name);
  return component && instance_of(component->component, name) ? component : NULL;
}

/* file.name and evaluator.name; NULL after a diagnostic. */
static struct symbol *qualified(struct checker *c, struct expr *expr, struct symbol *qualifier) {
  const struct name *name = expr->member.member.name;
  struct symbol *found = NULL;
  struct words_list list = {0};
  if (qualifier->kind == SYMBOL_FILE) {
    found = table_in_file(c, SPACE_VALUE, name, qualifier->file);
    for (uint32_t i = 0; !found && i < c->tables[SPACE_VALUE].count; i++)
      for (struct symbol *s = c->tables[SPACE_VALUE].items[i]; s; s = s->next)
        if (s->file == qualifier->file) words_add(c, &list, s->name->text);
  } else {
    for (uint32_t i = 0; i < c->evaluator_function_count && !found; i++) {
      struct symbol *s = c->evaluator_functions[i];
      if (s->evaluator_of != qualifier->evaluator) continue;
      if (s->name == name)
        found = s;
      else
        words_add(c, &list, s->name->text);
    }
  }
  if (found) return found;
  check_error(c, expr->member.member.span, "%s '%s' has no '%s'", qualifier->kind == SYMBOL_FILE ? "file" : "evaluator",
              qualifier->name->text, name->text);
  if (!check_meant(c, name->text, &list) && qualifier->kind == SYMBOL_FILE) in_component_help(c, qualifier->file, name);
  return NULL;
}

enum { FIELDS_NAMED = 8 }; /* of a record that has too many for its type to be shown */

/* Of a record with many fields those that begin as the word does, else the first ones. */
static void fields_help(struct checker *c, const char *word, const struct words_list *list) {
  struct text text = {.arena = c->arena};
  uint32_t named = 0, alike = 0;
  for (uint32_t i = 0; i < list->count; i++)
    alike += !strncmp(list->items[i], word, strlen(word));
  for (uint32_t i = 0; i < list->count && named < FIELDS_NAMED; i++)
    if (!alike || !strncmp(list->items[i], word, strlen(word)))
      text_printf(&text, "%s%s", named++ ? ", " : "", list->items[i]);
  bool more = named < (alike ? alike : list->count);
  check_help(c, (struct span){0, 0}, "it has %s%s", text.data, more ? ", and others" : "");
}

/* COMPONENT.NAME: a let, param or attribute. */
struct symbol *component_member(struct checker *c, struct context *x, const struct model_component *component,
                                struct ident name) {
  struct words_list list = {0};
  struct symbol *own = instance_of(component, name.name);
  if (own) return own;
  for (uint32_t i = 0; i < component->instance_count; i++)
    words_add(c, &list, component->instances[i]->name->text);
  struct symbol *attribute = component_attribute(c, component, name, &list);
  if (attribute) return attribute;
  for (uint32_t i = 0; i < component->var_count; i++)
    if (component->vars[i]->name == name.name && !component->vars[i]->decl->value.asked) {
      check_error(c, name.span,
                  "'%s' is state of '%s', which its own bodies and requests see, and firing rules of others",
                  name.name->text, component->symbol->name->text);
      check_note(c, component->vars[i]->span, "declared here");
      return NULL;
    }
  check_error(c, name.span, "component '%s' has no param, let or attribute '%s'", component->symbol->name->text,
              name.name->text);
  const char *result = arena_printf(c->arena, "%s.%s", component->symbol->name->text, name.name->text);
  if (x && percentile_help(c, x, name.name->text, component)) return NULL;
  if (check_figure(c, name.name->text, &list)) return NULL;
  if (check_meant(c, name.name->text, &list)) return NULL;
  if (c->asked && result_named(c, result))
    check_help(c, (struct span){0, 0}, "that of a run is last.%s", result);
  else if (list.count && !nearest_name(name.name->text, list.items, list.count)) /* else it has none of its own */
    fields_help(c, name.name->text, &list);
  return NULL;
}

/* Is BASE.NAME something else than a result: of a value, a file, a component's own? */
bool is_other_member(struct checker *c, struct context *x, const struct expr *expr) {
  const struct expr *base = expr->member.base;
  const struct name *name = expr->member.member.name;
  if (base->kind != EXPR_NAME) return base->kind != EXPR_MEMBER;
  const struct symbol *local = scope_find(c, x->scope, base->name.name);
  if (local ? local->type->kind == TYPE_RECORD : is_value(table_first(c, SPACE_VALUE, base->name.name))) return true;
  const struct symbol *file = table_first(c, SPACE_QUALIFIER, base->name.name);
  if (file && file->kind == SYMBOL_FILE && table_in_file(c, SPACE_VALUE, name, file->file)) return true;
  const struct symbol *symbol = table_first(c, SPACE_COMPONENT, base->name.name);
  return symbol && instance_of(symbol->component, name);
}

/* What has a result of that name is meant, where anything has. */
static bool owner_meant(struct checker *c, const char *word, const char *member) {
  enum { SHOWN = 8 };
  struct words_list list = {0};
  struct text text = {.arena = c->arena};
  model_list_results(c->model);
  for (uint32_t i = 0; i < c->model->result_count; i++) {
    const struct model_result *result = &c->model->results[i];
    const char *name = result->name, *point = strchr(name, '.');
    if (!result->component || !model_owns(c->model, result->component->symbol->file)) continue;
    if (point && !strcmp(point + 1, member)) words_add(c, &list, arena_copy(c->arena, name, (size_t)(point - name)));
  }
  if (check_meant(c, word, &list)) return true;
  for (uint32_t i = 0; i < list.count; i++)
    if (has_word(list.items[i], word)) {
      check_help(c, (struct span){0, 0}, "did you mean '%s.%s'?", list.items[i], member);
      return true;
    }
  for (uint32_t i = 0; i < list.count && i < SHOWN; i++)
    text_printf(&text, "%s%s", i ? ", " : "", list.items[i]);
  if (list.count)
    check_help(c, (struct span){0, 0}, "%s is a result of %s%s", member, text.data, list.count > SHOWN ? ", ..." : "");
  return list.count > 0;
}

static void unknown_qualifier(struct checker *c, struct context *x, const struct expr *expr) {
  const struct expr *base = expr->member.base;
  const struct name *name = base->name.name;
  struct words_list list = {0};
  check_error(c, base->span, "unknown name '%s'", name->text);
  if (session_word(c, name) || instance_meant(c, x, name, expr->member.member.name->text)) return;
  if (is_known_evaluator(c, name->text)) {
    check_help(c, (struct span){0, 0}, "it is an evaluator: write use %s;", name->text);
    return;
  }
  if (x->study && name_is(name, KNOWN_LAST)) {
    check_help(c, (struct span){0, 0},
               "'last' is of a session: a study names the figures of each point without 'last.'");
    return;
  }
  if ((x->target || x->terms) && (table_first(c, SPACE_DOMAIN, name->folded) || is_profile_word(c, name, base->span))) {
    check_help(c, (struct span){0, 0}, "the qualifier of a term stands in brackets: %s[%s]", name->text,
               expr->member.member.name->text);
    return;
  }
  if (!x->study && check_habit(c, HABIT_VALUE, name->text)) return;
  if (x->study && owner_meant(c, name->text, expr->member.member.name->text)) return;
  words_add_scope(c, &list, x->scope);
  words_add_table(c, &list, &c->tables[SPACE_QUALIFIER]);
  words_add_table(c, &list, &c->tables[SPACE_VALUE]);
  if (x->study) words_add_results(c, &list);
  if (!check_meant(c, name->text, &list) && x->study) results_help(c, expr->member.member.name->text);
}

/* The symbol that BASE.NAME stands for where BASE is no value; *record set where it is one. */
struct symbol *member_lookup(struct checker *c, struct context *x, struct expr *expr, bool *record) {
  struct expr *base = expr->member.base;
  *record = base->kind != EXPR_NAME || is_value(name_peek(c, x, base->name.name, base->span));
  if (*record) return NULL;
  base->type = c->model->types.none;
  struct ident name = {base->name.name, base->span};
  struct symbol *qualifier = qualifier_find(c, name, SPACE_VALUE, expr->member.member.name);
  struct symbol *beside = qualifier ? component_beside(c, qualifier, expr) : NULL;
  base->name.symbol = beside ? NULL : qualifier;
  if (qualifier && !beside) return qualified(c, expr, qualifier);
  struct symbol *component = table_find(c, SPACE_COMPONENT, base->name.name, base->span);
  base->name.symbol = component;
  if (component) return component_member(c, x, component->component, expr->member.member);
  unknown_qualifier(c, x, expr);
  return NULL;
}

/* last.desk.response, beside which last.desk.p95 is. */
static bool is_beside_percentiles(const struct expr *figure) {
  const struct type *type = figure->kind == EXPR_MEMBER ? figure->member.base->type : NULL;
  for (uint32_t i = 0; type && type->kind == TYPE_RECORD && i < type->field_count; i++)
    if (is_percentile(type->fields[i].name->text) || !strcmp(type->fields[i].name->text, "response")) return true;
  return false;
}

/* rank[3].wait for program-rank[3].wait: an instance by a part of its component's name. */
static bool part_of_component(struct checker *c, const struct expr *expr) {
  const struct expr *base = expr->member.base;
  const struct name *word =
      base->kind == EXPR_INDEX && base->index.base->kind == EXPR_NAME ? base->index.base->name.name : NULL;
  for (uint32_t i = 0; word && i < c->model->component_count; i++) {
    const struct model_component *component = c->model->components[i];
    const char *name = component->symbol->name->text;
    if (component->index_count != base->index.count || !has_word(name, word->text)) continue;
    check_help(c, (struct span){0, 0}, "did you mean '%s%s'?", name, expr_text(c, expr) + word->length);
    return true;
  }
  return false;
}

/* What may be meant by a field of what is no record. */
static void field_help(struct checker *c, const struct expr *expr, const struct type *base, const char *of) {
  const struct ident *member = &expr->member.member;
  const char *word = member->name->text;
  bool low = name_is(member->name->folded, KNOWN_LOW);
  bool end = base->kind != TYPE_RANGE && (low || name_is(member->name->folded, KNOWN_HIGH));
  if (facility_keeps_help(c, of, word)) return;
  if (is_percentile(word) && is_beside_percentiles(expr->member.base))
    check_help(c, (struct span){0, 0}, "percentiles stand beside it: %s.%s",
               expr_text(c, expr->member.base->member.base), word);
  else if (is_percentile(word))
    check_help(c, (struct span){0, 0},
               "percentiles are of what is recorded: record NAME = %s, quantiles [%s %%]; then %sNAME.%s is one",
               is_of_last(c, expr) ? "..." : of, percentile_text(c, word + 1), is_of_last(c, expr) ? "last." : "",
               word);
  else if (end)
    check_help(c, (struct span){0, 0},
               "it is no range; the interval of a simulated figure is its half-width to either side: "
               "job.p95 %s job.p95.half-width",
               low ? "-" : "+");
  else if (builtin_find(word) && !is_of_last(c, expr))
    check_help(c, (struct span){0, 0}, "a function is called with its argument: %s(%s)", word, of);
  else if (is_unit(c, member->name))
    check_help(c, (struct span){0, 0}, "a value is shown in a unit by an arrow: %s -> %s", of, word);
  else if (base->kind == TYPE_TERM)
    check_help(
        c, (struct span){0, 0},
        "a term is a word, and not the component that has it in its profile; a param, let or attribute of one is "
        "COMPONENT(ATTRIBUTE = VALUE).NAME");
}

static const struct type *check_field(struct checker *c, struct context *x, struct expr *expr,
                                      const struct type *base) {
  struct words_list list = {0};
  const struct ident *member = &expr->member.member;
  if (base->kind == TYPE_ERROR) return base;
  if (base->kind != TYPE_RECORD) {
    const char *of = expr_text(c, expr->member.base);
    check_error(c, expr->span, "%s is %s, not a record, and has no '%s'", of, type_text(c, base), member->name->text);
    if (!result_end_help(c, x, expr) && !(x->study && part_of_component(c, expr))) field_help(c, expr, base, of);
    return c->model->types.error;
  }
  for (uint32_t i = 0; i < base->field_count; i++)
    if (base->fields[i].name == member->name) return base->fields[i].type;
  for (uint32_t i = 0; i < base->field_count; i++)
    words_add(c, &list, base->fields[i].name->text);
  const char *type = type_text(c, base);
  bool many = *type != '{'; /* as `last` has */
  if (many)
    check_error(c, member->span, "no field '%s' in %s, which has %u fields", member->name->text,
                expr_text(c, expr->member.base), base->field_count);
  else
    check_error(c, member->span, "no field '%s' in %s", member->name->text, type);
  if (last_percentile_help(c, expr, base) || last_field_help(c, expr, base)) return c->model->types.error;
  if (check_meant(c, member->name->text, &list) || !many) return c->model->types.error;
  fields_help(c, member->name->text, &list);
  return c->model->types.error;
}

const struct type *member_type(struct checker *c, const struct expr *expr) {
  struct symbol *symbol = expr->member.symbol;
  const struct type *type = symbol_type(c, symbol, expr->span);
  const struct symbol *index = type->kind == TYPE_ERROR ? NULL : expr_index(symbol->instance.value);
  if (!index) return type;
  check_error(c, expr->span, "'%s' depends on the index '%s' of '%s' and has no one value here", symbol->name->text,
              index->name->text, symbol->instance.component->symbol->name->text);
  check_note(c, symbol->span, "declared here");
  return c->model->types.error;
}

static const struct type *check_member(struct checker *c, struct context *x, struct expr *expr) {
  struct expr *base = expr->member.base;
  expr->member.symbol = NULL;
  const struct type *watched = x->rule ? watch_check(c, x, expr) : NULL;
  if (watched) return watched;
  struct model_component *family = variant_family(c, x, base);
  if (family) {
    expr->member.symbol = variant_member(c, x, expr, family);
    return expr->member.symbol ? expr->member.symbol->type : c->model->types.error;
  }
  take_answer(c, x, base);
  bool result_of = x->study && base->kind == EXPR_NAME && table_first(c, SPACE_COMPONENT, base->name.name);
  if (base->kind == EXPR_NAME && !result_of && !scope_find(c, x->scope, base->name.name)) {
    if (name_is(base->name.name, KNOWN_TARGET)) return attribute_check(c, x, expr, SYMBOL_TARGET);
    if (name_is(base->name.name, KNOWN_CALLER)) return attribute_check(c, x, expr, SYMBOL_CALLER);
  }
  struct symbol *result = result_member(c, x, expr);
  if (result) {
    if (x->assertion) aggregate_meet(x, expr, result);
    expr->member.symbol = result;
    return result->type;
  }
  if ((instance_component(c, x, expr) || !is_other_member(c, x, expr)) && result_refuse(c, x, expr))
    return c->model->types.error;
  bool record;
  struct symbol *symbol = member_lookup(c, x, expr, &record);
  if (record) return check_field(c, x, expr, expr_check(c, x, base, NULL));
  if (!symbol) return c->model->types.error;
  expr->member.symbol = symbol;
  if (symbol->kind == SYMBOL_EVALUATOR_FUNCTION) {
    check_error(c, expr->span, "'%s' is a function: call it with its arguments in ( )", expr_text(c, expr));
    return c->model->types.error;
  }
  if (x->assertion) aggregate_meet(x, expr, symbol);
  bool others = symbol->kind == SYMBOL_INSTANCE && symbol->instance.component != x->component;
  return others ? member_type(c, expr) : symbol_value(c, x, expr, symbol);
}

/* Does a value of the first type become one of the second by a draw? */
static bool becomes_by_draw(const struct type *from, const struct type *to) {
  if (from->kind == TYPE_DISTRIBUTION) return to->kind == TYPE_REAL;
  if (from->kind == TYPE_LIST && to->kind == TYPE_LIST) return becomes_by_draw(from->element, to->element);
  if (from->kind != TYPE_RECORD || to->kind != TYPE_RECORD) return false;
  for (uint32_t i = 0; i < from->field_count; i++)
    if (becomes_by_draw(from->fields[i].type, to->fields[i].type)) return true;
  return false;
}

/* Parts of one type `joined`: numbers beside a distribution are one of those where that is wanted, and else it
 * is drawn, where it can be. */
static const struct type *check_joined(struct checker *c, struct context *x, struct expr *const *parts, uint32_t count,
                                       const struct type *joined, const struct type *wanted) {
  if (wanted && wanted->kind == TYPE_DISTRIBUTION && joined->kind == TYPE_REAL)
    return type_of_kind(&c->model->types, TYPE_DISTRIBUTION, joined->dimension);
  for (uint32_t i = 0; x->draws && i < count; i++)
    if (becomes_by_draw(parts[i]->type, joined)) {
      check_not_drawn(c, x, parts[i]);
      return c->model->types.error;
    }
  return joined;
}

/* The type of what an expression makes of others, if it is not too large. */
static const struct type *measured(struct checker *c, const struct expr *expr, const struct type *type) {
  if (type->size <= TYPE_SIZE && type->depth <= TYPE_DEPTH) return type;
  check_error(c, expr->span, "the type of this has more than %d parts, or nests more than %d deep", TYPE_SIZE,
              TYPE_DEPTH);
  return c->model->types.error;
}

static bool is_bare_number(const struct expr *expr) { return expr->kind == EXPR_INTEGER || expr->kind == EXPR_REAL; }

static bool has_unit(const struct type *type) { return type_is_number(type) && !dimension_none(type_dimension(type)); }

static const struct type *refuse_items(struct checker *c, struct expr *const *items, uint32_t i,
                                       const struct type *first, const struct type *type) {
  check_error(c, items[i]->span, "the items of a list have one type, and this is %s", type_text(c, type));
  check_note(c, items[0]->span, "this is %s", type_text(c, first));
  static const char table[] = "a table of two units is two lists, as interpolate(xs, ys, x) takes them";
  const struct expr *bare = is_bare_number(items[0]) ? items[0] : items[i];
  const struct type *other = bare == items[0] ? type : first;
  if (is_bare_number(bare) && has_unit(other))
    check_help(c, (struct span){0, 0}, "%s has no unit: write it with one, such as %s %s%s%s", expr_text(c, bare),
               expr_text(c, bare), unit_example(c, other->dimension), i == 1 ? "; " : "", i == 1 ? table : "");
  else if (i == 1 && has_unit(first) && has_unit(type))
    check_help(c, (struct span){0, 0}, "%s", table);
  return c->model->types.error;
}

static const struct type *check_list(struct checker *c, struct context *x, struct expr *expr,
                                     const struct type *wanted) {
  struct types *types = &c->model->types;
  const struct type *element = NULL, *hint = wanted && wanted->kind == TYPE_LIST ? wanted->element : NULL;
  if (!expr->list.count) {
    if (wanted && wanted->kind == TYPE_LIST) return wanted;
    check_error(c, expr->span, "the type of an empty list is not known here");
    check_help(c, (struct span){0, 0}, "declare it, as in let x : [int] = [];");
    return types->error;
  }
  for (uint32_t i = 0; i < expr->list.count; i++) {
    const struct type *type = expr_check(c, x, expr->list.items[i], hint);
    if (type->kind == TYPE_VOID) {
      check_error(c, expr->list.items[i]->span, "this gives no value");
      type = types->error;
    }
    if (type->kind == TYPE_ERROR && expr->list.items[i]->kind == EXPR_LIST) return type; /* so are the other rows */
    const struct type *both = element ? type_join(c, element, type) : type;
    if (!both) return refuse_items(c, expr->list.items, i, element, type);
    element = both;
  }
  element = check_joined(c, x, expr->list.items, expr->list.count, element, hint);
  return element->kind == TYPE_ERROR ? element : measured(c, expr, type_list(types, element));
}

static const struct type *check_record(struct checker *c, struct context *x, struct expr *expr,
                                       const struct type *wanted) {
  struct types *types = &c->model->types;
  struct type_field *fields = ARENA_ARRAY(c->arena, struct type_field, expr->record.count);
  bool fine = true;
  for (uint32_t i = 0; i < expr->record.count; i++) {
    struct field *field = &expr->record.fields[i];
    const struct type *hint = NULL;
    if (wanted && wanted->kind == TYPE_RECORD && i < wanted->field_count && wanted->fields[i].name == field->name.name)
      hint = wanted->fields[i].type;
    fields[i] = (struct type_field){field->name.name, expr_check(c, x, field->value, hint)};
    fine = fine && fields[i].type->kind != TYPE_ERROR;
  }
  return fine ? measured(c, expr, type_record(types, fields, expr->record.count)) : types->error;
}

static const struct type *check_each(struct checker *c, struct context *x, struct expr *expr,
                                     const struct type *wanted) {
  struct scope scope = {.outer = x->scope};
  for (uint32_t i = 0; i < expr->each.binder_count; i++) {
    struct binder *binder = &expr->each.binders[i];
    const struct type *type = walk_check(c, x, binder->range, NULL, false, false);
    x->scope = &scope;
    binder->symbol = scope_local(c, x, &scope, binder->name, type);
  }
  x->scope = &scope;
  const struct type *hint = wanted && wanted->kind == TYPE_LIST ? wanted->element : NULL;
  const struct type *body = expr_check(c, x, expr->each.body, hint);
  x->scope = scope.outer;
  return body->kind == TYPE_ERROR ? body : measured(c, expr, type_list(&c->model->types, body));
}

static const struct type *check_range(struct checker *c, struct context *x, struct expr *expr) {
  struct types *types = &c->model->types;
  const struct type *low = expr_check(c, x, expr->range.low, NULL);
  const struct type *high = expr_check(c, x, expr->range.high, NULL);
  if (low->kind == TYPE_ERROR || high->kind == TYPE_ERROR) return types->error;
  if (!type_is_number(low) || !type_is_number(high)) {
    const struct expr *wrong = type_is_number(low) ? expr->range.high : expr->range.low;
    check_error(c, wrong->span, "a range goes from a number to a number, and this is %s", type_text(c, wrong->type));
    return types->error;
  }
  low = check_draw(c, x, expr->range.low, low);
  high = check_draw(c, x, expr->range.high, high);
  if (!dimension_equal(type_dimension(low), type_dimension(high))) {
    check_error(c, expr->span, "a range goes from %s to %s", type_text(c, low), type_text(c, high));
    check_note(c, expr->range.low->span, "this is %s", type_text(c, low));
    check_note(c, expr->range.high->span, "this is %s", type_text(c, high));
    if (is_bare_number(expr->range.low) && expr->range.high->kind == EXPR_QUANTITY)
      check_help(c, (struct span){0, 0}, "the unit stands behind both: %s %s .. %s", expr_text(c, expr->range.low),
                 expr->range.high->quantity.unit, expr_text(c, expr->range.high));
    if (is_bare_number(expr->range.high) && has_unit(low))
      check_help(c, (struct span){0, 0}, "the unit stands behind both: %s .. %s %s", expr_text(c, expr->range.low),
                 expr_text(c, expr->range.high),
                 expr->range.low->kind == EXPR_QUANTITY ? expr->range.low->quantity.unit
                                                        : unit_example(c, type_dimension(low)));
    const struct expr *product = expr->range.high;
    if (is_bare_number(expr->range.low) && product->kind == EXPR_BINARY &&
        (product->binary.op == OP_MUL || product->binary.op == OP_DIV) && is_bare_number(product->binary.left))
      check_help(c, (struct span){0, 0}, "'..' is weaker than '%s': (%s .. %s) %s %s",
                 product->binary.op == OP_MUL ? "*" : "/", expr_text(c, expr->range.low),
                 expr_text(c, product->binary.left), product->binary.op == OP_MUL ? "*" : "/",
                 expr_text(c, product->binary.right));
    return types->error;
  }
  return type_of_kind(types, TYPE_RANGE, type_dimension(low));
}

static const struct type *check_if(struct checker *c, struct context *x, struct expr *expr, const struct type *wanted) {
  struct types *types = &c->model->types;
  expr_check_as(c, x, expr->branch.condition, types->boolean, "the condition of if");
  const struct type *then = expr_check(c, x, expr->branch.then, wanted);
  if (!wanted && then->kind == TYPE_TERM) wanted = then;
  const struct type *otherwise = expr_check(c, x, expr->branch.otherwise, wanted);
  const struct type *both = type_join(c, then, otherwise);
  if (both && both->kind != TYPE_VOID)
    return check_joined(c, x, (struct expr *[]){expr->branch.then, expr->branch.otherwise}, 2, both, wanted);
  if (!both) {
    check_error(c, expr->span, "the branches of if have one type");
    check_note(c, expr->branch.then->span, "this is %s", type_text(c, then));
    check_note(c, expr->branch.otherwise->span, "this is %s", type_text(c, otherwise));
  }
  return types->error;
}

static const struct type *check_quantity(struct checker *c, struct expr *expr) {
  struct dimension dimension;
  struct types *types = &c->model->types;
  bool fine = unit_parse(c, expr->quantity.unit, expr->quantity.unit_span, &expr->quantity.factor, &dimension);
  return fine ? type_real(types, dimension) : types->error;
}

static const struct type *check_kind(struct checker *c, struct context *x, struct expr *expr,
                                     const struct type *wanted) {
  const struct types *types = &c->model->types;
  switch (expr->kind) {
  case EXPR_INTEGER: return types->integer;
  case EXPR_REAL: return types->real;
  case EXPR_QUANTITY: return check_quantity(c, expr);
  case EXPR_STRING: return types->string;
  case EXPR_BOOLEAN: return types->boolean;
  case EXPR_NAME: return check_name(c, x, expr, wanted);
  case EXPR_UNARY:
  case EXPR_BINARY: return operator_check(c, x, expr, wanted);
  case EXPR_COMPARE: return compare_check(c, x, expr);
  case EXPR_IF: return check_if(c, x, expr, wanted);
  case EXPR_RANGE: return check_range(c, x, expr);
  case EXPR_INDEX: return check_index(c, x, expr, wanted);
  case EXPR_CALL: return call_check(c, x, expr);
  case EXPR_MEMBER: return check_member(c, x, expr);
  case EXPR_LIST: return check_list(c, x, expr, wanted);
  case EXPR_EACH: return check_each(c, x, expr, wanted);
  case EXPR_RECORD: return check_record(c, x, expr, wanted);
  case EXPR_CLAUSE:
  case EXPR_NA: /* the grammar has them in selectors and profiles alone, where they are looked at before */
  case EXPR_KINDS: break;
  }
  return types->error;
}

const struct type *expr_check(struct checker *c, struct context *x, struct expr *expr, const struct type *wanted) {
  if (c->depth >= DEPTH_MAX) {
    check_error(c, expr->span, "definitions nest too deep here");
    check_help(c, (struct span){0, 0},
               "each is made of one that stands behind it: declare first what others are made of");
    return expr->type = c->model->types.error;
  }
  bool terms = x->terms; /* a bare word is a term as a whole value or as an item, not as an operand */
  x->terms = terms && (expr->kind == EXPR_NAME || expr->kind == EXPR_INDEX || expr->kind == EXPR_IF ||
                       expr->kind == EXPR_LIST || expr->kind == EXPR_RECORD);
  c->depth++;
  expr->type = check_kind(c, x, expr, wanted);
  c->depth--;
  x->terms = terms;
  return expr->type;
}

const struct type *expr_check_as(struct checker *c, struct context *x, struct expr *expr, const struct type *wanted,
                                 const char *what) {
  const struct type *type = expr_check(c, x, expr, wanted);
  if (!type_require(c, expr, wanted, what)) return c->model->types.error;
  if (type->kind == TYPE_ERROR) return type;
  return type_lift(c, wanted, type);
}

/* A tenth of a range of literals. */
static const char *step_example(struct checker *c, const struct expr *range) {
  const struct expr *low = range->range.low, *high = range->range.high;
  struct text text = {.arena = c->arena};
  bool units =
      low->kind == EXPR_QUANTITY && high->kind == EXPR_QUANTITY && !strcmp(low->quantity.unit, high->quantity.unit);
  if (!units && (low->kind != EXPR_REAL || high->kind != EXPR_REAL)) return "STEP";
  number_print(&text, units ? (high->quantity.value - low->quantity.value) / 10 : (high->real - low->real) / 10, 6);
  if (units) text_printf(&text, " %s", low->quantity.unit);
  return text.data;
}

/* Of a loop or a list: only a study goes over reals. */
static void refuse_reals(struct checker *c, const struct expr *range, const struct expr *by, bool geometric) {
  bool whole = range->range.low->type->kind == TYPE_INT && range->range.high->type->kind == TYPE_INT;
  const char *low = expr_text(c, range->range.low), *step = step_example(c, range);
  bool fits = by && type_is_number(by->type) &&
              dimension_equal(type_dimension(by->type), type_dimension(geometric ? c->model->types.real : range->type));
  if (fits) step = expr_text(c, by);
  if (whole && by) {
    check_error(c, by->span, "a loop over whole numbers goes by an int, not %s", type_text(c, by->type));
    return;
  }
  check_error(c, range->span, "this range is of %s: what is walked over is whole numbers or a list",
              type_text(c, type_plain(&c->model->types, range->type)));
  if ((!by || by->type->kind == TYPE_INT) && check_whole_number(c, range)) return;
  check_help(c, (struct span){0, 0}, "whole numbers count its steps: i in 0 .. %s, each %s %s",
             fits || !strcmp(step, "STEP") ? "N" : "10", low,
             arena_printf(c->arena, geometric ? "* %s ^ i" : "+ i * %s", step));
}

const struct type *walk_check(struct checker *c, struct context *x, struct expr *range, struct expr *step,
                              bool geometric, bool vary) {
  const struct types *types = &c->model->types;
  const struct type *type = expr_check(c, x, range, NULL);
  const struct type *by = step ? expr_check(c, x, step, NULL) : NULL;
  if (type->kind == TYPE_ERROR || (by && by->kind == TYPE_ERROR)) return types->error;
  if (type->kind == TYPE_LIST) {
    if (step) check_error(c, step->span, "a list is walked item by item, without a step");
    if (!vary && is_bracketed(range)) {
      check_error(c, range->span, "this list has one item, which is a range");
      check_bracketed(c, range);
      return types->error;
    }
    if (type->element->kind != TYPE_ANY) return type->element;
    check_not_known(c, range);
    return types->error;
  }
  if (range->kind != EXPR_RANGE) {
    check_error(c, range->span, "this is %s: what is walked over is a list, or a range low .. high",
                type_text(c, type));
    if (type->kind == TYPE_INT && !vary)
      check_help(c, (struct span){0, 0}, "so many whole numbers are 0 .. %s",
                 range->kind == EXPR_INTEGER ? arena_printf(c->arena, "%lld", (long long)range->integer - 1)
                                             : arena_printf(c->arena, "%s - 1", expr_text(c, range)));
    return types->error;
  }
  const struct type *low = range->range.low->type, *high = range->range.high->type;
  bool whole = low->kind == TYPE_INT && high->kind == TYPE_INT;
  if (whole && (!by || by->kind == TYPE_INT)) return types->integer;
  if (!vary) {
    refuse_reals(c, range, step, geometric);
    return types->error;
  }
  if (!step) {
    check_error(c, range->span, "a range of reals is walked with a step");
    check_help(c, (struct span){0, 0}, "write %s by %s", expr_text(c, range), step_example(c, range));
    return types->error;
  }
  if (!type_is_number(by) ||
      !dimension_equal(type_dimension(by), geometric ? (struct dimension){{0}} : type_dimension(low))) {
    check_error(c, step->span, "the step of this range is %s, not %s",
                geometric ? "real" : type_text(c, type_plain(&c->model->types, type)), type_text(c, by));
    if (!geometric && type_is_number(by) && dimension_none(type_dimension(by)))
      check_help(c, (struct span){0, 0}, "a step has a unit, too: %s..%s by %s %s", expr_text(c, range->range.low),
                 expr_text(c, range->range.high), expr_text(c, step),
                 range->range.high->kind == EXPR_QUANTITY ? range->range.high->quantity.unit
                                                          : unit_example(c, type_dimension(low)));
    return types->error;
  }
  return type_plain(&c->model->types, type);
}
