/* What the nests of loops in which nothing is sent are replaced by: calls of psl's runtime (sliced_runtime.c) that say
 * which nest it is and how many operations it has. Where the passes of all loops of a nest are known when it is come
 * to, one call says it all. Where those of a loop depend on another one's counter, or on data, the outer loop is left,
 * and counts what is in it. As in models, every branch inside of a nest counts as taken. */
#include "interp/compile/plugin/sliced_program.h"

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

/* How often the loop is passed each time, when the nest is come to: NULL: that is not known. */
tree passes_of(class loop *loop, class loop *nest, gimple_seq *to) {
  tree all = NULL_TREE;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (edge exit : exits) {
    class tree_niter_desc steps;
    if (exit->flags & (EDGE_EH | EDGE_ABNORMAL | EDGE_FAKE)) return NULL_TREE;
    if (!number_of_iterations_exit(loop, exit, &steps, false, true)) return NULL_TREE;
    if (!integer_onep(steps.assumptions) && !integer_nonzerop(steps.assumptions)) return NULL_TREE;
    tree count = resolved(steps.niter, nest, loop), none = resolved(steps.may_be_zero, nest, loop);
    if (!count || !none) return NULL_TREE;
    if (!to) {
      all = count;
      continue;
    }
    tree type = long_integer_type_node;
    tree passes = gimple_convert(to, type, emit(to, count));
    if (!integer_zerop(none)) {
      tree test = emit(to, none);
      test = gimple_build(to, NE_EXPR, boolean_type_node, test, build_zero_cst(TREE_TYPE(test)));
      passes = gimple_build(to, COND_EXPR, type, test, build_zero_cst(type), passes);
    }
    if (tests_last(loop, exit)) passes = gimple_build(to, PLUS_EXPR, type, passes, build_one_cst(type));
    all = all ? gimple_build(to, MIN_EXPR, type, all, passes) : passes;
  }
  return all;
}

bool are_all_known(class loop *loop, class loop *nest) {
  if (!passes_of(loop, nest, NULL)) return false;
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (!are_all_known(inner, nest)) return false;
  return true;
}

/* ---- operations ---- */

struct operations {
  long counts[OPERATION_KINDS];
};

struct operations own_operations(class loop *loop) {
  static const char *const words[] = {"int", "float", "load", "store"};
  struct operations own = {};
  basic_block *blocks = get_loop_body(loop);
  for (unsigned b = 0; b < loop->num_nodes; b++) {
    if (blocks[b]->loop_father != loop) continue;
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(blocks[b]); !gsi_end_p(at); gsi_next_nondebug(&at))
      for (int k = 0; k < OPERATION_KINDS; k++)
        if (!strcmp(operation_of(gsi_stmt(at)), words[k])) own.counts[k]++;
  }
  free(blocks);
  return own;
}

/* Adds those of the loop, and of all in it, to `sums`, whose passes are known. */
void sum_operations(class loop *loop, class loop *nest, gimple_seq *to, tree sums[OPERATION_KINDS]) {
  tree type = long_integer_type_node, passes = passes_of(loop, nest, to), inside[OPERATION_KINDS];
  struct operations own = own_operations(loop);
  for (int k = 0; k < OPERATION_KINDS; k++)
    inside[k] = build_int_cst(type, own.counts[k]);
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    sum_operations(inner, nest, to, inside);
  for (int k = 0; k < OPERATION_KINDS; k++)
    sums[k] = gimple_build(to, PLUS_EXPR, type, sums[k], gimple_build(to, MULT_EXPR, type, passes, inside[k]));
}

void put_before(class loop *loop, gimple_seq statements) {
  edge way = loop_preheader_edge(loop);
  gimple_stmt_iterator at = gsi_last_bb(way->src);
  if (!gsi_end_p(at) && stmt_ends_bb_p(gsi_stmt(at))) gsi_insert_seq_before(&at, statements, GSI_SAME_STMT);
  else gsi_insert_seq_after(&at, statements, GSI_NEW_STMT);
}

gcall *count_call(const runtime &names, tree sums[OPERATION_KINDS]) {
  return gimple_build_call(names.count, 4, sums[0], sums[1], sums[2], sums[3]);
}

void count_own(const runtime &names, class loop *loop) {
  struct operations own = own_operations(loop);
  tree sums[OPERATION_KINDS];
  for (int k = 0; k < OPERATION_KINDS; k++)
    sums[k] = build_int_cst(long_integer_type_node, own.counts[k]);
  bool last = false;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (edge exit : exits)
    last |= tests_last(loop, exit);
  gimple_stmt_iterator at = gsi_after_labels(loop->latch);
  gsi_insert_before(&at, count_call(names, sums), GSI_SAME_STMT);
  if (!last) return;
  gimple_seq once = NULL;
  gimple_seq_add_stmt(&once, count_call(names, sums));
  put_before(loop, once);
}

/* The passes of a loop that are not known are counted as they come. */
void count_loop(const runtime &names, class loop *loop) {
  if (are_all_known(loop, loop)) {
    gimple_seq before = NULL;
    tree sums[OPERATION_KINDS];
    for (int k = 0; k < OPERATION_KINDS; k++)
      sums[k] = build_zero_cst(long_integer_type_node);
    sum_operations(loop, loop, &before, sums);
    gimple_seq_add_stmt(&before, count_call(names, sums));
    put_before(loop, before);
    return;
  }
  count_own(names, loop);
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    count_loop(names, inner);
}

/* A few passes, by constants, take no time. */
bool is_trivial(class loop *loop, long outer) {
  gimple_seq none = NULL;
  tree passes = passes_of(loop, loop, &none);
  if (!passes || !tree_fits_shwi_p(passes)) return false;
  long all = outer * (tree_to_shwi(passes) < 100 ? tree_to_shwi(passes) : 100);
  if (all > 16) return false;
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (!is_trivial(inner, all)) return false;
  return true;
}

bool is_nest(class loop *loop, const hash_set<class loop *> &talking) {
  auto &talks = const_cast<hash_set<class loop *> &>(talking);
  class loop *outer = loop_outer(loop);
  return outer && !talks.contains(loop) && (loop_depth(loop) == 1 || talks.contains(outer));
}

}

runtime::runtime() {
  tree number = long_integer_type_node, text = build_pointer_type(build_qualified_type(char_type_node, TYPE_QUAL_CONST));
  begin = function_named("psl_nest_begin", void_type_node, {text, integer_type_node});
  count = function_named("psl_nest_count", void_type_node, {number, number, number, number});
  end = function_named("psl_nest_end", void_type_node, {});
  data = function_named("psl_no_data", ptr_type_node, {});
  TREE_READONLY(data) = 1;
}

bool runtime::calls(gimple *statement) const {
  gcall *call = dyn_cast<gcall *>(statement);
  tree decl = call ? gimple_call_fndecl(call) : NULL_TREE;
  return decl && (decl == begin || decl == count || decl == end);
}

/* By the function of the source and the line, as models call them. */
std::string nest_name(class loop *loop) {
  location_t where = loop_place(loop);
  gimple *last = last_stmt(loop->header);
  const char *function = last ? source_function(last) : "";
  return std::string(function) + ":" + std::to_string(expand_location(where).line);
}

void count_nests(const runtime &names, const hash_set<class loop *> &talking, const std::set<std::string> &kept,
                 std::set<std::string> &met, hash_set<class loop *> &kept_loops) {
  auto_vec<class loop *> nests;
  for (auto loop : loops_list(cfun, 0))
    if (loop->num && is_nest(loop, talking) && !is_trivial(loop, 1)) nests.safe_push(loop);
  for (class loop *nest : nests) {
    std::string name = nest_name(nest);
    bool is_kept = kept.count(name) > 0;
    met.insert(name);
    if (is_kept) kept_loops.add(nest);
    bool whole = are_all_known(nest, nest);
    gimple_seq before = NULL;
    tree text = build_string_literal(name.size() + 1, name.c_str());
    gimple_seq_add_stmt(&before, gimple_build_call(names.begin, 2, text, build_int_cst(integer_type_node, is_kept)));
    put_before(nest, before);
    count_loop(names, nest);
    if (whole && !is_kept) {
      before = NULL;
      gimple_seq_add_stmt(&before, gimple_build_call(names.end, 0));
      put_before(nest, before);
      continue;
    }
    auto_vec<edge> exits = get_loop_exit_edges(nest);
    for (edge exit : exits)
      gsi_insert_on_edge(exit, gimple_build_call(names.end, 0));
  }
  gsi_commit_edge_inserts();
}
