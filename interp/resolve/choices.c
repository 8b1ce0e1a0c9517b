/* Components of which a param chooses one, whose figures others take, where what is requested goes to another one: work
 * that computes on one machine, say, and messages that take as long as those of another; and those of the user's own
 * that nobody chooses. Called once the requests of a system are planned, and where an expression is answered. */
#include "interp/check/check.h"
#include "interp/resolve/effects.h"
#include "interp/resolve/resolve.h"

struct choosing {
  struct resolver *r;
  const struct model_choice *choice;
  struct value chosen;
  bool taken;                        /* some request may go to the one that is chosen */
  const struct model_request *apart; /* the first that goes to another, and to which; NULL: none does */
  const struct model_accept *other;
};

static bool attribute_of(const struct choosing *c, const struct model_accept *accept, struct value *out) {
  struct attribute_ref ref = profile_find(c->r, accept, c->choice->attribute);
  return ref.kind == ATTRIBUTE_EXPR && ref.constant && resolver_quietly(c->r, ref.value, NULL, out) &&
         out->kind == VALUE_TERM;
}

static bool is_chosen(const struct choosing *c, struct value value) {
  return clause_holds(OP_EQ, value, c->chosen) != CERTAINLY_NOT;
}

static void look_at(struct choosing *c, const struct plan *plan) {
  for (uint32_t k = 0; k < plan->count && !c->taken; k++) {
    const struct model_accept *accept = plan->candidates[k].accept;
    struct value value;
    if (!component_is_like(accept->component, c->choice->family) || !attribute_of(c, accept, &value)) continue;
    c->taken = is_chosen(c, value);
    if (c->apart || resolver_in_library(c->r, plan->request->syntax->selector_span)) continue;
    c->apart = plan->request;
    c->other = accept;
  }
}

/* Whose value it is where nothing is said of it: `machine` for `param first-level : term = machine`. */
static const struct symbol *root_of(const struct symbol *param) {
  const struct expr *value = value_expr(param);
  while (!param->setting && !param->preset && value->kind == EXPR_NAME && value->name.symbol &&
         value->name.symbol->kind == SYMBOL_PARAM) {
    param = value->name.symbol;
    value = value_expr(param);
  }
  return param;
}

static bool matters(const struct choosing *c) {
  const struct model *model = c->r->model;
  const enum effect *effects = effects_of(c->r->model, c->r->arena, c->r->graph->system, &(struct effects_options){0});
  for (uint32_t k = 0; k < model->param_count; k++)
    if (model->params[k] == c->choice->param) return effects[k] == EFFECT_RESULT;
  return false;
}

static const char *word_of(const struct model *model, struct arena *arena, struct value value) {
  return value_brief(arena, &model->types, model->names, model->types.term, value);
}

static const char *term_text(const struct choosing *c, struct value value) {
  return word_of(c->r->model, c->r->arena, value);
}

/* What the selector has the param's name for, where it is not the param; NULL: it does not, or it is. */
static const struct symbol *namesake(const struct choosing *c) {
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(c->apart->selector, list, SELECTOR_CONJUNCTS);
  for (uint32_t k = 0; k < count; k++) {
    const struct expr *value = list[k]->kind == EXPR_CLAUSE ? list[k]->clause.value : NULL;
    const struct symbol *symbol = value && value->kind == EXPR_NAME ? value->name.symbol : NULL;
    if (symbol && symbol != c->choice->param && symbol->name == c->choice->param->name) return symbol;
  }
  return NULL;
}

static void warn_apart(const struct choosing *c) {
  struct diagnostics *d = c->r->model->diagnostics;
  const char *param = c->choice->param->name->text, *attribute = c->choice->attribute->text;
  const struct symbol *other = namesake(c);
  struct value value;
  attribute_of(c, c->other, &value);
  diagnostic_add(d, SEVERITY_WARNING, c->apart->syntax->selector_span,
                 "this request goes to '%s', but %s takes the figures of %s, the value of param '%s'",
                 c->other->component->symbol->name->text, c->choice->param->file->name, term_text(c, c->chosen), param);
  diagnostic_note(d, c->choice->param->span, "declared here");
  if (other)
    diagnostic_note(d, other->span, "'%s' in the selector is this one: another name for it leaves that one", param);
  diagnostic_help(d, (struct span){0}, "with %s = %s in the selector, --set %s=%s chooses both", attribute, param,
                  param, term_text(c, value));
}

/* One that the model declares beside those of the library is meant to be used. NULL: there is none, or one is. */
static const struct model_accept *left_out(const struct choosing *c) {
  const struct model *model = c->r->model;
  const struct model_accept *left = NULL;
  struct value value;
  for (uint32_t k = 0; k < model->accept_count; k++) {
    const struct model_accept *accept = model->accepts[k];
    if (model_in_library(model, accept->component->symbol->file) ||
        !component_is_like(accept->component, c->choice->family) || !attribute_of(c, accept, &value))
      continue;
    if (c->r->accept_reached[k] || is_chosen(c, value)) return NULL;
    if (!left) left = accept;
  }
  return left;
}

static void note_left(const struct model *model, const struct symbol *param, const struct model_component *left,
                      const char *chosen, const char *set) {
  struct diagnostics *d = model->diagnostics;
  diagnostic_add(d, SEVERITY_NOTE, left->symbol->span, "'%s' is not used: nobody set '%s', which is %s",
                 left->symbol->name->text, param->name->text, chosen);
  diagnostic_help(d, (struct span){0}, "%s chooses it", set);
}

/* Once of all params that have one other's value, for it is what is to be set. */
struct noted {
  struct arena *arena;
  const struct symbol **params;
  uint32_t count, capacity;
};

static bool is_noted(struct noted *noted, const struct symbol *param) {
  for (uint32_t k = 0; k < noted->count; k++)
    if (noted->params[k] == param) return true;
  ARENA_PUSH(noted->arena, noted->params, noted->count, noted->capacity, param);
  return false;
}

/* Called where the param's value is known. */
static void choice_check(struct choosing *c, struct noted *noted) {
  const struct symbol *param = root_of(c->choice->param);
  for (uint32_t k = 0; k < c->r->model->request_count && !c->taken; k++)
    if (c->r->plans[k]) look_at(c, c->r->plans[k]);
  const struct model_accept *left = param->setting || param->preset ? NULL : left_out(c);
  if (c->apart && !c->taken) {
    if (matters(c)) warn_apart(c);
  } else if (left && matters(c)) {
    struct value value;
    attribute_of(c, left, &value);
    if (!is_noted(noted, param))
      note_left(c->r->model, param, left->component, term_text(c, c->chosen),
                arena_printf(c->r->arena, "--set %s=%s", param->name->text, term_text(c, value)));
  }
}

void choices_check(struct resolver *r) {
  struct noted noted = {.arena = r->arena};
  for (uint32_t i = 0; i < r->model->choice_count; i++) {
    struct choosing c = {.r = r, .choice = &r->model->choices[i]};
    const struct symbol *param = c.choice->param;
    struct expr name = {.kind = EXPR_NAME, .type = param->type, .name = {.symbol = (struct symbol *)param}};
    if (resolver_quietly(r, &name, NULL, &c.chosen) && c.chosen.kind == VALUE_TERM) choice_check(&c, &noted);
  }
}

/* ---- where an expression is answered, and no system is at hand ---- */

/* The word that the component has for the attribute; false: it has none, or a value that is to be computed. */
static bool own_word(struct environment *e, const struct model_component *component, const struct name *attribute,
                     struct value *out) {
  const struct model_accept *accept = component->accept_count ? component->accepts[0] : NULL;
  for (uint32_t k = 0; accept && k < accept->profile_count; k++) {
    const struct expr *value = accept->profile[k].value;
    if (accept->profile[k].attribute == attribute->folded && value && value->kind == EXPR_NAME && !value->name.symbol)
      return evaluate(e, value, out) && out->kind == VALUE_TERM;
  }
  return false;
}

/* The first of the user's own of the family, where none of them is chosen. */
static const struct model_component *own_left(struct environment *e, const struct model_choice *choice,
                                              struct value chosen, struct value *word) {
  const struct model_component *left = NULL;
  struct value value;
  for (uint32_t k = 0; k < e->model->component_count; k++) {
    const struct model_component *component = e->model->components[k];
    if (!component_is_like(component, choice->family) || model_in_library(e->model, component->symbol->file) ||
        !own_word(e, component, choice->attribute, &value))
      continue;
    if (clause_holds(OP_EQ, value, chosen) != CERTAINLY_NOT) return NULL;
    if (!left) *word = value;
    if (!left) left = component;
  }
  return left;
}

void choices_note(struct model *model, struct arena *scratch, const struct expr *answered) {
  struct environment e = {.model = model, .scratch = scratch};
  for (uint32_t i = 0; i < model->choice_count; i++) {
    struct symbol *param = (struct symbol *)root_of(model->choices[i].param);
    struct value word;
    bool known = param->has_value && param->value.kind == VALUE_TERM && !param->setting && !param->preset;
    const struct model_component *left = known ? own_left(&e, &model->choices[i], param->value, &word) : NULL;
    if (!left || model->choices[i].told || !effects_reads(scratch, answered, &param, 1)) continue;
    for (uint32_t k = 0; k < model->choice_count; k++)
      model->choices[k].told |= root_of(model->choices[k].param) == param;
    note_left(model, param, left, word_of(model, scratch, param->value),
              arena_printf(scratch, ":set %s=%s", param->name->text, word_of(model, scratch, word)));
  }
}
