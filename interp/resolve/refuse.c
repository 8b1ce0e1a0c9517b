/* Why a request has no target, or several: the candidates, and clause by clause what each has and what is
 * wanted. Called by bind.c, late.c and explain.c. */
#include "interp/resolve/resolve.h"
#include "grammar/children.h"
#include "interp/check/check.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 6 };

const char *place_text(struct resolver *r, struct span span) {
  struct place place = source_place(r->model->sources, span.begin);
  if (!place.source) return "";
  return arena_printf(r->arena, "%s:%u:%u", shown_line(r->arena, place.source->path), place.line, place.column);
}

const char *span_text(struct resolver *r, struct span span) {
  const struct source *source = source_of(r->model->sources, span.begin);
  struct text text = {.arena = r->arena};
  if (!source || span.end <= span.begin) return "";
  for (uint32_t k = span.begin; k < span.end && k - source->base < source->size; k++) {
    char c = source->text[k - source->base];
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      text_char(&text, c);
    else if (text.size && text.data[text.size - 1] != ' ')
      text_char(&text, ' ');
  }
  return text.data ? text.data : "";
}

uint32_t conjuncts_of(const struct expr *selector, const struct expr **list, uint32_t capacity) {
  if (!selector || !capacity) return 0;
  if (selector->kind != EXPR_BINARY || selector->binary.op != OP_AND) {
    list[0] = selector;
    return 1;
  }
  uint32_t left = conjuncts_of(selector->binary.left, list, capacity);
  return left + conjuncts_of(selector->binary.right, list + left, capacity - left);
}

static const char *relation_text(enum operator op) {
  if (op == OP_EQ) return "";
  if (op == OP_NE) return "not ";
  if (op == OP_IN) return "in ";
  return op == OP_LT ? "< " : op == OP_LE ? "<= " : op == OP_GT ? "> " : ">= ";
}

/* Terms as they are written there: elsewhere in the model they may have other capitals. */
static void put_value(struct text *out, struct resolver *r, const struct expr *expr, struct value value) {
  bool plain = (expr->kind == EXPR_NAME && !expr->name.symbol) || (expr->kind == EXPR_INDEX && expr->index.term);
  if (value.kind == VALUE_TERM && plain)
    text_put(out, span_text(r, expr->span));
  else
    value_print(out, &r->model->types, r->model->names, expr->type, value, 0);
}

/* A clause on an attribute that differs between the instances: does any instance meet it? */
static enum verdict explain_varying(struct resolver *r, const struct model_accept *accept, const struct expr *clause,
                                    const struct attribute_ref *ref, struct value wanted, const char *name,
                                    struct text *out) {
  int64_t number, low = 0, high = 0;
  uint32_t count = 0;
  bool whole = ref->kind == ATTRIBUTE_INDEX || (ref->value && ref->value->type && ref->value->type->kind == TYPE_INT);
  if (clause->clause.op != OP_EQ || wanted.kind != VALUE_INT || !whole) {
    text_printf(out, "%s %s", name, relation_text(clause->clause.op));
    put_value(out, r, clause->clause.value, wanted);
    text_put(out, " depends on the instance");
    return VERDICT_MAYBE;
  }
  number = wanted.integer;
  const struct instances *set = &r->graph->instances[accept->component->id];
  if (!set->count) return VERDICT_MAYBE; /* that there are none is said of the component */
  const struct lookup *lookup = NULL;
  if (ref->kind == ATTRIBUTE_INDEX && set->box) {
    low = set->low[ref->slot];
    high = set->high[ref->slot];
    count = number >= low && number <= high;
  } else if ((lookup = lookup_of(r, accept, clause->clause.attribute))) {
    lookup_find(lookup, number, &count);
    low = lookup->span ? lookup->low : lookup->values[0];
    high = lookup->span ? lookup->low + (int64_t)lookup->span - 1 : lookup->values[lookup->count - 1];
  }
  if (count)
    text_printf(out, "%s = %lld is met by %s", name, (long long)number,
                count == 1 ? "some instance" : "several instances");
  else
    text_printf(out, "no instance has %s = %lld: it is %lld .. %lld", name, (long long)number, (long long)low,
                (long long)high);
  return count ? VERDICT_MAYBE : VERDICT_NO;
}

/* The requester's side of a clause; false where it cannot be had (that is not reported here). */
static bool wanted_value(struct resolver *r, struct environment *requester, const struct expr *clause,
                         struct value *out) {
  struct diagnostics *loud = r->model->diagnostics;
  unsigned uses = expr_uses(r, clause->clause.value);
  if (uses & (USES_TARGET | USES_DRAW)) return false;
  if (!requester) return !uses && resolver_quietly(r, clause->clause.value, NULL, out);
  bool runs = requester->attribute != NULL;
  if (!runs && (uses & USES_LATE)) return false;
  r->model->diagnostics = &r->quiet;
  bool fine = evaluate(requester, clause->clause.value, out);
  r->model->diagnostics = loud;
  resolver_hush(r);
  return fine;
}

/* The attribute of a profile whose name is near one that it lacks, as it is written there. */
static const char *near_attribute(struct resolver *r, const struct model_accept *accept, const struct name *wanted) {
  const char **names = ARENA_ARRAY(r->arena, const char *, accept->profile_count);
  for (uint32_t k = 0; k < accept->profile_count; k++)
    names[k] = accept->profile[k].attribute->text;
  const char *near = misspelt_name(wanted->text, names, accept->profile_count);
  for (uint32_t k = 0; near && k < accept->profile_count; k++)
    if (names[k] == near) return span_text(r, accept->profile[k].span);
  return NULL;
}

static enum verdict clause_explain(struct resolver *r, struct environment *requester, const struct model_accept *accept,
                                   const struct expr *clause, struct text *out) {
  struct attribute_ref ref = profile_find(r, accept, clause->clause.attribute);
  const char *name = span_text(r, clause->clause.attribute_span),
             *wanted_text = span_text(r, clause->clause.value->span);
  struct value wanted, offered;
  if (clause->clause.value->kind == EXPR_NA || ref.kind == ATTRIBUTE_NA) {
    text_printf(out, "%s is N/A, which matches anything", name);
    return VERDICT_YES;
  }
  if (ref.kind == ATTRIBUTE_MISSING) {
    const char *near = near_attribute(r, accept, clause->clause.attribute->folded);
    if (near) text_printf(out, "it has '%s' and ", near);
    text_printf(out, "%sno %s, wanted %s%s", near ? "" : "it has ", name, relation_text(clause->clause.op),
                wanted_text);
    return VERDICT_NO;
  }
  bool known = wanted_value(r, requester, clause, &wanted);
  if (ref.kind == ATTRIBUTE_DYNAMIC || !known) {
    text_printf(out, "%s %s%s is known only while the model runs", name,
                clause->clause.op == OP_EQ ? "= " : relation_text(clause->clause.op), wanted_text);
    return VERDICT_MAYBE;
  }
  if (ref.kind == ATTRIBUTE_INDEX || !ref.constant) return explain_varying(r, accept, clause, &ref, wanted, name, out);
  if (!resolver_quietly(r, ref.value, NULL, &offered)) return VERDICT_MAYBE;
  enum certainty holds = clause_holds(clause->clause.op, offered, wanted);
  text_printf(out, "%s is ", name);
  put_value(out, r, ref.value, offered);
  if (holds != CERTAINLY) {
    text_printf(out, ", wanted %s", relation_text(clause->clause.op));
    put_value(out, r, clause->clause.value, wanted);
  }
  if (holds == UNCERTAIN) text_put(out, ": that is not certain");
  return verdict_of(holds);
}

enum verdict conjunct_explain(struct resolver *r, struct environment *requester, const struct model_accept *accept,
                              const struct expr *conjunct, struct text *out) {
  if (conjunct->kind == EXPR_CLAUSE) return clause_explain(r, requester, accept, conjunct, out);
  enum verdict verdict = selector_verdict(r, accept, conjunct);
  text_printf(out, "%s %s", span_text(r, conjunct->span),
              verdict == VERDICT_YES  ? "holds"
              : verdict == VERDICT_NO ? "does not hold"
                                      : "depends on the instance");
  return verdict;
}

/* ---- the list of candidates ---- */

struct refusal {
  struct model_accept *accept;
  uint32_t reasons;
  bool domain;       /* it is of the domain that is wanted */
  bool other;        /* it takes another transaction */
  bool mode;         /* it has another evaluation mode than is wanted */
  const char *lines; /* what would make it one that meets them, in a component that is like another; or NULL */
  uint32_t line_count;
  const char *text;
};

static bool find_instance_param(const struct expr *expr, void *user) {
  const struct symbol **found = user;
  if (expr->kind == EXPR_NAME && expr->name.symbol && expr->name.symbol->kind == SYMBOL_INSTANCE &&
      expr->name.symbol->decl && expr->name.symbol->decl->kind == DECL_PARAM)
    *found = expr->name.symbol;
  return *found || expr_any_child(expr, find_instance_param, user);
}

static void put_line(struct refusal *refusal, struct resolver *r, const char *line) {
  refusal->lines = refusal->lines ? arena_printf(r->arena, "%s' and '%s", refusal->lines, line) : line;
  refusal->line_count++;
}

/* Does one that takes the same transaction have that value of the attribute? */
static bool is_offered(struct resolver *r, const struct model_accept *beside, const struct expr *clause,
                       struct value wanted) {
  struct value offered;
  for (uint32_t k = 0; k < r->model->accept_count; k++) {
    const struct model_accept *accept = r->model->accepts[k];
    if (accept->transaction != beside->transaction) continue;
    struct attribute_ref ref = profile_find(r, accept, clause->clause.attribute);
    if (ref.kind == ATTRIBUTE_MISSING) continue;
    if (!ref.constant || !resolver_quietly(r, ref.value, NULL, &offered)) return true;
    if (clause_holds(OP_EQ, offered, wanted) != CERTAINLY_NOT) return true;
  }
  return false;
}

/* What is asked of the accept is what a param of its component says, or how many instances that has, or an attribute
 * that it has from what it is like. */
static void note_line(struct resolver *r, struct environment *requester, const struct expr *clause,
                      struct refusal *refusal) {
  struct value wanted;
  struct text text = {.arena = r->arena};
  const struct model_component *component = refusal->accept->component;
  if (!component->like || !model_owns(r->model, component->symbol->file)) return;
  if (clause->kind != EXPR_CLAUSE || clause->clause.op != OP_EQ) return;
  const struct name *attribute = clause->clause.attribute->folded;
  struct attribute_ref ref = profile_find(r, refusal->accept, clause->clause.attribute);
  const struct symbol *param = ref.value && ref.value->kind == EXPR_NAME ? ref.value->name.symbol : NULL;
  if (!wanted_value(r, requester, clause, &wanted)) return;
  put_value(&text, r, clause->clause.value, wanted);
  if (param && param->kind == SYMBOL_INSTANCE && param->decl && param->decl->kind == DECL_PARAM) {
    put_line(refusal, r, arena_printf(r->arena, "param %s = %s;", param->name->text, text.data));
    return;
  }
  const struct symbol *count = NULL;
  if (ref.kind == ATTRIBUTE_INDEX && component->set && component->index_count == 1 && wanted.kind == VALUE_INT &&
      wanted.integer > 0 && find_instance_param(component->set, &count)) {
    put_line(refusal, r, arena_printf(r->arena, "param %s = %lld;", count->name->text, (long long)wanted.integer + 1));
    return;
  }
  bool fixed = name_is(attribute, KNOWN_DOMAIN) || name_is(attribute, KNOWN_EVALUATION_MODE);
  if (ref.constant && !fixed && wanted.kind == VALUE_TERM && ref.kind != ATTRIBUTE_INDEX &&
      !is_offered(r, refusal->accept, clause, wanted))
    put_line(refusal, r,
             arena_printf(r->arena, "profile %s = %s;", span_text(r, clause->clause.attribute_span), text.data));
}

static void put_reason(struct text *out, const char *reason) {
  if (out->size) text_put(out, "; ");
  text_put(out, reason);
}

static struct refusal refusal_of(struct resolver *r, struct plan *plan, struct environment *requester,
                                 struct model_accept *accept) {
  struct refusal refusal = {.accept = accept, .domain = true};
  struct text all = {.arena = r->arena};
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(plan->request->selector, list, SELECTOR_CONJUNCTS);
  for (uint32_t k = 0; k < count; k++) {
    struct text one = {.arena = r->arena};
    if (conjunct_explain(r, requester, accept, list[k], &one) != VERDICT_NO) continue;
    put_reason(&all, one.data);
    refusal.reasons++;
    note_line(r, requester, list[k], &refusal);
    if (list[k]->kind == EXPR_CLAUSE && name_is(list[k]->clause.attribute->folded, KNOWN_DOMAIN))
      refusal.domain = false;
    refusal.mode |= list[k]->kind == EXPR_CLAUSE && name_is(list[k]->clause.attribute->folded, KNOWN_EVALUATION_MODE);
  }
  struct adapter *adapter;
  const char *why = NULL;
  if (!plan_considers(r, plan->request, accept, &adapter, &why) && why) {
    put_reason(&all, why);
    refusal.reasons++;
    refusal.other = accept->transaction != plan->request->transaction;
  }
  bool empty = r->graph->instances[accept->component->id].count == 0;
  bool itself = accept->component == plan->request->component && !accept->component->index_count;
  if (!refusal.reasons && itself)
    put_reason(&all, "it makes the request itself: who is to come back has an index that the selector names");
  else if (!refusal.reasons)
    put_reason(&all, empty ? "it has no instances: its index set is empty" : "no instance meets all clauses");
  refusal.text = all.data;
  return refusal;
}

static int refusal_order(const void *left, const void *right) {
  const struct refusal *a = left, *b = right;
  if (a->other != b->other) return a->other - b->other;
  if (a->reasons != b->reasons) return a->reasons < b->reasons ? -1 : 1;
  return a->accept->id < b->accept->id ? -1 : a->accept->id > b->accept->id;
}

/* The term whose brackets hold such a word: flows for simulation[flows]. */
static const char *nearest_qualified(struct resolver *r, const char *word, const char *const *texts, uint32_t count) {
  const char **inside = ARENA_ARRAY(r->arena, const char *, count);
  for (uint32_t i = 0; i < count; i++) {
    const char *begin = strchr(texts[i], '['), *end = begin ? strchr(begin, ']') : NULL;
    inside[i] = end ? arena_copy(r->arena, begin + 1, (size_t)(end - begin - 1)) : "";
  }
  const char *near = strchr(word, '[') ? NULL : nearest_name(word, inside, count);
  for (uint32_t i = 0; near && i < count; i++)
    if (inside[i] == near) return texts[i];
  return NULL;
}

/* The term whose word before the brackets is so: application for application[office]. */
static const char *nearest_head(struct resolver *r, const char *word, const char *const *texts, uint32_t count) {
  const char **heads = ARENA_ARRAY(r->arena, const char *, count);
  for (uint32_t i = 0; i < count; i++)
    heads[i] = arena_copy(r->arena, texts[i], strcspn(texts[i], "["));
  return strchr(word, '[') ? NULL : nearest_name(word, heads, count);
}

/* A term that no profile offers for an attribute may be a misspelt one: those that accepts of this transaction
 * offer are candidates, where none of them lacks the attribute and has one of a name that is near. */
static bool meant_terms(struct resolver *r, struct plan *plan, struct environment *requester) {
  bool found = false;
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(plan->request->selector, list, SELECTOR_CONJUNCTS);
  for (uint32_t k = 0; k < count; k++) {
    struct value wanted, offered;
    const char **texts = ARENA_ARRAY(r->arena, const char *, r->model->accept_count);
    uint32_t text_count = 0;
    bool known = list[k]->kind != EXPR_CLAUSE || list[k]->clause.op != OP_EQ ||
                 list[k]->clause.value->kind == EXPR_NA || !wanted_value(r, requester, list[k], &wanted) ||
                 wanted.kind != VALUE_TERM;
    for (uint32_t a = 0; a < r->model->accept_count && !known; a++) {
      const struct model_accept *accept = r->model->accepts[a];
      struct attribute_ref ref = profile_find(r, accept, list[k]->clause.attribute);
      struct text text = {.arena = r->arena};
      bool asked = accept->transaction == plan->request->transaction;
      known = asked && ref.kind == ATTRIBUTE_MISSING && near_attribute(r, accept, list[k]->clause.attribute->folded);
      if (known || !ref.constant || !resolver_quietly(r, ref.value, NULL, &offered)) continue;
      known = clause_holds(OP_EQ, offered, wanted) != CERTAINLY_NOT;
      put_value(&text, r, ref.value, offered);
      if (asked) texts[text_count++] = text.data;
    }
    if (known) continue;
    struct text text = {.arena = r->arena};
    put_value(&text, r, list[k]->clause.value, wanted);
    static const char *const whatever[] = {"any", "all"};
    if (!strcmp(text.data, whatever[0]) || !strcmp(text.data, whatever[1])) {
      diagnostic_help(r->model->diagnostics, (struct span){0},
                      "an attribute that may have any value is left out of the selector");
      continue;
    }
    const char *near = nearest_name(text.data, texts, text_count);
    if (!near) near = nearest_qualified(r, text.data, texts, text_count);
    if (!near) near = nearest_head(r, text.data, texts, text_count);
    if (near) diagnostic_help(r->model->diagnostics, (struct span){0}, "did you mean '%s'?", near);
    found |= near != NULL;
  }
  return found;
}

/* A component whose number of instances is a param of its own is there to be made others of. */
static void help_instances(struct resolver *r, const struct model_component *component) {
  const struct symbol *param = NULL;
  if (r->graph->instances[component->id].count || !component->set) return;
  if (!find_instance_param(component->set, &param)) return;
  diagnostic_help(r->model->diagnostics, component->symbol->span,
                  "give it instances: component mine like %s { param %s = ...; }", component->symbol->name->text,
                  param->name->text);
}

static const char *indices_text(struct resolver *r, const struct model_component *component) {
  struct text text = {.arena = r->arena};
  for (uint32_t k = 0; k < component->index_count; k++)
    text_printf(&text, "%s%s",
                k == 0                           ? ""
                : k + 1 < component->index_count ? ", "
                                                 : " and ",
                component->indices[k]->name->text);
  return text.data;
}

/* Does the clause ask for one of the component's instances by something else than an index: number = k, or
 * node type = buffer[k]? Then *beside is what of it must stay. */
static bool is_numbering(struct resolver *r, const struct model_accept *accept, const struct expr *clause,
                         const char **number, const char **beside) {
  const struct expr *value = clause->clause.value;
  struct attribute_ref ref = profile_find(r, accept, clause->clause.attribute);
  struct value wanted, offered;
  *beside = "";
  *number = span_text(r, value->span);
  if (clause->clause.op != OP_EQ || !value->type) return false;
  if (ref.kind == ATTRIBUTE_MISSING) return value->type->kind == TYPE_INT;
  if (value->kind != EXPR_INDEX || name_is(clause->clause.attribute->folded, KNOWN_DOMAIN)) return false;
  if (!ref.constant || !resolver_quietly(r, ref.value, NULL, &offered) || !wanted_value(r, NULL, clause, &wanted) ||
      offered.kind != VALUE_TERM || offered.term.qualifier || offered.term.head != wanted.term.head)
    return false;
  *number = value->index.qualifier;
  *beside = arena_printf(r->arena, "%s = %s, ", span_text(r, clause->clause.attribute_span),
                         span_text(r, value->index.base->span));
  return true;
}

/* Whom one clause alone keeps away, and who has instances, is asked for by an index. */
static bool help_index(struct resolver *r, struct plan *plan, const struct model_accept *accept) {
  const struct model_component *component = accept->component;
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(plan->request->selector, list, SELECTOR_CONJUNCTS);
  for (uint32_t k = 0; k < count && component->index_count; k++) {
    const char *number, *beside;
    if (list[k]->kind != EXPR_CLAUSE || !is_numbering(r, accept, list[k], &number, &beside)) continue;
    const char *indices = indices_text(r, component), *name = component->symbol->name->text;
    if (component->index_count == 1)
      diagnostic_help(r->model->diagnostics, (struct span){0}, "the index of '%s' is %s: write %s%s = %s", name,
                      indices, beside, indices, number);
    else
      diagnostic_help(r->model->diagnostics, (struct span){0}, "the indices of '%s' are %s", name, indices);
    return true;
  }
  return false;
}

/* The parameter of the request's transaction that has this one's type, or else stands in its place; NULL: none. */
static const char *argument_for(const struct model_transaction *from, const struct model_transaction *to, uint32_t k) {
  for (uint32_t i = 0; i < from->param_count; i++)
    if (from->params[i].type == to->params[k].type) return from->params[i].name->text;
  return k < from->param_count ? from->params[k].name->text : NULL;
}

/* Is there a block that makes the transaction one that the component accepts, or needs this one none? */
static bool has_block(const struct resolver *r, const struct model_transaction *from, const struct model_component *of,
                      const struct model_transaction *to) {
  for (uint32_t k = 0; k < r->model->coercion_count; k++) {
    const struct model_coercion *rule = r->model->coercions[k];
    if (rule->body && rule->from_transaction == from && component_accepts(of, rule->to_transaction)) return true;
  }
  return from->symbol->name == to->symbol->name;
}

/* The evaluation mode that the selector asks for; a word without a qualifier where it can be told. */
static uint32_t mode_word(struct resolver *r, const struct plan *plan) {
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(plan->request->selector, list, SELECTOR_CONJUNCTS);
  struct value wanted;
  for (uint32_t k = 0; k < count; k++) {
    if (list[k]->kind != EXPR_CLAUSE || !name_is(list[k]->clause.attribute->folded, KNOWN_EVALUATION_MODE)) continue;
    bool word = wanted_value(r, NULL, list[k], &wanted) && wanted.kind == VALUE_TERM && !wanted.term.qualifier;
    return word ? wanted.term.head : 0;
  }
  return 0;
}

/* Those who take the transaction, but in other evaluation modes: one that is named by its qualifier alone is meant. */
static bool help_mode(struct resolver *r, const struct plan *plan, const struct refusal *list, uint32_t count) {
  struct text modes = {.arena = r->arena};
  const char *one = NULL;
  uint32_t word = mode_word(r, plan), found = 0;
  for (uint32_t k = 0; k < count; k++) {
    struct value mode;
    struct text text = {.arena = r->arena};
    if (list[k].other || list[k].reasons != 1 || !list[k].mode ||
        !resolver_constant(r, list[k].accept, KNOWN_EVALUATION_MODE, &mode))
      continue;
    value_print(&text, &r->model->types, r->model->names, r->model->types.term, mode, 6);
    if (word && mode.kind == VALUE_TERM && mode.term.qualifier == word) {
      diagnostic_help(r->model->diagnostics, (struct span){0}, "did you mean '%s'?", text.data);
      return true;
    }
    if (one && !strcmp(one, text.data)) continue;
    text_printf(&modes, "%s%s", found++ ? ", " : "", text.data);
    one = text.data;
  }
  const char *name = plan->request->transaction->symbol->name->text;
  if (found == 1)
    diagnostic_help(r->model->diagnostics, (struct span){0}, "%s is there in %s alone: write evaluation mode = %s",
                    name, one, one);
  else if (found)
    diagnostic_help(r->model->diagnostics, (struct span){0}, "%s is there in other evaluation modes: %s", name,
                    modes.data);
  return found > 0;
}

/* All that keeps a component of the model's own from the request is what it has from what it is like. */
static bool help_lines(struct resolver *r, const struct refusal *refusal) {
  if (!refusal->lines || refusal->line_count != refusal->reasons) return false;
  diagnostic_help(r->model->diagnostics, (struct span){0}, "write '%s' in component '%s'", refusal->lines,
                  refusal->accept->component->symbol->name->text);
  return true;
}

/* Are the first words of the other one that word, as put is of put-item? */
static bool begins_with(const char *whole, const char *word) {
  size_t length = strlen(word);
  return !strncmp(whole, word, length) && whole[length] == '-';
}

/* A name that nothing declares is meant for one that is taken by whom the selector names. */
static bool help_name(struct resolver *r, const struct model_request *request, const struct refusal *list,
                      uint32_t count) {
  const char *word = request->transaction->symbol->name->text, *meant = NULL;
  for (uint32_t k = 0; k < count && !meant && request->transaction->implied; k++) {
    const char *name = list[k].accept->transaction->symbol->name->text;
    if (list[k].other && list[k].reasons == 1 && begins_with(name, word)) meant = name;
  }
  if (meant) diagnostic_help(r->model->diagnostics, (struct span){0}, "did you mean '%s'?", meant);
  return meant != NULL;
}

/* All that keeps the accept from the request is its transaction: the block that would make the one of the other. */
static void help_block(struct resolver *r, const struct model_request *request, const struct model_accept *accept) {
  const struct model_transaction *from = request->transaction, *to = accept->transaction;
  struct text arguments = {.arena = r->arena};
  for (uint32_t k = 0; k < to->param_count; k++) {
    const char *argument = argument_for(from, to, k);
    text_printf(&arguments, "%s%s", k ? ", " : "", argument ? argument : "...");
  }
  diagnostic_help(r->model->diagnostics, (struct span){0},
                  "a block would make the one of the other: coercion %s -> %s { %s%s(%s); }", from->symbol->name->text,
                  to->symbol->name->text, from->result->kind == TYPE_VOID ? "call " : "return call ",
                  to->symbol->name->text, arguments.data ? arguments.data : "");
}

const bool *resolver_templates(struct resolver *r) {
  bool *template = ARENA_ARRAY(r->arena, bool, r->model->component_count);
  for (uint32_t k = 0; k < r->model->component_count; k++) {
    const struct model_component *like = r->model->components[k]->like;
    if (like && model_in_library(r->model, like->symbol->file)) template[like->id] = true;
  }
  return template;
}

static bool is_requested(const struct resolver *r, const struct model_transaction *transaction) {
  for (uint32_t k = 0; k < r->model->request_count; k++)
    if (r->model->requests[k]->transaction == transaction) return true;
  return false;
}

/* Those who have all that the selector asks for, and take other transactions: blocks make these of the request's one.
 * `unasked`: where nobody asks for the first of them as it is. */
static bool help_coercion(struct resolver *r, struct plan *plan, struct environment *requester, bool unasked) {
  const struct model_request *request = plan->request;
  struct text taken = {.arena = r->arena};
  const struct model_accept *first = NULL;
  const bool *template = resolver_templates(r);
  uint32_t count = 0;
  for (uint32_t k = 0; k < r->model->accept_count; k++) {
    struct model_accept *accept = r->model->accepts[k];
    if (accept->component->system || template[accept->component->id] ||
        (first && accept->component != first->component))
      continue;
    struct refusal refusal = refusal_of(r, plan, requester, accept);
    if (!refusal.other || refusal.reasons != 1) continue;
    if (has_block(r, request->transaction, accept->component, accept->transaction)) continue;
    if (!first) first = accept;
    text_printf(&taken, "%s%s", count++ ? ", " : "", accept->transaction->symbol->name->text);
  }
  if (!first || (unasked && is_requested(r, first->transaction))) return false;
  if (count == 1) {
    help_block(r, request, first);
    return true;
  }
  diagnostic_help(r->model->diagnostics, (struct span){0},
                  "%s accepts %s: a coercion makes these of it: coercion %s -> %s { call %s(...); ... }",
                  first->component->symbol->name->text, taken.data, request->transaction->symbol->name->text,
                  first->transaction->symbol->name->text, first->transaction->symbol->name->text);
  return true;
}

static void list_refusals(struct resolver *r, struct plan *plan, struct environment *requester) {
  struct diagnostics *d = r->model->diagnostics;
  struct refusal *list = ARENA_ARRAY(r->arena, struct refusal, r->model->accept_count);
  const bool *template = resolver_templates(r);
  uint32_t count = 0, near = 0;
  for (uint32_t k = 0; k < r->model->accept_count; k++) {
    struct model_accept *accept = r->model->accepts[k];
    if (accept->component->system || template[accept->component->id]) continue;
    struct refusal refusal = refusal_of(r, plan, requester, accept);
    if (refusal.domain || accept->transaction == plan->request->transaction) list[count++] = refusal;
    near += !refusal.other || refusal.reasons == 1;
  }
  if (!count) {
    diagnostic_note(d, (struct span){0}, "no component in scope has that domain or accepts %s; is a 'use' missing?",
                    plan->request->transaction->symbol->name->text);
    if (model_asks_database(r->model) && !model_is_open(r->model))
      diagnostic_help(d, (struct span){0}, "the model is completed from a database: --db FILE names one, or PSL_DB");
    return;
  }
  qsort(list, count, sizeof *list, refusal_order);
  for (uint32_t k = 0; near && k < count;) { /* what is far off is left out where something is near */
    if (!list[k].other || list[k].reasons == 1)
      k++;
    else
      list[k] = list[--count];
  }
  for (uint32_t k = 0; k < count && k < SHOWN; k++)
    diagnostic_note(d, list[k].accept->syntax->span, "'%s' refused: %s", list[k].accept->component->symbol->name->text,
                    list[k].text);
  if (count > SHOWN) diagnostic_note(d, (struct span){0}, "and %u more refused", count - SHOWN);
  for (uint32_t k = 0; k < count && k < SHOWN; k++)
    if (!list[k].reasons) help_instances(r, list[k].accept->component);
  for (uint32_t k = 0; k < count && list[k].reasons == 1; k++)
    if (help_index(r, plan, list[k].accept)) break;
  bool meant = meant_terms(r, plan, requester),
       helped = help_name(r, plan->request, list, count) || help_mode(r, plan, list, count);
  for (uint32_t k = 0; k < count && !helped; k++)
    helped = !meant && help_lines(r, &list[k]);
  if (!helped) help_coercion(r, plan, requester, false);
}

/* What is made by `like` of a component of the library is seen where the model declares it. */
static struct span place_of_accept(const struct resolver *r, const struct model_accept *accept) {
  const struct model_component *component = accept->component;
  bool own = component->like && model_owns(r->model, component->symbol->file);
  return own && resolver_in_library(r, accept->syntax->span) ? component->symbol->span : accept->syntax->span;
}

/* The targets are made by `like`, and what the clause asks for is a param that they have alike. */
static const struct symbol *param_alike(struct resolver *r, const struct expr *clause, const struct problem *problem,
                                        const char **value) {
  const struct symbol *param = NULL;
  struct value first, other;
  for (uint32_t k = 0; k < problem->matches && k < 4; k++) {
    const struct model_accept *accept = r->model->accepts[problem->some[k].accept];
    struct attribute_ref ref = profile_find(r, accept, clause->clause.attribute);
    const struct symbol *own = ref.value && ref.constant ? expr_symbol(ref.value) : NULL;
    if (!own || own->kind != SYMBOL_INSTANCE || own->decl->kind != DECL_PARAM || !accept->component->like) return NULL;
    for (uint32_t before = 0; before < k; before++)
      if (problem->some[before].accept == problem->some[k].accept) return NULL;
    if (!resolver_quietly(r, ref.value, NULL, k ? &other : &first)) return NULL;
    if (k && clause_holds(OP_EQ, first, other) != CERTAINLY) return NULL;
    struct text text = {.arena = r->arena};
    put_value(&text, r, ref.value, first);
    *value = text.data;
    param = own;
  }
  return param;
}

/* Two that are like one of the library, and of one class: each has one of its own. */
static bool help_alike(struct resolver *r, const struct plan *plan, const struct problem *problem) {
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(plan->request->selector, list, SELECTOR_CONJUNCTS);
  for (uint32_t k = 0; k < count; k++) {
    const char *value = "";
    bool equal = list[k]->kind == EXPR_CLAUSE && list[k]->clause.op == OP_EQ;
    const struct symbol *param = equal ? param_alike(r, list[k], problem, &value) : NULL;
    /* what all that is like it have is no name of their own */
    if (!param || name_is(list[k]->clause.attribute->folded, KNOWN_DOMAIN) ||
        name_is(list[k]->clause.attribute->folded, KNOWN_EVALUATION_MODE))
      continue;
    diagnostic_help(r->model->diagnostics, (struct span){0},
                    "they have the same %s, %s: give each one of its own by 'param %s = ...;'", param->name->text,
                    value, param->name->text);
    return true;
  }
  return false;
}

/* All that match are of one component, which has an index. */
static bool help_one_set(struct resolver *r, const struct problem *problem) {
  const struct model_accept *accept = r->model->accepts[problem->some[0].accept];
  for (uint32_t k = 1; k < problem->matches && k < 4; k++)
    if (r->model->accepts[problem->some[k].accept] != accept) return false;
  if (accept->component->index_count != 1) return false;
  diagnostic_help(
      r->model->diagnostics, (struct span){0},
      "the index of '%s' is an attribute: narrow the selector by %s = NUMBER, or say 'any' or 'every' before it",
      accept->component->symbol->name->text, accept->component->indices[0]->name->text);
  return true;
}

/* Accepts of one instance. */
static bool is_one_instance(const struct problem *problem) {
  for (uint32_t k = 1; k < problem->matches && k < 4; k++)
    if (problem->some[k].instance != problem->some[0].instance) return false;
  return problem->matches > 1;
}

/* By what the request becomes one for the accept. */
static void put_way(struct text *out, struct resolver *r, const struct adapter *adapter) {
  const struct model_coercion *rule = adapter->transaction;
  const struct model_transaction *transaction = rule ? rule->from_transaction : adapter->accept->transaction;
  const char *before = ", by ";
  if (rule) {
    text_printf(out, "%sthe coercion %s -> %s, cost %g", before, transaction->symbol->name->text,
                rule->to_transaction->symbol->name->text, rule->cost);
    before = ", and ";
  }
  for (uint32_t k = 0; adapter->params && k < transaction->param_count; k++) {
    const struct conversion *conversion = &adapter->params[k];
    if (!conversion->count && !conversion->lossy) continue;
    text_printf(out, "%s%s: ", before, transaction->params[k].name->text);
    conversion_print(out, r, conversion);
    before = ", and ";
  }
}

static void list_targets(struct resolver *r, const struct plan *plan, const struct problem *problem) {
  bool one = is_one_instance(problem), coerced = false;
  for (uint32_t k = 0; k < problem->matches && k < 4; k++) {
    struct text name = {.arena = r->arena};
    struct model_accept *accept = r->model->accepts[problem->some[k].accept];
    struct adapter *adapter = NULL;
    const char *why;
    graph_instance_print(&name, r->graph, problem->some[k].instance);
    text_put(&name, " takes it");
    if (transaction_conforms(r, plan->request, accept, &adapter, &why) && adapter) put_way(&name, r, adapter);
    coerced |= adapter && adapter->transaction;
    diagnostic_note(r->model->diagnostics, place_of_accept(r, accept), "%s", name.data);
  }
  if (problem->matches > 4) diagnostic_note(r->model->diagnostics, (struct span){0}, "and more");
  if (one && coerced) {
    diagnostic_help(r->model->diagnostics, (struct span){0},
                    "of several coercions the one of the least cost is taken: coercion T -> U cost 2 { ... }");
    return;
  }
  if (help_alike(r, plan, problem) || help_one_set(r, problem)) return;
  diagnostic_help(r->model->diagnostics, (struct span){0},
                  "a request has one target: narrow the selector, or say 'any' or 'every' before it");
}

/* ---- a setting that nobody offers ---- */

/* The param that the clause asks for, where it was set to what no accept of the request's transaction offers.
 * *elsewhere: one of another transaction does. */
static const struct symbol *unoffered_param(struct resolver *r, const struct plan *plan, struct environment *requester,
                                            const struct expr *clause, struct text *offers, bool *elsewhere) {
  struct value wanted, offered;
  *elsewhere = false;
  if (clause->kind != EXPR_CLAUSE || clause->clause.op != OP_EQ || clause->clause.value->kind != EXPR_NAME) return NULL;
  const struct symbol *param = clause->clause.value->name.symbol;
  if (!param || param->kind != SYMBOL_PARAM || !param->setting) return NULL;
  if (!wanted_value(r, requester, clause, &wanted) || wanted.kind != VALUE_TERM) return NULL;
  const char **seen = ARENA_ARRAY(r->arena, const char *, r->model->accept_count);
  uint32_t count = 0;
  for (uint32_t a = 0; a < r->model->accept_count; a++) {
    const struct model_accept *accept = r->model->accepts[a];
    struct attribute_ref ref = profile_find(r, accept, clause->clause.attribute);
    bool own = accept->transaction == plan->request->transaction;
    if (accept->component->system || !ref.constant) continue;
    if (!resolver_quietly(r, ref.value, NULL, &offered) || offered.kind != VALUE_TERM) continue;
    bool offers_it = clause_holds(OP_EQ, offered, wanted) != CERTAINLY_NOT;
    if (own && offers_it) return NULL;
    *elsewhere |= offers_it;
    if (!own) continue;
    struct text one = {.arena = r->arena};
    put_value(&one, r, ref.value, offered);
    bool known = false;
    for (uint32_t s = 0; s < count; s++)
      known |= !strcmp(seen[s], one.data);
    if (known) continue;
    text_printf(offers, "%s%s", count ? ", " : "", one.data);
    seen[count++] = one.data;
  }
  return offers->size ? param : NULL;
}

/* The param whose list has that term. */
static const struct symbol *param_listing(const struct resolver *r, const char *word) {
  for (uint32_t p = 0; p < r->model->param_count; p++) {
    const struct symbol *param = r->model->params[p];
    const struct expr *range = param->decl ? param->decl->value.range : NULL;
    for (uint32_t i = 0; range && range->kind == EXPR_LIST && i < range->list.count; i++) {
      const struct expr *item = range->list.items[i];
      if (item->kind == EXPR_NAME && !strcmp(item->name.name->text, word)) return param;
    }
  }
  return NULL;
}

/* Of several requests that ask for the param one is enough. */
static bool refuse_setting(struct resolver *r, struct plan *plan, struct environment *requester) {
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(plan->request->selector, list, SELECTOR_CONJUNCTS);
  struct diagnostics *d = r->model->diagnostics;
  for (uint32_t k = 0; k < count; k++) {
    struct text offers = {.arena = r->arena}, value = {.arena = r->arena};
    bool elsewhere;
    const struct symbol *param = unoffered_param(r, plan, requester, list[k], &offers, &elsewhere);
    if (!param) continue;
    if (param == r->unoffered) return true;
    r->unoffered = param;
    expr_format(&value, param->setting);
    const char *transaction = plan->request->transaction->symbol->name->text;
    diagnostic_add(d, SEVERITY_ERROR, param->setting->span, "no component offers %s = %s%s%s", param->name->text,
                   value.data, elsewhere ? " for " : "", elsewhere ? transaction : "");
    diagnostic_note(d, plan->request->syntax->selector_span, "it is asked for here");
    if (elsewhere && help_coercion(r, plan, requester, true)) return true;
    if (elsewhere) {
      diagnostic_help(d, (struct span){0}, "%s has %s: let this request ask for that, and not for %s", transaction,
                      offers.data, param->name->text);
      return true;
    }
    diagnostic_note(d, (struct span){0}, "there are %s", offers.data);
    const struct symbol *other = param_listing(r, value.data);
    if (other && name_is(param->name, KNOWN_NETWORK) && name_is(other->name, KNOWN_TOPOLOGY))
      diagnostic_help(d, (struct span){0},
                      "a topology is of a network whose links messages share: --set 'network=simulation[flows]' --set "
                      "topology=%s",
                      value.data);
    else if (other && other != param)
      diagnostic_help(d, (struct span){0}, "did you mean %s = %s?", other->name->text, value.data);
    else
      meant_terms(r, plan, requester);
    return true;
  }
  return false;
}

/* For whom the request is in vain; the place, where the error stands at another one. */
static void note_requesters(struct resolver *r, const struct model_request *request, const struct problem *problem,
                            struct span span) {
  struct text name = {.arena = r->arena};
  struct diagnostics *d = r->model->diagnostics;
  graph_instance_print(&name, r->graph, problem->instance);
  const char *here = span.end ? "and this one " : "";
  if (problem->instances > 1)
    diagnostic_note(d, span, "%sfor %s and %u more of the %u instances of '%s'", here, name.data,
                    problem->instances - 1, r->graph->instances[request->component->id].count,
                    request->component->symbol->name->text);
  else
    diagnostic_note(d, span, "%sfor %s", here, name.data);
}

static bool same_targets(const struct ambiguity *a, const struct plan *plan, const struct problem *problem) {
  if (a->problem.matches != problem->matches || a->plan->request->transaction != plan->request->transaction)
    return false;
  for (uint32_t k = 0; k < problem->matches && k < 4; k++)
    if (a->problem.some[k].instance != problem->some[k].instance ||
        a->problem.some[k].accept != problem->some[k].accept)
      return false;
  return true;
}

/* Other requests that the same targets take. */
static void note_others(struct resolver *r, const struct plan *plan, const struct problem *problem) {
  struct span here = plan->request->syntax->selector_span;
  for (struct ambiguity *a = r->ambiguities; a; a = a->next) {
    if (a->said || a->plan == plan || !same_targets(a, plan, problem)) continue;
    a->said = true;
    struct span span = a->plan->request->syntax->selector_span;
    note_requesters(r, a->plan->request, &a->problem, span.begin == here.begin ? (struct span){0} : span);
  }
}

void refuse_late(struct resolver *r, struct plan *plan, struct environment *requester, const struct problem *problem) {
  const struct model_request *request = plan->request;
  struct diagnostics *d = r->model->diagnostics;
  const char *transaction = request->transaction->symbol->name->text;
  const char *label = request->label ? arena_printf(r->arena, "%s: ", request->label->name->text) : "";
  struct span span = request->syntax->selector_span;
  if (!problem->matches && refuse_setting(r, plan, requester)) return;
  if (is_one_instance(problem))
    diagnostic_add(d, SEVERITY_ERROR, span, "one component takes this request in several ways (%s%s)", label,
                   transaction);
  else if (problem->matches)
    diagnostic_add(d, SEVERITY_ERROR, span, "more than one component takes this request (%s%s)", label, transaction);
  else
    diagnostic_add(d, SEVERITY_ERROR, span, "no component takes this request (%s%s)", label, transaction);
  note_requesters(r, request, problem, (struct span){0});
  if (problem->matches)
    note_others(r, plan, problem), list_targets(r, plan, problem);
  else
    list_refusals(r, plan, requester);
}

/* Where other instances have a target it is these that make the request. */
static void help_where(struct resolver *r, const struct model_request *request, const struct problem *problem,
                       const int64_t *indices) {
  const struct model_component *component = request->component;
  if (problem->matches || request->syntax->where || problem->instances >= r->graph->instances[component->id].count)
    return;
  const char *condition = "CONDITION";
  if (problem->instances == 1 && component->index_count == 1)
    condition = arena_printf(r->arena, "%s != %lld", component->indices[0]->name->text, (long long)indices[0]);
  diagnostic_help(r->model->diagnostics, (struct span){0},
                  "a request that some instances do not make says so before its selector: where %s;", condition);
}

static void refuse_now(struct resolver *r, struct plan *plan, const struct problem *problem) {
  int64_t *indices = ARENA_ARRAY(r->arena, int64_t, r->max_indices);
  graph_indices(r->graph, problem->instance, indices);
  struct environment environment = resolver_environment(r, indices);
  refuse_late(r, plan, &environment, problem);
  help_where(r, plan->request, problem, indices);
}

void refuse(struct resolver *r, struct plan *plan, const struct problem *problem) {
  struct ambiguity **end = &r->ambiguities;
  if (!problem->matches) {
    refuse_now(r, plan, problem);
    return;
  }
  while (*end)
    end = &(*end)->next;
  *end = ARENA_NEW(r->arena, struct ambiguity);
  **end = (struct ambiguity){.plan = plan, .problem = *problem};
}

void refuse_ambiguous(struct resolver *r) {
  for (struct ambiguity *a = r->ambiguities; a; a = a->next) {
    if (a->said) continue;
    a->said = true;
    refuse_now(r, a->plan, &a->problem);
  }
}
