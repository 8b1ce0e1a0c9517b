/* Transactions and requests: transactions that nobody declares, a request's transaction and arguments, its
 * selector, `where`, `visits` and `delay`; labels get the types of their parameters from the calls of the
 * bodies. */
#include "grammar/habits.h"
#include "interp/check/checker.h"

#include <ctype.h>
#include <string.h>

/* ---- transactions ---- */

static void too_many_parameters(struct checker *c, struct span span) {
  check_error(c, span, "a transaction has at most %d parameters", TRANSACTION_PARAMETERS);
}

/* What is given has the type of an attribute of whoever takes it, or is a condition on such a thing. */
static void open_parameter(struct checker *c, const struct param *from, struct model_parameter *to) {
  to->of = from->type ? type_attribute(c, from->type) : NULL;
  if (to->of && (from->every || from->range)) {
    check_error(c, from->name.span, "'%s' has the type of an attribute: there is no '%s' for it", from->name.name->text,
                from->every ? "every" : "in");
    to->every = false;
    to->allowed.range = NULL;
  }
  if (!from->gives) return;
  to->condition = true;
  if (from->type && !to->of && !from->type->atoms[0].of)
    check_error(c, from->type->span, "a condition is on what has the type of an attribute: target.item -> bool");
  const struct type *gives = type_check(c, from->gives);
  if (gives->kind != TYPE_BOOL && gives->kind != TYPE_ERROR)
    check_error(c, from->gives->span, "a condition gives bool, not %s", type_text(c, gives));
}

static const struct type *declared_type(struct checker *c, const struct param *from, struct model_parameter *to) {
  open_parameter(c, from, to);
  bool open = to->of || to->condition || (from->type && from->type->atoms[0].of && from->type->count == 1);
  return from->type && !open ? type_check(c, from->type) : c->model->types.any;
}

void transaction_check(struct checker *c, struct model_transaction *transaction) {
  const struct signature *signature = &transaction->symbol->decl->transaction;
  uint32_t slots = 0;
  struct context x = {.slots = &slots, .draws = "a default"};
  transaction->params = ARENA_ARRAY(c->arena, struct model_parameter, signature->param_count);
  if (signature->param_count > TRANSACTION_PARAMETERS)
    too_many_parameters(c, signature->params[TRANSACTION_PARAMETERS].name.span);
  for (uint32_t i = 0; i < signature->param_count; i++) {
    struct param *from = &signature->params[i];
    struct model_parameter *to = &transaction->params[transaction->param_count++];
    *to = (struct model_parameter){.name = from->name.name,
                                   .value = from->value,
                                   .every = from->every,
                                   .span = from->name.span,
                                   .allowed = {.range = from->range}};
    const struct type *type = to->type = declared_type(c, from, to);
    if (from->value) {
      const char *what = arena_printf(c->arena, "the default of '%s'", from->name.name->text);
      x.terms = type->kind == TYPE_ANY;
      type = expr_check_as(c, &x, from->value, type, what);
      if (to->condition) type_require(c, from->value, c->model->types.boolean, what);
      if (!from->type && type->kind != TYPE_ERROR) to->type = type;
    }
    if (!to->allowed.range) continue;
    if (to->type->kind == TYPE_ANY) to->type = type_of_range(c, &x, from->range);
    transaction->ranged = true;
    if (!check_in(c, &x, from->range, to->type, "parameter", to->name, to->span)) to->allowed.range = NULL;
    check_allowed(c, &to->allowed, to->name, to->type, to->value);
  }
  transaction->result_of = signature->result ? type_attribute(c, signature->result) : NULL;
  transaction->result = transaction->result_of ? c->model->types.any
                        : signature->result    ? type_check(c, signature->result)
                                               : c->model->types.none;
  transaction->symbol->type = transaction->result;
}

struct model_transaction *transaction_named(struct checker *c, const struct qname *name) {
  const struct ident *last = &name->parts[name->count - 1];
  struct symbol *found = NULL;
  if (name->count == 1) {
    found = table_find(c, SPACE_TRANSACTION, last->name, last->span);
  } else {
    struct symbol *file = qualifier_find(c, name->parts[0], SPACE_TRANSACTION, name->parts[1].name);
    if (file && file->kind == SYMBOL_FILE && name->count == 2)
      found = table_in_file(c, SPACE_TRANSACTION, last->name, file->file);
  }
  if (found) return found->transaction;
  struct words_list list = {0};
  words_add_table(c, &list, &c->tables[SPACE_TRANSACTION]);
  check_error(c, name->span, "unknown transaction '%s'", last->name->text);
  check_meant(c, last->name->text, &list);
  return NULL;
}

static void imply_param(struct checker *c, struct model_transaction *transaction, const struct name *name,
                        struct span span) {
  for (uint32_t i = 0; i < transaction->param_count; i++)
    if (transaction->params[i].name == name) return;
  struct model_parameter param = {.name = name, .type = c->model->types.any, .span = span};
  uint32_t count = transaction->param_count;
  if (count == TRANSACTION_PARAMETERS) too_many_parameters(c, span);
  transaction->params = arena_grow(c->arena, transaction->params, count * sizeof param, (count + 1) * sizeof param);
  transaction->params[transaction->param_count++] = param;
}

/* The letters of a call of MPI without what they stand behind, MPI_ or MPI-: bcast. */
static const char *mpi_word(struct checker *c, const char *word) {
  char *letters = arena_copy(c->arena, word, strlen(word)), *to = letters;
  for (const char *from = word; *from; from++)
    if (isalnum((unsigned char)*from)) *to++ = (char)tolower((unsigned char)*from);
  *to = 0;
  return strncmp(letters, "mpi", 3) == 0 ? letters + 3 : letters;
}

/* What the name of a transaction may have been meant for: a file of the library, a word that is near, a call of MPI
 * where the model uses it, else a word that is near one of the library. */
static void transaction_meant(struct checker *c, const struct name *name, const struct words_list *list) {
  if (check_library(c, SPACE_TRANSACTION, name) || check_meant(c, name->text, list)) return;
  const char *word = mpi_word(c, name->text);
  size_t length;
  const char *meant = habit_word(HABIT_TRANSACTION, word, strlen(word), &length);
  for (uint32_t k = 0; k < list->count; k++)
    if (strncmp(list->items[k], "MPI-", 4) == 0 && strlen(mpi_word(c, list->items[k])) == length &&
        strncmp(mpi_word(c, list->items[k]), meant, length) == 0) {
      check_help(c, (struct span){0, 0}, "did you mean '%s'?", list->items[k]);
      return;
    }
  if (!check_habit(c, HABIT_CALL, name->text)) check_near_library(c, SPACE_TRANSACTION, name);
}

static void imply(struct checker *c, const struct txn *txn, bool accepted) {
  struct model *m = c->model;
  if (!txn->name.parts || txn->name.count != 1) return;
  const struct ident *name = &txn->name.parts[0];
  struct symbol *symbol = table_first(c, SPACE_TRANSACTION, name->name);
  if (symbol && !symbol->transaction->implied) return;
  if (symbol && !accepted) return;
  if (!symbol) {
    symbol = symbol_new(c, SYMBOL_TRANSACTION, name->name, name->span);
    struct model_transaction *transaction = symbol->transaction = ARENA_NEW(c->arena, struct model_transaction);
    transaction->symbol = symbol;
    transaction->implied = true;
    transaction->result = symbol->type = m->types.none;
    transaction->id = m->transaction_count;
    if (!accepted && !model_is_open(c->model)) {
      struct words_list list = {0};
      check_warning(c, name->span, "no component accepts transaction '%s', and nothing declares it", name->name->text);
      words_add_table(c, &list, &c->tables[SPACE_TRANSACTION]);
      transaction_meant(c, name->name, &list);
    }
    table_add(c, SPACE_TRANSACTION, symbol);
    ARENA_PUSH(c->arena, m->transactions, m->transaction_count, c->transaction_capacity, transaction);
  }
  for (uint32_t i = 0; i < txn->args.value_count; i++) {
    const struct expr *value = txn->args.values[i];
    bool named = value->kind == EXPR_NAME;
    if (accepted && !named) continue;
    const struct name *param =
        named ? value->name.name : name_of(m->names, arena_printf(c->arena, "argument-%u", i + 1));
    imply_param(c, symbol->transaction, param, value->span);
  }
  for (uint32_t i = 0; i < txn->args.field_count; i++)
    imply_param(c, symbol->transaction, txn->args.fields[i].name.name, txn->args.fields[i].name.span);
}

static const char *declaration_of(struct checker *c, const struct model_transaction *transaction) {
  struct text text = {.arena = c->arena};
  text_printf(&text, "transaction %s(", transaction->symbol->name->text);
  for (uint32_t i = 0; i < transaction->param_count; i++)
    text_printf(&text, "%s%s", i ? ", " : "", transaction->params[i].name->text);
  text_put(&text, ");");
  return text.data;
}

/* What is accepted and is declared nowhere is told only where it is a letter off what is: it then matches nothing but
 * requests that are misspelt alike. */
static void imply_misspelt(struct checker *c) {
  const struct model *m = c->model;
  struct words_list list = {0};
  for (uint32_t i = 0; i < m->transaction_count; i++)
    if (!m->transactions[i]->implied) words_add(c, &list, m->transactions[i]->symbol->name->text);
  for (uint32_t i = 0; i < m->transaction_count; i++) {
    const struct symbol *symbol = m->transactions[i]->symbol;
    const char *near = m->transactions[i]->implied ? misspelt_name(symbol->name->text, list.items, list.count) : NULL;
    if (!near) continue;
    check_warning(c, symbol->span, "nothing declares transaction '%s'", symbol->name->text);
    check_help(c, (struct span){0, 0}, "did you mean '%s'?", near);
    check_help(c, (struct span){0, 0}, "where it is another one, declare it: %s",
               declaration_of(c, m->transactions[i]));
  }
}

/* Transactions of the paper's figures stand in no declaration: an accept of one says what its parameters are
 * called. */
void transactions_imply(struct checker *c) {
  const struct model *m = c->model;
  for (uint32_t i = 0; i < m->accept_count; i++)
    if (m->accepts[i]->syntax->has_transaction) imply(c, &m->accepts[i]->syntax->txn, true);
  imply_misspelt(c);
  for (uint32_t i = 0; i < m->request_count; i++)
    imply(c, &m->requests[i]->syntax->txn, false);
}

/* ---- requests ---- */

/* The types that the profiles which may be meant give to the transaction's parameters and result. */
static const struct type *open_types(struct checker *c, struct context *x, struct model_request *request) {
  const struct model_transaction *transaction = request->transaction;
  struct context own = *x;
  const struct type *result = transaction->result;
  bool any = transaction->result_of != NULL;
  for (uint32_t i = 0; i < transaction->param_count; i++)
    any |= transaction->params[i].of != NULL;
  if (!any) return result;
  own.wanted = NULL;
  if (request->selector) wanted_terms(c, &own, request->selector);
  struct span span = request->syntax->txn.span;
  if (transaction->result_of) result = only_type(c, &own, transaction->result_of, span);
  request->types = ARENA_ARRAY(c->arena, const struct type *, transaction->param_count + 1);
  request->items = ARENA_ARRAY(c->arena, struct symbol *, transaction->param_count + 1);
  for (uint32_t i = 0; i < transaction->param_count; i++) {
    const struct model_parameter *param = &transaction->params[i];
    request->types[i] = param->of ? only_type(c, &own, param->of, span) : param->type;
  }
  return result;
}

/* Can the other interactions of its protocol follow? */
static bool check_conversing(struct checker *c, const struct model_request *request) {
  const struct request *syntax = request->syntax;
  const char *name = request->declared->symbol->decl->name.name->text;
  bool one = request->quantifier == TARGET_ONE || request->quantifier == TARGET_ANY;
  if (!request->label) {
    check_error(c, syntax->protocol.span, "'%s' goes on behind its first interaction: its request has a label", name);
    check_note(c, request->declared->symbol->span, "declared here");
    check_help(c, (struct span){0, 0},
               "LABEL(...): selector = ...; then bodies begin with 'call LABEL(...);' and go on with "
               "'call LABEL.STEP(...);'");
    return false;
  }
  if (!one) {
    check_error(c, syntax->quantifier_span, "a conversation has one partner: a request of protocol '%s' is not '%s'",
                name, request->quantifier == TARGET_EVERY ? "every" : "optional");
    return false;
  }
  return true;
}

void request_open(struct checker *c, struct model_request *request) {
  const struct request *syntax = request->syntax;
  const struct types *types = &c->model->types;
  const struct type *result = types->error;
  request->result = types->error;
  request->transaction = transaction_named(c, &syntax->txn.name);
  request->declared = protocol_check(c, &syntax->protocol);
  bool protocol = request->declared != NULL;
  if (protocol) request->protocol = request->declared->kind;
  if (protocol && request->transaction)
    request->transaction = protocol_begin(c, request->declared, request->transaction, &syntax->txn);
  if (protocol && request->declared->converses && !check_conversing(c, request)) request->transaction = NULL;
  if (protocol && request->declared->converses && request->transaction &&
      request->transaction->symbol->transaction == request->transaction)
    request->transaction = NULL; /* it has been said */
  if (request->transaction && protocol && request->declared->converses)
    request->syntax = syntax = conversation_request(c, syntax);
  if (request->label) {
    request->param_count = syntax->param_count;
    request->params = ARENA_ARRAY(c->arena, struct symbol *, syntax->param_count);
    struct scope scope = {0};
    uint32_t slots = 0;
    struct context x = {.slots = &slots};
    for (uint32_t i = 0; i < syntax->param_count; i++) {
      struct param *param = &syntax->params[i];
      request->params[i] = scope_local(c, &x, &scope, param->name, param->type ? type_check(c, param->type) : NULL);
      param->symbol = request->params[i];
    }
    struct checked_component *own = c->components[request->component->id];
    struct expr **first = ARENA_ARRAY(c->arena, struct expr *, syntax->param_count + 1);
    ARENA_PUSH(c->arena, own->label_arguments, own->label_count, own->label_capacity, first);
    request->label->slot = own->label_count - 1;
    scope.outer = &own->scope;
    x.scope = &scope;
    x.component = request->component;
    if (request->transaction) result = open_types(c, &x, request);
  }
  if (!request->transaction || !protocol) return;
  request->result = types->none;
  for (uint32_t i = 0; i < syntax->setting_count; i++)
    if (name_is(syntax->settings[i].name.name, KNOWN_PATIENCE)) {
      request->result = types->boolean;
      return; /* what it is of: check_patience */
    }
  if (request->protocol != PROTOCOL_CALL_RETURN || request->quantifier == TARGET_OPTIONAL) return;
  request->result = result;
  if (request->quantifier == TARGET_EVERY && request->result->kind != TYPE_VOID && request->result->kind != TYPE_ERROR)
    request->result = type_list(&c->model->types, request->result);
}

/* An argument that is a bare word nobody knows and names a parameter leaves that parameter to another edge. */
static bool left_out(struct checker *c, struct context *x, const struct expr *value,
                     const struct model_transaction *transaction) {
  if (value->kind != EXPR_NAME || scope_find(c, x->scope, value->name.name)) return false;
  if (value_first(c, value->name.name, value->span) || (x->clock && name_is(value->name.name, KNOWN_CLOCK)))
    return false;
  for (uint32_t i = 0; i < transaction->param_count; i++)
    if (transaction->params[i].name == value->name.name) return true;
  return false;
}

/* What a call of the label gave first for the parameter that this is; NULL: it is none, or none was. */
static const struct expr *given_by_call(struct checker *c, const struct model_request *request,
                                        const struct expr *value) {
  if (!request || !request->label || value->kind != EXPR_NAME) return NULL;
  for (uint32_t i = 0; i < request->param_count; i++)
    if (value->name.symbol == request->params[i])
      return c->components[request->component->id]->label_arguments[request->label->slot][i];
  return NULL;
}

/* Can a value of the type become the transaction's parameter? Others of its name may be what accepts take. */
static bool can_become(struct checker *c, const struct type *type, const struct model_transaction *transaction,
                       uint32_t place) {
  for (uint32_t i = 0; i < c->model->transaction_count; i++) {
    const struct model_transaction *other = c->model->transactions[i];
    if (other->symbol->name->folded == transaction->symbol->name->folded && place < other->param_count &&
        coercion_leads(c, type, other->params[place].type))
      return true;
  }
  return false;
}

static void condition_check(struct checker *c, const struct context *x, struct model_request *request, uint32_t place,
                            struct expr *value) {
  const struct model_parameter *param = &request->transaction->params[place];
  struct scope scope = {.outer = x->scope};
  struct context own = *x;
  own.scope = &scope;
  own.clock = own.caller = own.vars = own.terms = false;
  own.draws = "a condition";
  request->items[place] = scope_local(c, &own, &scope, (struct ident){param->of, value->span}, request->types[place]);
  expr_check_as(c, &own, value, c->model->types.boolean, arena_printf(c->arena, "condition '%s'", param->name->text));
}

/* The one other parameter that the value fits and that is not given; NULL: there is none, or there are several. */
static const struct model_parameter *fits_alone(const struct model_request *request,
                                                const struct model_parameter *param, const struct type *type) {
  const struct model_transaction *transaction = request->transaction;
  const struct model_parameter *found = NULL;
  for (uint32_t i = 0; i < transaction->param_count; i++) {
    const struct model_parameter *other = &transaction->params[i];
    if (other == param || request->args[i] || other->of || other->condition || other->type->kind == TYPE_ANY ||
        !type_conforms(type, other->type))
      continue;
    if (found) return NULL;
    found = other;
  }
  return found;
}

/* An argument by place that is another parameter's: which place it has, and how it is given by name. */
static bool refuse_place(struct checker *c, const struct model_request *request, const struct model_parameter *param,
                         const struct expr *value, const char *what, const struct type *wanted) {
  const struct args *args = &request->syntax->txn.args;
  bool by_place = false;
  for (uint32_t i = 0; i < args->value_count; i++)
    by_place |= args->values[i] == value;
  const struct model_parameter *meant = by_place ? fits_alone(request, param, value->type) : NULL;
  if (!meant) return false;
  check_error(c, value->span, "%s, its parameter %u, wants %s, not %s", what,
              (unsigned)(param - request->transaction->params) + 1, type_text(c, wanted), type_text(c, value->type));
  check_help(c, (struct span){0, 0}, "'%s' is given by its name: %s = %s", meant->name->text, meant->name->text,
             expr_text(c, value));
  return true;
}

/* `request` NULL: in a coercion. */
/* Those that are given by place fit in another order, each in the first place left that takes one of its type: that
 * order; NULL: they do not. *first: the first that is wrong. */
static const char *reordered(struct checker *c, struct context *x, const struct model_request *request,
                             const struct expr **first) {
  const struct model_transaction *transaction = request->transaction;
  const struct args *args = &request->syntax->txn.args;
  uint32_t count = args->value_count;
  if (args->field_count || count < 2 || count > transaction->param_count) return NULL;
  bool *used = ARENA_ARRAY(c->arena, bool, count);
  struct text text = {.arena = c->arena};
  *first = NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (transaction->params[i].condition || is_bare_word(c, x, args->values[i])) return NULL;
    const struct type *type = expr_check(c, x, args->values[i], NULL);
    if (type->kind == TYPE_ERROR || type->kind == TYPE_ANY) return NULL;
    if (!*first && !type_conforms(type, given_as(request, i))) *first = args->values[i];
  }
  text_printf(&text, "%s(", transaction->symbol->name->text);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = 0;
    while (i < count && (used[i] || !type_conforms(args->values[i]->type, given_as(request, k))))
      i++;
    if (i == count) return NULL;
    used[i] = true;
    text_printf(&text, "%s%s", k ? ", " : "", expr_text(c, args->values[i]));
  }
  text_put(&text, ")");
  return text.data;
}

static void check_argument(struct checker *c, struct context *x, struct model_request *request,
                           const struct model_transaction *transaction, const struct model_parameter *param,
                           struct expr *value) {
  uint32_t place = (uint32_t)(param - transaction->params);
  if (param->of && !request) {
    check_error(c, value->span, "a coercion cannot give '%s', whose type is that of an attribute of its target",
                param->name->text);
    return;
  }
  if (param->condition) {
    condition_check(c, x, request, place, value);
    return;
  }
  const struct type *wanted = request ? given_as(request, place) : param->type;
  bool any = wanted->kind == TYPE_ANY, terms = x->terms;
  x->terms = terms || any;
  const struct type *type = expr_check(c, x, value, any ? NULL : wanted);
  x->terms = terms;
  if (!parts_require(c, value, wanted, param->name->text)) return;
  passing_note(c, value, NULL, wanted);
  if (type->kind == TYPE_ERROR || type_conforms(type, wanted)) {
    check_allowed(c, &param->allowed, param->name, wanted, value);
    return;
  }
  bool leads = type->kind != TYPE_VOID &&
               (param->of ? coercion_leads(c, type, wanted) : can_become(c, type, transaction, place));
  if (leads) return;
  const char *what =
      arena_printf(c->arena, "parameter '%s' of '%s'", param->name->text, transaction->symbol->name->text);
  const struct expr *first;
  const char *order = request ? reordered(c, x, request, &first) : NULL;
  if (order && first != value) return; /* it has been said */
  if (order) {
    check_error(c, value->span, "%s wants %s, not %s", what, type_text(c, wanted), type_text(c, type));
    check_note(c, param->span, "declared here");
    check_help(c, (struct span){0, 0}, "the order of its parameters is another: %s", order);
    return;
  }
  if (request && refuse_place(c, request, param, value, what, wanted)) {
    check_note(c, param->span, "declared here");
    return;
  }
  const struct expr *given = given_by_call(c, request, value);
  bool by_call = given && !type_conforms(given->type, wanted); /* else another call gives what does not fit */
  const struct expr *wrong = by_call ? given : value;
  type_require(c, wrong, wanted, what);
  bool number = type_is_number(wrong->type) && dimension_none(type_dimension(wrong->type));
  if (number && type_is_number(wanted)) check_coerced_units(c, transaction, wanted);
  if (by_call) check_note(c, value->span, "it is passed to the transaction here");
  check_note(c, param->span, "declared here");
  check_coercions(c, wrong->type, wanted);
}

/* One whose type is that of an attribute is no default for others. */
static bool has_default(const struct model_request *request, uint32_t param) {
  const struct model_parameter *of = &request->transaction->params[param];
  const struct type *type = given_as(request, param);
  return of->value && (!of->of || of->condition || type == of->value->type || type->kind == TYPE_ERROR);
}

/* A bare word that reads as a value of that name, where the parameter would have its default. */
static void refuse_bare(struct checker *c, const struct model_request *request, const struct expr *value,
                        const struct type *type) {
  const struct name *word = value->name.name;
  check_error(c, value->span, "'%s' is a parameter of '%s', and no value is known by that name here", word->text,
              request->transaction->symbol->name->text);
  if (type->kind == TYPE_SIGNAL)
    check_help(c, (struct span){0}, "'%s = signal' gives it; what is left out other requests give", word->text);
  else if (name_is(word->folded, KNOWN_PRIORITY) || name_is(word->folded, KNOWN_CLASS))
    check_help(c, (struct span){0},
               "leave it out: servers take the caller's attribute '%s', or the parameter's default where it has none",
               word->text);
  else
    check_help(c, (struct span){0}, "leave it out, and the parameter has its default");
}

static void check_arguments(struct checker *c, struct context *x, struct model_request *request) {
  const struct model_transaction *transaction = request->transaction;
  const struct txn *txn = &request->syntax->txn;
  uint32_t count = transaction->param_count;
  struct formal *formals = ARENA_ARRAY(c->arena, struct formal, count);
  struct args args = txn->args;
  request->args = ARENA_ARRAY(c->arena, struct expr *, count);
  for (uint32_t i = 0; i < count; i++)
    formals[i] = (struct formal){
        .name = transaction->params[i].name, .type = transaction->params[i].type, .span = transaction->params[i].span};
  const char *what = arena_printf(c->arena, "transaction '%s'", transaction->symbol->name->text);
  unsigned errors = c->d->errors;
  bool fine = args_bind(c, what, &args, formals, count, request->args);
  if (!fine && c->d->errors != errors && transaction->symbol->span.end)
    check_note(c, transaction->symbol->span, "declared here");
  for (uint32_t i = 0; i < count; i++) {
    struct expr *value = request->args[i];
    const struct model_parameter *param = &transaction->params[i];
    if (value && left_out(c, x, value, transaction)) {
      if (param->value || param->type->kind == TYPE_SIGNAL) refuse_bare(c, request, value, param->type);
      value->name.symbol = NULL;
      value->type = param->type;
      request->args[i] = value = NULL;
    }
    if (value)
      check_argument(c, x, request, transaction, param, value);
    else if (fine && (request->protocol == PROTOCOL_CALL_RETURN || transaction->symbol->transaction != transaction) &&
             !has_default(request, i) && param->type->kind != TYPE_SIGNAL) {
      check_error(c, txn->span, "a %s request gives all parameters, and this leaves out '%s'",
                  request->declared ? request->declared->symbol->name->text : "call-return", param->name->text);
      check_note(c, param->span,
                 param->value ? "declared here, with a default of another type" : "declared here, without a default");
    }
  }
}

/* A call that gives whether it came to a server has one target, which gives nothing else. */
static void check_patience(struct checker *c, const struct model_request *request, struct span span) {
  const struct model_transaction *transaction = request->transaction;
  bool one = request->quantifier == TARGET_ONE || request->quantifier == TARGET_ANY;
  if (!request->label || request->protocol != PROTOCOL_CALL_RETURN || !one) {
    check_error(c, span, "patience is that of a labelled call-return request to one target");
  } else if (transaction && transaction->result->kind != TYPE_VOID && transaction->result->kind != TYPE_ERROR) {
    check_error(c, span, "a call with patience gives whether it was served, and '%s' has a result of its own",
                transaction->symbol->name->text);
    check_note(c, transaction->symbol->span, "declared here");
  }
}

static void check_request_settings(struct checker *c, struct context *x, struct model_request *request) {
  const struct request *syntax = request->syntax;
  for (uint32_t i = 0; i < syntax->setting_count; i++) {
    const struct field *field = &syntax->settings[i];
    bool visits = name_is(field->name.name, KNOWN_VISITS), delay = name_is(field->name.name, KNOWN_DELAY);
    bool patience = name_is(field->name.name, KNOWN_PATIENCE);
    struct expr **place = visits ? &request->visits : delay ? &request->delay : &request->patience;
    if (!visits && !delay && !patience) {
      struct words_list list = {0};
      check_error(c, field->name.span, "a request has no '%s'", field->name.name->text);
      words_add(c, &list, "visits");
      words_add(c, &list, "delay");
      words_add(c, &list, "patience");
      words_add(c, &list, "selector");
      words_add(c, &list, "transaction");
      words_add(c, &list, "protocol");
      if (!check_habit(c, HABIT_CLAUSE, field->name.name->text)) check_meant(c, field->name.name->text, &list);
    } else if (*place) {
      check_error(c, field->name.span, "'%s' is given twice", field->name.name->text);
      check_note(c, (*place)->span, "first given here");
    } else {
      *place = field->value;
      const struct type *type = expr_check_as(c, x, field->value, visits ? c->model->types.real : c->model->types.time,
                                              visits  ? "visits"
                                              : delay ? "delay"
                                                      : "patience");
      if (patience) check_patience(c, request, field->name.span);
      if (type->kind == TYPE_DISTRIBUTION && visits) check_draw(c, x, field->value, type);
    }
  }
}

static void check_where(struct checker *c, struct model_request *request, uint32_t *slots) {
  struct context x = {.scope = &c->components[request->component->id]->scope,
                      .slots = slots,
                      .component = request->component,
                      .draws = "where"};
  if (request->where) expr_check_as(c, &x, request->where, c->model->types.boolean, "where");
}

/* In the context of the accept's body, the label's parameters, or a system. */
void request_check(struct checker *c, struct context *x, struct model_request *request) {
  check_where(c, request, x->slots);
  selector_check(c, x, request->selector, request->by);
  if (request->transaction && !request->label) open_types(c, x, request);
  if (request->transaction) check_arguments(c, x, request);
  check_request_settings(c, x, request);
}

/* The transaction's parameter that the label's is given to as it is; NULL: there is none. */
static const struct model_parameter *passed_to(const struct model_request *request, uint32_t i) {
  const struct args *args = &request->syntax->txn.args;
  const struct model_transaction *transaction = request->transaction;
  for (uint32_t k = 0; transaction && k < args->value_count && k < transaction->param_count; k++)
    if (args->values[k]->kind == EXPR_NAME && args->values[k]->name.name == request->params[i]->name)
      return &transaction->params[k];
  for (uint32_t k = 0; transaction && k < args->field_count; k++)
    if (args->fields[k].value->kind == EXPR_NAME && args->fields[k].value->name.name == request->params[i]->name)
      for (uint32_t p = 0; p < transaction->param_count; p++)
        if (transaction->params[p].name == args->fields[k].name.name) return &transaction->params[p];
  return NULL;
}

/* The type of what is given to it. */
static const struct type *given_type(const struct model_request *request, const struct model_parameter *to) {
  return to->condition ? to->type : given_as(request, (uint32_t)(to - request->transaction->params));
}

/* A parameter that no call has given a type has that of the transaction's parameter it is passed to. Of one that is
 * not passed on as it is nothing is known, nor said: the label may be there for `like`. */
static void infer_uncalled(struct checker *c, struct model_request *request) {
  for (uint32_t i = 0; i < request->param_count; i++) {
    const struct model_parameter *to = passed_to(request, i);
    if (!request->params[i]->type) request->params[i]->type = to ? given_type(request, to) : c->model->types.error;
  }
}

void label_check(struct checker *c, struct model_request *request) {
  struct scope scope = {
      .outer = &c->components[request->component->id]->scope, .items = request->params, .count = request->param_count};
  request->slot_count = request->param_count;
  struct context x = {
      .scope = &scope, .slots = &request->slot_count, .component = request->component, .clock = true, .vars = true};
  infer_uncalled(c, request);
  request_check(c, &x, request);
}

void system_request_check(struct checker *c, struct model_request *request) {
  struct context x = {.scope = &c->components[request->component->id]->scope,
                      .slots = &request->slot_count,
                      .component = request->component,
                      .clock = true};
  request_check(c, &x, request);
}

/* ---- calls of labels ---- */

static void label_argument_type(struct checker *c, struct model_request *request, uint32_t i, struct expr *value,
                                const struct type *type) {
  struct symbol *param = request->params[i];
  struct expr **first = &c->components[request->component->id]->label_arguments[request->label->slot][i];
  if (request->syntax->params[i].type) {
    const char *what = arena_printf(c->arena, "parameter '%s' of '%s'", param->name->text, request->label->name->text);
    type_require(c, value, param->type, what);
    return;
  }
  const struct type *both = param->type ? type_join(c, param->type, type) : type;
  passing_note(c, value, param, NULL);
  if (both) {
    if (!*first) *first = value, param->made = value;
    param->type = both;
    return;
  }
  check_error(c, value->span, "'%s' is called with %s as its '%s' here, and with %s elsewhere",
              request->label->name->text, type_text(c, type), param->name->text, type_text(c, param->type));
  check_note(c, (*first)->span, "this is %s", type_text(c, (*first)->type));
  check_note(c, param->span, "the parameter is here");
}

/* Does the value stand for what has this name: alone, or as the qualifier of a term, where it is taken to be meant? */
static bool stands_for(const struct expr *value, const struct name *name) {
  if (value->kind == EXPR_NAME) return value->name.name == name;
  return value->kind == EXPR_INDEX && value->index.qualifier && !strcmp(value->index.qualifier, name->text);
}

/* The attribute of the target that the selector compares with what has this name; NULL: there is none. */
static const struct name *compared_with(const struct expr *selector, const struct name *name) {
  if (!selector) return NULL;
  if (selector->kind == EXPR_UNARY) return compared_with(selector->unary.operand, name);
  if (selector->kind == EXPR_BINARY) {
    const struct name *left = compared_with(selector->binary.left, name);
    return left ? left : compared_with(selector->binary.right, name);
  }
  bool clause = selector->kind == EXPR_CLAUSE;
  return clause && stands_for(selector->clause.value, name) ? selector->clause.attribute->folded : NULL;
}

/* The type that a parameter of the label has to have; NULL: its calls say. */
static const struct type *label_wants(struct checker *c, const struct model_request *request, uint32_t i,
                                      const struct model_parameter *to) {
  if (request->params[i]->type) return request->params[i]->type;
  if (to) return given_type(request, to);
  const struct name *attribute = compared_with(request->selector, request->params[i]->name);
  const struct type *type = attribute ? attribute_type(c, NULL, attribute) : NULL;
  return type && type->kind == TYPE_ANY ? NULL : type;
}

/* "cpu" for the word cpu that the selector asks for: said here, and not of the selector, too. */
static void refuse_string(struct checker *c, struct model_request *request, uint32_t i, const struct expr *value) {
  const struct symbol *param = request->params[i];
  type_require(c, value, c->model->types.term,
               arena_printf(c->arena, "parameter '%s' of '%s'", param->name->text, request->label->name->text));
  check_note(c, param->span, "the selector compares it with terms");
  request->params[i]->type = c->model->types.term;
}

static void label_argument(struct checker *c, struct context *x, struct model_request *request, uint32_t i,
                           struct expr *value) {
  const struct model_parameter *to = passed_to(request, i);
  const struct type *wanted = label_wants(c, request, i, to);
  if (wanted && wanted->kind != TYPE_TERM && wanted->kind != TYPE_LIST && wanted->kind != TYPE_RECORD &&
      wanted->kind != TYPE_SIGNAL)
    wanted = NULL;
  bool terms = x->terms; /* what no profile has, which is said of the selector, may be a term */
  x->terms = terms || (!wanted && compared_with(request->selector, request->params[i]->name));
  const struct type *type = check_draw(c, x, value, expr_check(c, x, value, wanted));
  x->terms = terms;
  if (type->kind == TYPE_VOID)
    check_error(c, value->span, "this gives no value");
  else if (value->kind == EXPR_STRING && wanted && wanted->kind == TYPE_TERM)
    refuse_string(c, request, i, value);
  else if (type->kind != TYPE_ERROR)
    label_argument_type(c, request, i, value, type);
  else if (!request->params[i]->type)
    request->params[i]->type = type;
  if (to && type->kind != TYPE_ERROR) check_allowed(c, &to->allowed, to->name, given_type(request, to), value);
}

/* What calls that leave an argument out give: it may use what belongs to the component. */
void label_defaults_check(struct checker *c, struct model_request *request) {
  uint32_t slots = 0;
  struct context x = {.scope = &c->components[request->component->id]->scope,
                      .slots = &slots,
                      .component = request->component,
                      .draws = "a default"};
  for (uint32_t i = 0; i < request->param_count; i++)
    if (request->syntax->params[i].value) label_argument(c, &x, request, i, request->syntax->params[i].value);
}

const struct type *call_label(struct checker *c, struct context *x, struct expr *call, struct symbol *label) {
  struct model_request *request = label->request;
  uint32_t count = request->param_count;
  struct formal *formals = ARENA_ARRAY(c->arena, struct formal, count);
  for (uint32_t i = 0; i < count; i++)
    formals[i] = (struct formal){.name = request->params[i]->name, .span = request->params[i]->span};
  const char *what = arena_printf(c->arena, "'%s'", label->name->text);
  call->call->bound = ARENA_ARRAY(c->arena, struct expr *, count);
  call->call->bound_count = count;
  call->call->symbol = label;
  unsigned errors = c->d->errors;
  bool fine = args_bind(c, what, &call->call->args, formals, count, call->call->bound);
  if (!fine && c->d->errors != errors) check_note(c, label->span, "declared here");
  for (uint32_t i = 0; i < count; i++) {
    struct expr *value = call->call->bound[i];
    if (!value && request->params[i]->name == conversation_name(c))
      value = call->call->bound[i] = conversation_begun(c, x, call);
    if (!value && request->syntax->params[i].value) {
      call->call->bound[i] = request->syntax->params[i].value;
      continue;
    }
    if (!value) {
      if (fine) {
        check_error(c, call->span, "'%s' lacks its argument '%s'", label->name->text, request->params[i]->name->text);
        check_note(c, label->span, "declared here");
        fine = false;
      }
      continue;
    }
    label_argument(c, x, request, i, value);
  }
  return call->type = request->result;
}

/* In a coercion's block: `call T(…)` of the transaction that stands for the request. */
const struct type *call_transaction(struct checker *c, struct context *x, struct expr *call,
                                    const struct model_transaction *transaction) {
  uint32_t count = transaction->param_count;
  struct formal *formals = ARENA_ARRAY(c->arena, struct formal, count);
  for (uint32_t i = 0; i < count; i++)
    formals[i] = (struct formal){
        .name = transaction->params[i].name, .type = transaction->params[i].type, .span = transaction->params[i].span};
  const char *what = arena_printf(c->arena, "transaction '%s'", transaction->symbol->name->text);
  call->call->bound = ARENA_ARRAY(c->arena, struct expr *, count);
  call->call->bound_count = count;
  call->call->symbol = transaction->symbol;
  bool fine = args_bind(c, what, &call->call->args, formals, count, call->call->bound);
  for (uint32_t i = 0; i < count; i++) {
    const struct model_parameter *param = &transaction->params[i];
    if (call->call->bound[i]) {
      check_argument(c, x, NULL, transaction, param, call->call->bound[i]);
    } else if (fine && !param->value) {
      check_error(c, call->span, "%s lacks its argument '%s'", what, param->name->text);
      check_note(c, param->span, "declared here, without a default");
      fine = false;
    }
  }
  return call->type = transaction->result;
}
