/* Protocols: what is declared as a sequence of elementary interactions becomes an automaton, once, when a request or an
 * accept first names it. `dataflow` and `call-return` are declared in stdlib/protocols.psl, as any other.
 *
 * Each interaction of the text is a position. Which ones can follow each other is found by what a group of steps can
 * begin and end with; sets of positions are the states. */
#include "evaluators/sequence.h"
#include "interp/check/checker.h"

#include <string.h>

struct group { /* of steps */
  uint64_t first, last;
  bool empty; /* it may be left out */
};

struct building {
  struct checker *c;
  struct model_protocol *protocol;
  struct sequence *sequence;
  uint64_t follow[SEQUENCE_STEPS]; /* by position */
  uint8_t step_of[SEQUENCE_STEPS];
  uint32_t count;
  uint64_t *states; /* the positions that one may have come from */
  bool reply;       /* `return` stands in it */
  bool fine;
};

static const char *step_text(const struct protocol_step *step) {
  return step->kind == STEP_OWN ? "transaction" : step->kind == STEP_REPLY ? "return" : step->name.name->text;
}

static void wrong(struct building *b) { b->fine = false; }

/* ---- interactions ---- */

/* Its parameters are known, each from one side, before anything runs. */
static bool check_carried(struct checker *c, const struct protocol_step *step,
                          const struct model_transaction *transaction) {
  const char *name = transaction->symbol->name->text;
  if (transaction->result->kind != TYPE_VOID) {
    check_error(c, step->name.span, "'%s' has a result, and an interaction of a sequence has none", name);
    check_note(c, transaction->symbol->span, "declared here");
    check_help(c, (struct span){0, 0}, "what comes back is an interaction of its own: <- TRANSACTION;");
    return false;
  }
  for (uint32_t k = 0; k < transaction->param_count; k++) {
    const struct model_parameter *param = &transaction->params[k];
    const char *why = param->every                    ? "is collected from several"
                      : param->of || param->condition ? "has the type of an attribute"
                      : param->type->kind == TYPE_ANY ? "has no type"
                                                      : NULL;
    if (!why || param->type->kind == TYPE_ERROR) continue;
    check_error(c, step->name.span, "'%s' of '%s' %s, and what an interaction carries is known before a run",
                param->name->text, name, why);
    check_note(c, param->span, "declared here");
    return false;
  }
  return true;
}

static struct model_transaction *step_transaction(struct building *b, const struct protocol_step *step) {
  struct checker *c = b->c;
  if (step->kind != STEP_NAMED) return NULL;
  struct symbol *found = table_find(c, SPACE_TRANSACTION, step->name.name, step->name.span);
  if (!found) {
    struct words_list list = {0};
    check_error(c, step->name.span, "unknown transaction '%s'", step->name.name->text);
    words_add_table(c, &list, &c->tables[SPACE_TRANSACTION]);
    if (!check_meant(c, step->name.name->text, &list))
      check_help(c, (struct span){0, 0}, "declare what it carries: transaction %s(...);", step->name.name->text);
    wrong(b);
    return NULL;
  }
  return found->transaction;
}

/* The step of the sequence that an interaction is: one for each direction and transaction. */
static uint32_t step_find(struct building *b, const struct protocol_step *step) {
  struct sequence *s = b->sequence;
  struct model_transaction *transaction = step_transaction(b, step);
  const char *name = step_text(step);
  for (uint32_t k = 0; k < s->step_count; k++)
    if (s->steps[k].back == step->back && !strcmp(s->steps[k].name, name)) return k;
  struct text types = {.arena = b->c->arena};
  text_char(&types, '(');
  for (uint32_t k = 0; transaction && k < transaction->param_count; k++) {
    if (k) text_put(&types, ", ");
    type_print(&types, &b->c->model->types, transaction->params[k].type);
  }
  text_char(&types, ')');
  b->protocol->transactions[s->step_count] = transaction;
  s->steps[s->step_count] = (struct sequence_step){.name = name, .types = types.data, .back = step->back};
  return s->step_count++;
}

static struct group interaction(struct building *b, const struct protocol_step *step) {
  struct checker *c = b->c;
  bool own = step->kind == STEP_OWN, reply = step->kind == STEP_REPLY;
  if (b->count == SEQUENCE_STEPS) {
    check_error(c, step->span, "a protocol is written with at most %d interactions", SEQUENCE_STEPS);
    wrong(b);
    b->count = 0;
  }
  if (own && (b->count || step->back)) {
    check_error(c, step->span, "'transaction' is what the request asks for: it comes first, as -> transaction;");
    wrong(b);
  }
  if (reply && (b->count != 1 || !step->back)) {
    check_error(c, step->span, "'return' is the reply to the first interaction, and there is nothing else: <- return;");
    wrong(b);
  }
  b->reply |= reply;
  uint32_t position = b->count++;
  b->step_of[position] = (uint8_t)step_find(b, step);
  return (struct group){UINT64_C(1) << position, UINT64_C(1) << position, false};
}

/* ---- groups ---- */

static void follows(struct building *b, uint64_t last, uint64_t first) {
  for (uint32_t k = 0; k < b->count; k++)
    if (last >> k & 1) b->follow[k] |= first;
}

static struct group steps_group(struct building *b, const struct protocol_step *step);

static struct group step_group(struct building *b, const struct protocol_step *step) {
  struct group group = {.empty = step->kind != STEP_ONE_OF};
  switch (step->kind) {
  case STEP_NAMED:
  case STEP_OWN:
  case STEP_REPLY: return interaction(b, step);
  case STEP_OPTIONAL:
  case STEP_REPEAT:
  case STEP_WAY: {
    struct group inner = steps_group(b, step->steps);
    if (step->kind == STEP_REPEAT) follows(b, inner.last, inner.first);
    inner.empty |= step->kind != STEP_WAY;
    return inner;
  }
  case STEP_ONE_OF:
    for (const struct protocol_step *way = step->steps; way; way = way->next) {
      struct group one = step_group(b, way);
      group.first |= one.first;
      group.last |= one.last;
      group.empty |= one.empty;
    }
    break;
  }
  return group;
}

static struct group steps_group(struct building *b, const struct protocol_step *step) {
  struct group all = {.empty = true};
  for (; step && b->fine; step = step->next) {
    struct group one = step_group(b, step);
    follows(b, all.last, one.first);
    all.first |= all.empty ? one.first : 0;
    all.last = one.last | (one.empty ? all.last : 0);
    all.empty &= one.empty;
  }
  return all;
}

/* ---- states ---- */

static uint32_t state_find(struct building *b, uint64_t positions, uint64_t last) {
  struct sequence *s = b->sequence;
  uint32_t k = 1; /* the beginning is behind no position */
  while (k < s->state_count && b->states[k] != positions)
    k++;
  if (k < s->state_count || k == SEQUENCE_STATES) return k;
  b->states[k] = positions;
  s->final[k] = (positions & last) != 0;
  return s->state_count++;
}

static void make_states(struct building *b, struct group all) {
  struct sequence *s = b->sequence;
  struct checker *c = b->c;
  b->states = ARENA_ARRAY(c->arena, uint64_t, SEQUENCE_STATES);
  s->final = ARENA_ARRAY(c->arena, bool, SEQUENCE_STATES);
  s->next = ARENA_ARRAY(c->arena, uint16_t, (size_t)SEQUENCE_STATES * s->step_count);
  s->state_count = 1;
  for (uint32_t state = 0; state < s->state_count; state++)
    for (uint32_t step = 0; step < s->step_count; step++) {
      uint64_t to = state ? 0 : all.first, positions = 0;
      for (uint32_t k = 0; k < b->count; k++)
        if (b->states[state] >> k & 1) to |= b->follow[k];
      for (uint32_t k = 0; k < b->count; k++)
        if (to >> k & 1 && b->step_of[k] == step) positions |= UINT64_C(1) << k;
      uint32_t next = positions ? state_find(b, positions, all.last) : SEQUENCE_NONE;
      if (next == SEQUENCE_STATES) {
        check_error(c, b->protocol->symbol->span, "the sequences of '%s' need more than %d states",
                    b->protocol->symbol->decl->name.name->text, SEQUENCE_STATES - 1);
        wrong(b);
        return;
      }
      s->next[(size_t)state * s->step_count + step] = (uint16_t)next;
    }
}

static bool begins_well(struct building *b, const struct protocol_step *first) {
  if (first && first->kind <= STEP_OWN && !first->back) return true;
  check_error(b->c, first ? first->span : b->protocol->symbol->span,
              "a protocol begins with what is requested: -> transaction; or -> NAME;");
  return false;
}

/* What stands in one that goes on carries parameters alone. */
static void check_steps(struct building *b, const struct protocol_step *step) {
  for (; step && b->fine; step = step->next) {
    struct model_transaction *transaction = step_transaction(b, step);
    if (transaction && !check_carried(b->c, step, transaction)) wrong(b);
    check_steps(b, step->steps);
  }
}

/* A call that gives nothing takes: nobody could send what carries nothing, if it came as well. */
static void check_ways(struct building *b) {
  const struct sequence *s = b->sequence;
  for (uint32_t k = 0; k < s->step_count; k++) {
    const struct model_transaction *transaction = b->protocol->transactions[k];
    for (uint32_t l = 0; transaction && !transaction->param_count && l < k; l++) {
      if (b->protocol->transactions[l] != transaction) continue;
      check_error(b->c, b->protocol->symbol->span,
                  "'%s' goes both ways in '%s' and carries nothing: no call would say which", s->steps[k].name,
                  s->name);
      check_note(b->c, transaction->symbol->span, "declared here");
      check_help(b->c, (struct span){0, 0}, "declare a transaction for each way");
      wrong(b);
    }
  }
}

static const char *written(struct checker *c, const struct sequence *s) {
  size_t size = sequence_write(s, NULL, 0) + 1;
  char *text = ARENA_ARRAY(c->arena, char, size);
  sequence_write(s, text, size);
  return text;
}

/* Its automaton, when it is first wanted. */
static void protocol_build(struct checker *c, struct model_protocol *protocol) {
  const struct decl *decl = protocol->symbol->decl;
  struct building b = {.c = c, .protocol = protocol, .fine = true};
  struct sequence *s = b.sequence = ARENA_NEW(c->arena, struct sequence);
  protocol->checked = true;
  if (!begins_well(&b, decl->steps)) return;
  s->name = decl->name.name->text;
  s->steps = ARENA_ARRAY(c->arena, struct sequence_step, SEQUENCE_STEPS);
  protocol->transactions = ARENA_ARRAY(c->arena, struct model_transaction *, SEQUENCE_STEPS);
  struct group all = steps_group(&b, decl->steps);
  if (b.fine && b.reply && b.count > 2) {
    check_error(c, protocol->symbol->span, "'return' ends the sequence of '%s', which has more", s->name);
    wrong(&b);
  }
  protocol->converses = b.count > 1 && !b.reply;
  if (b.fine && protocol->converses) check_steps(&b, decl->steps);
  if (b.fine && protocol->converses) check_ways(&b);
  if (b.fine) make_states(&b, all);
  if (!b.fine) return;
  protocol->kind = b.reply ? PROTOCOL_CALL_RETURN : PROTOCOL_DATAFLOW;
  protocol->sequence = s;
  protocol->text = written(c, s);
}

static bool protocol_fine(struct checker *c, struct symbol *symbol) {
  if (!symbol->protocol->checked) protocol_build(c, symbol->protocol);
  return symbol->protocol->sequence;
}

const struct model_protocol *protocol_check(struct checker *c, const struct words *words) {
  if (!words->name) return NULL; /* it could not be read */
  const struct name *word = words->name->folded;
  struct symbol *symbol = table_find(c, SPACE_PROTOCOL, word, words->span);
  if (symbol) return protocol_fine(c, symbol) ? symbol->protocol : NULL;
  struct words_list list = {0};
  words_add_table(c, &list, &c->tables[SPACE_PROTOCOL]);
  check_error(c, words->span, "unknown protocol '%s'", words->name->text);
  if (!check_library(c, SPACE_PROTOCOL, word) && !check_habit(c, HABIT_PROTOCOL, word->text) &&
      !check_meant(c, word->text, &list))
    check_help(c, (struct span){0, 0}, "there are %s; one of your own is declared: protocol %s { -> transaction; ... }",
               words_text(c, &list), words->name->text);
  return NULL;
}

/* All that are declared, whether anybody names them or not. */
void protocols_check(struct checker *c) {
  for (uint32_t i = 0; i < c->tables[SPACE_PROTOCOL].count; i++)
    for (struct symbol *symbol = c->tables[SPACE_PROTOCOL].items[i]; symbol; symbol = symbol->next)
      protocol_fine(c, symbol);
}

/* ---- where conversations begin ---- */

const struct name *conversation_name(struct checker *c) { return name_of(c->model->names, "its conversation"); }

/* No text names its last parameter, since no name has a blank. */
static struct model_transaction *conversing(struct checker *c, struct model_transaction *transaction) {
  struct model *m = c->model;
  if (transaction->conversing) return transaction->conversing;
  struct model_transaction *own = ARENA_NEW(c->arena, struct model_transaction);
  *own = *transaction;
  own->params = ARENA_ARRAY(c->arena, struct model_parameter, own->param_count + 1);
  memcpy(own->params, transaction->params, own->param_count * sizeof *own->params);
  own->params[own->param_count++] = (struct model_parameter){
      .name = conversation_name(c), .type = m->types.integer, .span = transaction->symbol->span};
  own->id = m->transaction_count;
  ARENA_PUSH(c->arena, m->transactions, m->transaction_count, c->transaction_capacity, own);
  return transaction->conversing = own;
}

struct model_transaction *protocol_begin(struct checker *c, const struct model_protocol *protocol,
                                         struct model_transaction *transaction, const struct txn *txn) {
  const struct model_transaction *wanted = protocol->transactions[0];
  const char *name = protocol->sequence->name;
  if (wanted && wanted != transaction) {
    check_error(c, txn->span, "protocol '%s' begins with '%s', and this is '%s'", name, wanted->symbol->name->text,
                transaction->symbol->name->text);
    check_note(c, protocol->symbol->span, "declared here");
    return transaction;
  }
  if (!protocol->converses) return transaction;
  if (transaction->result->kind != TYPE_VOID && transaction->result->kind != TYPE_ERROR) {
    check_error(c, txn->span, "'%s' has a result, and protocol '%s' has no reply that would give it",
                transaction->symbol->name->text, name);
    check_note(c, transaction->symbol->span, "declared here");
    return transaction;
  }
  for (uint32_t k = 0; k < transaction->param_count; k++)
    if (transaction->params[k].every) {
      check_error(c, txn->span, "'%s' collects '%s' from several, and a conversation has one partner",
                  transaction->symbol->name->text, transaction->params[k].name->text);
      return transaction;
    }
  if (transaction->param_count == TRANSACTION_PARAMETERS) {
    check_error(c, txn->span, "a transaction that begins a conversation has at most %d parameters",
                TRANSACTION_PARAMETERS - 1);
    return transaction;
  }
  return conversing(c, transaction);
}
