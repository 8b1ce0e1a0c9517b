/* Components of which a param chooses one, whose figures others take, where what is requested goes to another one: work
 * that computes on one machine, say, and messages that take as long as those of another. Called once the requests of a
 * system are planned. */
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

static bool matters(const struct choosing *c) {
  const struct model *model = c->r->model;
  const enum effect *effects = effects_of(c->r->model, c->r->arena, c->r->graph->system, &(struct effects_options){0});
  for (uint32_t k = 0; k < model->param_count; k++)
    if (model->params[k] == c->choice->param) return effects[k] == EFFECT_RESULT;
  return false;
}

static const char *term_text(const struct choosing *c, struct value value) {
  const struct model *model = c->r->model;
  return value_brief(c->r->arena, &model->types, model->names, model->types.term, value);
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

static void note_left(const struct choosing *c, const struct model_accept *left) {
  struct diagnostics *d = c->r->model->diagnostics;
  const char *param = c->choice->param->name->text;
  struct value value;
  attribute_of(c, left, &value);
  diagnostic_add(d, SEVERITY_NOTE, left->component->symbol->span, "'%s' is not used: nobody set '%s', which is %s",
                 left->component->symbol->name->text, param, term_text(c, c->chosen));
  diagnostic_help(d, (struct span){0}, "--set %s=%s chooses it", param, term_text(c, value));
}

/* Called where the param's value is known. */
static void choice_check(struct choosing *c) {
  const struct symbol *param = c->choice->param;
  for (uint32_t k = 0; k < c->r->model->request_count && !c->taken; k++)
    if (c->r->plans[k]) look_at(c, c->r->plans[k]);
  const struct model_accept *left = param->setting || param->preset ? NULL : left_out(c);
  if (c->apart && !c->taken) {
    if (matters(c)) warn_apart(c);
  } else if (left && matters(c)) {
    note_left(c, left);
  }
}

void choices_check(struct resolver *r) {
  for (uint32_t i = 0; i < r->model->choice_count; i++) {
    struct choosing c = {.r = r, .choice = &r->model->choices[i]};
    const struct symbol *param = c.choice->param;
    struct expr name = {.kind = EXPR_NAME, .type = param->type, .name = {.symbol = (struct symbol *)param}};
    if (resolver_quietly(r, &name, NULL, &c.chosen) && c.chosen.kind == VALUE_TERM) choice_check(&c);
  }
}
