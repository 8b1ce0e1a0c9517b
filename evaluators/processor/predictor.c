/* Predictors of branches: bimodal, two-level, and both with a chooser. */
#include "evaluators/processor/predictor.h"

#include <stdlib.h>

/* Half of the counters weakly say taken. */
static uint8_t *counters(uint32_t size) {
  uint8_t *made = malloc(size);
  for (uint32_t i = 0; made && i < size; i++)
    made[i] = i & 1 ? 2 : 1;
  return made;
}

bool predictor_open(struct predictor *p, const struct parameters *parameters, unsigned granule) {
  const uint32_t *two_level = parameters->two_level;
  *p = (struct predictor){.kind = parameters->predictor,
                          .bimodal_size = parameters->bimodal_size,
                          .history_count = two_level[0],
                          .two_level_size = two_level[1],
                          .history_bits = two_level[2],
                          .with_address = two_level[3],
                          .chooser_size = parameters->chooser_size,
                          .target_sets = parameters->targets[0],
                          .target_ways = parameters->targets[1],
                          .stack_size = parameters->return_stack,
                          .top = parameters->return_stack ? parameters->return_stack - 1 : 0,
                          .shift = (unsigned)__builtin_ctz(granule)};
  p->bimodal = counters(p->bimodal_size);
  p->two_level = counters(p->two_level_size);
  p->chooser = counters(p->chooser_size);
  p->histories = calloc(p->history_count, sizeof *p->histories);
  p->targets = calloc((size_t)p->target_sets * p->target_ways, sizeof *p->targets);
  p->stack = calloc(p->stack_size + 1, sizeof *p->stack);
  return p->bimodal && p->two_level && p->chooser && p->histories && p->targets && p->stack;
}

void predictor_close(struct predictor *p) {
  free(p->bimodal);
  free(p->two_level);
  free(p->chooser);
  free(p->histories);
  free(p->targets);
  free(p->stack);
}

/* ---- directions ---- */

/* A part of a table by a number that grows without end; tables are of any size. */
static uint32_t place(uint64_t number, uint32_t size) {
  return (uint32_t)((size & (size - 1)) ? number % size : number & (size - 1));
}

static uint8_t *bimodal_of(const struct predictor *p, uint8_t *table, uint32_t size, uint64_t pc) {
  return table + place(pc >> 19 ^ pc >> p->shift, size);
}

static uint32_t *history_of(const struct predictor *p, uint64_t pc) {
  return p->histories + place(pc >> p->shift, p->history_count);
}

/* The history, with the low bits of the address or without them; the address above it. */
static uint8_t *two_level_of(const struct predictor *p, uint64_t pc) {
  uint64_t history = *history_of(p, pc), number = pc >> p->shift, mask = (1u << p->history_bits) - 1;
  if (p->with_address) history = (history ^ number) & mask;
  return p->two_level + place(history | number << p->history_bits, p->two_level_size);
}

static bool says_taken(const uint8_t *counter) { return *counter >= 2; }

static void choose(const struct predictor *p, uint64_t pc, struct prediction *out) {
  uint8_t *bimodal = bimodal_of(p, p->bimodal, p->bimodal_size, pc);
  if (p->kind == PREDICT_BIMODAL) {
    out->chosen = bimodal;
    return;
  }
  out->chosen = two_level_of(p, pc);
  if (p->kind == PREDICT_TWO_LEVEL) return;
  out->chooser = bimodal_of(p, p->chooser, p->chooser_size, pc);
  out->bimodal = says_taken(bimodal);
  out->two_level = says_taken(out->chosen);
  out->chose_two_level = says_taken(out->chooser);
  out->other = bimodal;
  if (out->chose_two_level) return;
  out->other = out->chosen;
  out->chosen = bimodal;
}

/* ---- targets ---- */

static struct branch_target *target_set(const struct predictor *p, uint64_t pc) {
  return p->targets + (size_t)place(pc >> p->shift, p->target_sets) * p->target_ways;
}

static struct branch_target *target_of(const struct predictor *p, uint64_t pc) {
  struct branch_target *set = target_set(p, pc);
  for (uint32_t way = 0; way < p->target_ways; way++)
    if (set[way].valid && set[way].from == pc) return &set[way];
  return NULL;
}

/* A branch was taken: its target is the first of its set. What stands there already stays if it was right. */
static void target_put(struct predictor *p, uint64_t pc, uint64_t next, bool right) {
  struct branch_target *set = target_set(p, pc), *found = target_of(p, pc);
  uint32_t way = found ? (uint32_t)(found - set) : p->target_ways - 1;
  struct branch_target target = {pc, found && right ? found->to : next, true};
  memmove(set + 1, set, way * sizeof *set);
  set[0] = target;
}

/* ---- the stack of returns ---- */

static uint64_t pop(struct predictor *p, struct prediction *out) {
  uint64_t target = p->stack[p->top];
  p->top = p->top ? p->top - 1 : p->stack_size - 1;
  p->pops++;
  out->by_stack = true;
  return target;
}

static void push(struct predictor *p, uint64_t address) {
  p->top = p->top + 1 < p->stack_size ? p->top + 1 : 0;
  p->stack[p->top] = address;
  p->pushes++;
}

/* ---- both ---- */

uint64_t predictor_look(struct predictor *p, uint64_t pc, const struct instruction *instruction,
                        struct prediction *out) {
  bool conditional = instruction->flags & IS_CONDITIONAL;
  *out = (struct prediction){.top = p->top};
  p->lookups++;
  /* Without a table of targets nobody knows yet where it goes, which stops nothing, or the fetch of this cycle. */
  if (p->kind == PREDICT_TAKEN) return 0;
  if (p->kind == PREDICT_NOT_TAKEN) return conditional ? pc + instruction->length : 0;
  if (conditional) choose(p, pc, out);
  if (p->stack_size && instruction->flags & IS_RETURN) return pop(p, out);
  if (p->stack_size && instruction->flags & IS_CALL) push(p, pc + instruction->length);
  const struct branch_target *target = target_of(p, pc);
  if (conditional && !says_taken(out->chosen)) return 0;
  return target ? target->to : TARGET_UNKNOWN;
}

static void count(uint8_t *counter, bool up) {
  if (up && *counter < 3) ++*counter;
  if (!up && *counter > 0) --*counter;
}

/* Jumps to registers are counted apart. Returns that the stack has predicted teach the tables nothing: true. */
static bool count_jump(struct predictor *p, bool right, bool by_stack) {
  p->jumps++;
  p->jump_hits += right;
  if (by_stack) return true;
  p->jumps_without++;
  p->jump_hits_without += right;
  return false;
}

void predictor_learn(struct predictor *p, uint64_t pc, const struct instruction *instruction, uint64_t next,
                     uint64_t predicted, const struct prediction *prediction) {
  bool conditional = instruction->flags & IS_CONDITIONAL, right = next == predicted;
  bool taken = next != pc + instruction->length, said = predicted != pc + instruction->length;
  p->updates++;
  p->address_hits += right;
  p->direction_hits += taken == said;
  p->misses += taken != said;
  p->used_stack += prediction->by_stack;
  p->stack_hits += prediction->by_stack && right;
  p->used_two_level += !prediction->by_stack && conditional && prediction->chose_two_level;
  p->used_bimodal += !prediction->by_stack && conditional && !prediction->chose_two_level;
  if (instruction->flags & IS_JUMP && count_jump(p, right, prediction->by_stack)) return;
  if (p->kind == PREDICT_NOT_TAKEN || p->kind == PREDICT_TAKEN) return;
  if (conditional && p->kind != PREDICT_BIMODAL) {
    uint32_t *history = history_of(p, pc);
    *history = (*history << 1 | taken) & ((1u << p->history_bits) - 1);
  }
  if (taken) target_put(p, pc, next, right);
  if (prediction->chosen) count(prediction->chosen, taken);
  if (prediction->other) count(prediction->other, taken);
  if (prediction->chooser && prediction->bimodal != prediction->two_level)
    count(prediction->chooser, prediction->two_level == taken);
}
