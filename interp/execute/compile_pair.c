/* Two calls of an evaluator as one: where the second is mostly made of what the first has answered, with nothing
 * between them but holds, firings and tests whose answer is known then (psl_call_pair). Called by assemble before it
 * looks at the nodes.
 *
 * The calls stay as they are. Before the first comes a PAIR, which does all to the second at once and goes on behind
 * it; or waits in the first, and goes on behind that; or does nothing and lets each be made by itself, as where there
 * is a trace. What is computed between the calls without them, as how long a hold is, is computed before the PAIR,
 * too. */
#include "interp/execute/compiler.h"
#include "interp/execute/host_time.h"
#include <string.h>

enum {
  WAY_MOST = 40, /* nodes from the one call to the other, */
  EARLY_MOST = 8 /* and of these such as compute */
};

struct way { /* from the first call to where both are made */
  struct compiler *compiler;
  const struct psl_call_pair *pair;
  const struct native_site *first;
  struct pair_site *site;
  uint16_t answer;            /* register of what the first answers */
  uint16_t falses[PAIR_LEFT]; /* registers that are known to be false */
  uint32_t false_count;
  int32_t clock;             /* of a process that is spawned: where the first one's clock is kept; -1: none is */
  struct node *second, *end; /* the last node that the pair stands for */
  const struct node *barred; /* what cannot stand on the way */
  const uint8_t *written;    /* by register: in how many places, 2 at most */
  const struct node *early[EARLY_MOST];
  uint32_t early_count;
};

static bool is_false(const struct way *way, uint16_t reg) {
  for (uint32_t k = 0; k < way->false_count; k++)
    if (way->falses[k] == reg) return true;
  return false;
}

static bool leaves(struct way *way, uint16_t reg) {
  struct pair_site *site = way->site;
  if (site->left_count == PAIR_LEFT) return false;
  site->left[site->left_count++] = reg;
  return true;
}

static bool is_left(const struct way *way, uint16_t reg) {
  for (uint32_t k = 0; k < way->site->left_count; k++)
    if (way->site->left[k] == reg) return true;
  return false;
}

static void left_note(void *user, uint16_t *reg) {
  struct {
    const struct way *way;
    bool found;
  } *look = user;
  look->found |= is_left(look->way, *reg);
}

/* Can the node be executed before the first call, too? It computes, from what is there, what nobody else does. */
static bool early_add(struct way *way, struct node *node) {
  struct {
    const struct way *way;
    bool found;
  } look = {way, false};
  if (!node_computes(node) || (node->has_a && way->written[node->a] != 1) || way->early_count == EARLY_MOST)
    return false;
  node_uses(node, left_note, &look);
  if (look.found) return false;
  way->early[way->early_count++] = node;
  return true;
}

static bool known_false(struct way *way, uint16_t reg) {
  if (way->false_count == PAIR_LEFT) return false;
  way->falses[way->false_count++] = reg;
  return true;
}

/* Is it a call of that function, of what the first answers? */
static bool is_call(const struct way *way, const struct node *node, const char *function) {
  const struct native_site *site = node->site;
  return function && strcmp(site->function->name, function) == 0 && site->count == 1 &&
         site->arguments[0] == way->answer && site->wait.callee->evaluator_of == way->first->wait.callee->evaluator_of;
}

static bool fire_add(struct way *way, uint32_t component) {
  struct pair_site *site = way->site;
  if (site->fire_count == PAIR_STEPS) return false;
  site->fires[site->fire_count++] = (struct pair_fire){component, site->hold_count};
  return true;
}

static bool hold_add(struct way *way, const struct node *node) {
  struct pair_site *site = way->site;
  const struct hold_site *hold = node->site;
  if (hold->spawned != (way->clock >= 0) || is_left(way, node->b) || site->hold_count == PAIR_STEPS) return false;
  const struct virtual *seconds = info(way->compiler, node->b);
  bool known = seconds->constant && seconds->value.real >= 0;
  site->known &= known;
  site->communicates &= hold->activity == ACTIVITY_COMMUNICATE;
  site->holds[site->hold_count++] = (struct pair_hold){.reg = node->b,
                                                       .activity = hold->activity,
                                                       .component = hold->component,
                                                       .seconds = known ? seconds->value.real : 0};
  if (!hold->spawned) site->own_count++;
  return true;
}

/* The second call: from here on its answer is known. */
static bool second_add(struct way *way, struct node *node) {
  const struct native_site *site = node->site;
  if (way->second || !is_call(way, node, way->pair->second) || site->function->kind != PSL_EVENT || site->valued ||
      site->answers_value)
    return false;
  way->second = way->end = node;
  way->site->second = &site->wait;
  way->site->answers_real = site->answers_real;
  bool test = node->has_a && site->wait.callee->type->kind == TYPE_BOOL;
  return !test || known_false(way, node->a);
}

/* What comes behind the node on the way, if it can stand there; NULL: it cannot. */
static struct node *next_of(struct way *way, struct node *node) {
  bool fine = false;
  switch ((enum operation)node->op) {
  case DO_NOP: fine = true; break;
  case DO_JUMP: return node->label->node;
  case DO_JUMP_UNLESS: return is_false(way, node->b) ? node->label->node : NULL;
  case DO_JUMP_IF: fine = is_false(way, node->b); break;
  case DO_FIRE: fine = fire_add(way, (uint32_t)node->whole); break;
  case DO_HOLD: fine = hold_add(way, node); break;
  case DO_PURE:
    fine = is_call(way, node, way->pair->unless) ? known_false(way, node->a) && leaves(way, node->a)
                                                 : early_add(way, node);
    break;
  case DO_SPAWN:
    fine = !way->site->spawns && leaves(way, node->a);
    way->site->spawns = true;
    way->clock = node->a;
    break;
  case DO_UNSPAWN:
    fine = node->b == way->clock && way->second;
    way->clock = -1;
    way->end = node;
    break;
  case DO_QUICK:
  case DO_MEMBER:
  case DO_NATIVE:
  case DO_NOTIFY: fine = second_add(way, node); break;
  default: fine = early_add(way, node); break;
  }
  return fine ? node->next : NULL;
}

/* Goes from the call behind the node to where both are made; false: something else is done there, too. */
static bool way_go(struct way *way, struct node *node) {
  for (uint32_t k = 0; node && k < WAY_MOST; k++) {
    if (way->second && way->clock < 0) return true;
    way->barred = node;
    node = next_of(way, node);
  }
  return false;
}

static void arguments_add(struct way *way) {
  const struct native_site *first = way->first;
  struct pair_site *site = way->site;
  for (uint32_t k = 0; k < PSL_PAIR_ARGUMENTS; k++)
    site->numbers[k] = k < first->count ? first->arguments[k] : site->instance;
  for (uint32_t k = PSL_PAIR_ARGUMENTS; k < first->count; k++) {
    const struct virtual *given = info(way->compiler, first->arguments[k]);
    if (given->constant)
      site->arguments[k].integer = given->value.integer;
    else
      site->varying[site->varying_count++] = (struct varying){(uint16_t)k, first->arguments[k]};
  }
  if (way->pair->prepare) site->prepared = arena_alloc(way->compiler->sites, way->pair->size);
}

static struct node *node_behind(struct compiler *compiler, struct node *node, struct node content) {
  struct node *next = ARENA_NEW(compiler->arena, struct node);
  *next = content;
  next->next = node->next;
  node->next = next;
  if (compiler->last == node) compiler->last = next;
  return next;
}

static struct label *label_behind(struct compiler *compiler, struct node *node) {
  struct label *label = label_new(compiler);
  label->node = node_behind(compiler, node, (struct node){.op = DO_NOP, .here = label});
  return label;
}

/* Where to go on behind a node. */
static struct label *label_after(struct compiler *compiler, struct node *node) {
  struct node *next = node->next;
  while (next && next->op == DO_NOP && !next->here)
    next = next->next;
  return next && next->op == DO_JUMP ? next->label : label_behind(compiler, node);
}

/* A computation once more; where it fails, the calls are made one by one. */
static struct node early_again(struct compiler *compiler, const struct node *node, struct label *apart) {
  struct node again = *node;
  if (node->label) {
    again.label = apart;
    apart->users++;
  }
  if (node->op != DO_PURE) return again;
  const struct native_site *from = node->site;
  struct native_site *site = ARENA_NEW(compiler->sites, struct native_site);
  *site = *from;
  if (from->only) site->only = site->last + (from->only - from->last);
  again.site = site;
  return again;
}

/* Before the call comes the pair, and before that what it needs. */
static void pair_put(struct compiler *compiler, struct node *node, const struct way *way) {
  struct node call = *node,
              pair = {.op = DO_PAIR, .site = way->site, .place = node->place, .label = label_after(compiler, way->end)};
  pair.label->users++;
  if (way->second->has_a) {
    pair.a = way->second->a;
    pair.b = 1;
    pair.has_a = true;
  }
  *node = (struct node){.op = DO_NOP, .next = node->next};
  struct label *apart = label_behind(compiler, node);
  ((struct native_site *)call.site)->begins_pair = way->site->direct;
  node_behind(compiler, apart->node, call);
  for (uint32_t k = 0; k < way->early_count; k++)
    node = node_behind(compiler, node, early_again(compiler, way->early[k], apart));
  node_behind(compiler, node, pair);
  if (!apart->users) apart->node->here = NULL;
}

/* Why the calls are made one by one. */
static void apart_said(const struct way *way, const struct node *node) {
  struct host_place *place = node->place;
  if (!place) return;
  place->why = arena_printf(way->compiler->host->arena,
                            "the call of %s that follows is not made with it: between them stands more than holds and "
                            "what is known before",
                            way->pair->second);
  if (way->barred && way->barred->place) place->why_at = way->barred->place->span;
}

static void pair_find(struct compiler *compiler, struct node *node, const uint8_t *written) {
  const struct native_site *first = node->site;
  struct way way = {.compiler = compiler,
                    .pair = first->function->pair,
                    .first = first,
                    .answer = node->a,
                    .clock = -1,
                    .written = written};
  if (!way.pair || !way.pair->call || !node->has_a || first->valued || first->answers_value) return;
  way.site = ARENA_NEW(compiler->sites, struct pair_site);
  way.site->first = &first->wait;
  way.site->pair = way.pair;
  way.site->call = way.pair->call;
  way.site->evaluator = first->evaluator;
  way.site->instance = first->instance;
  way.site->known = way.site->communicates = true;
  if (!leaves(&way, node->a) || !way_go(&way, node->next)) {
    apart_said(&way, node);
    return;
  }
  way.site->place = node->place;
  way.site->direct = !way.site->hold_count && !way.site->spawns && !way.early_count;
  if (node->place) node->place->second = way.pair->second;
  arguments_add(&way);
  pair_put(compiler, node, &way);
}

/* ---- stand-ins: pairs where the code begins that mostly leads to them ---- */

/* How a stand-in makes the pair; NOP: none does. */
static enum operation ahead_operation(const struct pair_site *site) {
  if (site->varying_count || site->fire_count == PAIR_STEPS) return DO_NOP;
  if (site->direct) return DO_PAIR_DIRECT;
  bool held = site->spawns && site->own_count == 1 && site->hold_count == 2;
  return held && site->known && site->communicates && !site->answers_real ? DO_PAIR_HELD : DO_NOP;
}

/* From a firing on: what is computed behind it, up to `last`, and then perhaps a test that leads to the pair. */
struct lead {
  struct node *last, *test, *pair;
};

static bool lead_find(struct node *fire, struct lead *lead) {
  struct node *node = fire->next;
  *lead = (struct lead){.last = fire};
  for (; node && !node->here && (node->op == DO_NOP || (node_computes(node) && !node->label)); node = node->next)
    lead->last = node;
  if (node && node->op == DO_JUMP_IF) {
    lead->test = node;
    node = node->label->node;
  }
  while (node && node->op == DO_NOP)
    node = node->next;
  lead->pair = node;
  return node && node->op == DO_PAIR;
}

static uint16_t always(struct compiler *compiler) {
  return register_constant(compiler, TYPE_BOOL, (union slot){.integer = 1});
}

/* The firing, which becomes part of it, and what is between the two follow where it does nothing. */
static void ahead_put(struct compiler *compiler, struct node *fire, const struct lead *lead, enum operation operation) {
  const struct pair_site *then = lead->pair->site;
  struct pair_site *site = ARENA_NEW(compiler->sites, struct pair_site);
  struct label *call = label_behind(compiler, lead->pair);
  *site = *then;
  site->then = lead->pair->site;
  site->component = (uint32_t)fire->whole;
  site->fires[site->fire_count++] = (struct pair_fire){.component = site->component};
  struct node ahead = *lead->pair, waits = {.op = DO_PAIR_WAITS, .label = call}, again = *fire;
  ahead.op = (uint16_t)operation;
  ahead.site = site;
  ahead.c = lead->test ? lead->test->b : always(compiler);
  ahead.has_c = true;
  ahead.label->users++;
  call->users++;
  *fire = (struct node){.op = DO_NOP, .next = fire->next, .here = fire->here};
  struct node *node = node_behind(compiler, lead->last, ahead);
  node = node_behind(compiler, node, waits);
  node_behind(compiler, node, again);
}

static void ahead_find(struct compiler *compiler) {
  struct lead lead;
  bool had = false; /* the firing stands behind the stand-in that is made of it */
  for (struct node *node = compiler->first; node; node = node->next) {
    if (node->op == DO_FIRE && !had && lead_find(node, &lead)) {
      enum operation operation = ahead_operation(lead.pair->site);
      if (operation != DO_NOP) ahead_put(compiler, node, &lead, operation);
    }
    had = node->op == DO_PAIR_WAITS;
  }
}

void pairs_find(struct compiler *compiler) {
  uint8_t *written = ARENA_ARRAY(compiler->arena, uint8_t, compiler->register_count);
  for (const struct node *node = compiler->first; node; node = node->next)
    if (node->has_a && written[node->a] < 2) written[node->a]++;
  for (struct node *node = compiler->first, *next; node; node = next) {
    next = node->next;
    if (node->op == DO_NATIVE) pair_find(compiler, node, written);
  }
  if (!compiler->here) ahead_find(compiler);
}
