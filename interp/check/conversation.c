/* Conversations: what bodies do in a protocol that goes on behind its first interaction.
 *
 * Such an interaction is a call by the label of the request, `call LABEL.STEP(...)`, or by `caller` in the accept's
 * body. It becomes a call of evaluators/conversation.c, which knows both sides and the order. What a body says does not
 * begin and end its part in a conversation: statements that no text has do that. Before each call of such a label
 * stands one that begins a conversation, whose number goes with the first interaction as a parameter that no text
 * names; at the beginning of the body one that makes room for them, or, of the accept's, takes part; at its ends, and
 * before each `return`, one that ends them. */
#include "evaluators/conversation.h"
#include "evaluators/sequence.h"
#include "grammar/children.h"
#include "interp/check/checker.h"

#include <string.h>

static const struct name *party_name(struct checker *c) { return name_of(c->model->names, "its conversations"); }

/* ---- nodes ---- */

static struct expr *node(struct checker *c, enum expr_kind kind, struct span span, const struct type *type) {
  struct expr *expr = ARENA_NEW(c->arena, struct expr);
  expr->kind = kind;
  expr->span = span;
  expr->type = type;
  return expr;
}

static struct expr *whole(struct checker *c, struct span span, int64_t number) {
  struct expr *expr = node(c, EXPR_INTEGER, span, c->model->types.integer);
  expr->integer = number;
  return expr;
}

static struct expr *text(struct checker *c, struct span span, const char *string) {
  struct expr *expr = node(c, EXPR_STRING, span, c->model->types.string);
  expr->string = string;
  return expr;
}

static struct expr *place(struct checker *c, struct span span) {
  return whole(c, span, (int64_t)((uint64_t)span.end << 32 | span.begin));
}

static struct expr *named(struct checker *c, struct context *x, const struct name *name, struct span span) {
  struct symbol *symbol = scope_find(c, x->scope, name);
  struct expr *expr = node(c, EXPR_NAME, span, symbol ? symbol->type : c->model->types.error);
  expr->name.name = name;
  expr->name.symbol = symbol;
  return expr;
}

/* ---- calls of the evaluator ---- */

static struct symbol *function(const struct checker *c, const char *name) {
  for (uint32_t i = 0; i < c->evaluator_function_count; i++) {
    struct symbol *symbol = c->evaluator_functions[i];
    if (symbol->evaluator_of == &conversation_evaluator && !strcmp(symbol->name->text, name)) return symbol;
  }
  return NULL;
}

static void bind(struct checker *c, struct expr *call, struct symbol *callee, struct expr *const *arguments,
                 uint32_t count) {
  call->call->symbol = callee;
  call->call->bound = ARENA_ARRAY(c->arena, struct expr *, count + 1);
  call->call->bound_count = count;
  memcpy(call->call->bound, arguments, count * sizeof *arguments);
  call->type = callee->type;
}

static struct stmt *made(struct checker *c, enum stmt_kind kind, struct span span, const char *name) {
  struct stmt *stmt = ARENA_NEW(c->arena, struct stmt);
  struct expr *call = stmt->assign.value = node(c, EXPR_CALL, span, c->model->types.error);
  call->call = ARENA_NEW(c->arena, struct call);
  call->call->callee = node(c, EXPR_NAME, span, c->model->types.none);
  call->call->callee->name.name = name_of(c->model->names, name);
  stmt->kind = kind;
  stmt->span = span;
  stmt->made = stmt->assign.is_call = true;
  return stmt;
}

static struct stmt *made_call(struct checker *c, struct span span, const char *name, struct expr *const *arguments,
                              uint32_t count) {
  struct stmt *stmt = made(c, STMT_CALL, span, name);
  stmt->assign.callee = function(c, name);
  bind(c, stmt->assign.value, stmt->assign.callee, arguments, count);
  return stmt;
}

/* ---- what bodies do besides ---- */

struct weaving {
  struct checker *c;
  struct context *x;
  struct model_accept *accept;
  bool joins;
  struct symbol *party; /* NULL: it begins no conversation */
};

static void strip(struct block *block) {
  for (struct stmt **link = &block->first; *link;) {
    struct stmt *stmt = *link;
    if (stmt->made) {
      *link = stmt->next;
      continue;
    }
    struct children children = stmt_children(stmt);
    while (children_next(&children))
      if (children.block) strip(children.block);
    link = &stmt->next;
  }
}

/* The label of the conversation that the statement begins; NULL: none. */
static struct model_request *begun_by(struct checker *c, const struct model_accept *accept, const struct stmt *stmt) {
  const struct expr *callee = stmt->kind == STMT_CALL ? stmt->assign.value->call->callee : NULL;
  if (!callee || callee->kind != EXPR_NAME) return NULL;
  const struct symbol *label = label_find(c, accept->component, callee->name.name);
  struct model_request *request = label ? label->request : NULL;
  return request && request->transaction && request->declared && request->declared->converses ? request : NULL;
}

static bool begins_any(struct checker *c, const struct model_accept *accept, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    if (begun_by(c, accept, stmt)) return true;
    struct children children = stmt_children(stmt);
    while (children_next(&children))
      if (children.block && begins_any(c, accept, children.block)) return true;
  }
  return false;
}

static struct expr *symbol_node(struct checker *c, struct symbol *symbol, struct span span) {
  struct expr *expr = node(c, EXPR_NAME, span, symbol->type);
  expr->name.name = symbol->name;
  expr->name.symbol = symbol;
  return expr;
}

static struct symbol *own_conversation(struct checker *c, const struct model_accept *accept) {
  for (uint32_t k = 0; k < accept->param_count; k++)
    if (accept->params[k]->name == conversation_name(c)) return accept->params[k];
  return NULL;
}

/* What ends its conversations, before `next`. */
static struct stmt *ends(struct weaving *w, struct span span, struct stmt *next) {
  struct checker *c = w->c;
  if (w->party) {
    struct expr *arguments[] = {symbol_node(c, w->party, span), whole(c, span, 0)};
    struct stmt *end = made_call(c, span, "end", arguments, 2);
    end->next = next;
    next = end;
  }
  if (w->joins) {
    struct expr *arguments[] = {symbol_node(c, own_conversation(c, w->accept), span), whole(c, span, -1)};
    struct stmt *end = made_call(c, span, "end", arguments, 2);
    end->next = next;
    next = end;
  }
  return next;
}

/* let NAME = call open(party, label, sequence, place, request); the name is that of the call, which is not made
 * twice. */
static struct stmt *opens(struct weaving *w, const struct model_request *request, struct stmt *next) {
  struct checker *c = w->c;
  struct span span = next->assign.value->span;
  struct expr *arguments[] = {symbol_node(c, w->party, span), whole(c, span, request->label->slot),
                              text(c, span, request->declared->text), place(c, span), whole(c, span, request->id)};
  struct stmt *let = made(c, STMT_LET, span, "open");
  let->assign.callee = function(c, "open");
  let->assign.name =
      (struct ident){name_of(c->model->names, arena_printf(c->arena, "conversation of %u", span.begin)), span};
  bind(c, let->assign.value, let->assign.callee, arguments, 5);
  let->next = next;
  return let;
}

static void weave(struct weaving *w, struct block *block) {
  for (struct stmt **link = &block->first; *link; link = &(*link)->next) {
    struct stmt *stmt = *link;
    const struct model_request *request = w->party ? begun_by(w->c, w->accept, stmt) : NULL;
    if (request) {
      *link = opens(w, request, stmt);
      link = &(*link)->next;
    } else if (stmt->kind == STMT_RETURN) {
      *link = ends(w, stmt->span, stmt);
      while (*link != stmt)
        link = &(*link)->next;
    } else if (stmt->kind == STMT_FIRST_OF) { /* its heads are one statement each */
      for (uint32_t i = 0; i < stmt->heads.count; i++)
        weave(w, &stmt->heads.items[i].body);
    } else {
      struct children children = stmt_children(stmt);
      while (children_next(&children))
        if (children.block) weave(w, children.block);
    }
  }
}

/* Where a body is left but by `return`: behind its last statement. */
static void weave_end(struct weaving *w, struct block *block, struct span span) {
  struct stmt **link = &block->first;
  bool returns = false;
  for (; *link; link = &(*link)->next) {
    returns =
        (*link)->kind == STMT_RETURN || ((*link)->kind == STMT_WHILE && (*link)->loop.condition->kind == EXPR_BOOLEAN &&
                                         (*link)->loop.condition->boolean);
    span = (*link)->span;
  }
  if (!returns) *link = ends(w, span, NULL);
}

/* A parameter that says which conversation it is, behind those that the accept names. */
static void add_parameter(struct checker *c, struct context *x, struct model_accept *accept, struct scope *params) {
  accept->param_of[accept->param_count] = accept->transaction->param_count - 1;
  accept->params[accept->param_count++] = scope_local(
      c, x, params, (struct ident){conversation_name(c), accept->syntax->txn.span}, c->model->types.integer);
}

void conversations_begin(struct checker *c, struct context *x, struct model_accept *accept, struct scope *params) {
  struct weaving w = {.c = c, .x = x, .accept = accept};
  struct span span = accept->syntax->txn.span;
  if (accept->body) strip(accept->body);
  w.joins = accept->declared && accept->declared->converses &&
            accept->transaction->symbol->transaction != accept->transaction;
  if (w.joins) {
    add_parameter(c, x, accept, params);
    if (!accept->body) {
      accept->body = ARENA_NEW(c->arena, struct block);
      accept->body->span = span;
      accept->body->depth = 1;
    }
  }
  if (accept->body && begins_any(c, accept, accept->body)) {
    w.party = scope_local(c, x, params, (struct ident){party_name(c), span}, c->model->types.integer);
  }
  if (!w.joins && !w.party) return;
  struct block *body = accept->body;
  weave(&w, body);
  weave_end(&w, body, span);
  if (w.party) {
    struct expr *arguments[] = {whole(c, span, c->components[accept->component->id]->label_count)};
    struct stmt *begin = made(c, STMT_LET, span, "begin");
    begin->assign.callee = function(c, "begin");
    begin->assign.name = (struct ident){party_name(c), span};
    begin->assign.symbol = w.party;
    bind(c, begin->assign.value, begin->assign.callee, arguments, 1);
    begin->next = body->first;
    body->first = begin;
  }
  if (w.joins) {
    struct expr *arguments[] = {symbol_node(c, own_conversation(c, accept), span),
                                text(c, span, accept->declared->text), whole(c, span, accept->id)};
    struct stmt *join = made_call(c, span, "join", arguments, 3);
    join->next = body->first;
    body->first = join;
  }
}

void made_check(struct checker *c, struct context *x, struct stmt *stmt, struct scope *scope) {
  bool begins = stmt->kind == STMT_LET && stmt->assign.name.name == party_name(c);
  if (stmt->kind == STMT_LET && !begins)
    stmt->assign.symbol = scope_local(c, x, scope, stmt->assign.name, c->model->types.integer);
}

struct expr *conversation_begun(struct checker *c, struct context *x, const struct expr *call) {
  const struct name *name = name_of(c->model->names, arena_printf(c->arena, "conversation of %u", call->span.begin));
  if (!scope_find(c, x->scope, name)) return whole(c, call->span, 0); /* a head, which is refused */
  return named(c, x, name, call->span);
}

/* ---- requests ---- */

const struct request *conversation_request(struct checker *c, const struct request *syntax) {
  const struct name *name = conversation_name(c);
  struct ident ident = {name, syntax->label.span};
  struct request *own = ARENA_NEW(c->arena, struct request);
  *own = *syntax;
  own->params = ARENA_ARRAY(c->arena, struct param, syntax->param_count + 1);
  if (syntax->param_count) memcpy(own->params, syntax->params, syntax->param_count * sizeof *own->params);
  own->params[own->param_count++] = (struct param){.name = ident};
  struct args *args = &own->txn.args;
  args->fields = ARENA_ARRAY(c->arena, struct field, args->field_count + 1);
  if (args->field_count) memcpy(args->fields, syntax->txn.args.fields, args->field_count * sizeof *args->fields);
  struct expr *value = node(c, EXPR_NAME, syntax->label.span, NULL);
  value->name.name = name;
  args->fields[args->field_count++] = (struct field){.name = ident, .value = value};
  return own;
}

/* ---- interactions ---- */

struct interaction {
  struct checker *c;
  struct context *x;
  struct expr *call;
  const struct model_protocol *protocol;
  const struct symbol *label; /* NULL: of the accept */
  uint32_t step;
};

static const struct model_transaction *carried(const struct interaction *i) {
  return i->protocol->transactions[i->step];
}

static void add_steps(struct interaction *i, struct words_list *list) {
  const struct sequence *s = i->protocol->sequence;
  for (uint32_t k = 0; k < s->step_count; k++)
    if (i->protocol->transactions[k]) words_add(i->c, list, s->steps[k].name);
}

/* The step of that name, of the side that is to do something; else of the other one. */
static bool find_step(struct interaction *i, struct ident name) {
  const struct sequence *s = i->protocol->sequence;
  uint32_t found = s->step_count;
  bool own_back = !i->label, given = i->call->call->args.value_count + i->call->call->args.field_count > 0;
  for (uint32_t k = 0; k < s->step_count; k++) {
    if (strcmp(s->steps[k].name, name.name->text) || !i->protocol->transactions[k]) continue;
    if (found == s->step_count || (s->steps[k].back == own_back) == given) found = k;
  }
  if (found < s->step_count) {
    i->step = found;
    return true;
  }
  struct words_list list = {0};
  check_error(i->c, name.span, "protocol '%s' has no interaction '%s'", s->name, name.name->text);
  check_note(i->c, i->protocol->symbol->span, "declared here");
  add_steps(i, &list);
  if (!check_meant(i->c, name.name->text, &list))
    check_help(i->c, (struct span){0, 0}, "it has %s", words_text(i->c, &list));
  return false;
}

/* A number as the parameter's type has it, in the type that the other side reads. */
static struct expr *as_parameter(struct interaction *i, struct expr *value, const struct type *wanted) {
  struct checker *c = i->c;
  if (value->type->kind == TYPE_DISTRIBUTION && wanted->kind != TYPE_DISTRIBUTION) {
    struct expr *draw = node(c, EXPR_CALL, value->span, NULL);
    draw->call = ARENA_NEW(c->arena, struct call);
    draw->call->callee = node(c, EXPR_NAME, value->span, c->model->types.none);
    draw->call->callee->name.name = name_of(c->model->names, "draw");
    draw->call->args.values = ARENA_ARRAY(c->arena, struct expr *, 1);
    draw->call->args.values[0] = value;
    draw->call->args.value_count = 1;
    expr_check(c, i->x, draw, NULL);
    return draw;
  }
  if (value->type->kind != TYPE_INT || wanted->kind != TYPE_REAL) return value;
  struct expr *product = node(c, EXPR_BINARY, value->span, wanted);
  product->binary.op = OP_MUL;
  product->binary.left = value;
  product->binary.right = node(c, EXPR_REAL, value->span, wanted);
  product->binary.right->real = 1;
  return product;
}

static struct expr *argument(struct interaction *i, const struct model_parameter *param, struct expr *value) {
  struct checker *c = i->c;
  const char *what =
      arena_printf(c->arena, "parameter '%s' of '%s'", param->name->text, carried(i)->symbol->name->text);
  unsigned errors = c->d->errors;
  const struct type *type = expr_check_as(c, i->x, value, param->type, what);
  if (type->kind == TYPE_RANGE && param->type->kind != TYPE_RANGE) check_no_range(c, value, "what is carried");
  if (type->kind != TYPE_ERROR) check_allowed(c, &param->allowed, param->name, param->type, value);
  if (c->d->errors != errors) {
    check_note(c, param->span, "declared here");
    return value;
  }
  return as_parameter(i, value, param->type);
}

/* What its parameters are together: nothing, the one, or a record of them. */
static const struct type *message_type(struct checker *c, const struct model_transaction *transaction) {
  uint32_t count = transaction->param_count;
  if (!count) return c->model->types.none;
  if (count == 1) return transaction->params[0].type;
  struct type_field *fields = ARENA_ARRAY(c->arena, struct type_field, count);
  for (uint32_t k = 0; k < count; k++)
    fields[k] = (struct type_field){transaction->params[k].name, transaction->params[k].type};
  return type_record(&c->model->types, fields, count);
}

static struct expr *message(struct interaction *i) {
  struct checker *c = i->c;
  const struct model_transaction *transaction = carried(i);
  uint32_t count = transaction->param_count;
  struct formal *formals = ARENA_ARRAY(c->arena, struct formal, count + 1);
  struct expr **values = ARENA_ARRAY(c->arena, struct expr *, count + 1);
  const char *what = arena_printf(c->arena, "'%s'", transaction->symbol->name->text);
  for (uint32_t k = 0; k < count; k++)
    formals[k] = (struct formal){
        .name = transaction->params[k].name, .type = transaction->params[k].type, .span = transaction->params[k].span};
  unsigned errors = c->d->errors;
  bool fine = args_bind(c, what, &i->call->call->args, formals, count, values);
  if (!fine && c->d->errors != errors) check_note(c, transaction->symbol->span, "declared here");
  for (uint32_t k = 0; k < count; k++) {
    const struct model_parameter *param = &transaction->params[k];
    if (values[k]) {
      values[k] = argument(i, param, values[k]);
    } else if (param->value) {
      values[k] = param->value;
    } else if (fine) {
      check_error(c, i->call->span, "%s lacks its argument '%s'", what, param->name->text);
      check_note(c, param->span, "declared here, without a default");
      fine = false;
    }
    if (!values[k]) return NULL;
  }
  if (!count) return whole(c, i->call->span, 0);
  if (count == 1) return values[0];
  struct expr *record = node(c, EXPR_RECORD, i->call->span, message_type(c, transaction));
  record->record.fields = ARENA_ARRAY(c->arena, struct field, count);
  record->record.count = count;
  for (uint32_t k = 0; k < count; k++)
    record->record.fields[k] =
        (struct field){.name = {transaction->params[k].name, values[k]->span}, .value = values[k]};
  return record;
}

static const struct type *refuse(struct interaction *i) {
  struct args *args = &i->call->call->args;
  for (uint32_t k = 0; k < args->value_count; k++)
    expr_check(i->c, i->x, args->values[k], NULL);
  return i->c->model->types.error;
}

/* In a body whose own calls begin none of that label. */
static bool is_begun(struct interaction *i) {
  struct checker *c = i->c;
  if (scope_find(c, i->x->scope, i->label ? party_name(c) : conversation_name(c))) return true;
  check_error(c, i->call->span, "this body begins no conversation of '%s'", i->label->name->text);
  check_note(c, i->label->span, "the request is here");
  check_help(c, (struct span){0, 0}, "it begins with its first interaction: call %s(...);", i->label->name->text);
  return false;
}

static const struct type *interact(struct interaction *i, struct symbol **callee) {
  struct checker *c = i->c;
  struct expr *call = i->call;
  struct span span = call->span;
  const struct sequence_step *step = &i->protocol->sequence->steps[i->step];
  bool sends = step->back == !i->label;
  call->call->carried = carried(i)->symbol;
  if (!is_begun(i)) return refuse(i);
  struct expr *party = named(c, i->x, i->label ? party_name(c) : conversation_name(c), span);
  struct expr *arguments[] = {party, whole(c, span, i->label ? (int64_t)i->label->slot : -1), whole(c, span, i->step),
                              place(c, span), NULL};
  const struct args *args = &call->call->args;
  if (sends && c->heads) {
    check_error(c, span, "'%s' is sent, which takes no time: 'first of' waits for what comes", step->name);
    return refuse(i);
  }
  if (sends) {
    arguments[4] = message(i);
    if (!arguments[4]) return c->model->types.error;
  } else if (args->value_count + args->field_count) {
    check_error(c, span, "'%s' comes from the %s, and nothing is given here", step->name,
                i->label ? "accept" : "requester");
    check_note(c, i->protocol->symbol->span, "the protocol is declared here");
    check_help(c, (struct span){0, 0}, "what it carries is its value: let x = call %s.%s();",
               i->label ? i->label->name->text : "caller", step->name);
    return refuse(i);
  } else {
    arguments[4] = node(c, EXPR_BOOLEAN, span, c->model->types.boolean);
    arguments[4]->boolean = !c->heads;
  }
  *callee = function(c, sends ? "send" : "receive");
  bind(c, call, *callee, arguments, 5);
  return sends ? c->model->types.none : message_type(c, carried(i));
}

/* Its protocol ends with its first interaction, and it has no other one. */
static const struct type *refuse_more(struct interaction *i, const char *what, struct span span) {
  check_error(i->c, i->call->call->callee->span, "%s is %s, which has no interaction behind the first", what,
              i->protocol ? i->protocol->symbol->name->text : "of no known protocol");
  check_note(i->c, span, "declared here");
  return refuse(i);
}

const struct type *interaction_check(struct checker *c, struct context *x, const struct body *body, struct expr *call,
                                     struct symbol **callee) {
  struct expr *member = call->call->callee, *base = member->kind == EXPR_MEMBER ? member->member.base : NULL;
  if (!base || base->kind != EXPR_NAME || !body->component) return NULL;
  struct interaction i = {.c = c, .x = x, .call = call};
  i.label = label_find(c, body->component, base->name.name);
  bool called = !i.label && name_is(base->name.name, KNOWN_CALLER) && body->accept;
  if (!i.label && !called) return NULL;
  base->type = c->model->types.none;
  base->name.symbol = (struct symbol *)i.label;
  i.protocol = i.label ? i.label->request->declared : body->accept->declared;
  if (!i.protocol || !i.protocol->converses) {
    if (i.label) return refuse_more(&i, arena_printf(c->arena, "'%s'", i.label->name->text), i.label->span);
    return refuse_more(&i, "this accept", body->accept->syntax->txn.span);
  }
  if (i.label ? !i.label->request->transaction : !scope_find(c, x->scope, conversation_name(c)))
    return refuse(&i); /* it has been said */
  member->member.symbol = NULL;
  return find_step(&i, member->member.member) ? interact(&i, callee) : refuse(&i);
}
