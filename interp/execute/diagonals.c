/* The inside of tables of two dimensions, a diagonal at a time. */
#include "interp/execute/diagonals.h"
#include "interp/evaluate/arithmetic.h"
#include <string.h>

enum {
  LANES = 64,      /* cells that an operation is done for at a time, */
  AT_ONCE = 8,     /* in steps of so many */
  PLACES = 64,     /* values that the body has, with what they come from */
  STEPS = 64,      /* operations */
  GUARDS = 16,     /* conditions */
  TURNS = 4096,    /* conditions that are looked at until there is a way */
  REGISTERS = 512, /* of the function */
  NOWHERE = UINT16_MAX,
};

struct step {
  uint16_t op, a, b, c, k; /* places */
  uint16_t last;           /* REAL_ADD_3: of a fourth part, if `four` */
  bool four;
  int64_t whole; /* CALL_OWN_2: how far the cell lies before, in each dimension: 2 x first + second */
};

struct guard { /* a condition between registers that holds inside, or does not */
  uint16_t op, b, c;
  bool holds;
  int8_t dim;     /* one side is this parameter, */
  bool left;      /* on the left, */
  int64_t behind; /* plus so much; dim < 0: both sides are the same everywhere */
};

/* One way through the body, in the making or found. */
struct way {
  struct step steps[STEPS];
  struct guard guards[GUARDS];
  struct lane {
    uint16_t reg; /* LANE_FIXED, LANE_PARAM */
    int8_t dim;   /* a parameter plus `behind`; < 0: it is not */
    bool wanted;
    int64_t behind;
    enum { LANE_STEP, LANE_FIXED, LANE_PARAM } kind;
  } places[PLACES];
  uint16_t place_of[REGISTERS];
  uint32_t step_count, guard_count, place_count;
  uint16_t result;
  bool before[4]; /* by 2 x first + second: a cell that it asks for */
};

struct diagonals {
  uint16_t params[2]; /* registers */
  struct step *steps; /* but calls, */
  struct step *calls; /* whose results stand on the diagonals before */
  struct guard *guards;
  struct lane *places;
  uint16_t *moving; /* places of parameters that are wanted */
  uint32_t step_count, call_count, guard_count, place_count, moving_count;
  uint16_t result;
  bool called; /* the result is that of a call */
  bool corner;
};

/* ---- finding a way ---- */

struct finding {
  const struct function_code *code;
  uint32_t turns;
  const bool *settled;  /* by register: the body does not change it */
  const bool *constant; /* nor does anything */
};

static bool follow(struct finding *finding, struct way *way, const struct instruction *at);

static uint16_t place_new(struct way *way, struct lane place) {
  if (way->place_count == PLACES) return NOWHERE;
  way->places[way->place_count] = place;
  return (uint16_t)way->place_count++;
}

static uint16_t place_of(const struct finding *finding, struct way *way, uint16_t reg) {
  const struct function_code *code = finding->code;
  if (way->place_of[reg] != NOWHERE) return way->place_of[reg];
  for (int8_t d = 0; d < 2; d++)
    if (reg == code->varying[d])
      return way->place_of[reg] = place_new(way, (struct lane){.kind = LANE_PARAM, .reg = reg, .dim = d});
  if (!finding->settled[reg]) return NOWHERE;
  return way->place_of[reg] = place_new(way, (struct lane){.kind = LANE_FIXED, .reg = reg, .dim = -1});
}

/* What a sum or difference is, beyond a parameter. */
static struct lane sum_place(const struct finding *finding, const struct way *way, const struct step *step) {
  struct lane sum = {.kind = LANE_STEP, .dim = -1};
  bool add = step->op == DO_ADD;
  if (!add && step->op != DO_SUB) return sum;
  const struct lane *b = &way->places[step->b], *c = &way->places[step->c];
  if (add && b->dim < 0) {
    const struct lane *other = b;
    b = c;
    c = other;
  }
  if (b->dim < 0 || c->kind != LANE_FIXED || !finding->constant[c->reg]) return sum;
  int64_t more = finding->code->registers[c->reg].integer;
  if (more < -NEAR || more > NEAR || b->behind < -NEAR || b->behind > NEAR) return sum;
  sum.dim = b->dim;
  sum.behind = add ? b->behind + more : b->behind - more;
  return sum;
}

static bool is_test(uint16_t op) { return op == DO_FINITE || op == DO_COMPARABLE; }

static bool take_step(const struct finding *finding, struct way *way, const struct instruction *at, bool b, bool c,
                      bool k) {
  struct step step = {.op = at->op, .whole = at->whole};
  if (way->step_count == STEPS) return false;
  if (b && (step.b = place_of(finding, way, at->b)) == NOWHERE) return false;
  if (c && (step.c = place_of(finding, way, at->c)) == NOWHERE) return false;
  if (k && (step.k = place_of(finding, way, (uint16_t)at->whole)) == NOWHERE) return false;
  if (!is_test(at->op)) {
    step.a = place_new(way, b && c ? sum_place(finding, way, &step) : (struct lane){.kind = LANE_STEP, .dim = -1});
    if (step.a == NOWHERE) return false;
    way->place_of[at->a] = step.a;
  }
  way->steps[way->step_count++] = step;
  return true;
}

/* A call of the function for a cell right before this one. */
static bool take_call(const struct finding *finding, struct way *way, const struct instruction *at) {
  const struct call_site *site = at->site;
  int64_t behind[2];
  if (way->step_count == STEPS) return false;
  for (int8_t d = 0; d < 2; d++) {
    uint16_t place = place_of(finding, way, site->where[d]);
    if (place == NOWHERE || way->places[place].dim != d) return false;
    behind[d] = -way->places[place].behind;
    if (behind[d] != 0 && behind[d] != 1) return false;
  }
  struct step step = {.op = at->op, .whole = 2 * behind[0] + behind[1]};
  if (!step.whole) return false;
  step.a = place_new(way, (struct lane){.kind = LANE_STEP, .dim = -1});
  if (step.a == NOWHERE) return false;
  way->place_of[at->a] = step.a;
  way->before[step.whole] = true;
  way->steps[way->step_count++] = step;
  return true;
}

/* That the comparison of two places holds, or does not, as far as it says where the inside is. */
static bool take_comparison(struct way *way, enum operation op, uint16_t b, uint16_t c, bool holds) {
  const struct lane *left = &way->places[b], *right = &way->places[c];
  if (op == DO_INT_NE) return take_comparison(way, DO_INT_EQ, b, c, !holds);
  struct guard guard = {.op = (uint16_t)op, .b = left->reg, .c = right->reg, .holds = holds, .dim = -1};
  if (way->guard_count == GUARDS) return false;
  if (left->kind != LANE_FIXED || right->kind != LANE_FIXED) {
    guard.left = left->dim >= 0;
    const struct lane *moves = guard.left ? left : right, *stays = guard.left ? right : left;
    if (moves->dim < 0 || stays->kind != LANE_FIXED) return false;
    if (op != DO_INT_LT && op != DO_INT_LE && (op != DO_INT_EQ || holds)) return false; /* holds: one line of cells */
    guard.dim = moves->dim;
    guard.behind = moves->behind;
  }
  way->guards[way->guard_count++] = guard;
  return true;
}

/* That the truth value is this one. */
static bool take_truth(struct way *way, uint16_t place, bool truth) {
  const struct lane *lane = &way->places[place];
  if (lane->kind == LANE_FIXED) return take_comparison(way, DO_NOT, place, place, !truth);
  for (uint32_t s = 0; s < way->step_count; s++) {
    const struct step step = way->steps[s];
    if (step.a != place || is_test(step.op)) continue;
    switch ((enum operation)step.op) {
    case DO_NOT: return take_truth(way, step.b, !truth);
    case DO_AND: return truth && take_truth(way, step.b, true) && take_truth(way, step.c, true);
    case DO_OR: return !truth && take_truth(way, step.b, false) && take_truth(way, step.c, false);
    case DO_INT_LT:
    case DO_INT_LE:
    case DO_INT_EQ:
    case DO_INT_NE:
    case DO_REAL_LT:
    case DO_REAL_LE: return take_comparison(way, step.op, step.b, step.c, truth);
    default: return false;
    }
  }
  return false;
}

/* Two ways from a condition, a comparison or (NOT) that a truth value does not hold: that on which it holds as given
 * goes on behind it. */
static bool take_condition(struct finding *finding, struct way *way, const struct instruction *at, enum operation op,
                           bool holds_on) {
  const struct instruction *there = (const void *)((const char *)at + at->whole);
  uint16_t b = place_of(finding, way, at->b), c = op == DO_NOT ? b : place_of(finding, way, at->c);
  if (b == NOWHERE || c == NOWHERE || there <= at) return false;
  for (int other = 0; other < 2 && finding->turns < TURNS; other++) {
    struct way tried = *way;
    bool holds = holds_on != (other == 1);
    finding->turns++;
    if (!(op == DO_NOT ? take_truth(&tried, b, !holds) : take_comparison(&tried, op, b, c, holds))) continue;
    if (!follow(finding, &tried, other ? there : at + 1)) continue;
    *way = tried;
    return true;
  }
  return false;
}

static bool take_return(const struct finding *finding, struct way *way, const struct instruction *at) {
  way->result = place_of(finding, way, at->b);
  return way->result != NOWHERE && way->before[1] && way->before[2];
}

/* From here to a RETURN. */
static bool follow(struct finding *finding, struct way *way, const struct instruction *at) {
  const struct instruction *end = finding->code->code + finding->code->size;
  for (; at < end; at++) {
    bool fits = true;
    switch ((enum operation)at->op) {
    case DO_NOP: break;
    case DO_MOVE:
      way->place_of[at->a] = place_of(finding, way, at->b);
      fits = way->place_of[at->a] != NOWHERE;
      break;
    case DO_ADD:
    case DO_SUB:
    case DO_MUL:
    case DO_ADD_CHECK:
    case DO_SUB_CHECK:
    case DO_MUL_CHECK:
    case DO_DIV:
    case DO_MOD:
    case DO_INT_MIN:
    case DO_INT_MAX:
    case DO_REAL_ADD:
    case DO_REAL_DIV_CHECK:
    case DO_REAL_SUB:
    case DO_REAL_MUL:
    case DO_REAL_DIV:
    case DO_REAL_MIN:
    case DO_REAL_MAX:
    case DO_COMPARABLE:
    case DO_INT_LT:
    case DO_INT_LE:
    case DO_INT_EQ:
    case DO_INT_NE:
    case DO_REAL_LT:
    case DO_REAL_LE:
    case DO_REAL_EQ:
    case DO_REAL_NE:
    case DO_AND:
    case DO_OR: fits = take_step(finding, way, at, true, true, false); break;
    case DO_REAL_ADD_3:
    case DO_REAL_MUL_3:
    case DO_SELECT: fits = take_step(finding, way, at, true, true, true); break;
    case DO_DIV_SHIFT:
    case DO_MOD_MASK:
    case DO_REAL_NEG:
    case DO_REAL_OF:
    case DO_REAL_ABS:
    case DO_FINITE:
    case DO_NOT: fits = take_step(finding, way, at, true, false, false); break;
    case DO_CALL_OWN_2: fits = take_call(finding, way, at); break;
    case DO_JUMP: {
      const struct instruction *there = (const void *)((const char *)at + at->whole);
      if (there <= at) return false;
      at = there - 1;
      break;
    }
    case DO_JUMP_IF: return take_condition(finding, way, at, DO_NOT, true);
    case DO_JUMP_UNLESS: return take_condition(finding, way, at, DO_NOT, false);
    case DO_UNLESS_INT_LT: return take_condition(finding, way, at, DO_INT_LT, true);
    case DO_UNLESS_INT_LE: return take_condition(finding, way, at, DO_INT_LE, true);
    case DO_UNLESS_INT_EQ: return take_condition(finding, way, at, DO_INT_EQ, true);
    case DO_UNLESS_INT_NE: return take_condition(finding, way, at, DO_INT_EQ, false);
    case DO_UNLESS_REAL_LT: return take_condition(finding, way, at, DO_REAL_LT, true);
    case DO_UNLESS_REAL_LE: return take_condition(finding, way, at, DO_REAL_LE, true);
    case DO_RETURN: return take_return(finding, way, at);
    default: return false;
    }
    if (!fits) return false;
  }
  return false;
}

/* Which registers the body, or anything, changes. Jumps and tests have no result, but what stands there is 0, a
 * parameter's register. */
static void find_settled(const struct function_code *code, bool *settled, bool *constant) {
  memset(settled, true, code->register_count);
  memset(constant, true, code->register_count);
  for (uint32_t k = 0; k < code->param_count; k++)
    constant[k] = false;
  for (uint32_t k = 0; k < code->varying_count; k++)
    settled[code->varying[k]] = false;
  for (uint32_t k = 0; k < code->size; k++) {
    uint16_t reg = code->code[k].a;
    if (reg < code->param_count) continue;
    constant[reg] = false;
    if (k >= code->body) settled[reg] = false;
  }
}

static uint32_t operand_count(uint16_t op) {
  return op == DO_CALL_OWN_2                                             ? 0
         : op == DO_REAL_ADD_3 || op == DO_REAL_MUL_3 || op == DO_SELECT ? 3
         : op == DO_DIV_SHIFT || op == DO_MOD_MASK || op == DO_NOT || op == DO_FINITE || op == DO_REAL_NEG ||
                 op == DO_REAL_OF || op == DO_REAL_ABS
             ? 1
             : 2;
}

static bool may_fail(uint16_t op) {
  return is_test(op) || op == DO_ADD_CHECK || op == DO_SUB_CHECK || op == DO_MUL_CHECK || op == DO_REAL_DIV_CHECK;
}

/* Steps whose results nobody reads are left out: those that only say which cell is called for. */
static void keep_wanted(struct way *way) {
  uint32_t kept = way->step_count;
  way->places[way->result].wanted = true;
  for (uint32_t s = way->step_count; s-- > 0;) {
    const struct step step = way->steps[s];
    uint32_t operands = operand_count(step.op);
    if (!may_fail(step.op) && !way->places[step.a].wanted) continue;
    if (operands > 0) way->places[step.b].wanted = true;
    if (operands > 1) way->places[step.c].wanted = true;
    if (operands > 2) way->places[step.k].wanted = true;
    way->steps[--kept] = step;
  }
  memmove(way->steps, way->steps + kept, (way->step_count - kept) * sizeof *way->steps);
  way->step_count -= kept;
}

static bool is_read(const struct way *way, uint16_t place, const struct step *but) {
  for (const struct step *step = way->steps, *end = step + way->step_count; step < end; step++) {
    uint32_t operands = operand_count(step->op);
    if (step == but) continue;
    if ((operands > 0 && step->b == place) || (operands > 1 && step->c == place) || (operands > 2 && step->k == place))
      return true;
  }
  return place == way->result;
}

/* A sum of three and, right behind it, one of that and a fourth part, become one step, in the same order. */
static void join_sums(struct way *way) {
  uint32_t kept = 0;
  for (uint32_t s = 0; s < way->step_count; s++) {
    struct step step = way->steps[s], *before = kept ? &way->steps[kept - 1] : NULL;
    if (before && before->op == DO_REAL_ADD_3 && !before->four && step.op == DO_REAL_ADD && step.b == before->a &&
        step.c != before->a && !is_read(way, before->a, &way->steps[s])) {
      before->a = step.a;
      before->last = step.c;
      before->four = true;
      way->steps[s] = *before; /* what is_read looks through has no step that is gone */
    } else {
      way->steps[kept++] = step;
    }
  }
  way->step_count = kept;
}

struct diagonals *diagonals_find(struct arena *arena, const struct function_code *code) {
  bool settled[REGISTERS], constant[REGISTERS];
  struct way way = {0};
  struct finding finding = {code, 0, settled, constant};
  if (code->register_count > REGISTERS) return NULL;
  find_settled(code, settled, constant);
  memset(way.place_of, 0xff, sizeof way.place_of);
  if (!follow(&finding, &way, code->code + code->body)) return NULL;
  keep_wanted(&way);
  join_sums(&way);
  struct diagonals *diagonals = ARENA_NEW(arena, struct diagonals);
  *diagonals = (struct diagonals){.params = {code->varying[0], code->varying[1]},
                                  .steps = ARENA_ARRAY(arena, struct step, way.step_count + 1),
                                  .calls = ARENA_ARRAY(arena, struct step, way.step_count + 1),
                                  .guards = ARENA_ARRAY(arena, struct guard, way.guard_count + 1),
                                  .places = ARENA_ARRAY(arena, struct lane, way.place_count),
                                  .moving = ARENA_ARRAY(arena, uint16_t, way.place_count),
                                  .guard_count = way.guard_count,
                                  .place_count = way.place_count,
                                  .result = way.result,
                                  .corner = way.before[3]};
  for (uint32_t k = 0; k < way.step_count; k++) {
    const struct step *step = &way.steps[k];
    bool call = step->op == DO_CALL_OWN_2;
    if (call)
      diagonals->calls[diagonals->call_count++] = *step;
    else
      diagonals->steps[diagonals->step_count++] = *step;
    diagonals->called |= call && step->a == way.result;
  }
  for (uint16_t k = 0; k < way.place_count; k++)
    if (way.places[k].kind == LANE_PARAM && way.places[k].wanted) diagonals->moving[diagonals->moving_count++] = k;
  memcpy(diagonals->guards, way.guards, way.guard_count * sizeof *way.guards);
  memcpy(diagonals->places, way.places, way.place_count * sizeof *way.places);
  return diagonals;
}

/* ---- which cells ---- */

static bool fixed_holds(const struct guard *guard, const union slot *registers) {
  union slot b = registers[guard->b], c = registers[guard->c];
  switch ((enum operation)guard->op) {
  case DO_INT_LT: return b.integer < c.integer;
  case DO_INT_LE: return b.integer <= c.integer;
  case DO_INT_EQ: return b.integer == c.integer;
  case DO_REAL_LT: return b.real < c.real;
  case DO_REAL_LE: return b.real <= c.real;
  default: return !b.integer; /* NOT */
  }
}

struct bounds {
  int64_t low, high;
};

static void bound_below(struct bounds *bounds, int64_t low) {
  if (low > bounds->low) bounds->low = low;
}

static void bound_above(struct bounds *bounds, int64_t high) {
  if (high < bounds->high) bounds->high = high;
}

/* A parameter beside a value, both near. */
static void bound(const struct guard *guard, int64_t value, int64_t at, struct bounds *bounds) {
  if (guard->op == DO_INT_EQ) {
    if (at > value)
      bound_below(bounds, value + 1);
    else
      bound_above(bounds, value - 1);
    return;
  }
  int64_t strict = (guard->op == DO_INT_LT) == guard->holds; /* the value itself does not belong to it */
  if (guard->left == guard->holds)
    bound_above(bounds, value - strict);
  else
    bound_below(bounds, value + strict);
}

bool diagonals_inside(const struct diagonals *diagonals, const union slot *registers, int64_t low[2], bool *corner) {
  struct bounds bounds[2] = {{INT64_MIN, INT64_MAX}, {INT64_MIN, INT64_MAX}};
  for (uint32_t g = 0; g < diagonals->guard_count; g++) {
    const struct guard *guard = &diagonals->guards[g];
    if (guard->dim < 0) {
      if (fixed_holds(guard, registers) != guard->holds) return false;
      continue;
    }
    int64_t value = registers[guard->left ? guard->c : guard->b].integer;
    if (value < -NEAR || value > NEAR || guard->behind < -NEAR || guard->behind > NEAR) return false;
    value -= guard->behind;
    bound(guard, value, registers[diagonals->params[guard->dim]].integer, &bounds[guard->dim]);
  }
  for (int d = 0; d < 2; d++) {
    int64_t at = registers[diagonals->params[d]].integer;
    if (bounds[d].low == INT64_MIN || at < bounds[d].low || at > bounds[d].high) return false;
    low[d] = bounds[d].low;
  }
  *corner = diagonals->corner;
  return true;
}

/* ---- filling ---- */

#define ALWAYS_INLINE inline __attribute__((always_inline)) /* into what is compiled for more processors than one */

static ALWAYS_INLINE uint64_t *cell_at(const struct cells *cells, int64_t first, int64_t second) {
  return cells->cells + (uint64_t)(first - cells->low[0]) * cells->extent[1] + (uint64_t)(second - cells->low[1]);
}

/* Cells on a diagonal: the first has these parameters, each that follows one more of the first and one less of the
 * second. */
struct stretch {
  int64_t first[2];
  uint32_t count;
};

static ALWAYS_INLINE uint64_t put_cells(const struct cells *cells, const struct stretch *stretch,
                                        const union slot *values) {
  uint64_t *to = cell_at(cells, stretch->first[0], stretch->first[1]), across = cells->extent[1] - 1, fresh = 0;
  if (cells->empty) {
    for (uint32_t l = 0; l < stretch->count; l++) {
      uint64_t bits = (uint64_t)values[l].integer ^ FREE_CELL;
      fresh += bits != 0;
      to[l * across] = bits;
    }
    return fresh;
  }
  for (uint32_t l = 0; l < stretch->count; l++) {
    uint64_t bits = (uint64_t)values[l].integer ^ FREE_CELL;
    fresh += !to[l * across] & (bits != 0);
    to[l * across] = bits;
  }
  return fresh;
}

#define EACH_OF(what)                \
  for (uint32_t l = 0; l < all; l++) \
  what
#define EACH(what) \
  EACH_OF(what);   \
  break
#define TEST(what)                              \
  for (uint32_t l = 0; l < stretch->count; l++) \
    fine &= what;                               \
  break
#define WRAP(x, op, y) ((int64_t)((uint64_t)(x)op(uint64_t)(y)))

/* One operation for some cells; false: it is not fine for one of them. `at`: by place, the values of these cells. */
static ALWAYS_INLINE bool step_do(const struct step *step, const struct stretch *stretch, union slot *const *at) {
  uint32_t all = (stretch->count + AT_ONCE - 1) & ~(AT_ONCE - 1u); /* what is computed too much is not looked at */
  union slot *restrict a = at[step->a];
  const union slot *b = at[step->b], *c = at[step->c], *k = at[step->k];
  bool fine = true;
  switch ((enum operation)step->op) {
  case DO_ADD: EACH(a[l].integer = WRAP(b[l].integer, +, c[l].integer));
  case DO_SUB: EACH(a[l].integer = WRAP(b[l].integer, -, c[l].integer));
  case DO_MUL: EACH(a[l].integer = WRAP(b[l].integer, *, c[l].integer));
  case DO_ADD_CHECK: TEST(int_add(b[l].integer, c[l].integer, &a[l].integer) == ARITHMETIC_FINE);
  case DO_SUB_CHECK: TEST(int_subtract(b[l].integer, c[l].integer, &a[l].integer) == ARITHMETIC_FINE);
  case DO_MUL_CHECK: TEST(int_multiply(b[l].integer, c[l].integer, &a[l].integer) == ARITHMETIC_FINE);
  case DO_DIV: EACH(int_divide(b[l].integer, c[l].integer, &a[l].integer));
  case DO_MOD: EACH(int_modulo(b[l].integer, c[l].integer, &a[l].integer));
  case DO_DIV_SHIFT: EACH(a[l].integer = b[l].integer >> step->whole);
  case DO_MOD_MASK: EACH(a[l].integer = b[l].integer & step->whole);
  case DO_INT_MIN: EACH(a[l].integer = c[l].integer < b[l].integer ? c[l].integer : b[l].integer);
  case DO_INT_MAX: EACH(a[l].integer = c[l].integer > b[l].integer ? c[l].integer : b[l].integer);
  case DO_REAL_ADD: EACH(a[l].real = b[l].real + c[l].real);
  case DO_REAL_ADD_3:
    if (step->four) {
      const union slot *last = at[step->last];
      EACH(a[l].real = b[l].real + c[l].real + k[l].real + last[l].real);
    }
    EACH(a[l].real = b[l].real + c[l].real + k[l].real);
  case DO_REAL_SUB: EACH(a[l].real = b[l].real - c[l].real);
  case DO_REAL_MUL: EACH(a[l].real = b[l].real * c[l].real);
  case DO_REAL_MUL_3: EACH(a[l].real = b[l].real * c[l].real * k[l].real);
  case DO_REAL_DIV: EACH(a[l].real = b[l].real / c[l].real);
  case DO_REAL_DIV_CHECK: TEST(real_divide(b[l].real, c[l].real, &a[l].real) == ARITHMETIC_FINE);
  case DO_REAL_NEG: EACH(a[l].real = -b[l].real);
  case DO_REAL_OF: EACH(a[l].real = (double)b[l].integer);
  case DO_REAL_MIN: EACH(a[l].real = real_min(b[l].real, c[l].real));
  case DO_REAL_MAX: EACH(a[l].real = real_max(b[l].real, c[l].real));
  case DO_REAL_ABS: EACH(a[l].real = fabs(b[l].real));
  case DO_FINITE: TEST((b[l].integer & INT64_MAX) <= FINITE_BITS);
  case DO_COMPARABLE: TEST(real_comparable(b[l].real, c[l].real));
  case DO_INT_LT: EACH(a[l].integer = b[l].integer < c[l].integer);
  case DO_INT_LE: EACH(a[l].integer = b[l].integer <= c[l].integer);
  case DO_INT_EQ: EACH(a[l].integer = b[l].integer == c[l].integer);
  case DO_INT_NE: EACH(a[l].integer = b[l].integer != c[l].integer);
  case DO_REAL_LT: EACH(a[l].integer = b[l].real < c[l].real);
  case DO_REAL_LE: EACH(a[l].integer = b[l].real <= c[l].real);
  case DO_REAL_EQ: EACH(a[l].integer = b[l].real == c[l].real);
  case DO_REAL_NE: EACH(a[l].integer = b[l].real != c[l].real);
  case DO_AND: EACH(a[l].integer = b[l].integer & c[l].integer);
  case DO_OR: EACH(a[l].integer = b[l].integer | c[l].integer);
  case DO_NOT: EACH(a[l].integer = !b[l].integer);
  case DO_SELECT: EACH(a[l] = b[l].integer ? c[l] : k[l]);
  default: return false;
  }
  return fine;
}

/* What is at hand of the diagonals: the one that is filled, and the two before it; by the first parameter, from the
 * nearest value that is not inside on. */
struct filling {
  const struct diagonals *diagonals;
  const struct cells *cells;
  const int64_t *low, *high;
  union slot *lines[3];
  union slot *at[PLACES];
  union slot lanes[PLACES][LANES];
};

static ALWAYS_INLINE bool stretch_fill(struct filling *filling, const struct stretch *stretch, uint64_t *fresh) {
  const struct diagonals *diagonals = filling->diagonals;
  int64_t behind = stretch->first[0] - (filling->low[0] - 1);
  union slot *out = filling->lines[0] + behind, **at = filling->at;
  for (uint32_t k = 0; k < diagonals->moving_count; k++) {
    uint16_t p = diagonals->moving[k];
    int8_t dim = diagonals->places[p].dim;
    int64_t turn = dim == 0 ? 1 : -1;
    for (uint32_t l = 0; l < stretch->count; l++)
      filling->lanes[p][l].integer = stretch->first[dim] + turn * (int64_t)l;
  }
  for (uint32_t k = 0; k < diagonals->call_count; k++) {
    const struct step *call = &diagonals->calls[k];
    int64_t before = call->whole; /* 2: in the first dimension, 1: in the second, 3: in both */
    at[call->a] = filling->lines[before == 3 ? 2 : 1] + behind - before / 2;
  }
  bool computed = diagonals->places[diagonals->result].kind == LANE_STEP && !diagonals->called;
  if (computed) at[diagonals->result] = out;
  for (uint32_t s = 0; s < diagonals->step_count; s++)
    if (!step_do(&diagonals->steps[s], stretch, at)) return false;
  if (!computed) memcpy(out, at[diagonals->result], stretch->count * sizeof *out);
  *fresh += put_cells(filling->cells, stretch, out);
  return true;
}

/* The cells of the diagonal that are not inside, where the next ones need them. */
static ALWAYS_INLINE void edges_take(struct filling *filling, int64_t sum) {
  const int64_t *low = filling->low, *high = filling->high;
  int64_t second = sum - (low[0] - 1), first = sum - (low[1] - 1);
  if (second >= low[1] - 1 && second <= high[1])
    filling->lines[0][0].integer = (int64_t)(*cell_at(filling->cells, low[0] - 1, second) ^ FREE_CELL);
  if (first >= low[0] && first <= high[0])
    filling->lines[0][first - (low[0] - 1)].integer =
        (int64_t)(*cell_at(filling->cells, first, low[1] - 1) ^ FREE_CELL);
}

static ALWAYS_INLINE void lines_turn(struct filling *filling) {
  union slot *oldest = filling->lines[2];
  filling->lines[2] = filling->lines[1];
  filling->lines[1] = filling->lines[0];
  filling->lines[0] = oldest;
}

static ALWAYS_INLINE bool fill(const struct diagonals *diagonals, const union slot *registers,
                               const struct cells *cells, const int64_t low[2], const int64_t high[2],
                               uint64_t *fresh) {
  union slot lines[3][DIAGONALS_LINES + 1 + AT_ONCE];
  struct filling filling;
  filling.diagonals = diagonals;
  filling.cells = cells;
  filling.low = low;
  filling.high = high;
  for (uint32_t k = 0; k < 3; k++) {
    filling.lines[k] = lines[k];
    memset(lines[k], 0, (size_t)(high[0] - low[0] + 2 + AT_ONCE) * sizeof *lines[k]);
  }
  for (uint32_t p = 0; p < diagonals->place_count; p++) {
    const struct lane *place = &diagonals->places[p];
    union slot all = {.integer = place->kind == LANE_FIXED ? registers[place->reg].integer : 0};
    filling.at[p] = filling.lanes[p];
    for (uint32_t l = 0; l < LANES; l++)
      filling.lanes[p][l] = all;
  }
  for (int64_t sum = low[0] + low[1] - 2; sum <= high[0] + high[1]; sum++, lines_turn(&filling)) {
    int64_t from = sum - high[1] > low[0] ? sum - high[1] : low[0];
    int64_t to = sum - low[1] < high[0] ? sum - low[1] : high[0];
    for (int64_t first = from; first <= to; first += LANES) {
      uint32_t count = to - first >= LANES ? LANES : (uint32_t)(to - first + 1);
      struct stretch stretch = {{first, sum - first}, count};
      if (!stretch_fill(&filling, &stretch, fresh)) return false;
    }
    edges_take(&filling, sum);
  }
  return true;
}

#ifdef __x86_64__
/* The same for processors that have registers of four numbers; the results are the same bits. */
static __attribute__((target("avx2"))) bool fill_wide(const struct diagonals *diagonals, const union slot *registers,
                                                      const struct cells *cells, const int64_t low[2],
                                                      const int64_t high[2], uint64_t *fresh) {
  return fill(diagonals, registers, cells, low, high, fresh);
}
#endif

bool diagonals_fill(const struct diagonals *diagonals, const union slot *registers, const struct cells *cells,
                    const int64_t low[2], const int64_t high[2], uint64_t *fresh) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) return fill_wide(diagonals, registers, cells, low, high, fresh);
#endif
  return fill(diagonals, registers, cells, low, high, fresh);
}
