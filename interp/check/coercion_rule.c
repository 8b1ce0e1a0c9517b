/* Coercions: what they go from and to, where they hold, and their value or block. */
#include "grammar/children.h"
#include "grammar/text.h"
#include "interp/check/checker.h"

#include <math.h>
#include <string.h>

static bool is_one_word(const struct type_expr *type) {
  return type->count == 1 && type->atoms[0].name && !type->atoms[0].power;
}

static struct model_transaction *as_transaction(struct checker *c, const struct type_expr *type) {
  if (!is_one_word(type)) return NULL;
  struct symbol *symbol = table_find(c, SPACE_TRANSACTION, type->atoms[0].name, type->atoms[0].span);
  return symbol ? symbol->transaction : NULL;
}

/* A side of a coercion with a block. */
static struct model_transaction *side(struct checker *c, const struct type_expr *type) {
  struct model_transaction *transaction = as_transaction(c, type);
  if (transaction) return transaction;
  if (!is_one_word(type)) {
    check_error(c, type->span, "a coercion with a block goes from a transaction to one, and this is none");
    return NULL;
  }
  struct words_list list = {0};
  const char *word = type->atoms[0].name->text;
  check_error(c, type->span, "a coercion with a block goes from a transaction to one, and there is no transaction '%s'",
              word);
  words_add_table(c, &list, &c->tables[SPACE_TRANSACTION]);
  check_meant(c, word, &list);
  return NULL;
}

static bool is_unknown_word(struct checker *c, const struct type_expr *type) {
  const struct type_atom *atom = &type->atoms[0];
  if (!is_one_word(type) || table_first(c, SPACE_UNIT, atom->name)) return false;
  for (uint32_t i = 0; i < c->model->types.dimension_count; i++)
    if (c->model->types.dimensions[i] == atom->name) return false;
  return true;
}

static bool constant_term(struct checker *c, struct expr *expr, struct term *out) {
  const struct expr *head = expr->kind == EXPR_INDEX ? expr->index.base : expr;
  if (head->kind != EXPR_NAME) {
    check_error(c, expr->span, "the domain of a coercion is a term, such as hardware[processor/memory]");
    return false;
  }
  expr->type = c->model->types.term;
  out->head = head->name.name->folded->id;
  if (expr->kind == EXPR_INDEX) {
    expr->index.term = head->name.name;
    out->qualifier = name_of(c->model->names, expr->index.qualifier)->folded->id;
  }
  return true;
}

static double constant_cost(struct checker *c, struct expr *expr) {
  double cost = expr->kind == EXPR_INTEGER ? (double)expr->integer : expr->kind == EXPR_REAL ? expr->real : -1;
  expr->type = c->model->types.real;
  if (cost >= 0 && isfinite(cost)) return cost;
  check_error(c, expr->span, "the cost of a coercion is a plain number that is not negative");
  return 1;
}

void coercions_declare(struct checker *c) {
  for (uint32_t i = 0; i < c->model->coercion_count; i++) {
    struct model_coercion *coercion = c->model->coercions[i];
    struct decl *decl = coercion->decl;
    const struct type_expr *from = decl->coercion.from, *to = decl->coercion.to;
    if (decl->coercion.has_block) {
      coercion->from_transaction = side(c, from);
      coercion->to_transaction = side(c, to);
      coercion->body = &decl->coercion.body;
    } else if (is_unknown_word(c, from) && as_transaction(c, from)) {
      check_error(c, decl->span, "a coercion of transactions has a block: { call …; }");
      const char *target = is_one_word(to) ? to->atoms[0].name->text : "U";
      check_help(c, (struct span){0, 0}, "it is written: coercion %s -> %s { call %s(...); }",
                 from->atoms[0].name->text, target, target);
    } else {
      coercion->from = type_check(c, from);
      coercion->to = type_check(c, to);
      coercion->value = decl->coercion.value;
    }
    if (decl->coercion.domain) coercion->has_domain = constant_term(c, decl->coercion.domain, &coercion->domain);
    if (decl->coercion.to_domain)
      coercion->has_to_domain = constant_term(c, decl->coercion.to_domain, &coercion->to_domain);
    coercion->cost = decl->coercion.cost ? constant_cost(c, decl->coercion.cost) : 1;
    coercion->lossy = decl->coercion.lossy;
    if (coercion->from && coercion->from == coercion->to && coercion->from->kind != TYPE_ERROR)
      check_error(c, decl->span, "this coercion goes from %s to the same", type_text(c, coercion->from));
  }
}

/* The type of a side where it is one word that the model knows; NULL: it is something else. */
static const struct type *type_known(struct checker *c, const struct type_expr *type) {
  return is_one_word(type) && !is_unknown_word(c, type) ? type_check(c, type) : NULL;
}

struct rule {
  const struct type *from, *to;
};

bool declarations_lead(struct checker *c, const struct decl *decls, const struct type *from, const struct type *to) {
  const struct model *m = c->model;
  struct rule *rules = NULL;
  uint32_t rule_count = 0, capacity = 0, count = 1;
  for (uint32_t i = 0; i < m->coercion_count; i++) {
    struct rule rule = {m->coercions[i]->from, m->coercions[i]->to};
    if (m->coercions[i]->value) ARENA_PUSH(c->arena, rules, rule_count, capacity, rule);
  }
  for (; decls; decls = decls->next) {
    if (decls->kind != DECL_COERCION || decls->coercion.has_block) continue;
    struct rule rule = {type_known(c, decls->coercion.from), type_known(c, decls->coercion.to)};
    if (rule.from && rule.to) ARENA_PUSH(c->arena, rules, rule_count, capacity, rule);
  }
  const struct type **reached = ARENA_ARRAY(c->arena, const struct type *, rule_count + 1);
  reached[0] = from;
  for (uint32_t at = 0; at < count; at++) {
    if (type_conforms(reached[at], to)) return true;
    for (uint32_t i = 0; i < rule_count; i++) {
      bool known = !type_conforms(reached[at], rules[i].from);
      for (uint32_t k = 0; k < count && !known; k++)
        known = reached[k] == rules[i].to;
      if (!known) reached[count++] = rules[i].to;
    }
  }
  return false;
}

bool coercion_leads(struct checker *c, const struct type *from, const struct type *to) {
  return declarations_lead(c, NULL, from, to);
}

static bool is_of_target(const struct expr *expr) {
  return expr->kind == EXPR_MEMBER && expr->member.base->kind == EXPR_NAME &&
         name_is(expr->member.base->name.name, KNOWN_TARGET);
}

static bool asks_target(const struct expr *expr, void *user) {
  return is_of_target(expr) || expr_any_child(expr, asks_target, user);
}

/* An attribute of its target that the rule asks for, and the accept does not have. */
static bool lacks_attribute(const struct expr *expr, void *user) {
  const struct model_accept *accept = user;
  for (uint32_t k = 0; is_of_target(expr) && k < accept->profile_count; k++)
    if (accept->profile[k].attribute == expr->member.member.name->folded) return false;
  return is_of_target(expr) || expr_any_child(expr, lacks_attribute, user);
}

/* Does who accepts the transaction say what the rule asks for, so that the rule is made for it? */
static bool is_made_for(const struct model *m, const struct model_transaction *transaction, const struct expr *value) {
  if (!asks_target(value, NULL)) return false;
  for (uint32_t i = 0; i < m->accept_count; i++)
    if (m->accepts[i]->transaction == transaction && !lacks_attribute(value, m->accepts[i])) return true;
  return false;
}

const char *coercion_units(struct checker *c, const struct decl *decls, const struct model_transaction *transaction,
                           const struct type *to) {
  const struct model *m = c->model;
  struct text units = {.arena = c->arena};
  const struct decl *decl = decls;
  for (uint32_t i = 0; decls ? decl != NULL : i < m->coercion_count; i++) {
    const struct decl *rule = decls ? decl : m->coercions[i]->decl;
    if (decls) decl = decl->next;
    if (rule->kind != DECL_COERCION || rule->coercion.has_block || rule->coercion.lossy) continue;
    const struct type *from = type_known(c, rule->coercion.from);
    if (from && from->kind == TYPE_REAL && !dimension_none(from->dimension) && !type_conforms(from, to) &&
        is_made_for(m, transaction, rule->coercion.value) && declarations_lead(c, decls, from, to))
      text_printf(&units, "%s* 1 %s", units.size ? " or " : "", unit_example(c, from->dimension));
  }
  return units.data;
}

/* Does the block call a transaction, take time or give an answer? */
static bool does_something(const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_HOLD || stmt->kind == STMT_RETURN || stmt->kind == STMT_CALL) return true;
    if ((stmt->kind == STMT_LET || stmt->kind == STMT_ASSIGN) && stmt->assign.is_call) return true;
    for (struct children child = stmt_children(stmt); children_next(&child);)
      if (child.block && does_something(child.block)) return true;
  }
  return false;
}

/* The accept of the component that takes the transaction under the profile of `beside`, which a block reaches. */
static const struct model_accept *accept_beside(const struct model_accept *beside,
                                                const struct model_transaction *transaction) {
  for (uint32_t i = 0; i < beside->component->accept_count; i++) {
    const struct model_accept *accept = beside->component->accepts[i];
    if (accept->transaction == transaction && accept->profile == beside->profile) return accept;
  }
  return NULL;
}

/* Does one of those who accept what the block leads to accept what the statement calls? If not, says so. */
static bool is_reached(struct checker *c, const struct model_coercion *coercion, const struct stmt *stmt) {
  const struct model *m = c->model;
  const struct symbol *callee = stmt->assign.callee;
  const struct model_transaction *to = coercion->to_transaction;
  const struct model_component *matched = NULL, *other = NULL;
  if (!callee || callee->kind != SYMBOL_TRANSACTION || callee->transaction == to) return true;
  for (uint32_t i = 0; i < m->accept_count; i++) {
    const struct model_accept *accept = m->accepts[i];
    if (accept->transaction == to && accept_beside(accept, callee->transaction)) return true;
    if (accept->transaction == to && !matched) matched = accept->component;
    if (accept->transaction == callee->transaction && !other) other = accept->component;
  }
  if (!matched) return true;
  const char *called = callee->name->text, *who = matched->symbol->name->text;
  check_warning(c, stmt->assign.value->span,
                "nobody who accepts %s accepts %s under the same profile: this block never holds",
                to->symbol->name->text, called);
  check_note(c, matched->symbol->span, "'%s' accepts %s", who, to->symbol->name->text);
  if (other && other != matched)
    check_note(c, other->symbol->span, "'%s' accepts %s", other->symbol->name->text, called);
  check_help(c, (struct span){0},
             "a block calls the matched component alone: let '%s' accept %s, too, or request it in its body", who,
             called);
  return false;
}

/* One that is not is enough to be told. */
static bool calls_reached(struct checker *c, const struct model_coercion *coercion, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    bool value = stmt->kind == STMT_LET || stmt->kind == STMT_ASSIGN || stmt->kind == STMT_RETURN;
    bool call = stmt->kind == STMT_CALL || (value && stmt->assign.is_call);
    if (call && !is_reached(c, coercion, stmt)) return false;
    for (struct children child = stmt_children(stmt); children_next(&child);)
      if (child.block && !calls_reached(c, coercion, child.block)) return false;
  }
  return true;
}

static void check_block(struct checker *c, struct model_coercion *coercion) {
  const struct model_transaction *from = coercion->from_transaction;
  struct scope params = {0}, scope = {.outer = &params};
  struct context x = {.scope = &params, .slots = &coercion->slot_count, .clock = true, .caller = true, .target = true};
  if (!from || !coercion->to_transaction) return;
  wanted_side(c, &x, coercion);
  coercion->params = ARENA_ARRAY(c->arena, struct symbol *, from->param_count);
  for (uint32_t i = 0; i < from->param_count; i++)
    coercion->params[i] =
        scope_local(c, &x, &params, (struct ident){from->params[i].name, from->params[i].span}, from->params[i].type);
  struct body body = {
      .result = from->result, .target = coercion->to_transaction, .returns = coercion->from_transaction};
  block_check(c, &x, &body, coercion->body, &scope);
  check_reply(c, from, coercion->body, coercion->decl->span);
  calls_reached(c, coercion, coercion->body);
  if (does_something(coercion->body)) return;
  const char *to = coercion->to_transaction->symbol->name->text;
  check_warning(c, coercion->decl->span, "this coercion asks nothing of who accepts %s: its block calls nothing", to);
  check_help(c, (struct span){0}, "it says what the request is for them: { call %s(...); }", to);
}

static void check_rule(struct checker *c, struct model_coercion *coercion) {
  struct symbol *value =
      symbol_new(c, SYMBOL_VALUE, name_known(c->model->names, KNOWN_VALUE), coercion->decl->coercion.from->span);
  value->type = coercion->from;
  coercion->slot_count = 1;
  struct context x = {.slots = &coercion->slot_count, .draws = "a coercion", .value = value, .target = true};
  wanted_side(c, &x, coercion);
  expr_check_as(c, &x, coercion->value, coercion->to, "this coercion");
}

/* Is there a component of that domain, or can one be? A file without components is for those that use it. */
static bool is_domain(struct checker *c, const struct name *folded) {
  const struct model *m = c->model;
  if (!m->accept_count || table_first(c, SPACE_DOMAIN, folded)) return true;
  for (uint32_t a = 0; a < m->accept_count; a++)
    for (uint32_t p = 0; p < m->accepts[a]->profile_count; p++) {
      const struct expr *domain = m->accepts[a]->profile[p].value;
      if (!domain || !name_is(m->accepts[a]->profile[p].attribute, KNOWN_DOMAIN)) continue;
      if (domain->kind == EXPR_INDEX && domain->index.term) domain = domain->index.base;
      if (domain->kind != EXPR_NAME || domain->name.symbol || domain->name.name->folded == folded) return true;
    }
  return false;
}

static void warn_nowhere(struct checker *c, const struct expr *term) {
  struct words_list list = {0};
  if (!term) return;
  if (term->kind == EXPR_INDEX) term = term->index.base;
  if (term->kind != EXPR_NAME || is_domain(c, term->name.name->folded)) return;
  check_warning(c, term->span, "this coercion holds nowhere: no component is of a domain '%s'", term->name.name->text);
  words_add_table(c, &list, &c->tables[SPACE_DOMAIN]);
  check_meant(c, term->name.name->text, &list);
}

void coercions_check(struct checker *c) {
  for (uint32_t i = 0; i < c->model->coercion_count; i++) {
    struct model_coercion *coercion = c->model->coercions[i];
    if (coercion->body)
      check_block(c, coercion);
    else if (coercion->from)
      check_rule(c, coercion);
    warn_nowhere(c, coercion->decl->coercion.domain);
    warn_nowhere(c, coercion->decl->coercion.to_domain);
    if (coercion->slot_count > c->model->slot_max) c->model->slot_max = coercion->slot_count;
  }
}
