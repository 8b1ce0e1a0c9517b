/* Timers and counters in a program, for psl calibrate. Which loops are timed, and which blocks are counted, a file says
 * that psl has made of the facts: lines "nest LOOP", numbered from 0, and "branch BLOCK LOOP NEST", numbered from 0. What
 * is called stands in timers/nest_timers.c.
 *
 * A nest whose branches are counted is there twice, so that counters change nothing where time is taken: which of the two
 * runs, psl_nest_begin says. */
#include "interp/compile/plugin/facts.h"

#include <stdio.h>
#include <vector>

namespace {

struct nest_line {
  int loop;
};
struct branch_line {
  int block, loop, nest;
};

tree declared(const char *name, tree result, tree parameter) {
  tree type = build_function_type_list(result, parameter, NULL_TREE);
  tree decl = build_fn_decl(name, type);
  set_call_expr_flags(decl, ECF_NOTHROW | ECF_LEAF);
  return decl;
}

void insert_end(basic_block block, gimple *statement) {
  gimple_stmt_iterator at = gsi_last_bb(block);
  gsi_insert_after(&at, statement, GSI_NEW_STMT);
}

gcall *call_of(tree decl, unsigned number) {
  return gimple_build_call(decl, 1, build_int_cst(unsigned_type_node, number));
}

void count_at(basic_block block, tree count, unsigned number) {
  gimple_stmt_iterator at = gsi_after_labels(block);
  gsi_insert_before(&at, call_of(count, number), GSI_NEW_STMT);
}

/* Where each pass of a loop comes along that does something: behind the test that its header begins with, if it has one. */
void count_passes(basic_block header, class loop *loop, tree count, unsigned number) {
  edge way, stays = NULL;
  edge_iterator ways;
  bool leaves = false;
  FOR_EACH_EDGE(way, ways, header->succs) {
    if (flow_bb_inside_loop_p(loop, way->dest)) stays = way;
    else leaves = true;
  }
  if (leaves && stays && stays->dest != header) count_at(split_edge(stays), count, number);
  else count_at(header, count, number);
}

bool read_lines(const char *path, std::vector<nest_line> &nests, std::vector<branch_line> &branches, std::string &table) {
  FILE *file = fopen(path, "r");
  char line[4096];
  bool in_table = false;
  if (!file) return false;
  while (fgets(line, sizeof line, file)) {
    nest_line nest;
    branch_line branch;
    in_table |= strncmp(line, "source ", 7) == 0;
    if (in_table) table += line;
    else if (sscanf(line, "nest %d", &nest.loop) == 1) nests.push_back(nest);
    else if (sscanf(line, "branch %d %d %d", &branch.block, &branch.loop, &branch.nest) == 3) branches.push_back(branch);
  }
  fclose(file);
  return true;
}

/* A copy of the loop that runs where `flag` is not 0; NULL: GCC cannot make one. */
class loop *doubled(class loop *loop, tree flag) {
  basic_block *body = get_loop_body(loop);
  bool can = can_copy_bbs_p(body, loop->num_nodes);
  free(body);
  if (!can) return NULL;
  basic_block condition;
  profile_probability likely = profile_probability::very_likely();
  return loop_version(loop, build2(EQ_EXPR, boolean_type_node, flag, build_zero_cst(integer_type_node)), &condition, likely,
                      likely.invert(), likely, likely.invert(), true);
}

void instrument_nest(function *fun, unsigned number, class loop *loop, const std::vector<branch_line> &branches) {
  tree begin = declared("psl_nest_begin", integer_type_node, unsigned_type_node);
  tree end = declared("psl_nest_end", void_type_node, unsigned_type_node);
  tree count = declared("psl_nest_count", void_type_node, unsigned_type_node);
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (unsigned i = 0; i < exits.length(); i++)
    if (!(exits[i]->flags & (EDGE_EH | EDGE_ABNORMAL))) insert_end(split_edge(exits[i]), call_of(end, number));
  gcall *call = call_of(begin, number);
  tree flag = make_ssa_name(integer_type_node, call);
  gimple_call_set_lhs(call, flag);
  insert_end(split_edge(loop_preheader_edge(loop)), call);
  std::vector<basic_block> blocks(last_basic_block_for_fn(fun));
  std::vector<class loop *> loops(number_of_loops(fun));
  for (const branch_line &branch : branches)
    if (branch.nest == (int)number) {
      blocks[branch.block] = BASIC_BLOCK_FOR_FN(fun, branch.block);
      loops[branch.loop] = get_loop(fun, branch.loop);
    }
  bool any = false;
  for (const branch_line &branch : branches)
    any |= branch.nest == (int)number;
  if (!any) return;
  update_ssa(TODO_update_ssa);
  initialize_original_copy_tables();
  class loop *copy = doubled(loop, flag);
  if (copy)
    for (unsigned i = 0; i < branches.size(); i++) {
      if (branches[i].nest != (int)number) continue;
      basic_block header = get_bb_copy(loops[branches[i].loop]->header);
      count_at(get_bb_copy(blocks[branches[i].block]), count, 2 * i);
      count_passes(header, header->loop_father, count, 2 * i + 1);
    }
  free_original_copy_tables();
}

/* What of GCC's optimizations the facts were written without is made up for. */
void optimize_as_usual(bool math) {
  struct cl_optimization *options = TREE_OPTIMIZATION(optimization_default_node);
  options->x_flag_thread_jumps = 1;
  options->x_flag_tree_switch_conversion = 1;
  options->x_flag_optimize_sibling_calls = 1;
  options->x_param_lim_expensive = 20;
  if (math) {
    options->x_flag_trapping_math = 1;
    options->x_flag_errno_math = strncmp(lang_hooks.name, "GNU F", 5) != 0;
  }
  cl_optimization_restore(&global_options, &global_options_set, options);
}

}

void instrument(function *fun, const char *path, bool math) {
  std::vector<nest_line> nests;
  std::vector<branch_line> branches;
  std::string table;
  if (!read_lines(path, nests, branches, table)) fatal_error(UNKNOWN_LOCATION, "%s cannot be read", path);
  for (unsigned i = 0; i < nests.size(); i++)
    instrument_nest(fun, i, get_loop(fun, nests[i].loop), branches);
  tree text = build_string_literal(table.size() + 1, table.c_str());
  basic_block first = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)));
  insert_end(first, gimple_build_call(declared("psl_nests_begin", void_type_node, build_pointer_type(char_type_node)), 1, text));
  loops_state_set(LOOPS_NEED_FIXUP);
  update_ssa(TODO_update_ssa);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  cgraph_edge::rebuild_edges();
  optimize_as_usual(math);
}
