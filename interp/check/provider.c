/* What type an attribute has where profiles differ in it: in those that a selector can mean, as far as the terms that
 * it wants tell. A profile whose attribute cannot be compared with what is wanted is an error, whether or not it would
 * be matched in the end, since values carry no units. */
#include "interp/check/checker.h"

bool is_word(const struct expr *value) {
  return value->kind == EXPR_NAME ? !value->name.symbol && value->type && value->type->kind == TYPE_TERM
                                  : value->kind == EXPR_INDEX && value->index.term;
}

struct term term_of(struct checker *c, const struct expr *word) {
  const struct expr *head = word->kind == EXPR_INDEX ? word->index.base : word;
  const char *qualifier = word->kind == EXPR_INDEX ? word->index.qualifier : NULL;
  return (struct term){head->name.name->folded->id, qualifier ? name_of(c->model->names, qualifier)->folded->id : 0};
}

static void want(struct checker *c, struct context *x, const struct name *attribute, struct term term,
                 struct span span) {
  struct wanted *wanted = ARENA_NEW(c->arena, struct wanted);
  *wanted = (struct wanted){x->wanted, attribute, term, span};
  x->wanted = wanted;
}

void wanted_terms(struct checker *c, struct context *x, const struct expr *e) {
  if (e->kind == EXPR_BINARY && e->binary.op == OP_AND) {
    wanted_terms(c, x, e->binary.left);
    wanted_terms(c, x, e->binary.right);
  } else if (e->kind == EXPR_CLAUSE && e->clause.op == OP_EQ && is_bare_word(c, x, e->clause.value)) {
    want(c, x, e->clause.attribute->folded, term_of(c, e->clause.value), e->span);
  }
}

void wanted_side(struct checker *c, struct context *x, const struct model_coercion *coercion) {
  if (coercion->has_to_domain) want(c, x, NULL, coercion->to_domain, (struct span){0, 0});
}

static const struct model_profile *entry_of(const struct model_accept *accept, const struct name *attribute) {
  for (uint32_t i = 0; i < accept->profile_count; i++)
    if (accept->profile[i].attribute == attribute) return &accept->profile[i];
  return NULL;
}

static const struct symbol *index_of(const struct model_accept *accept, const struct name *attribute) {
  for (uint32_t i = 0; i < accept->component->index_count; i++)
    if (accept->component->indices[i]->name->folded == attribute) return accept->component->indices[i];
  return NULL;
}

/* A word that is written out and that no body changes is known. */
static bool may_be(struct checker *c, const struct model_accept *accept, const struct name *attribute,
                   struct term wanted) {
  const struct model_profile *entry = entry_of(accept, attribute);
  const struct expr *value = entry ? entry->value : NULL;
  if (!value || entry->dynamic >= 0) return entry || index_of(accept, attribute);
  return !is_word(value) || term_matches(wanted, term_of(c, value));
}

/* Is there no wanted term that the profile is known not to have? */
static bool may_match(struct checker *c, const struct model_accept *accept, const struct wanted *wanted) {
  for (; wanted; wanted = wanted->next) {
    if (wanted->attribute ? may_be(c, accept, wanted->attribute, wanted->term)
                          : may_be(c, accept, name_known(c->model->names, KNOWN_DOMAIN), wanted->term) ||
                                may_be(c, accept, name_known(c->model->names, KNOWN_EVALUATION_MODE), wanted->term))
      continue;
    return false;
  }
  return !accept->component->system;
}

/* The attribute of a profile, or an index of its component; NULL: it has none whose type is known. */
static const struct type *type_in(const struct checker *c, const struct model_accept *accept,
                                  const struct name *attribute, struct span *span) {
  const struct model_profile *entry = entry_of(accept, attribute);
  *span = entry ? entry->span : (struct span){0, 0};
  if (entry) return entry->type->kind == TYPE_ANY || entry->type->kind == TYPE_ERROR ? NULL : entry->type;
  const struct symbol *index = index_of(accept, attribute);
  if (index) *span = index->span;
  return index ? c->model->types.integer : NULL;
}

/* The first profile that may match and whose attribute agrees with the type, or does not; NULL: there is none. */
static const struct type *find(struct checker *c, const struct wanted *wanted, const struct name *attribute,
                               const struct type *type, bool agrees, struct span *span) {
  for (uint32_t i = 0; i < c->model->accept_count; i++) {
    const struct model_accept *accept = c->model->accepts[i];
    const struct type *own = type_in(c, accept, attribute, span);
    if (!own || !may_match(c, accept, wanted)) continue;
    if (!type || (type_join(c, own, type) != NULL) == agrees) return own;
  }
  return NULL;
}

const struct type *provided_type(struct checker *c, const struct wanted *wanted, const struct name *attribute) {
  const struct type *both = NULL;
  struct span span;
  for (uint32_t i = 0; i < c->model->accept_count; i++) {
    const struct type *own = type_in(c, c->model->accepts[i], attribute, &span);
    if (!own || !may_match(c, c->model->accepts[i], wanted)) continue;
    both = both ? type_join(c, both, own) : own;
    if (!both) return NULL;
  }
  return both ? both : c->model->types.any;
}

void claim_add(struct checker *c, const struct context *x, const struct name *attribute, const struct type *compared,
               struct span span) {
  struct claim claim = {x->wanted, attribute, compared, span};
  ARENA_PUSH(c->arena, c->claims, c->claim_count, c->claim_capacity, claim);
}

static bool claim_check(struct checker *c, const struct claim *claim) {
  struct span here, there;
  const char *name = claim->attribute->text;
  const struct type *one = find(c, claim->wanted, claim->attribute, claim->compared, true, &here);
  const struct type *type = claim->compared ? claim->compared : one;
  const struct type *other = type ? find(c, claim->wanted, claim->attribute, type, false, &there) : NULL;
  if (!other) return true;
  if (claim->compared)
    check_error(c, claim->span, "cannot compare attribute '%s', which is %s, with %s", name, type_text(c, other),
                type_text(c, type));
  else
    check_error(c, claim->span, "attribute '%s' is %s in one profile that may be meant, and %s in another", name,
                type_text(c, one), type_text(c, other));
  check_note(c, there, "it is %s here", type_text(c, other));
  if (one) check_note(c, here, "and %s here", type_text(c, one));
  return false;
}

const struct type *used_type(struct checker *c, const struct context *x, const struct name *attribute,
                             struct span span) {
  const struct type *type = provided_type(c, x->wanted, attribute);
  claim_add(c, x, attribute, NULL, span);
  if (type) return type;
  claim_check(c, &c->claims[--c->claim_count]);
  return c->model->types.error;
}

/* Is all that is wanted there but for one term, whose head it has without a qualifier? Then *other is that. */
static bool is_instance_of(struct checker *c, const struct model_accept *accept, const struct wanted *wanted,
                           const struct wanted **other) {
  for (*other = NULL; wanted; wanted = wanted->next) {
    if (!may_match(c, accept, &(struct wanted){NULL, wanted->attribute, wanted->term, wanted->span})) {
      if (*other || !wanted->term.qualifier) return false;
      *other = wanted;
    }
  }
  return *other && may_be(c, accept, (*other)->attribute, (struct term){(*other)->term.head, 0});
}

/* The first that nobody has without its qualifier, whatever else is wanted; NULL: there is none. */
static const struct wanted *nobody_has(struct checker *c, const struct wanted *wanted) {
  const struct wanted *first = NULL;
  for (; wanted; wanted = wanted->next) { /* from the last on */
    const struct wanted one = {NULL, wanted->attribute, {wanted->term.head, 0}, wanted->span};
    bool had = !wanted->attribute;
    for (uint32_t i = 0; i < c->model->accept_count && !had; i++)
      had = may_match(c, c->model->accepts[i], &one);
    if (!had) first = wanted;
  }
  return first;
}

/* Of a term that is misspelt, or whose component is not there: what it may stand for in profiles that have the
 * attribute whose type is asked for, else a component like theirs. */
static void nobody_said(struct checker *c, const struct wanted *wanted, const struct name *attribute) {
  const char *word = c->model->names->by_id[wanted->term.head]->text, *clause = attribute_words(c, wanted->attribute);
  const struct model_component *like = NULL;
  struct words_list list = {0};
  struct span span;
  check_error(c, wanted->span, "no component has %s = %s", clause, word);
  for (uint32_t i = 0; i < c->model->accept_count; i++) {
    const struct model_accept *accept = c->model->accepts[i];
    const struct model_profile *entry = entry_of(accept, wanted->attribute);
    if (!entry || !entry->value || !is_word(entry->value) || !type_in(c, accept, attribute, &span)) continue;
    words_add(c, &list, c->model->names->by_id[term_of(c, entry->value).head]->text);
    if (!like) like = accept->component;
  }
  if (check_meant(c, word, &list) || !like) return;
  check_help(c, (struct span){0, 0}, "'component %s like %s { profile %s = %s; }' is one", word,
             like->symbol->name->text, clause, word);
}

/* Whoever has all that is wanted takes other transactions. */
static void taken_note(struct checker *c, const struct wanted *wanted) {
  const struct model_component *found = NULL;
  for (uint32_t i = 0; i < c->model->accept_count && !found; i++)
    if (may_match(c, c->model->accepts[i], wanted)) found = c->model->accepts[i]->component;
  if (!found) return;
  struct text taken = {.arena = c->arena};
  for (uint32_t i = 0; i < found->accept_count; i++) { /* which are checked behind the requests */
    const struct qname *name = &found->accepts[i]->syntax->txn.name;
    if (name->count) text_printf(&taken, "%s%s", taken.size ? ", " : "", name->parts[name->count - 1].name->text);
  }
  if (taken.size) check_note(c, found->symbol->span, "'%s' takes %s", found->symbol->name->text, taken.data);
}

/* node type = buffer[k] is meant for an instance, which is asked for by its index. */
static void index_help(struct checker *c, const struct wanted *wanted) {
  for (uint32_t i = 0; i < c->model->accept_count; i++) {
    const struct model_accept *accept = c->model->accepts[i];
    const struct wanted *other;
    if (accept->component->index_count != 1 || !is_instance_of(c, accept, wanted, &other)) continue;
    const struct name *const *names = (const struct name *const *)c->model->names->by_id;
    const char *index = accept->component->indices[0]->name->text, *head = names[other->term.head]->text;
    check_help(c, (struct span){0, 0}, "the index of '%s' is %s: write %s = %s, %s = %s",
               accept->component->symbol->name->text, index, attribute_words(c, other->attribute), head, index,
               names[other->term.qualifier]->text);
    return;
  }
}

const struct type *only_type(struct checker *c, const struct context *x, const struct name *attribute,
                             struct span span) {
  const struct type *only = NULL;
  struct span here, there;
  for (uint32_t i = 0; i < c->model->accept_count; i++) {
    const struct type *own = type_in(c, c->model->accepts[i], attribute, &there);
    if (!own || own == only || !may_match(c, c->model->accepts[i], x->wanted)) continue;
    if (only) {
      check_error(c, span, "attribute '%s' is %s in one profile that may be meant, and %s in another", attribute->text,
                  type_text(c, only), type_text(c, own));
      check_note(c, there, "it is %s here", type_text(c, own));
      check_note(c, here, "and %s here", type_text(c, only));
      return c->model->types.error;
    }
    only = own;
    here = there;
  }
  if (only) return only;
  const struct wanted *nobodys = nobody_has(c, x->wanted);
  if (nobodys) {
    nobody_said(c, nobodys, attribute);
    return c->model->types.error;
  }
  check_error(c, span, "no profile that may be meant has the attribute '%s', whose type this has", attribute->text);
  taken_note(c, x->wanted);
  index_help(c, x->wanted);
  return c->model->types.error;
}

const struct type *own_type(const struct checker *c, const struct model_accept *accept, const struct name *attribute) {
  struct span span;
  return type_in(c, accept, attribute, &span);
}

void claims_check(struct checker *c) {
  for (uint32_t i = 0; i < c->claim_count; i++)
    claim_check(c, &c->claims[i]);
}
