/* Bindings: every request of every instance to the accept that serves it.  Instances go through in rows of
 * LANES: `where` and the values of equality clauses by formulas, targets by computation or look-up, the other
 * clauses as formulas over pairs of requester and target.  Called by resolve.c. */
#include "interp/resolve/resolve.h"

#include <stdlib.h>
#include <string.h>

static const double DEAR = 1e3, TOO_DEAR = 1e10; /* tests without a look-up: warned of, refused */

struct value_row { /* an expression over the requester's indices, or NULL */
  const struct expr *expr;
  struct formula *formula;
};
struct side { /* one candidate */
  const struct candidate *candidate;
  const struct instances *set;
  struct value_row *index, key;
  struct formula **tests; /* NULL where only the walker can */
  struct walk walk;
  bool direct; /* all indices are given and the set is a box */
  bool skips_self;
};
struct pairs { /* requesters and targets whose clauses are yet to be tested */
  uint32_t requester[LANES], target[LANES];
  uint32_t count;
  int64_t **rows;
  const int64_t **inputs;
};
struct run {
  struct resolver *r;
  struct plan *plan;
  struct model_request *request;
  const struct instances *set; /* the requesters */
  uint32_t dims;
  struct side *sides;
  uint8_t *present; /* NULL: all */
  uint32_t present_count, present_first;
  struct pairs pairs;
  /* what is found: one target each … */
  uint32_t *targets, *accepts;
  uint8_t *several;
  /* … or lists */
  struct found {
    uint32_t requester, target, accept;
  } * found;
  uint64_t found_count, found_capacity;
};

static bool is_present(const struct run *run, uint32_t place) {
  return !run->present || (run->present[place / 8] >> place % 8 & 1);
}

static const int64_t *indices_of(const struct run *run, uint32_t lane, int64_t *out) {
  for (uint32_t k = 0; k < run->dims; k++)
    out[k] = run->r->rows[k][lane];
  return out;
}

/* ---- what is evaluated for each requester ---- */

static void open_row(struct run *run, struct value_row *row, const struct expr *expr) {
  row->expr = expr;
  row->formula = formula_compile(run->r, expr, 0);
}

/* Values for the lanes in hand (from place `from`); what a formula leaves in doubt is walked where the
 * request exists. NULL after a diagnostic. */
static const int64_t *row_values(struct run *run, const struct value_row *row, uint32_t from, uint32_t count, bool all,
                                 int64_t *space) {
  struct lanes lanes = {run->r->inputs, run->dims, count};
  uint8_t doubt[LANES];
  bool doubtful = true;
  const int64_t *values = space;
  memset(doubt, 1, count);
  if (row->formula) values = formula_run(row->formula, &lanes, doubt, &doubtful);
  if (!doubtful) return values;
  if (values != space) memcpy(space, values, sizeof *space * count);
  for (uint32_t lane = 0; lane < count; lane++) {
    int64_t indices[run->dims + 1];
    struct value value;
    if (!doubt[lane] || !(all || is_present(run, from + lane))) continue;
    struct environment environment = resolver_environment(run->r, indices_of(run, lane, indices));
    if (!evaluate(&environment, row->expr, &value) || !value_number(value, &space[lane])) return NULL;
  }
  return space;
}

/* The bits of those that `where` leaves. */
static bool find_present(struct run *run) {
  const struct expr *where = run->request->where;
  struct value_row row;
  int64_t space[LANES];
  run->present_count = run->set->count;
  if (!where || run->plan->late_where || !run->set->count) return true;
  open_row(run, &row, where);
  run->present = ARENA_ARRAY(run->r->arena, uint8_t, run->set->count / 8 + 1);
  run->present_count = 0;
  for (uint32_t from = 0; from < run->set->count; from += LANES) {
    uint32_t count = run->set->count - from < LANES ? run->set->count - from : LANES;
    instances_fill(run->set, run->dims, from, count, run->r->rows);
    const int64_t *holds = row_values(run, &row, from, count, true, space);
    if (!holds) return false;
    for (uint32_t lane = 0; lane < count; lane++) {
      if (!holds[lane]) continue;
      run->present[(from + lane) / 8] |= (uint8_t)(1 << (from + lane) % 8);
      if (!run->present_count++) run->present_first = from + lane;
    }
  }
  if (run->present_count == run->set->count) run->present = NULL;
  return true;
}

/* ---- what is found ---- */

static void found_one(struct run *run, const struct side *side, uint32_t requester, uint32_t target) {
  if (side->skips_self && target == run->set->first + requester) return;
  run->r->graph->statistics.requests++;
  if (!run->targets) {
    struct found found = {requester, target, side->candidate->accept->id};
    ARENA_PUSH(&run->r->scratch, run->found, run->found_count, run->found_capacity, found);
    return;
  }
  if (run->targets[requester] != INSTANCE_NONE) {
    if (!run->several) run->several = ARENA_ARRAY(run->r->arena, uint8_t, run->set->count / 8 + 1);
    run->several[requester / 8] |= (uint8_t)(1 << requester % 8);
    return;
  }
  run->targets[requester] = target;
  if (run->accepts) run->accepts[requester] = side->candidate->accept->id;
}

static bool walk_pair(struct run *run, const struct side *side, const struct expr *test, uint32_t lane, bool *holds) {
  const struct pairs *pairs = &run->pairs;
  int64_t indices[run->dims + 1];
  for (uint32_t k = 0; k < run->dims; k++)
    indices[k] = pairs->rows[k][lane];
  struct environment environment = resolver_environment(run->r, indices);
  struct trial trial = {run->r->graph, side->candidate->accept, pairs->target[lane], NULL};
  return selector_test(&environment, &trial, test, holds);
}

/* Tests the pairs in hand and keeps those that match. */
static bool settle(struct run *run, const struct side *side) {
  struct pairs *pairs = &run->pairs;
  const struct candidate *c = side->candidate;
  uint8_t keep[LANES], doubt[LANES];
  uint32_t count = pairs->count;
  pairs->count = 0;
  run->r->graph->statistics.candidates += count;
  memset(keep, 1, count);
  for (uint32_t t = 0; t < c->test_count; t++) {
    struct lanes lanes = {pairs->inputs, run->r->max_indices * 2, count};
    bool doubtful = true;
    const int64_t *holds = NULL;
    memset(doubt, 1, count);
    if (side->tests[t]) holds = formula_run(side->tests[t], &lanes, doubt, &doubtful);
    for (uint32_t lane = 0; lane < count; lane++) {
      bool walked;
      if (!keep[lane]) continue;
      if (!doubt[lane]) {
        keep[lane] = holds[lane] != 0;
      } else {
        if (!walk_pair(run, side, c->tests[t], lane, &walked)) return false;
        keep[lane] = walked;
      }
    }
  }
  for (uint32_t lane = 0; lane < count; lane++)
    if (keep[lane]) found_one(run, side, pairs->requester[lane], pairs->target[lane]);
  return true;
}

static bool consider(struct run *run, const struct side *side, uint32_t requester, uint32_t lane, uint32_t target) {
  struct pairs *pairs = &run->pairs;
  if (!side->candidate->test_count) {
    found_one(run, side, requester, target);
    return true;
  }
  uint32_t at = pairs->count++;
  pairs->requester[at] = requester;
  pairs->target[at] = target;
  for (uint32_t k = 0; k < run->dims; k++)
    pairs->rows[k][at] = run->r->rows[k][lane];
  uint32_t base = run->r->max_indices, dims = side->candidate->accept->component->index_count;
  int64_t *target_rows[dims + 1];
  for (uint32_t k = 0; k < dims; k++)
    target_rows[k] = pairs->rows[base + k] + at;
  instances_fill(side->set, dims, target - side->set->first, 1, target_rows);
  return pairs->count < LANES || settle(run, side);
}

/* ---- the loops ---- */

/* All indices of the target are given: a row of targets at a time. */
static bool run_direct(struct run *run, struct side *side, uint32_t from, uint32_t count,
                       const int64_t *const *values) {
  const struct candidate *c = side->candidate;
  const struct instances *set = side->set;
  uint32_t dims = c->accept->component->index_count, place[LANES];
  uint8_t inside[LANES];
  memset(inside, 1, count);
  memset(place, 0, sizeof *place * count);
  for (uint32_t k = 0; k < dims; k++) {
    const int64_t *row = k < c->shared ? run->r->rows[k] : values[k];
    int64_t low = set->low[k], high = set->high[k];
    uint32_t width = (uint32_t)(high - low + 1);
    for (uint32_t lane = 0; lane < count; lane++) {
      inside[lane] &= row[lane] >= low && row[lane] <= high;
      place[lane] = place[lane] * width + (uint32_t)((uint64_t)row[lane] - (uint64_t)low);
    }
  }
  for (uint32_t lane = 0; lane < count; lane++)
    if (inside[lane] && is_present(run, from + lane) &&
        !consider(run, side, from + lane, lane, set->first + place[lane]))
      return false;
  return true;
}

static bool run_walk(struct run *run, struct side *side, uint32_t from, uint32_t count, const int64_t *const *values,
                     const int64_t *keys) {
  const struct candidate *c = side->candidate;
  uint32_t dims = c->accept->component->index_count, target;
  bool one = run->request->quantifier == TARGET_ONE || run->request->quantifier == TARGET_OPTIONAL;
  for (uint32_t lane = 0; lane < count; lane++) {
    int64_t indices[run->dims + 1], given[dims + 1];
    if (!is_present(run, from + lane)) continue;
    for (uint32_t k = 0; k < dims; k++)
      given[k] = values[k] ? values[k][lane] : 0;
    walk_start(&side->walk, indices_of(run, lane, indices), given, keys ? keys[lane] : 0);
    for (uint32_t seen = 0; walk_next(&side->walk, &target); seen++) {
      if (one && !c->test_count && seen > 2) break; /* several: more need not be known */
      if (!consider(run, side, from + lane, lane, target)) return false;
      if ((seen & 65535) == 65535) interrupt_look(run->r->arena->memory);
    }
  }
  return true;
}

static bool run_rows(struct run *run, uint32_t from, uint32_t count) {
  interrupt_look(run->r->arena->memory);
  instances_fill(run->set, run->dims, from, count, run->r->rows);
  for (uint32_t s = 0; s < run->plan->count; s++) {
    struct side *side = &run->sides[s];
    uint32_t dims = side->candidate->accept->component->index_count;
    int64_t spaces[dims + 1][LANES];
    const int64_t *values[dims + 1], *keys = NULL;
    if (!side->set->count) continue;
    for (uint32_t k = 0; k < dims; k++) {
      values[k] = NULL;
      if (side->index[k].expr && !(values[k] = row_values(run, &side->index[k], from, count, false, spaces[k])))
        return false;
    }
    if (side->key.expr && !(keys = row_values(run, &side->key, from, count, false, spaces[dims]))) return false;
    if (!(side->direct ? run_direct(run, side, from, count, values) : run_walk(run, side, from, count, values, keys)))
      return false;
    if (run->pairs.count && !settle(run, side)) return false;
  }
  return true;
}

static bool run_all(struct run *run, uint32_t first, uint32_t count) {
  for (uint32_t from = first; from < first + count; from += LANES)
    if (!run_rows(run, from, first + count - from < LANES ? first + count - from : LANES)) return false;
  return true;
}

/* A selector without a look-up over many instances is slow: how slow is said. */
static bool worth_it(struct run *run, const struct side *side) {
  const struct candidate *c = side->candidate;
  double tests = (double)run->present_count * side->set->count;
  const char *name = c->accept->component->symbol->name->text;
  if (c->lookup || c->given || !c->test_count || side->set->count <= DEAR) return true;
  bool refused = tests > TOO_DEAR;
  diagnostic_add(run->r->model->diagnostics, refused ? SEVERITY_ERROR : SEVERITY_WARNING,
                 run->request->syntax->selector_span,
                 "this selector tests each of the %u instances of '%s' for each of %u requests: %.3g tests%s",
                 side->set->count, name, run->present_count, tests, refused ? ", too many" : "");
  diagnostic_help(run->r->model->diagnostics, (struct span){0},
                  "give an index or a whole-number attribute of '%s' by '=': then its instances are looked up", name);
  return !refused;
}

static void open_side(struct run *run, struct side *side, const struct candidate *c) {
  uint32_t dims = c->accept->component->index_count;
  side->candidate = c;
  side->set = &run->r->graph->instances[c->accept->component->id];
  side->index = ARENA_ARRAY(run->r->arena, struct value_row, dims);
  for (uint32_t k = 0; k < dims; k++)
    if (c->index[k]) open_row(run, &side->index[k], c->index[k]->clause.value);
  if (c->key) open_row(run, &side->key, c->key->clause.value);
  side->tests = ARENA_ARRAY(run->r->arena, struct formula *, c->test_count);
  for (uint32_t k = 0; k < c->test_count; k++)
    side->tests[k] = formula_compile_test(run->r, c, c->tests[k], run->r->max_indices);
  side->direct = c->all_indices && side->set->box;
  side->skips_self = c->accept->component == run->request->component && !c->names_index;
  walk_open(&side->walk, run->r, run->r->arena, c);
}

static void open_run(struct run *run) {
  struct resolver *r = run->r;
  run->sides = ARENA_ARRAY(r->arena, struct side, run->plan->count);
  for (uint32_t k = 0; k < run->plan->count; k++)
    open_side(run, &run->sides[k], &run->plan->candidates[k]);
  run->pairs.rows = ARENA_ARRAY(r->arena, int64_t *, r->max_indices * 2);
  run->pairs.inputs = ARENA_ARRAY(r->arena, const int64_t *, r->max_indices * 2);
  for (uint32_t k = 0; k < r->max_indices * 2; k++)
    run->pairs.inputs[k] = run->pairs.rows[k] = ARENA_ARRAY(r->arena, int64_t, LANES);
}

static bool reads_index(const struct run *run, const struct expr *clause) {
  return clause && (expr_uses(run->r, clause) & USES_INDEX);
}

/* Do all instances that make the request mean the same? What N/A and the like have settled counts no more. */
static bool same_for_all(const struct run *run) {
  for (uint32_t s = 0; s < run->plan->count; s++) {
    const struct candidate *c = &run->plan->candidates[s];
    if (run->sides[s].skips_self || c->shared || reads_index(run, c->key)) return false;
    for (uint32_t k = 0; k < c->accept->component->index_count; k++)
      if (reads_index(run, c->index[k])) return false;
    for (uint32_t k = 0; k < c->test_count; k++)
      if (reads_index(run, c->tests[k])) return false;
  }
  return true;
}

/* ---- bindings ---- */

static void example_of(struct run *run, struct problem *problem, uint32_t place) {
  problem->instance = run->set->first + place;
  run->targets = NULL;
  run->found_count = 0;
  run->present = NULL;
  run_all(run, place, 1);
  problem->matches = run->found_count > UINT32_MAX ? UINT32_MAX : (uint32_t)run->found_count;
  for (uint32_t k = 0; k < problem->matches && k < 4; k++)
    problem->some[k] = (struct target){run->found[k].target, run->found[k].accept};
}

static bool report(struct run *run, uint32_t place, uint32_t count) {
  struct problem problem = {.instances = count};
  run->r->graph->bindings[run->request->id].failures = count;
  if (run->r->options.lazy) return true;
  if (!run->plan->late)
    example_of(run, &problem, place);
  else
    problem.instance = run->set->first + place;
  refuse(run->r, run->plan, &problem);
  return false;
}

static void bind_same(struct run *run, struct binding *binding) {
  binding->kind = BINDING_SAME;
  binding->present = run->present;
  binding->conditional = run->present != NULL;
  binding->target.instance = run->found_count ? run->found[0].target : INSTANCE_NONE;
  binding->target.accept = run->found_count ? run->found[0].accept : 0;
  binding->accept = run->found_count ? run->r->model->accepts[binding->target.accept] : NULL;
}

/* One target, the same for all: it is looked for once. */
static bool bind_one_for_all(struct run *run, struct binding *binding) {
  uint8_t *present = run->present;
  uint32_t count = run->present_count, first = run->present_first;
  run->present = NULL;
  if (!run_all(run, first, 1)) return false;
  run->present = present;
  if (run->found_count > 1 || (run->found_count == 0 && run->request->quantifier == TARGET_ONE))
    return report(run, first, count);
  bind_same(run, binding);
  return true;
}

/* Targets of dataflow are mostly as far from an instance's share of them as from others': the same one, the next one,
 * a neighbour's. Then a byte says which. False: there are too many distances. */
static bool targets_code(struct run *run, struct binding *binding) {
  struct arena *arena = run->r->arena, before = *arena;
  const struct instances *set = &run->r->graph->instances[run->plan->candidates[0].accept->component->id];
  uint32_t count = run->set->count, used = CODE_NONE + 1, times = set->count, over = count;
  uint32_t *offsets = ARENA_ARRAY(arena, uint32_t, CODES_MOST);
  uint8_t *codes = ARENA_ARRAY(arena, uint8_t, count);
  for (uint32_t a = times, b = over, rest; b; a = b, b = rest)
    if (!(rest = a % b)) {
      times /= b;
      over /= b;
    }
  for (uint32_t k = 0; k < count; k++) {
    uint32_t target = run->targets[k], offset = target - (uint32_t)((uint64_t)k * times / over);
    uint32_t code = target == INSTANCE_ABSENT ? CODE_ABSENT : CODE_NONE;
    if (target < INSTANCE_ABSENT) do
        code++;
      while (code < used && offsets[code] != offset);
    if (code == CODES_MOST) {
      arena_return(arena, &before);
      return false;
    }
    if (code == used) offsets[used++] = offset;
    codes[k] = (uint8_t)code;
  }
  binding->codes = codes;
  binding->offsets = offsets;
  binding->times = times;
  binding->over = over;
  return true;
}

static void targets_keep(struct run *run, struct binding *binding) {
  size_t size = run->set->count * sizeof *run->targets;
  bool flows = run->request->protocol == PROTOCOL_DATAFLOW && run->plan->count == 1;
  if (flows && targets_code(run, binding)) return;
  uint32_t *targets = ARENA_ARRAY(run->r->arena, uint32_t, run->set->count);
  binding->targets = size ? memcpy(targets, run->targets, size) : targets;
}

static bool bind_table(struct run *run, struct binding *binding) {
  uint32_t count = run->set->count, missing = 0, first = 0;
  run->targets = ARENA_ARRAY(&run->r->scratch, uint32_t, count);
  if (run->plan->count > 1) run->accepts = ARENA_ARRAY(run->r->arena, uint32_t, count);
  for (uint32_t k = 0; k < count; k++)
    run->targets[k] = is_present(run, k) ? INSTANCE_NONE : INSTANCE_ABSENT;
  if (!run_all(run, 0, count)) return false;
  for (uint32_t k = count; k-- > 0;) {
    bool none = run->targets[k] == INSTANCE_NONE && run->request->quantifier == TARGET_ONE;
    bool several = run->several && (run->several[k / 8] >> k % 8 & 1);
    if (!none && !several) continue;
    missing++;
    first = k;
  }
  binding->kind = BINDING_TABLE;
  targets_keep(run, binding);
  binding->accepts = run->accepts;
  binding->accept = run->plan->count == 1 ? run->plan->candidates[0].accept : NULL;
  return !missing || report(run, first, missing);
}

static int found_order(const void *left, const void *right) {
  const struct found *a = left, *b = right;
  if (a->requester != b->requester) return a->requester < b->requester ? -1 : 1;
  if (a->target != b->target) return a->target < b->target ? -1 : 1;
  return a->accept < b->accept ? -1 : a->accept > b->accept;
}

static bool bind_lists(struct run *run, struct binding *binding) {
  struct arena *arena = run->r->arena;
  uint32_t count = run->set->count;
  if (!run_all(run, 0, count)) return false;
  if (run->found_count >= UINT32_MAX) {
    diagnostic_add(run->r->model->diagnostics, SEVERITY_ERROR, run->request->syntax->selector_span,
                   "this request has %llu targets in all: more than %u", (unsigned long long)run->found_count,
                   UINT32_MAX - 1);
    return false;
  }
  uint32_t found = (uint32_t)run->found_count, at = 0;
  if (run->plan->count > 1 && found) qsort(run->found, found, sizeof *run->found, found_order);
  uint32_t *starts = ARENA_ARRAY(arena, uint32_t, count + 1), *targets = ARENA_ARRAY(arena, uint32_t, found);
  uint32_t *accepts = run->plan->count > 1 ? ARENA_ARRAY(arena, uint32_t, found) : NULL;
  uint32_t missing = 0, first = 0;
  for (uint32_t k = 0; k < count; k++) {
    starts[k] = at;
    for (; at < found && run->found[at].requester == k; at++) {
      targets[at] = run->found[at].target;
      if (accepts) accepts[at] = run->found[at].accept;
    }
    if (at > starts[k] || run->request->quantifier != TARGET_ANY || !is_present(run, k)) continue;
    if (!missing++) first = k;
  }
  starts[count] = at;
  binding->kind = BINDING_EVERY;
  binding->starts = starts;
  binding->targets = targets;
  binding->accepts = accepts;
  binding->accept = run->plan->count == 1 ? run->plan->candidates[0].accept : NULL;
  return !missing || report(run, first, missing);
}

/* ---- late ones ---- */

static bool bind_late(struct run *run, struct binding *binding) {
  binding->kind = BINDING_LATE;
  binding->present = run->present;
  binding->conditional = run->present || run->plan->late_where;
  binding->late_where = run->plan->late_where;
  binding->late_because = run->plan->because;
  binding->late = ARENA_NEW(run->r->arena, struct late);
  binding->late->plan = run->plan;
  if (!run->plan->count && (run->request->quantifier == TARGET_ONE || run->request->quantifier == TARGET_ANY))
    return report(run, run->present_first, run->present_count);
  return true;
}

static void list_candidates(struct run *run, struct binding *binding) {
  struct plan *plan = run->plan;
  binding->candidate_count = plan->count;
  binding->candidates = ARENA_ARRAY(run->r->arena, struct model_accept *, plan->count);
  binding->adapters = ARENA_ARRAY(run->r->arena, struct adapter *, plan->count);
  for (uint32_t k = 0; k < plan->count; k++) {
    binding->candidates[k] = plan->candidates[k].accept;
    if (plan->candidates[k].adapter) binding->adapters[binding->adapter_count++] = plan->candidates[k].adapter;
  }
}

bool bind_request(struct resolver *r, struct plan *plan) {
  struct model_request *request = plan->request;
  struct run run = {.r = r,
                    .plan = plan,
                    .request = request,
                    .set = &r->graph->instances[request->component->id],
                    .dims = request->component->index_count};
  struct binding *binding = &r->graph->bindings[request->id];
  binding->kind = BINDING_ABSENT;
  if (plan->impossible || !run.set->count) return true;
  if (!find_present(&run)) return false;
  if (!run.present_count) return true;
  list_candidates(&run, binding);
  open_run(&run);
  for (uint32_t k = 0; k < plan->count; k++)
    if (!worth_it(&run, &run.sides[k])) return false;
  if (plan->late) return bind_late(&run, binding);
  bool lists = request->quantifier == TARGET_EVERY || request->quantifier == TARGET_ANY;
  if (!plan->count && request->quantifier != TARGET_OPTIONAL) return report(&run, run.present_first, run.present_count);
  if (lists) return bind_lists(&run, binding);
  return same_for_all(&run) ? bind_one_for_all(&run, binding) : bind_table(&run, binding);
}
