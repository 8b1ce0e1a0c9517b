/* Index sets become instances: boxes need no table; for other sets isl gives the bounds of each index by
 * those before it, nested loops run through these, and the set's own condition filters what is not affine.
 * Called by resolve.c. */
#include "interp/resolve/resolve.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

static const int64_t MOST_INSTANCES = INT64_C(1) << 31; /* of a component */
enum { MOST_OPERATIONS = 20000000 };                    /* of isl for an index set */
static const int64_t MOST_TRIED = 100000000;            /* points at which a condition is tested to find them */

/* sum of coefficients * indices + constant >= 0, where coefficients[index] is the last that is not 0 */
struct bound_row {
  int64_t *coefficients;
  int64_t constant;
};
/* index op E, where E is not affine but reads only indices before it: `n < N[c]` */
struct bound_formula {
  enum operator op;
  struct formula *formula;
};
struct bounds { /* of one index by those before it */
  struct bound_row *lower, *upper;
  uint32_t lower_count, upper_count;
  struct bound_formula *formulas;
  uint32_t formula_count, formula_capacity;
};

struct enumeration {
  struct resolver *r;
  const struct model_component *component;
  uint32_t dims;
  struct bounds *bounds;          /* by index */
  bool filter;                    /* the condition is to be tested at each point */
  const struct expr **conditions; /* outermost first */
  struct formula **formulas;      /* NULL: by the walker */
  uint32_t condition_count;
  int64_t *at;
  int64_t count, looked;
  int64_t *points; /* the second time; NULL: count */
  bool failed;
};

static const struct expr **conditions_of(struct resolver *r, const struct model_component *component, uint32_t *count) {
  const struct expr **list = NULL;
  uint32_t capacity = 0;
  *count = 0;
  for (; component; component = component->outer)
    if (component->set) ARENA_PUSH(r->arena, list, *count, capacity, component->set);
  return list;
}

static void too_many(struct enumeration *e) {
  diagnostic_add(e->r->model->diagnostics, SEVERITY_ERROR, e->conditions[0]->span, "'%s' has more than %lld instances",
                 e->component->symbol->name->text, (long long)MOST_INSTANCES);
  e->failed = true;
}

/* Would a table of that size pass the limit on memory? Then that is said before it is tried. */
static bool room_for(struct enumeration *e, int64_t count) {
  const struct memory *memory = e->r->arena->memory;
  uint64_t size = (uint64_t)count * e->dims * sizeof(int64_t);
  if (!memory->limit || (memory->used <= memory->limit && size <= memory->limit - memory->used)) return true;
  diagnostic_add(e->r->model->diagnostics, SEVERITY_ERROR, e->conditions[0]->span,
                 "the %lld instances of '%s' need %llu bytes, more than the limit on memory leaves", (long long)count,
                 e->component->symbol->name->text, (unsigned long long)size);
  e->failed = true;
  return false;
}

/* ---- bounds from isl ---- */

struct constraint_list {
  isl_constraint **items;
  uint32_t count, capacity;
};
static isl_stat keep_constraint(isl_constraint *constraint, void *user) {
  struct constraint_list *list = user;
  if (list->count == list->capacity) {
    isl_constraint_free(constraint);
    return isl_stat_error;
  }
  list->items[list->count++] = constraint;
  return isl_stat_ok;
}

static bool small_value(isl_val *value, int64_t *out) {
  bool fits = value && isl_val_is_int(value) == isl_bool_true;
  if (fits) {
    isl_val *most = isl_val_int_from_si(isl_val_get_ctx(value), INT64_MAX / 4);
    isl_val *size = isl_val_abs(isl_val_copy(value));
    fits = isl_val_le(size, most) == isl_bool_true;
    *out = fits ? isl_val_get_num_si(value) : 0;
    isl_val_free(most);
    isl_val_free(size);
  }
  isl_val_free(value);
  return fits;
}

static bool add_row(struct enumeration *e, uint32_t dim, isl_constraint *constraint, int sign) {
  struct bounds *bounds = &e->bounds[dim];
  struct bound_row row = {.coefficients = ARENA_ARRAY(e->r->arena, int64_t, dim + 1)};
  bool fits = small_value(isl_constraint_get_constant_val(constraint), &row.constant);
  for (uint32_t k = 0; k <= dim && fits; k++)
    fits = small_value(isl_constraint_get_coefficient_val(constraint, isl_dim_set, (int)k), &row.coefficients[k]);
  if (!fits) return false;
  row.constant *= sign;
  for (uint32_t k = 0; k <= dim; k++)
    row.coefficients[k] *= sign;
  if (row.coefficients[dim] > 0) bounds->lower[bounds->lower_count++] = row;
  if (row.coefficients[dim] < 0) bounds->upper[bounds->upper_count++] = row;
  return true;
}

/* The constraints on index `dim` by the ones before it, from the set with the later ones projected out. */
static bool read_bounds(struct enumeration *e, isl_set *set, uint32_t dim) {
  isl_set *shadow = isl_set_project_out(isl_set_copy(set), isl_dim_set, dim + 1, e->dims - dim - 1);
  isl_basic_set *hull = isl_basic_set_remove_divs(isl_set_simple_hull(shadow));
  isl_size rows = isl_basic_set_n_constraint(hull);
  if (rows < 0) {
    isl_basic_set_free(hull);
    return false;
  }
  struct constraint_list list = {.items = ARENA_ARRAY(e->r->arena, isl_constraint *, rows), .capacity = (uint32_t)rows};
  struct bounds *bounds = &e->bounds[dim];
  bounds->lower = ARENA_ARRAY(e->r->arena, struct bound_row, rows);
  bounds->upper = ARENA_ARRAY(e->r->arena, struct bound_row, rows);
  bool fits = isl_basic_set_foreach_constraint(hull, keep_constraint, &list) == isl_stat_ok;
  for (uint32_t k = 0; k < list.count; k++) {
    fits = fits && add_row(e, dim, list.items[k], 1);
    if (fits && isl_constraint_is_equality(list.items[k]) == isl_bool_true) fits = add_row(e, dim, list.items[k], -1);
    isl_constraint_free(list.items[k]);
  }
  isl_basic_set_free(hull);
  return fits;
}

/* ---- bounds that isl does not know ---- */

static enum operator turned(enum operator op) {
  if (op == OP_LT) return OP_GT;
  if (op == OP_LE) return OP_GE;
  if (op == OP_GT) return OP_LT;
  if (op == OP_GE) return OP_LE;
  return op;
}

/* `left op right`, if left is the bare index `dim` and right reads only those before it. */
static void add_formula(struct enumeration *e, const struct expr *left, enum operator op, const struct expr *right) {
  const struct symbol *index = left->kind == EXPR_NAME ? left->name.symbol : NULL;
  if (!index || index->kind != SYMBOL_INDEX || index->slot >= e->dims || op == OP_NE || op == OP_IN) return;
  struct formula *formula = formula_compile(e->r, right, 0);
  if (!formula || formula_inputs(formula) > index->slot) return;
  struct bounds *bounds = &e->bounds[index->slot];
  struct bound_formula bound = {op, formula};
  ARENA_PUSH(e->r->arena, bounds->formulas, bounds->formula_count, bounds->formula_capacity, bound);
}

static void find_formulas(struct enumeration *e, const struct expr *expr) {
  if (expr->kind == EXPR_BINARY && expr->binary.op == OP_AND) {
    find_formulas(e, expr->binary.left);
    find_formulas(e, expr->binary.right);
  }
  if (expr->kind != EXPR_COMPARE) return;
  for (uint32_t k = 0; k + 1 < expr->compare.count; k++) {
    const struct expr *left = expr->compare.operands[k], *right = expr->compare.operands[k + 1];
    enum operator op = expr->compare.ops[k];
    if (op == OP_IN && right->kind == EXPR_RANGE) {
      add_formula(e, left, OP_GE, right->range.low);
      add_formula(e, left, OP_LE, right->range.high);
    } else {
      add_formula(e, left, op, right);
      add_formula(e, right, turned(op), left);
    }
  }
}

static void apply_formulas(struct enumeration *e, uint32_t dim, int64_t *low, int64_t *high) {
  const struct bounds *bounds = &e->bounds[dim];
  for (uint32_t k = 0; k < dim && bounds->formula_count; k++)
    e->r->rows[k][0] = e->at[k];
  for (uint32_t k = 0; k < bounds->formula_count; k++) {
    struct lanes lanes = {e->r->inputs, e->dims, 1};
    enum operator op = bounds->formulas[k].op;
    uint8_t doubt[LANES];
    bool doubtful;
    int64_t value = *formula_run(bounds->formulas[k].formula, &lanes, doubt, &doubtful);
    if (doubtful) continue;
    if ((op == OP_LT && value == INT64_MIN) || (op == OP_GT && value == INT64_MAX)) *high = INT64_MIN;
    int64_t most = op == OP_LT && value > INT64_MIN ? value - 1 : value;
    int64_t least = op == OP_GT && value < INT64_MAX ? value + 1 : value;
    if ((op == OP_LT || op == OP_LE || op == OP_EQ) && most < *high) *high = most;
    if ((op == OP_GT || op == OP_GE || op == OP_EQ) && least > *low) *low = least;
  }
}

/* Has the index a bound of that side which isl does not know? */
static bool has_formula(const struct bounds *bounds, bool upper) {
  for (uint32_t k = 0; k < bounds->formula_count; k++) {
    enum operator op = bounds->formulas[k].op;
    if (op == OP_EQ || (upper ? op == OP_LT || op == OP_LE : op == OP_GT || op == OP_GE)) return true;
  }
  return false;
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/* The bounds of an index at the point at hand; false where a product does not fit 64 bits. */
static bool bounds_at(struct enumeration *e, uint32_t dim, int64_t *low, int64_t *high) {
  const struct bounds *bounds = &e->bounds[dim];
  *low = INT64_MIN;
  *high = INT64_MAX;
  for (uint32_t side = 0; side < 2; side++) {
    uint32_t rows = side ? bounds->upper_count : bounds->lower_count;
    for (uint32_t k = 0; k < rows; k++) {
      const struct bound_row *row = side ? &bounds->upper[k] : &bounds->lower[k];
      int64_t rest = row->constant, part, a = row->coefficients[dim];
      for (uint32_t j = 0; j < dim; j++)
        if (__builtin_mul_overflow(row->coefficients[j], e->at[j], &part) || __builtin_add_overflow(rest, part, &rest))
          return false;
      /* a * x + rest >= 0 */
      if (a > 0) {
        int64_t least = -floor_div(rest, a);
        if (least > *low) *low = least;
      } else {
        int64_t most = floor_div(rest, -a);
        if (most < *high) *high = most;
      }
    }
  }
  apply_formulas(e, dim, low, high);
  return true;
}

/* ---- the loops ---- */

/* Does the walker take the point? */
static bool point_holds(struct enumeration *e, const int64_t *at) {
  for (uint32_t k = e->condition_count; k-- > 0;) {
    struct environment environment = resolver_environment(e->r, at);
    struct value value;
    if (!evaluate(&environment, e->conditions[k], &value)) {
      e->failed = true;
      return false;
    }
    if (value.kind != VALUE_BOOL || !value.boolean) return false;
  }
  return true;
}

/* Which of the points at[0 .. dims - 2], low + lane are in the set. */
static void filter_lanes(struct enumeration *e, int64_t low, uint32_t n, uint8_t *inside) {
  uint32_t last = e->dims - 1;
  for (uint32_t k = 0; k < last; k++)
    for (uint32_t lane = 0; lane < n; lane++)
      e->r->rows[k][lane] = e->at[k];
  for (uint32_t lane = 0; lane < n; lane++)
    e->r->rows[last][lane] = low + lane;
  struct lanes lanes = {e->r->inputs, e->dims, n};
  uint8_t doubt[LANES], walk[LANES] = {0};
  memset(inside, 1, n);
  for (uint32_t k = 0; k < e->condition_count; k++) {
    if (!e->formulas[k]) {
      memset(walk, 1, n);
      break;
    }
    bool doubtful;
    const int64_t *holds = formula_run(e->formulas[k], &lanes, doubt, &doubtful);
    for (uint32_t lane = 0; lane < n; lane++) {
      inside[lane] &= holds[lane] != 0 || doubt[lane];
      walk[lane] |= doubt[lane];
    }
  }
  for (uint32_t lane = 0; lane < n && !e->failed; lane++) {
    if (!walk[lane] || !inside[lane]) continue;
    e->at[last] = low + lane;
    inside[lane] = point_holds(e, e->at);
  }
  arena_close(&e->r->scratch);
}

static void keep_point(struct enumeration *e, int64_t last) {
  if (e->points) {
    int64_t *to = e->points + (size_t)e->count * e->dims;
    for (uint32_t k = 0; k + 1 < e->dims; k++)
      to[k] = e->at[k];
    to[e->dims - 1] = last;
  }
  e->count++;
}

static bool innermost(struct enumeration *e, int64_t low, int64_t high) {
  if (!e->filter && !e->points) { /* counting what the bounds alone say */
    if (__builtin_add_overflow(e->count, high - low + 1, &e->count) || e->count > MOST_INSTANCES) too_many(e);
    return !e->failed;
  }
  for (int64_t from = low; from <= high && !e->failed; from += LANES) {
    interrupt_look(e->r->arena->memory);
    uint32_t n = high - from >= LANES ? LANES : (uint32_t)(high - from + 1);
    uint8_t inside[LANES];
    memset(inside, 1, n);
    if (e->filter) filter_lanes(e, from, n, inside);
    for (uint32_t lane = 0; lane < n; lane++)
      if (inside[lane]) keep_point(e, from + lane);
    if (e->count > MOST_INSTANCES) too_many(e);
  }
  return !e->failed;
}

static bool loop(struct enumeration *e, uint32_t dim) {
  int64_t low, high, width;
  if (!bounds_at(e, dim, &low, &high)) {
    too_many(e);
    return false;
  }
  if (low > high) return true;
  if (__builtin_sub_overflow(high, low, &width) || __builtin_add_overflow(e->looked, width, &e->looked) ||
      e->looked >= (e->filter ? MOST_TRIED : MOST_INSTANCES)) {
    diagnostic_add(e->r->model->diagnostics, SEVERITY_ERROR, e->conditions[0]->span,
                   "the index set of '%s' spans more than %lld points", e->component->symbol->name->text,
                   (long long)(e->filter ? MOST_TRIED : MOST_INSTANCES));
    diagnostic_help(e->r->model->diagnostics, (struct span){0},
                    "bounds that are sums of indices and params are followed; other conditions are tested "
                    "point by point");
    e->failed = true;
    return false;
  }
  if (dim + 1 == e->dims) return innermost(e, low, high);
  for (int64_t at = low;; at++) {
    e->at[dim] = at;
    if (!loop(e, dim + 1)) return false;
    if (at == high) return true;
  }
}

/* ---- boxes ---- */

static bool box_count(struct enumeration *e, struct instances *out) {
  int64_t count = 1;
  for (uint32_t k = 0; k < e->dims; k++)
    if (__builtin_mul_overflow(count, out->high[k] - out->low[k] + 1, &count) || count > MOST_INSTANCES) {
      too_many(e);
      return false;
    }
  out->count = (uint32_t)count;
  uint32_t *strides = ARENA_ARRAY(e->r->arena, uint32_t, e->dims), stride = 1;
  for (uint32_t k = e->dims; k-- > 0; stride *= (uint32_t)(out->high[k] - out->low[k] + 1))
    strides[k] = stride;
  out->strides = strides;
  return true;
}

static void no_instance(struct instances *out, uint32_t dims, struct arena *arena) {
  int64_t *high = ARENA_ARRAY(arena, int64_t, dims);
  for (uint32_t k = 0; k < dims; k++)
    high[k] = -1;
  out->box = true;
  out->count = 0;
  out->low = ARENA_ARRAY(arena, int64_t, dims);
  out->high = high;
}

static bool too_involved(struct enumeration *e) {
  diagnostic_add(e->r->model->diagnostics, SEVERITY_ERROR, e->conditions[0]->span,
                 "the index set of '%s' is too large to be worked out", e->component->symbol->name->text);
  e->failed = true;
  return false;
}

/* The bounds of every index, as isl has them. */
static bool read_all(struct enumeration *e, isl_set *set) {
  for (uint32_t k = 0; k < e->dims; k++)
    if (!read_bounds(e, set, k)) return too_involved(e);
  return true;
}

/* A bound that cannot be evaluated is no bound: then that is said. */
static bool constants_fail(struct enumeration *e, const struct expr *expr) {
  if (expr->kind == EXPR_BINARY && (expr->binary.op == OP_AND || expr->binary.op == OP_OR))
    return constants_fail(e, expr->binary.left) || constants_fail(e, expr->binary.right);
  if (expr->kind == EXPR_RANGE) return constants_fail(e, expr->range.low) || constants_fail(e, expr->range.high);
  if (expr->kind == EXPR_COMPARE) {
    for (uint32_t k = 0; k < expr->compare.count; k++)
      if (constants_fail(e, expr->compare.operands[k])) return true;
    return false;
  }
  struct environment environment = resolver_environment(e->r, NULL);
  struct value value;
  return !expr_uses(e->r, expr) && !evaluate(&environment, expr, &value);
}

/* Each index needs a bound on both sides. */
static bool bounded(struct enumeration *e, isl_set *set) {
  static const char *const sides[] = {"lower", "upper"};
  for (uint32_t k = 0; k < e->dims; k++)
    for (int side = 0; side < 2; side++) {
      isl_bool has =
          side ? isl_set_dim_has_upper_bound(set, isl_dim_set, k) : isl_set_dim_has_lower_bound(set, isl_dim_set, k);
      if (has == isl_bool_true || has_formula(&e->bounds[k], side)) continue;
      e->failed = true;
      for (uint32_t c = 0; c < e->condition_count; c++)
        if (constants_fail(e, e->conditions[c])) return false;
      const struct symbol *index = e->component->indices[k];
      diagnostic_add(e->r->model->diagnostics, SEVERITY_ERROR, index->span, "the index '%s' has no %s bound",
                     index->name->text, sides[side]);
      diagnostic_note(e->r->model->diagnostics, e->conditions[0]->span, "the index set of '%s'",
                      e->component->symbol->name->text);
      diagnostic_help(e->r->model->diagnostics, (struct span){0},
                      side ? "give it one: 0 <= %s < N" : "give it one: 0 <= %s", index->name->text);
      return false;
    }
  return true;
}

static isl_set *index_set(struct enumeration *e, isl_ctx *ctx, bool *exact) {
  struct symbolic s = {.r = e->r, .space = isl_space_set_alloc(ctx, 0, e->dims)};
  isl_set *set = isl_set_universe(isl_space_copy(s.space));
  for (uint32_t k = 0; k < e->condition_count; k++)
    set = isl_set_intersect(set, symbolic_set(&s, e->conditions[k], true, exact));
  isl_space_free(s.space);
  return isl_set_coalesce(isl_set_remove_redundancies(set));
}

/* One basic set without existential variables: its projections' bounds say all. */
static bool plain(isl_set *set) {
  if (isl_set_n_basic_set(set) != 1) return false;
  return isl_set_involves_locals(set) == isl_bool_false;
}

static void enumerate(struct enumeration *e, struct instances *out) {
  e->formulas = ARENA_ARRAY(e->r->arena, struct formula *, e->condition_count);
  for (uint32_t k = 0; k < e->condition_count && e->filter; k++)
    e->formulas[k] = formula_compile(e->r, e->conditions[k], 0);
  if (!loop(e, 0) || !room_for(e, e->count)) return;
  if (e->count == 0) {
    no_instance(out, e->dims, e->r->arena);
    return;
  }
  out->count = (uint32_t)e->count;
  e->points = ARENA_ARRAY(e->r->arena, int64_t, (size_t)e->count * e->dims);
  e->count = e->looked = 0;
  if (loop(e, 0)) out->points = e->points;
}

enum shape { SHAPE_EMPTY, SHAPE_BOX, SHAPE_POINTS };

/* What isl says of the set: its shape and the bounds of its indices. */
static enum shape read_shape(struct enumeration *e, isl_ctx *ctx) {
  bool exact = true;
  enum shape shape = SHAPE_POINTS;
  e->bounds = ARENA_ARRAY(e->r->arena, struct bounds, e->dims);
  e->at = ARENA_ARRAY(e->r->arena, int64_t, e->dims);
  isl_set *set = index_set(e, ctx, &exact);
  for (uint32_t k = 0; k < e->condition_count && !exact; k++)
    find_formulas(e, e->conditions[k]);
  isl_bool empty = isl_set_is_empty(set);
  if (isl_ctx_last_error(ctx) == isl_error_quota) {
    too_involved(e);
  } else if (empty == isl_bool_true) {
    shape = SHAPE_EMPTY;
  } else if (bounded(e, set) && read_all(e, set)) {
    if (exact && isl_set_is_box(set) == isl_bool_true) shape = SHAPE_BOX;
    e->filter = !exact || !plain(set);
  }
  isl_set_free(set);
  return shape;
}

static void make_box(struct enumeration *e, struct instances *out) {
  int64_t *low = ARENA_ARRAY(e->r->arena, int64_t, e->dims), *high = ARENA_ARRAY(e->r->arena, int64_t, e->dims);
  for (uint32_t k = 0; k < e->dims; k++)
    bounds_at(e, k, &low[k], &high[k]);
  out->box = true;
  out->low = low;
  out->high = high;
  box_count(e, out);
}

bool instances_enumerate(struct resolver *r, const struct model_component *component, struct instances *out) {
  struct enumeration e = {.r = r, .component = component, .dims = component->index_count};
  e.conditions = conditions_of(r, component, &e.condition_count);
  *out = (struct instances){.component = (struct model_component *)component};
  if (e.dims == 0) {
    out->box = true;
    out->count = 1;
    return true;
  }
  if (!e.condition_count) {
    diagnostic_add(r->model->diagnostics, SEVERITY_ERROR, component->symbol->span, "the indices of '%s' have no set",
                   component->symbol->name->text);
    return false;
  }
  resolver_defer_limit(r);
  isl_ctx *ctx = isl_ctx_alloc();
  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(ctx, MOST_OPERATIONS);
  enum shape shape = read_shape(&e, ctx);
  isl_ctx_free(ctx);
  resolver_restore_limit(r);
  if (e.failed) return false;
  if (shape == SHAPE_EMPTY) no_instance(out, e.dims, r->arena);
  if (shape == SHAPE_BOX) make_box(&e, out);
  if (shape == SHAPE_POINTS) enumerate(&e, out);
  return !e.failed;
}

void instances_fill(const struct instances *set, uint32_t index_count, uint32_t first, uint32_t count,
                    int64_t *const *rows) {
  if (!set->box) {
    const int64_t *points = set->points + (size_t)first * index_count;
    for (uint32_t lane = 0; lane < count; lane++)
      for (uint32_t k = 0; k < index_count; k++)
        rows[k][lane] = *points++;
    return;
  }
  /* the last index runs fastest; `stride` instances lie between two of its values */
  uint64_t stride = 1;
  for (uint32_t k = index_count; k-- > 0;) {
    uint64_t width = (uint64_t)(set->high[k] - set->low[k] + 1);
    uint64_t at = first / stride % width, left = stride - first % stride;
    for (uint32_t lane = 0; lane < count;) {
      for (; left && lane < count; left--)
        rows[k][lane++] = set->low[k] + (int64_t)at;
      left = stride;
      if (++at == width) at = 0;
    }
    stride *= width;
  }
}
