/* Selectors and attributes that the command line gives, read as those of a model: a request of one that has nothing
 * else but the library's units. Called by browse.c and entries.c. */
#include "interp/repository/repository_model.h"
#include "interp/check/check.h"

#include <string.h>

enum { LINE_OF_ITS_OWN = -1 }; /* before the first: what is given stands on the second line of the text */

/* What the library warns of, attributes that no component has, is no matter here. */
static bool load_quietly(struct psl *psl, const char *what, const char *text, size_t size) {
  struct handle_catch caught;
  handle_catch(&caught, psl);
  handle_drop_model(psl);
  psl->sources = (struct sources){0};
  psl->names = (struct names){0};
  handle_prepare(psl);
  struct load_options options = handle_load_options(psl);
  options.extras = NULL;
  options.extra_count = 0;
  struct load_text given = {what, text, size, (uint32_t)LINE_OF_ITS_OWN};
  bool good = model_load_session(&psl->model, &given, 1, &options) && model_bind(&psl->model);
  handle_release(&caught);
  if (!good) {
    psl->diagnostics.errors++;
    handle_say_again(psl, PSL_ERROR, caught.said.data);
  }
  psl->has_model = good;
  return good;
}

/* Values that fail are told here, where they are given: a verdict takes them for what is not known before a run. */
static bool values_hold(struct resolver *r, const struct expr *selector) {
  if (!selector) return true;
  if (selector->kind == EXPR_UNARY) return values_hold(r, selector->unary.operand);
  if (selector->kind == EXPR_BINARY)
    return values_hold(r, selector->binary.left) && values_hold(r, selector->binary.right);
  if (selector->kind != EXPR_CLAUSE || selector->clause.value->kind == EXPR_NA) return true;
  struct environment environment = resolver_environment(r, NULL);
  struct value value;
  return expr_uses(r, selector->clause.value) || evaluate(&environment, selector->clause.value, &value);
}

bool query_read(struct psl *psl, const char *what, const char *text, struct query *out) {
  struct text model = {.arena = &psl->handed};
  text_printf(&model,
              "transaction psl-query(); system psl-query { requests: optional selector = {\n%s\n};"
              " transaction = psl-query(); protocol = dataflow; }\n",
              text);
  if (!load_quietly(psl, what, model.data, model.size)) return false;
  out->r = repository_resolver(psl);
  out->selector = NULL;
  for (uint32_t k = 0; k < psl->model.request_count; k++)
    if (psl->model.requests[k]->component->system &&
        model_owns(&psl->model, psl->model.requests[k]->component->symbol->file))
      out->selector = psl->model.requests[k]->selector;
  return values_hold(out->r, out->selector);
}

bool query_attributes(struct psl *psl, const char *what, const char *text, struct attribute_list *list) {
  struct query query;
  const struct expr *conjuncts[SELECTOR_CONJUNCTS];
  if (!query_read(psl, what, text, &query)) return false;
  uint32_t count = conjuncts_of(query.selector, conjuncts, SELECTOR_CONJUNCTS);
  for (uint32_t k = 0; k < count; k++) {
    const struct expr *clause = conjuncts[k];
    struct value value;
    if (clause->kind != EXPR_CLAUSE || clause->clause.op != OP_EQ ||
        !resolver_quietly(query.r, clause->clause.value, NULL, &value)) {
      diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, clause->span, "an attribute is given as NAME = VALUE");
      return false;
    }
    entry_add_attribute(list, query.r, PROFILE_OF_ENTRY, clause->clause.attribute, clause->clause.value->type, value);
  }
  return true;
}
