/* What the nests of loops in which nothing is sent are replaced by: calls of psl's runtime (sliced_runtime.c) that say
 * which nest it is and how many operations it has. Where the passes of all loops of a nest are known when it is come
 * to, one call says it all. Where those of a loop depend on another one's counter, or on data, the outer loop is left,
 * and counts what is in it. As in models, every branch inside of a nest counts as taken. */
#include "interp/compile/plugin/sliced_program.h"
#include "evaluators/programs/sliced/told.h"

namespace {

tree function_named(const char *name, tree result, std::initializer_list<tree> parameters) {
  auto_vec<tree> types;
  for (tree type : parameters)
    types.safe_push(type);
  tree type = build_function_type_array(result, types.length(), types.address());
  tree decl = build_fn_decl(name, type);
  TREE_NOTHROW(decl) = 1;
  return decl;
}

/* ---- passes of loops, as values before a nest ---- */

bool is_sayable(tree expression, class loop *nest, int depth) {
  if (!expression || depth > 40) return false;
  if (is_gimple_min_invariant(expression)) return true;
  if (TREE_CODE(expression) == SSA_NAME) {
    basic_block block = gimple_bb(SSA_NAME_DEF_STMT(expression));
    return !block || !flow_bb_inside_loop_p(nest, block);
  }
  switch (TREE_CODE(expression)) {
  case COND_EXPR:
  case TRUTH_AND_EXPR:
  case TRUTH_OR_EXPR:
  case TRUTH_ANDIF_EXPR:
  case TRUTH_ORIF_EXPR:
  case TRUTH_NOT_EXPR: break;
  default:
    if (!UNARY_CLASS_P(expression) && !BINARY_CLASS_P(expression) && !COMPARISON_CLASS_P(expression)) return false;
  }
  for (int i = 0; i < TREE_OPERAND_LENGTH(expression); i++)
    if (!is_sayable(TREE_OPERAND(expression, i), nest, depth + 1)) return false;
  return true;
}

/* Statements that compute it. No division is by 0: one that the program would not come to counts as by 1. */
tree emit(gimple_seq *to, tree expression) {
  tree type = TREE_TYPE(expression);
  if (is_gimple_val(expression)) return expression;
  enum tree_code code = TREE_CODE(expression);
  tree first = emit(to, TREE_OPERAND(expression, 0));
  switch (code) {
  CASE_CONVERT:
  case NON_LVALUE_EXPR: return gimple_convert(to, type, first);
  case TRUTH_NOT_EXPR: return gimple_build(to, EQ_EXPR, boolean_type_node, first, build_zero_cst(TREE_TYPE(first)));
  case COND_EXPR: {
    tree holds = emit(to, TREE_OPERAND(expression, 1)), fails = emit(to, TREE_OPERAND(expression, 2));
    tree test = gimple_build(to, NE_EXPR, boolean_type_node, first, build_zero_cst(TREE_TYPE(first)));
    return gimple_build(to, COND_EXPR, type, test, gimple_convert(to, type, holds), gimple_convert(to, type, fails));
  }
  case TRUTH_AND_EXPR:
  case TRUTH_ANDIF_EXPR:
  case TRUTH_OR_EXPR:
  case TRUTH_ORIF_EXPR: {
    tree second = emit(to, TREE_OPERAND(expression, 1));
    bool both = code == TRUTH_AND_EXPR || code == TRUTH_ANDIF_EXPR;
    first = gimple_convert(to, boolean_type_node, first);
    return gimple_build(to, both ? BIT_AND_EXPR : BIT_IOR_EXPR, boolean_type_node, first,
                        gimple_convert(to, boolean_type_node, second));
  }
  case TRUNC_DIV_EXPR:
  case FLOOR_DIV_EXPR:
  case CEIL_DIV_EXPR:
  case EXACT_DIV_EXPR:
  case TRUNC_MOD_EXPR:
  case FLOOR_MOD_EXPR: {
    tree second = emit(to, TREE_OPERAND(expression, 1));
    if (TREE_CODE(second) != INTEGER_CST && INTEGRAL_TYPE_P(type)) {
      tree none = gimple_build(to, EQ_EXPR, boolean_type_node, second, build_zero_cst(type));
      second = gimple_build(to, COND_EXPR, type, none, build_one_cst(type), second);
    }
    return gimple_build(to, code, type, first, second);
  }
  default: break;
  }
  if (TREE_OPERAND_LENGTH(expression) == 1) return gimple_build(to, code, type, first);
  return gimple_build(to, code, COMPARISON_CLASS_P(expression) ? boolean_type_node : type, first,
                      emit(to, TREE_OPERAND(expression, 1)));
}

/* Is the test behind all that the loop does? */
bool tests_last(class loop *loop, edge exit) {
  if (exit->src == loop->latch) return true;
  if (exit->src == loop->header || !loop->latch) return false;
  return find_edge(exit->src, loop->latch) && empty_block_p(loop->latch);
}

tree resolved(tree expression, class loop *nest, class loop *loop) {
  if (is_sayable(expression, nest, 0)) return expression;
  class loop *outer = loop_outer(loop);
  if (loop == nest || !outer || loop_depth(outer) < 1) return NULL_TREE;
  tree said = instantiate_scev(loop_preheader_edge(nest), outer, analyze_scalar_evolution(outer, expression));
  return is_sayable(said, nest, 0) ? said : NULL_TREE;
}

/* Where the exit is decided by what does not change in the loop: the condition by which it is taken; NULL: it is not so. */
tree steady_exit(class loop *loop, class loop *nest, edge exit) {
  gcond *condition = safe_dyn_cast<gcond *>(last_stmt(exit->src));
  if (!condition) return NULL_TREE;
  tree left = gimple_cond_lhs(condition), right = gimple_cond_rhs(condition);
  if (!expr_invariant_in_loop_p(loop, left) || !expr_invariant_in_loop_p(loop, right)) return NULL_TREE;
  left = resolved(left, nest, loop), right = resolved(right, nest, loop);
  if (!left || !right || FLOAT_TYPE_P(TREE_TYPE(left))) return NULL_TREE;
  enum tree_code code = gimple_cond_code(condition);
  if (exit->flags & EDGE_FALSE_VALUE) code = invert_tree_comparison(code, false);
  return build2(code, boolean_type_node, left, right);
}

tree or_none(gimple_seq *to, tree none, tree passes) {
  tree test = emit(to, none), type = TREE_TYPE(passes);
  test = gimple_build(to, NE_EXPR, boolean_type_node, test, build_zero_cst(TREE_TYPE(test)));
  return gimple_build(to, COND_EXPR, type, test, build_zero_cst(type), passes);
}

struct counted_exit { /* by a counter: it stays in the loop as long as `from` has not come to `to` */
  tree from, to;
  long step, more; /* of the difference */
};

/* Is it one, whose counter goes by a constant to what does not change? */
bool is_counted(class loop *loop, class loop *nest, edge exit, counted_exit *counted) {
  gcond *condition = safe_dyn_cast<gcond *>(last_stmt(exit->src));
  affine_iv sides[2];
  if (!condition || !loop->latch || !dominated_by_p(CDI_DOMINATORS, loop->latch, exit->src)) return false;
  for (int k = 0; k < 2; k++) {
    tree value = k ? gimple_cond_rhs(condition) : gimple_cond_lhs(condition);
    if (!INTEGRAL_TYPE_P(TREE_TYPE(value)) && !POINTER_TYPE_P(TREE_TYPE(value))) return false;
    if (!simple_iv(loop, exit->src->loop_father, value, &sides[k], false)) return false;
  }
  enum tree_code stays = gimple_cond_code(condition);
  if (exit->flags & EDGE_TRUE_VALUE) stays = invert_tree_comparison(stays, false);
  if (integer_zerop(sides[0].step)) {
    std::swap(sides[0], sides[1]);
    stays = swap_tree_comparison(stays);
  }
  if (!integer_zerop(sides[1].step) || !tree_fits_shwi_p(sides[0].step)) return false;
  long step = tree_to_shwi(sides[0].step);
  bool up = stays == LT_EXPR || stays == LE_EXPR || (stays == NE_EXPR && step > 0);
  if (step == 0 || stays == EQ_EXPR || up != (step > 0)) return false;
  counted->from = resolved(up ? sides[0].base : sides[1].base, nest, loop);
  counted->to = resolved(up ? sides[1].base : sides[0].base, nest, loop);
  counted->step = step < 0 ? -step : step;
  counted->more = (stays == LE_EXPR || stays == GE_EXPR) + counted->step - 1 + (tests_last(loop, exit) ? counted->step : 0);
  return counted->from && counted->to;
}

tree passes_counted(gimple_seq *to, const counted_exit &counted) {
  tree type = long_integer_type_node;
  tree first = gimple_convert(to, type, emit(to, counted.from)), last = gimple_convert(to, type, emit(to, counted.to));
  tree passes = gimple_build(to, MINUS_EXPR, type, last, first);
  passes = gimple_build(to, PLUS_EXPR, type, passes, build_int_cst(type, counted.more));
  passes = gimple_build(to, MAX_EXPR, type, passes, build_zero_cst(type));
  return counted.step == 1 ? passes : gimple_build(to, TRUNC_DIV_EXPR, type, passes, build_int_cst(type, counted.step));
}

/* As GCC knows it. */
tree passes_known(class loop *loop, class loop *nest, edge exit, gimple_seq *to) {
  class tree_niter_desc steps;
  if (!number_of_iterations_exit(loop, exit, &steps, false, true)) return NULL_TREE;
  if (integer_zerop(steps.assumptions)) return NULL_TREE; /* else counters do not overflow */
  tree count = resolved(steps.niter, nest, loop), none = resolved(steps.may_be_zero, nest, loop);
  if (!count || !none || !to) return count && none ? count : NULL_TREE;
  tree type = long_integer_type_node, passes = gimple_convert(to, type, emit(to, count));
  if (!integer_zerop(none)) passes = or_none(to, none, passes);
  return tests_last(loop, exit) ? gimple_build(to, PLUS_EXPR, type, passes, build_one_cst(type)) : passes;
}

/* How often the loop is passed each time, when the nest is come to: NULL: that is not known. Without `to` only whether it
 * is. */
tree passes_of(class loop *loop, class loop *nest, gimple_seq *to) {
  tree all = NULL_TREE, type = long_integer_type_node;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  auto_vec<tree> guards;
  for (edge exit : exits) {
    counted_exit counted;
    if (exit->flags & (EDGE_EH | EDGE_ABNORMAL | EDGE_FAKE)) return NULL_TREE;
    if (tree guard = steady_exit(loop, nest, exit)) {
      guards.safe_push(guard);
      continue;
    }
    bool counts = is_counted(loop, nest, exit, &counted);
    tree passes = !counts ? passes_known(loop, nest, exit, to) : to ? passes_counted(to, counted) : counted.to;
    if (!passes) return NULL_TREE;
    all = all && to ? gimple_build(to, MIN_EXPR, type, all, passes) : passes;
  }
  for (tree guard : guards)
    if (all && to) all = or_none(to, guard, all);
  return all;
}

bool are_all_known(class loop *loop, class loop *nest) {
  if (!passes_of(loop, nest, NULL)) return false;
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (!are_all_known(inner, nest)) return false;
  return true;
}

/* ---- operations ---- */

/* What is put into one nest. Operations are counted apart by the branches that they stand in, which the model has the
 * chances of. */
struct counting {
  const runtime &names;
  const plan &the_plan;
  std::vector<chances> &parts;
};

int part_of(counting &counting, const chances &branches) {
  for (size_t k = 0; k < counting.parts.size(); k++)
    if (counting.parts[k] == branches) return (int)k;
  counting.parts.push_back(branches);
  return (int)counting.parts.size() - 1;
}

/* Those of the loop itself, by part; a branch that is always taken has the name "-". */
std::map<int, operations> own_operations(counting &counting, class loop *loop, const chances &branches) {
  std::map<int, operations> own;
  auto found = counting.the_plan.own.find(loop->header->index);
  if (found == counting.the_plan.own.end()) return own;
  for (const auto &one : found->second) {
    chances inside = branches;
    if (one.first != "-") inside.push_back(one.first);
    operations &sum = own[part_of(counting, inside)];
    for (int k = 0; k < OPERATION_KINDS; k++)
      sum.counts[k] += one.second.counts[k];
  }
  return own;
}

typedef std::map<int, std::array<tree, OPERATION_KINDS>> sums;

/* Adds those of the loop, and of all in it, as often as it is passed. */
void sum_operations(counting &counting, class loop *loop, class loop *nest, gimple_seq *to, tree times, const chances &branches,
                    sums &all) {
  tree type = long_integer_type_node;
  tree passes = gimple_build(to, MULT_EXPR, type, times, passes_of(loop, nest, to));
  for (const auto &own : own_operations(counting, loop, branches))
    for (int k = 0; k < OPERATION_KINDS; k++) {
      tree &sum = all[own.first][k];
      tree more = gimple_build(to, MULT_EXPR, type, passes, build_int_cst(type, own.second.counts[k]));
      sum = sum ? gimple_build(to, PLUS_EXPR, type, sum, more) : more;
    }
  for (class loop *inner = loop->inner; inner; inner = inner->next) {
    chances inside = branches;
    auto stands = counting.the_plan.branches.find(inner->header->index);
    if (stands != counting.the_plan.branches.end()) inside.push_back(stands->second);
    sum_operations(counting, inner, nest, to, passes, inside, all);
  }
}

void put_before(class loop *loop, gimple_seq statements) {
  edge way = loop_preheader_edge(loop);
  gimple_stmt_iterator at = gsi_last_bb(way->src);
  if (!gsi_end_p(at) && stmt_ends_bb_p(gsi_stmt(at))) gsi_insert_seq_before(&at, statements, GSI_SAME_STMT);
  else gsi_insert_seq_after(&at, statements, GSI_NEW_STMT);
}

gcall *count_call(const runtime &names, int part, const std::array<tree, OPERATION_KINDS> &sums) {
  return gimple_build_call(names.count, 5, build_int_cst(integer_type_node, part), sums[0], sums[1], sums[2], sums[3]);
}

void count_own(counting &counting, class loop *loop) {
  bool last = false;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (edge exit : exits)
    last |= tests_last(loop, exit);
  for (const auto &own : own_operations(counting, loop, {})) {
    std::array<tree, OPERATION_KINDS> sums;
    for (int k = 0; k < OPERATION_KINDS; k++)
      sums[k] = build_int_cst(long_integer_type_node, own.second.counts[k]);
    gimple_stmt_iterator at = gsi_after_labels(loop->latch);
    gsi_insert_before(&at, count_call(counting.names, own.first, sums), GSI_SAME_STMT);
    if (!last) continue;
    gimple_seq once = NULL;
    gimple_seq_add_stmt(&once, count_call(counting.names, own.first, sums));
    put_before(loop, once);
  }
}

/* The passes of a loop that are not known are counted as they come. */
void count_loop(counting &counting, class loop *loop) {
  if (are_all_known(loop, loop)) {
    gimple_seq before = NULL;
    sums all;
    sum_operations(counting, loop, loop, &before, build_one_cst(long_integer_type_node), {}, all);
    for (const auto &part : all)
      gimple_seq_add_stmt(&before, count_call(counting.names, part.first, part.second));
    put_before(loop, before);
    return;
  }
  count_own(counting, loop);
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    count_loop(counting, inner);
}

}

runtime::runtime() {
  tree number = long_integer_type_node;
  begin = function_named("psl_nest_begin", void_type_node, {integer_type_node, integer_type_node, integer_type_node});
  count = function_named("psl_nest_count", void_type_node, {integer_type_node, number, number, number, number});
  end = function_named("psl_nest_end", void_type_node, {});
  data = function_named("psl_no_data", ptr_type_node, {integer_type_node});
  TREE_READONLY(data) = 1;
  passes = function_named("psl_passes", number, {build_pointer_type(char_type_node)});
  TREE_READONLY(passes) = 1;
}

bool runtime::calls(gimple *statement) const {
  gcall *call = dyn_cast<gcall *>(statement);
  tree decl = call ? gimple_call_fndecl(call) : NULL_TREE;
  return decl && (decl == begin || decl == count || decl == end);
}

void count_nests(const runtime &names, const plan &plan, nest_parts &parts, hash_set<class loop *> &kept,
                 std::vector<known_nest> &known) {
  auto_vec<class loop *> nests;
  for (auto loop : loops_list(cfun, 0))
    if (plan.nests.count(loop->header->index)) nests.safe_push(loop);
  std::vector<std::pair<gcall *, const std::vector<chances> *>> begins;
  for (class loop *nest : nests) {
    const std::string &name = plan.nests.at(nest->header->index);
    bool is_kept = plan.kept.count(name) > 0, whole = are_all_known(nest, nest);
    counting counting = {names, plan, parts[name]};
    if (is_kept) kept.add(nest);
    gimple_seq before = NULL;
    size_t number = std::find(plan.names.begin(), plan.names.end(), name) - plan.names.begin();
    gimple_seq_add_stmt(&before, gimple_build_call(names.begin, 3, build_int_cst(integer_type_node, number), integer_zero_node,
                                                   build_int_cst(integer_type_node, is_kept ? NEST_KEPT : whole ? NEST_GONE : NEST_IN_PART)));
    gcall *begin = as_a<gcall *>(gimple_seq_last_stmt(before));
    begins.push_back({begin, &counting.parts});
    put_before(nest, before);
    count_loop(counting, nest);
    if (whole && !is_kept) {
      before = NULL;
      gimple_seq_add_stmt(&before, gimple_build_call(names.end, 0));
      known.push_back({nest, begin, as_a<gcall *>(gimple_seq_last_stmt(before))});
      put_before(nest, before);
      continue;
    }
    auto_vec<edge> exits = get_loop_exit_edges(nest);
    for (edge exit : exits)
      gsi_insert_on_edge(exit, gimple_build_call(names.end, 0));
  }
  gsi_commit_edge_inserts();
  for (auto &begin : begins)
    gimple_call_set_arg(begin.first, 1, build_int_cst(integer_type_node, begin.second->size()));
}

std::vector<gcall *> end_behind(const runtime &names, const known_nest &nest) {
  std::vector<gcall *> ends;
  gimple_stmt_iterator at = gsi_for_stmt(nest.end);
  unlink_stmt_vdef(nest.end);
  gsi_remove(&at, true);
  gimple_call_set_arg(nest.begin, 2, build_int_cst(integer_type_node, NEST_IN_PART));
  auto_vec<edge> exits = get_loop_exit_edges(nest.loop);
  for (edge exit : exits) {
    ends.push_back(gimple_build_call(names.end, 0));
    gsi_insert_on_edge_immediate(exit, ends.back());
  }
  return ends;
}
