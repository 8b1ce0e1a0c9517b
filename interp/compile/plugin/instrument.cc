/* Timers, or counters, in a program, for psl calibrate; what they call stands in timers/nest_timers.c. Where they are to be,
 * a file says that psl has made of the facts:
 *
 *   place LINE FUNCTION    a nest that is timed: a loop of that function of the source, numbered from 0
 *   branch BLOCK LOOP      a block that is counted, and passes of its loop, by their numbers in the facts
 *   source ...             from here on: what the program says of itself
 *
 * The program that is timed is optimized as it would be without timers: its functions are inlined where GCC sees fit. The
 * one that counts is made as the facts are, all in main. */
#include "interp/compile/plugin/facts.h"

#include <stdio.h>
#include <vector>

namespace {

struct place_line {
  int line;
  std::string function;
};
struct branch_line {
  int block, loop;
};
struct wanted_lines {
  std::vector<place_line> places;
  std::vector<branch_line> branches;
  std::string table;
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

wanted_lines read_lines(const char *path) {
  wanted_lines lines;
  FILE *file = fopen(path, "r");
  if (!file) fatal_error(UNKNOWN_LOCATION, "%s cannot be read", path);
  char line[4096];
  bool in_table = false;
  while (fgets(line, sizeof line, file)) {
    branch_line branch;
    int number, behind;
    in_table |= strncmp(line, "source ", 7) == 0;
    if (in_table) lines.table += line;
    else if (sscanf(line, "branch %d %d", &branch.block, &branch.loop) == 2) lines.branches.push_back(branch);
    else if (sscanf(line, "place %d %n", &number, &behind) == 1)
      lines.places.push_back({number, std::string(line + behind, strcspn(line + behind, "\n"))});
  }
  fclose(file);
  return lines;
}

/* The program says what it is made of before all else. */
void begin_table(function *fun, const std::string &table) {
  tree text = build_string_literal(table.size() + 1, table.c_str());
  basic_block first = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)));
  insert_end(first, gimple_build_call(declared("psl_nests_begin", void_type_node, build_pointer_type(char_type_node)), 1, text));
}

void changed() {
  loops_state_set(LOOPS_NEED_FIXUP);
  update_ssa(TODO_update_ssa);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  cgraph_edge::rebuild_edges();
}

/* ---- timers ---- */

/* -1: it is none that is timed. */
int place_number(class loop *loop, const wanted_lines &lines) {
  gimple *test = last_stmt(loop->header);
  int line = expand_location(place_of(loop)).line;
  for (unsigned i = 0; test && i < lines.places.size(); i++)
    if (lines.places[i].line == line && lines.places[i].function == function_of(test)) return i;
  return -1;
}

bool is_in_timed(class loop *loop, const wanted_lines &lines) {
  for (class loop *outer = loop_outer(loop); outer && loop_outer(outer); outer = loop_outer(outer))
    if (place_number(outer, lines) >= 0) return true;
  return false;
}

void time_loop(class loop *loop, unsigned number) {
  tree begin = declared("psl_nest_begin", void_type_node, unsigned_type_node);
  tree end = declared("psl_nest_end", void_type_node, unsigned_type_node);
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (unsigned i = 0; i < exits.length(); i++)
    if (!(exits[i]->flags & (EDGE_EH | EDGE_ABNORMAL))) insert_end(split_edge(exits[i]), call_of(end, number));
  insert_end(split_edge(loop_preheader_edge(loop)), call_of(begin, number));
}

void time_function(function *fun, const wanted_lines &lines) {
  push_cfun(fun);
  current_function_decl = fun->decl;
  loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  std::vector<std::pair<class loop *, int>> timed;
  for (auto loop : loops_list(fun, 0)) {
    int number = place_number(loop, lines);
    if (number >= 0 && !is_in_timed(loop, lines)) timed.push_back({loop, number});
  }
  for (const auto &one : timed)
    time_loop(one.first, one.second);
  if (MAIN_NAME_P(DECL_NAME(fun->decl))) begin_table(fun, lines.table);
  changed();
  loop_optimizer_finalize();
  current_function_decl = NULL_TREE;
  pop_cfun();
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

void add_timers(const char *path, bool math) {
  wanted_lines lines = read_lines(path);
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
    time_function(DECL_STRUCT_FUNCTION(node->decl), lines);
  optimize_as_usual(math);
}

void add_counters(function *fun, const char *path) {
  wanted_lines lines = read_lines(path);
  tree count = declared("psl_nest_count", void_type_node, unsigned_type_node);
  std::vector<basic_block> blocks;
  std::vector<class loop *> loops;
  for (const branch_line &branch : lines.branches) {
    blocks.push_back(BASIC_BLOCK_FOR_FN(fun, branch.block));
    loops.push_back(get_loop(fun, branch.loop));
  }
  for (unsigned i = 0; i < blocks.size(); i++) {
    count_at(blocks[i], count, 2 * i);
    count_passes(loops[i]->header, loops[i], count, 2 * i + 1);
  }
  begin_table(fun, lines.table);
  changed();
}
