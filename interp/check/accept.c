/* Accepts: profile, transaction with its parameters, protocol, servers, discipline, firing rule; then the
 * body and the unlabelled requests, which share the accept's frame. */
#include "interp/check/checker.h"
#include "grammar/children.h"
#include "interp/model/discipline.h"

#include <string.h>

/* ---- profile ---- */

static bool standard_term(const struct name *folded) {
  static const char *const names[] = {"domain", "node-type", "evaluation-mode"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(folded->text, names[i])) return true;
  return false;
}

static const struct type *attribute_wanted(struct checker *c, const struct name *folded,
                                           const struct model_attribute *declared) {
  if (declared) return declared->type;
  return name_is(folded, KNOWN_DOMAIN) || standard_term(folded) ? c->model->types.term : NULL;
}

/* Of a type: from here on the domain has it, for that it lacks it is said. */
static void refuse_attribute(struct checker *c, const struct model_domain *domain, const struct pair *pair,
                             const struct type *type) {
  const char *of = domain->symbol->decl->name.name->text;
  const char *words = attribute_words(c, pair->attribute.name);
  struct words_list list = {0};
  check_error(c, pair->attribute.span, "domain '%s' has no attribute '%s'", of, pair->attribute.name->text);
  check_note(c, domain->symbol->span, "declared here");
  for (uint32_t i = 0; i < domain->count; i++)
    words_add(c, &list, attribute_words(c, domain->attributes[i].name));
  if (!check_meant(c, attribute_words(c, pair->attribute.name->folded), &list))
    check_help(c, (struct span){0, 0}, "one of your own is declared in your file: domain %s { attribute %s : %s; }", of,
               words, type->kind == TYPE_ERROR || type->kind == TYPE_ANY ? "TYPE" : type_text(c, type));
  domain_adopt(c, domain, pair->attribute.name->folded, type, pair->attribute.span);
}

static const struct model_domain *profile_domain(struct checker *c, struct context *x, struct expr *value) {
  if (value->kind == EXPR_NA) return NULL;
  expr_check(c, x, value, c->model->types.term);
  return domain_named(c, value);
}

static void profile_entry(struct checker *c, struct context *x, struct model_accept *accept,
                          const struct model_domain *domain, const struct pair *pair, struct map *given) {
  const struct name *folded = pair->attribute.name->folded;
  uint32_t before = map_get(given, map_key(folded), accept->profile_count);
  if (before < accept->profile_count) {
    check_error(c, pair->attribute.span, "attribute '%s' is given twice", pair->attribute.name->text);
    check_note(c, accept->profile[before].span, "first given here");
    return;
  }
  for (uint32_t i = 0; i < accept->component->index_count; i++) {
    if (accept->component->indices[i]->name->folded != folded) continue;
    check_error(c, pair->attribute.span, "'%s' is an index of the component and so an attribute already",
                pair->attribute.name->text);
    check_note(c, accept->component->indices[i]->span, "declared here");
    return;
  }
  bool known;
  map_add(c->arena, given, map_key(folded), accept->profile_count, &known);
  struct model_profile *entry = &accept->profile[accept->profile_count++];
  *entry = (struct model_profile){.attribute = folded, .dynamic = -1, .span = pair->attribute.span};
  struct model_attribute *declared = domain ? domain_attribute(domain, folded) : NULL;
  if (declared) entry->allowed = &declared->allowed;
  bool refused = domain && domain->count && !declared && !name_is(folded, KNOWN_DOMAIN);
  const struct type *wanted = refused ? NULL : attribute_wanted(c, folded, declared);
  if (pair->value->kind == EXPR_NA) {
    entry->type = wanted ? wanted : c->model->types.any;
    if (refused) refuse_attribute(c, domain, pair, entry->type);
    attribute_note(c, folded, entry->type, pair->attribute.span);
    return;
  }
  entry->value = pair->value;
  x->terms = !wanted || wanted->kind == TYPE_ERROR;
  if (wanted) {
    const char *what = arena_printf(c->arena, "attribute '%s'", pair->attribute.name->text);
    const struct type *type = expr_check_as(c, x, pair->value, wanted, what);
    entry->type = type->kind == TYPE_ERROR ? c->model->types.error : wanted;
    if (declared) check_allowed(c, entry->allowed, folded, wanted, pair->value);
  } else {
    entry->type = expr_check(c, x, pair->value, NULL);
    if (refused) refuse_attribute(c, domain, pair, entry->type);
  }
  if (!name_is(folded, KNOWN_DOMAIN)) attribute_note(c, folded, entry->type, pair->attribute.span);
  x->terms = false;
}

struct symbol *instance_symbol(struct checker *c, const struct model_component *component, struct ident name,
                               struct expr *value, const struct type *type) {
  struct symbol *symbol = symbol_new(c, SYMBOL_INSTANCE, name.name, name.span);
  struct decl *decl = symbol->decl = ARENA_NEW(c->arena, struct decl);
  decl->kind = DECL_LET;
  decl->span = name.span;
  decl->name = name;
  decl->value.value = symbol->instance.value = value;
  symbol->instance.component = (struct model_component *)component;
  symbol->type = type;
  return symbol;
}

/* The value that a profile, or else its domain, gives the attribute; NULL: none. */
static struct expr *attribute_value(const struct accept *syntax, const struct model_domain *domain,
                                    const struct name *folded, struct ident *name) {
  for (uint32_t i = 0; i < syntax->pair_count; i++) {
    if (syntax->pairs[i].attribute.name->folded != folded) continue;
    *name = (struct ident){syntax->pairs[i].attribute.name, syntax->pairs[i].attribute.span};
    return syntax->pairs[i].value->kind == EXPR_NA ? NULL : syntax->pairs[i].value;
  }
  const struct model_attribute *declared = domain ? domain_attribute(domain, folded) : NULL;
  if (declared) *name = (struct ident){declared->name, declared->span};
  return declared ? declared->value : NULL;
}

struct symbol *component_attribute(struct checker *c, const struct model_component *component, struct ident name,
                                   struct words_list *list) {
  uint32_t slots = 0;
  struct context x = {.scope = &c->components[component->id]->scope,
                      .slots = &slots,
                      .component = (struct model_component *)component,
                      .draws = "a profile"};
  const struct accept *syntax = component->accept_count ? component->accepts[0]->syntax : NULL;
  const struct model_domain *domain = NULL;
  if (!syntax) return NULL;
  for (uint32_t i = 0; i < syntax->pair_count; i++) {
    words_add(c, list, syntax->pairs[i].attribute.name->text);
    if (name_is(syntax->pairs[i].attribute.name->folded, KNOWN_DOMAIN))
      domain = profile_domain(c, &x, syntax->pairs[i].value);
  }
  struct expr *value = attribute_value(syntax, domain, name.name->folded, &name);
  if (!value) return NULL;
  const struct name *folded = name.name->folded;
  const struct type *wanted = attribute_wanted(c, folded, domain ? domain_attribute(domain, folded) : NULL);
  x.terms = !wanted;
  const struct type *type = expr_check(c, &x, value, wanted);
  return instance_symbol(c, component, name, value, wanted ? wanted : type);
}

/* What the domain says of attributes that the profile leaves out. */
static void profile_defaults(struct model_accept *accept, const struct model_domain *domain, const struct map *given) {
  for (uint32_t i = 0; i < domain->count; i++) {
    struct model_attribute *attribute = &domain->attributes[i];
    if (!attribute->value || map_get(given, map_key(attribute->name), UINT32_MAX) != UINT32_MAX) continue;
    accept->profile[accept->profile_count++] = (struct model_profile){.attribute = attribute->name,
                                                                      .value = attribute->value,
                                                                      .type = attribute->type,
                                                                      .dynamic = -1,
                                                                      .allowed = &attribute->allowed,
                                                                      .span = attribute->span};
  }
}

static void own_profile(struct checker *c, struct model_accept *accept) {
  const struct accept *syntax = accept->syntax;
  struct context x = {.scope = &c->components[accept->component->id]->scope,
                      .slots = &accept->slot_count,
                      .component = accept->component,
                      .draws = "a profile"};
  const struct model_domain *domain = NULL;
  struct map given = {0}; /* places in the profile */
  for (uint32_t i = 0; i < syntax->pair_count; i++) {
    const struct pair *pair = &syntax->pairs[i];
    if (!name_is(pair->attribute.name->folded, KNOWN_DOMAIN) || pair->value->kind == EXPR_NA) continue;
    c->domain_open |= !is_bare_word(c, &x, pair->value);
    domain = profile_domain(c, &x, pair->value);
    break;
  }
  accept->profile = ARENA_ARRAY(c->arena, struct model_profile, syntax->pair_count + (domain ? domain->count : 0));
  for (uint32_t i = 0; i < syntax->pair_count; i++)
    profile_entry(c, &x, accept, domain, &syntax->pairs[i], &given);
  if (domain) profile_defaults(accept, domain, &given);
}

/* A profile that is written once more is the one that was written before. */
static void profile_once(struct checker *c, struct model_accept *accept) {
  struct text text = {.arena = c->arena};
  struct map *profiles = &c->components[accept->component->id]->profiles;
  for (uint32_t k = 0; k < accept->profile_count; k++) {
    const struct model_profile *entry = &accept->profile[k];
    text_printf(&text, "%s = ", entry->attribute->text);
    if (entry->value) expr_format(&text, entry->value);
    text_put(&text, "; ");
  }
  if (!text.size) return;
  bool known;
  const struct name *written = name_intern(c->model->names, text.data, text.size);
  uint32_t place = map_add(c->arena, profiles, map_key(written), accept->place, &known);
  if (known) accept->profile = accept->component->accepts[place]->profile;
}

void accept_profile(struct checker *c, struct model_accept *accept) {
  struct model_component *component = accept->component;
  if (accept->syntax->has_profile) {
    own_profile(c, accept);
    profile_once(c, accept);
    return;
  }
  uint32_t place = accept->place;
  if (!place) {
    check_error(c, accept->syntax->span, "this accept has no profile, and there is none before it");
    return;
  }
  const struct model_accept *before = component->accepts[place - 1];
  accept->profile = before->profile;
  accept->profile_count = before->profile_count;
  accept->slot_count = before->slot_count;
}

/* ---- transaction ---- */

/* A name equal to a parameter is that parameter, any other stands by its place. */
static uint32_t parameter_place(const struct model_transaction *transaction, const struct name *name, uint32_t place) {
  for (uint32_t k = 0; k < transaction->param_count; k++)
    if (transaction->params[k].name == name) return k;
  return place;
}

/* What the transaction leaves to the accept's profile is of the type of this attribute there. */
static const struct type *left_type(struct checker *c, const struct model_accept *accept,
                                    const struct name *attribute) {
  const struct type *type = own_type(c, accept, attribute);
  if (type) return type;
  check_error(c, accept->syntax->txn.span, "'%s' leaves a type to the attribute '%s', which this profile does not have",
              accept->transaction->symbol->name->text, attribute->text);
  return c->model->types.error;
}

static const struct type *received_type(struct checker *c, const struct model_accept *accept,
                                        const struct model_parameter *param) {
  if (param->of && !param->condition) return left_type(c, accept, param->of);
  if (!param->every || param->type->kind == TYPE_SIGNAL || param->type->kind == TYPE_ERROR) return param->type;
  return type_list(&c->model->types, param->type);
}

static void accept_params(struct checker *c, struct model_accept *accept, struct context *x, struct scope *scope) {
  const struct txn *txn = &accept->syntax->txn;
  const struct model_transaction *transaction = accept->transaction;
  uint32_t count = txn->args.value_count;
  accept->params = ARENA_ARRAY(c->arena, struct symbol *, count + 3); /* and see call_parameter, conversations_begin */
  accept->param_of = ARENA_ARRAY(c->arena, uint32_t, count + 3);
  if (txn->args.field_count) {
    check_error(c, txn->args.fields[0].name.span, "an accept names the parameters, as in %s(a, b)",
                transaction->symbol->name->text);
  }
  for (uint32_t i = 0; i < count; i++) {
    struct expr *value = txn->args.values[i];
    if (value->kind != EXPR_NAME) {
      check_error(c, value->span, "an accept names the parameters, and %s is no name", expr_text(c, value));
      continue;
    }
    value->name.symbol = NULL;
    uint32_t place = parameter_place(transaction, value->name.name, i);
    const struct type *type = c->model->types.error;
    bool taken = false;
    for (uint32_t k = 0; k < accept->param_count; k++)
      taken |= accept->param_of[k] == place;
    if (place >= transaction->param_count) {
      check_error(c, value->span, "transaction '%s' has %u parameter%s, and this is one more",
                  transaction->symbol->name->text, transaction->param_count, transaction->param_count == 1 ? "" : "s");
      check_note(c, transaction->symbol->span, "declared here");
    } else if (taken) {
      check_error(c, value->span, "'%s' stands for parameter '%s', which another name has already",
                  value->name.name->text, transaction->params[place].name->text);
      check_note(c, transaction->params[place].span, "declared here");
    } else {
      type = received_type(c, accept, &transaction->params[place]);
      value->type = type;
    }
    struct symbol *symbol = scope_local(c, x, scope, (struct ident){value->name.name, value->span}, type);
    value->name.symbol = symbol;
    accept->param_of[accept->param_count] = place < transaction->param_count ? place : 0;
    accept->params[accept->param_count++] = symbol;
  }
}

/* ---- servers, discipline, firing rule ---- */

/* The discipline of that name; NULL after a diagnostic. */
static const struct discipline *discipline_named(struct checker *c, const struct expr *value, const struct expr *word) {
  struct words_list list = {0};
  struct text forms = {.arena = c->arena};
  for (const struct discipline *d = disciplines; d->name; d++) {
    words_add(c, &list, d->name);
    if (word->kind == EXPR_NAME && !strcmp(word->name.name->folded->text, d->name)) return d;
  }
  check_error(c, value->span, "unknown discipline %s", expr_text(c, word));
  if (word->kind == EXPR_NAME && !check_habit(c, HABIT_DISCIPLINE, word->name.name->text))
    check_meant(c, word->name.name->text, &list);
  disciplines_list(&forms);
  check_help(c, (struct span){0, 0}, "it is %s", forms.data);
  return NULL;
}

static void check_discipline(struct checker *c, struct context *x, struct model_accept *accept, struct expr *value) {
  const struct expr *word = value->kind == EXPR_CALL ? value->call->callee : value;
  value->type = c->model->types.term;
  const struct discipline *discipline = discipline_named(c, value, word);
  if (!discipline) return;
  accept->discipline = discipline->kind;
  bool wants = discipline->argument == DISCIPLINE_QUANTUM, may = discipline->argument != DISCIPLINE_NOTHING;
  uint32_t given = value->kind == EXPR_CALL ? value->call->args.value_count + value->call->args.field_count : 0;
  if (given > may || given < wants || (given && !value->call->args.value_count)) {
    check_error(c, value->span,
                wants ? "round-robin takes its quantum, as in round-robin(10 ms)" : "%s takes no argument",
                discipline->name);
    return;
  }
  if (!given) return;
  if (!wants) {
    accept->rates = value->call->args.values[0];
    const struct type *type = expr_check_as(c, x, accept->rates, type_list(&c->model->types, c->model->types.real),
                                            "the rates of processor-sharing");
    if (type->kind == TYPE_LIST && type->element->kind == TYPE_RANGE) check_no_range(c, accept->rates, "a rate");
    return;
  }
  accept->quantum = value->call->args.values[0];
  const struct type *type = expr_check_as(c, x, accept->quantum, c->model->types.time, "the quantum of round-robin");
  if (type->kind == TYPE_RANGE) check_no_range(c, accept->quantum, "a quantum");
}

/* The place among the accept's parameters of the one that its transaction calls so, or else the accept; -1: none. One
 * that the accept does not name has a place there, too, and a name that no one sees. */
static int32_t call_parameter(struct checker *c, struct context *x, struct model_accept *accept, enum known known) {
  const struct model_transaction *transaction = accept->transaction;
  const struct name *word = name_known(c->model->names, known);
  int32_t own = -1;
  uint32_t of = 0;
  while (of < transaction->param_count && transaction->params[of].name->folded != word)
    of++;
  for (uint32_t k = 0; k < accept->param_count; k++) {
    if (of < transaction->param_count && accept->param_of[k] == of) return (int32_t)k;
    if (accept->params[k]->name->folded == word) own = (int32_t)k;
  }
  if (own >= 0 || of == transaction->param_count) return own;
  const struct model_parameter *param = &transaction->params[of];
  if (param->of || (accept->protocol == PROTOCOL_DATAFLOW && !param->value)) return -1; /* nobody may give it */
  struct scope unseen = {0};
  accept->param_of[accept->param_count] = of;
  accept->params[accept->param_count] = scope_local(
      c, x, &unseen, (struct ident){param->name, accept->syntax->txn.span}, received_type(c, accept, param));
  return (int32_t)accept->param_count++;
}

/* What goes by priority takes the parameter of that name, and the caller's attribute where that is left out. */
static void check_priority(struct checker *c, const struct context *x, const struct model_accept *accept) {
  const struct name *priority = name_known(c->model->names, KNOWN_PRIORITY);
  int32_t at = accept->priority_at;
  if (!discipline_of(accept->discipline)->by_priority) return;
  const struct type *type = at < 0 ? c->model->types.any : accept->params[at]->type;
  if (type->kind != TYPE_INT && type->kind != TYPE_REAL && type->kind != TYPE_ANY && type->kind != TYPE_ERROR)
    check_error(c, accept->params[at]->span, "calls are served by a priority that is a number, and this is %s",
                type_text(c, type));
  else if ((at < 0 || accept->transaction->params[accept->param_of[at]].value) && attribute_differs(c, NULL, priority))
    claim_add(c, x, priority, NULL, accept->syntax->span);
}

/* What is known of a call by parameters of its transaction, at accepts that have servers. */
static void check_call(struct checker *c, struct context *x, struct model_accept *accept) {
  accept->priority_at = accept->class_at = -1;
  if (discipline_of(accept->discipline)->by_priority)
    accept->priority_at = call_parameter(c, x, accept, KNOWN_PRIORITY);
  if (accept->servers && !accept->unlimited) accept->class_at = call_parameter(c, x, accept, KNOWN_CLASS);
  check_priority(c, x, accept);
}

static void check_setting(struct checker *c, struct context *x, struct scope *params, struct model_accept *accept,
                          const struct setting *setting) {
  const struct name *word = setting->name.name->folded;
  struct expr *value = setting->value;
  if (name_is(word, KNOWN_SERVERS)) {
    if (value->kind == EXPR_NAME && name_is(value->name.name->folded, KNOWN_UNLIMITED) &&
        !scope_find(c, x->scope, value->name.name)) {
      accept->unlimited = true;
      value->name.symbol = NULL;
      value->type = c->model->types.term;
      return;
    }
    accept->servers = value;
    expr_check_as(c, x, value, c->model->types.integer, "servers");
  } else if (name_is(word, KNOWN_DISCIPLINE)) {
    check_discipline(c, x, accept, value);
  } else if (name_is(word, KNOWN_FIRING_RULE)) {
    struct context own = *x;
    own.vars = true;
    own.scope = params;
    own.rule = accept;
    accept->firing_rule = value;
    expr_check_as(c, &own, value, c->model->types.boolean, "a firing rule");
  } else {
    struct words_list list = {0};
    check_error(c, setting->name.span, "an accept has no '%s'", setting->name.name->text);
    static const char *const clauses[] = {"profile", "transaction", "protocol"};
    static const enum known settings[] = {KNOWN_SERVERS, KNOWN_DISCIPLINE, KNOWN_FIRING_RULE};
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
      words_add(c, &list, clauses[i]);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
      words_add(c, &list, name_known(c->model->names, settings[i])->text);
    if (!check_habit(c, HABIT_ACCEPT, word->text) && !check_meant(c, word->text, &list))
      check_help(c, (struct span){0, 0},
                 "it has a profile, a transaction, a protocol, servers, a discipline and a firing rule");
  }
}

/* Only the firing rule sees the parameters: servers stand before any token comes. */
static void check_settings(struct checker *c, struct context *x, struct model_accept *accept) {
  const struct accept *syntax = accept->syntax;
  struct scope *params = x->scope;
  x->scope = params->outer;
  for (uint32_t i = 0; i < syntax->setting_count; i++)
    check_setting(c, x, params, accept, &syntax->settings[i]);
  check_call(c, x, accept);
  for (uint32_t i = 0; i < syntax->setting_count; i++) {
    if (!name_is(syntax->settings[i].name.name->folded, KNOWN_DISCIPLINE)) continue;
    if (accept->servers || accept->unlimited || accept->protocol != PROTOCOL_CALL_RETURN) continue;
    check_warning(c, syntax->settings[i].name.span, "without servers nobody waits, and the discipline has no effect");
    check_help(c, (struct span){0, 0}, "say how many servers there are: servers = 1;");
  }
}

/* ---- body and requests ---- */

static bool always_returns(const struct block *block);

static bool statement_returns(const struct stmt *stmt) {
  if (stmt->kind == STMT_RETURN) return true;
  if (stmt->kind == STMT_WHILE) return stmt->loop.condition->kind == EXPR_BOOLEAN && stmt->loop.condition->boolean;
  if (stmt->kind == STMT_IF)
    return stmt->branch.has_else && always_returns(&stmt->branch.then) && always_returns(&stmt->branch.otherwise);
  for (uint32_t i = 0; stmt->kind == STMT_ONE_OF && i < stmt->chances.count; i++)
    if (!always_returns(&stmt->chances.items[i].body)) return false;
  for (uint32_t i = 0; stmt->kind == STMT_FIRST_OF && i < stmt->heads.count; i++)
    if (!always_returns(&stmt->heads.items[i].body)) return false;
  return stmt->kind == STMT_ONE_OF || stmt->kind == STMT_FIRST_OF;
}

static bool always_returns(const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
    if (statement_returns(stmt)) return true;
  return false;
}

void check_reply(struct checker *c, const struct model_transaction *transaction, const struct block *block,
                 struct span at) {
  const struct type *result = transaction->result;
  if (result->kind == TYPE_VOID || result->kind == TYPE_ERROR || (block && always_returns(block))) return;
  check_error(c, block ? block->span : at,
              "transaction '%s' has %s as its result, and this body can end without return",
              transaction->symbol->name->text, type_text(c, result));
  check_note(c, transaction->symbol->span, "declared here");
}

/* Unlabelled requests see the lets of the body that `return` cannot have passed over. */
static uint32_t lets_for_requests(const struct block *block, const struct scope *scope) {
  uint32_t count = 0;
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    struct stmt alone = *stmt;
    alone.next = NULL;
    if (block_has(&(struct block){.first = &alone}, STMT_RETURN)) break;
    count += stmt->kind == STMT_LET && count < scope->count && scope->items[count] == stmt->assign.symbol;
  }
  return count;
}

/* Whoever asks for what has the type of an attribute is told its type by who may answer. */
static void check_open(struct checker *c, const struct model_accept *accept) {
  const struct model_transaction *transaction = accept->transaction;
  bool open = transaction->result_of != NULL;
  for (uint32_t i = 0; i < transaction->param_count; i++)
    open |= transaction->params[i].of != NULL;
  if (open && accept->protocol != PROTOCOL_CALL_RETURN)
    check_error(c, accept->syntax->protocol.span, "'%s' has the types of attributes, and is called: call-return",
                transaction->symbol->name->text);
}

void accept_check(struct checker *c, struct model_accept *accept) {
  struct checked_component *own = c->components[accept->component->id];
  struct scope params = {.outer = &own->scope}, body = {.outer = &params};
  uint32_t slots = 0, profile_slots = accept->slot_count;
  struct context x = {.scope = &params, .slots = &slots, .component = accept->component};
  const struct accept *syntax = accept->syntax;
  if (!syntax->has_transaction)
    check_error(c, syntax->span, "this accept has no transaction");
  else
    accept->transaction = transaction_named(c, &syntax->txn.name);
  if (!syntax->protocol.name)
    check_error(c, syntax->span, "this accept has no protocol: dataflow or call-return");
  else
    accept->declared = protocol_check(c, &syntax->protocol);
  if (accept->declared) accept->protocol = accept->declared->kind;
  if (!accept->transaction) return;
  if (accept->declared) accept->transaction = protocol_begin(c, accept->declared, accept->transaction, &syntax->txn);
  const struct model_transaction *transaction = accept->transaction;
  accept->result = transaction->result_of ? left_type(c, accept, transaction->result_of) : transaction->result;
  accept_params(c, accept, &x, &params);
  conversations_begin(c, &x, accept, &params);
  check_open(c, accept);
  x.draws = "a clause of an accept";
  check_settings(c, &x, accept);
  x.draws = NULL;
  x.clock = x.caller = x.vars = true;
  x.scope = &body;
  bool replies = accept->protocol == PROTOCOL_CALL_RETURN;
  struct body place = {.component = accept->component,
                       .accept = accept,
                       .returns = accept->transaction,
                       .result = replies ? accept->result : c->model->types.none};
  if (accept->body) {
    block_check(c, &x, &place, accept->body, &body);
    body.count = lets_for_requests(accept->body, &body);
  }
  if (replies) check_reply(c, accept->transaction, accept->body, syntax->txn.span);
  for (uint32_t i = 0; i < accept->request_count; i++)
    request_check(c, &x, accept->requests[i]);
  accept->slot_count = slots > profile_slots ? slots : profile_slots;
}
