/* The sliced program: main, into which all of the program is inlined, is left with what decides what is sent and how
 * long its nests of loops are. Before each nest a call of the runtime says how many operations it has; then all that
 * calls of MPI need (buffers apart), and those calls, is marked backwards; the rest is deleted, and with it the arrays
 * that only it knows. What a call gets is needed only where it decides: then what all calls give that its data may come
 * from is needed, too. */
#include "interp/compile/plugin/sliced_program.h"

namespace {

/* ---- calls ---- */

const char *called(gimple *statement) {
  gcall *call = dyn_cast<gcall *>(statement);
  tree decl = call ? gimple_call_fndecl(call) : NULL_TREE;
  return decl && DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

/* Without MPI_; "": it is none. */
const char *mpi_name(gimple *statement) {
  const char *name = called(statement);
  return !strncasecmp(name, "mpi_", 4) ? name + 4 : !strncasecmp(name, "pmpi_", 5) ? name + 5 : "";
}

bool is_one_of(const char *name, std::initializer_list<const char *> names) {
  for (const char *one : names)
    if (!strcasecmp(name, one)) return true;
  return false;
}

/* Calls that ask only: they are kept where what they answer is needed. */
bool only_asks(const char *name) {
  return is_one_of(name, {"Wtime", "Wtick", "Comm_rank", "Comm_size", "Get_processor_name", "Get_count", "Type_size",
                          "Initialized", "Finalized", "Get_version", "Get_library_version", "Dims_create", "Get_address"});
}

bool talks(gimple *statement) {
  const char *name = mpi_name(statement);
  return *name && !only_asks(name);
}

/* Where the buffers are, and which calls' data may be each other's: all messages, or the same collective operation. */
struct buffered_call {
  const char *name, *kin;
  int given, got; /* places of arguments; -1: none */
};
const buffered_call buffered_calls[] = {
    {"Send", "", 0, -1},
    {"Ssend", "", 0, -1},
    {"Bsend", "", 0, -1},
    {"Rsend", "", 0, -1},
    {"Isend", "", 0, -1},
    {"Issend", "", 0, -1},
    {"Ibsend", "", 0, -1},
    {"Irsend", "", 0, -1},
    {"Send_init", "", 0, -1},
    {"Ssend_init", "", 0, -1},
    {"Bsend_init", "", 0, -1},
    {"Rsend_init", "", 0, -1},
    {"Recv", "", -1, 0},
    {"Irecv", "", -1, 0},
    {"Mrecv", "", -1, 0},
    {"Recv_init", "", -1, 0},
    {"Sendrecv", "", 0, 5},
    {"Sendrecv_replace", "", 0, 0},
    {"Bcast", "Bcast", 0, 0},
    {"Reduce", "Reduce", 0, 1},
    {"Allreduce", "Allreduce", 0, 1},
    {"Scan", "Scan", 0, 1},
    {"Exscan", "Exscan", 0, 1},
    {"Gather", "Gather", 0, 3},
    {"Gatherv", "Gatherv", 0, 3},
    {"Scatter", "Scatter", 0, 3},
    {"Scatterv", "Scatterv", 0, 4},
    {"Allgather", "Allgather", 0, 3},
    {"Allgatherv", "Allgatherv", 0, 3},
    {"Alltoall", "Alltoall", 0, 3},
    {"Alltoallv", "Alltoallv", 0, 4},
    {"Reduce_scatter", "Reduce_scatter", 0, 1},
    {"Reduce_scatter_block", "Reduce_scatter_block", 0, 1},
    {"Ibcast", "Ibcast", 0, 0},
    {"Ireduce", "Ireduce", 0, 1},
    {"Iallreduce", "Iallreduce", 0, 1},
    {"Iallgather", "Iallgather", 0, 3},
    {"Ialltoall", "Ialltoall", 0, 3},
    {"Ialltoallv", "Ialltoallv", 0, 4},
    {"Neighbor_allgather", "Neighbor_allgather", 0, 3},
    {"Neighbor_alltoall", "Neighbor_alltoall", 0, 3},
};

const buffered_call *buffered(gimple *statement) {
  const char *name = mpi_name(statement);
  for (const buffered_call &call : buffered_calls)
    if (*name && !strcasecmp(call.name, name)) return &call;
  return NULL;
}

/* The buffers of persistent requests are read and written where these are started. */
bool starts(gimple *statement) { return is_one_of(mpi_name(statement), {"Start", "Startall"}); }
bool is_for_later(gimple *statement) {
  return is_one_of(mpi_name(statement), {"Send_init", "Ssend_init", "Bsend_init", "Rsend_init", "Recv_init"});
}

/* Functions that go on from where others have stopped: of a file, of a sequence of random numbers. Where one is needed
 * all of the same letter are. */
char sequence_of(const char *name) {
  if (!strncmp(name, "__isoc99_", 9)) name += 9;
  if (is_one_of(name, {"rand", "srand", "random", "srandom", "drand48", "srand48", "lrand48", "erand48",
                       "_gfortran_random_r4", "_gfortran_random_r8", "_gfortran_random_seed_i4", "_gfortran_random_seed_i8",
                       "_gfortran_irand", "_gfortran_rand", "_gfortran_srand", "_gfortran_arandom_r4", "_gfortran_arandom_r8"}))
    return 'r';
  if (!strncmp(name, "_gfortran_transfer", 18) && !strstr(name, "_write")) return 'i';
  if (is_one_of(name, {"scanf", "fscanf", "fgets", "fgetc", "getc", "_IO_getc", "getchar", "ungetc", "fread", "getline",
                       "gets", "fopen", "fopen64", "freopen", "fclose", "fseek", "fseeko", "rewind", "ftell", "feof", "open",
                       "open64", "read", "lseek", "close", "_gfortran_st_open", "_gfortran_st_close", "_gfortran_st_read",
                       "_gfortran_st_read_done", "_gfortran_st_rewind", "_gfortran_st_backspace", "_gfortran_st_inquire"}))
    return 'i';
  if (is_one_of(name, {"strtok"})) return 't';
  return 0;
}

/* The variable that the calls of one statement of Fortran's share: what it reads or writes, and how. */
tree shared_by_statement(gimple *statement) {
  const char *name = called(statement);
  bool part = !strncmp(name, "_gfortran_st_", 13) || !strncmp(name, "_gfortran_transfer", 18);
  if (!part || gimple_call_num_args(statement) == 0) return NULL_TREE;
  tree first = gimple_call_arg(statement, 0);
  return TREE_CODE(first) == ADDR_EXPR ? get_base_address(TREE_OPERAND(first, 0)) : NULL_TREE;
}

/* Does it begin the program's, and not only tell the library of Fortran how it was compiled? */
bool sets_up(const char *name) { return !strncmp(name, "_gfortran_set_", 14); }

/* ---- the plan ---- */

bool read_word(FILE *file, std::string &word) {
  char text[400];
  if (fscanf(file, "%399s", text) != 1) return false;
  word = text;
  return true;
}

plan read_plan(const char *path) {
  plan read;
  FILE *file = fopen(path, "r");
  std::string what, word;
  int at, to;
  if (!file) fatal_error(UNKNOWN_LOCATION, "%s cannot be read", path);
  while (read_word(file, what)) {
    bool numbered = what != "keep" && what != "nests" && fscanf(file, "%d", &at) == 1;
    if (numbered && what == "prune") {
      if (fscanf(file, "%d", &to) == 1) read.pruned.push_back({at, to});
    } else if (numbered && what == "passes") {
      if (read_word(file, word)) read.passes.push_back({at, word});
    } else if (read_word(file, word)) {
      operations own;
      if (what == "nest") {
        read.nests[at] = word;
        if (std::find(read.names.begin(), read.names.end(), word) == read.names.end()) read.names.push_back(word);
      }
      if (what == "branch") read.branches[at] = word;
      if (what == "keep") read.kept.insert(word);
      if (what == "nests") read.report = word;
      if (what == "own" && fscanf(file, "%ld %ld %ld %ld", &own.counts[0], &own.counts[1], &own.counts[2], &own.counts[3]) == 4)
        read.own[at].push_back({word, own});
    }
  }
  fclose(file);
  return read;
}

/* All but that way out of a block go. */
void leave_by(edge way, vec<edge> &gone) {
  basic_block block = way->src;
  edge other;
  edge_iterator ways;
  FOR_EACH_EDGE(other, ways, block->succs)
    if (other != way) gone.safe_push(other);
  way->flags = (way->flags & ~(EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)) | EDGE_FALLTHRU;
  way->probability = profile_probability::always();
}

/* Blocks keep their numbers. */
void take_way(edge way, vec<edge> &gone) {
  gimple_stmt_iterator last = gsi_last_bb(way->src);
  if (gsi_end_p(last) || !is_ctrl_stmt(gsi_stmt(last))) return;
  leave_by(way, gone);
  gsi_remove(&last, true);
}

/* Before all loops where they are known, and else, of the ranks, before this one, which comes behind MPI_Init. */
tree passes_before(function *fun, class loop *loop, const runtime &names, const std::string &passes) {
  if (passes.find_first_not_of("0123456789") == std::string::npos)
    return build_int_cst(long_integer_type_node, std::stol(passes));
  tree text = build_string_literal(passes.size() + 1, passes.c_str());
  gcall *call = gimple_build_call(names.passes, 1, text);
  tree result = make_ssa_name(long_integer_type_node, call);
  gimple_call_set_lhs(call, result);
  bool ranks = passes.find("ranks") != std::string::npos;
  edge before = ranks ? loop_preheader_edge(loop) : single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
  gsi_insert_on_edge_immediate(before, call);
  return result;
}

/* The loop is left after so many passes, where the program tests first whether it is. */
void set_passes(class loop *loop, tree passes, vec<edge> &gone) {
  gimple_stmt_iterator at = gsi_last_bb(loop->latch);
  tree before, after, type = long_integer_type_node;
  bool tested = false;
  create_iv(build_zero_cst(type), build_one_cst(type), NULL_TREE, loop, &at, true, &before, &after);
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (edge exit : exits) {
    gcond *condition = safe_dyn_cast<gcond *>(last_stmt(exit->src));
    if (!condition) continue;
    if (tested) {
      take_way(EDGE_SUCC(exit->src, EDGE_SUCC(exit->src, 0) == exit), gone);
      continue;
    }
    bool last = exit->src == loop->latch || (exit->src != loop->header && find_edge(exit->src, loop->latch));
    tree most = passes;
    if (last) {
      gimple_seq less = NULL;
      most = gimple_build(&less, MINUS_EXPR, type, passes, build_one_cst(type));
      gimple_stmt_iterator here = gsi_for_stmt(condition);
      if (less) gsi_insert_seq_before(&here, less, GSI_SAME_STMT);
    }
    gimple_cond_set_condition(condition, exit->flags & EDGE_TRUE_VALUE ? GE_EXPR : LT_EXPR, before, most);
    update_stmt(condition);
    tested = true;
  }
}

void follow(const plan &plan, function *fun, const runtime &names) {
  auto_vec<edge> gone;
  for (auto &given : plan.passes)
    for (auto loop : loops_list(fun, 0))
      if (loop->header->index == given.first && loop->latch) set_passes(loop, passes_before(fun, loop, names, given.second), gone);
  for (auto &pruned : plan.pruned) {
    basic_block from = BASIC_BLOCK_FOR_FN(fun, pruned.first);
    edge other = NULL, way;
    edge_iterator ways;
    FOR_EACH_EDGE(way, ways, from->succs)
      if (way->dest->index != pruned.second) other = way;
    if (other && EDGE_COUNT(from->succs) == 2) take_way(other, gone);
  }
  for (edge way : gone)
    remove_edge(way);
}

/* ---- the slice ---- */

struct slice {
  const runtime &names;
  function *fun;
  auto_vec<gimple *> waiting;
  auto_bitmap essential; /* statements, by their numbers */
  auto_bitmap decided;   /* blocks whose controls are marked */
  control_dependences *controls = NULL;
  std::set<std::string> needed_data; /* kins of calls whose data are needed */
  std::set<char> sequences;
  auto_vec<gcall *> calls;
  auto_vec<gimple *> pointers; /* that are stored */

  slice(const runtime &names, function *fun) : names(names), fun(fun) {}
  bool is_marked(gimple *statement) { return bitmap_bit_p(essential, gimple_uid(statement)); }
  void mark(gimple *statement);
  void mark_value(tree value);
  void mark_block(basic_block block);
  void mark_memory(gimple *reader, ao_ref *reference);
  void mark_pointed(gimple *reader, tree pointer);
  void mark_all_memory(gimple *reader);
  void mark_call(gcall *call);
  void mark_arguments(gcall *call, bool all);
  void need_data(const char *kin);
  void need_started(ao_ref *reference);
  void need(gimple *statement);
  void find(hash_set<class loop *> &kept);
  bool is_in_part(class loop *loop); /* is something in it essential? */
  bool keeps_data(const buffered_call *known) { return needed_data.count(known->kin) > 0; }
};

void slice::mark(gimple *statement) {
  if (!statement || gimple_code(statement) == GIMPLE_NOP) return;
  if (bitmap_set_bit(essential, gimple_uid(statement))) waiting.safe_push(statement);
}

void slice::mark_value(tree value) {
  if (value && TREE_CODE(value) == SSA_NAME && !virtual_operand_p(value)) mark(SSA_NAME_DEF_STMT(value));
}

void slice::mark_block(basic_block block) {
  bitmap_iterator at;
  unsigned way;
  if (!bitmap_set_bit(decided, block->index)) return;
  EXECUTE_IF_SET_IN_BITMAP(controls->get_edges_dependent_on(block->index), 0, way, at) {
    basic_block from = controls->get_edge_src(way);
    if (gimple *last = last_stmt(from)) mark(last);
    mark_block(from);
  }
}

/* Memory that is had or given back changes no value. */
bool only_allocates(gimple *statement) {
  return gimple_call_builtin_p(statement, BUILT_IN_MALLOC) || gimple_call_builtin_p(statement, BUILT_IN_CALLOC) ||
         gimple_call_builtin_p(statement, BUILT_IN_FREE) || gimple_call_builtin_p(statement, BUILT_IN_ALIGNED_ALLOC) ||
         gimple_call_builtin_p(statement, BUILT_IN_ALLOCA) ||
         gimple_call_builtin_p(statement, BUILT_IN_STACK_SAVE) || gimple_call_builtin_p(statement, BUILT_IN_STACK_RESTORE) ||
         is_one_of(called(statement), {"operator new", "_Znwm", "_Znam", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm"});
}

struct seeing {
  slice *the_slice;
  bool all; /* memory of any kind is read */
};

bool may_be(tree pointer, ao_ref *reference) {
  ao_ref target;
  if (!POINTER_TYPE_P(TREE_TYPE(pointer))) return false;
  ao_ref_init_from_ptr_and_size(&target, pointer, NULL_TREE);
  return !reference || refs_may_alias_p_1(&target, reference, false);
}

/* Is what it sets a variable that nothing points to? */
bool is_own(gimple *statement) {
  tree base = gimple_assign_single_p(statement) ? get_base_address(gimple_assign_lhs(statement)) : NULL_TREE;
  return base && DECL_P(base) && !may_be_aliased(base);
}

bool see(ao_ref *reference, tree definition, void *data) {
  seeing *seen = (seeing *)data;
  gimple *statement = SSA_NAME_DEF_STMT(definition);
  gcall *call = dyn_cast<gcall *>(statement);
  if (gimple_code(statement) == GIMPLE_NOP || only_allocates(statement) || gimple_clobber_p(statement)) return false;
  if (call && seen->the_slice->names.calls(call)) return false;
  if (!reference && is_own(statement)) return false;
  if (starts(statement)) {
    seen->the_slice->need_started(reference);
    return false;
  }
  if (call && reference && !is_written(call, reference)) return false;
  const buffered_call *known = call ? buffered(call) : NULL;
  if (known && known->got >= 0 && may_be(gimple_call_arg(call, known->got), reference))
    seen->the_slice->need_data(known->kin);
  seen->the_slice->mark(statement);
  return reference && (stmt_kills_ref_p(statement, reference) || kills(statement, reference));
}

void slice::mark_memory(gimple *reader, ao_ref *reference) {
  seeing seen = {this, false};
  if (gimple_vuse(reader)) walk_aliased_vdefs(reference, gimple_vuse(reader), see, &seen, NULL, NULL);
}

void slice::mark_all_memory(gimple *reader) {
  seeing seen = {this, true};
  if (gimple_vuse(reader)) walk_aliased_vdefs(NULL, gimple_vuse(reader), see, &seen, NULL, NULL);
}

void slice::mark_pointed(gimple *reader, tree pointer) {
  ao_ref reference;
  if (!POINTER_TYPE_P(TREE_TYPE(pointer)) || TREE_CODE(pointer) == INTEGER_CST) return;
  tree target = TREE_CODE(pointer) == ADDR_EXPR ? TREE_OPERAND(pointer, 0) : NULL_TREE;
  if (target && (TREE_CODE(target) == STRING_CST || TREE_CODE(target) == FUNCTION_DECL || TREE_CODE(target) == CONST_DECL)) return;
  if (target && DECL_P(target)) ao_ref_init(&reference, target);
  else ao_ref_init_from_ptr_and_size(&reference, pointer, NULL_TREE);
  mark_memory(reader, &reference);
}

/* What it is given, and what it reads through that; `all`: all memory that there is. */
void slice::mark_arguments(gcall *call, bool all) {
  for (unsigned i = 0; i < gimple_call_num_args(call); i++)
    mark_value(gimple_call_arg(call, i));
  if (all) mark_all_memory(call);
  else
    for (unsigned i = 0; i < gimple_call_num_args(call); i++)
      mark_pointed(call, gimple_call_arg(call, i));
}

bool is_given_function(gcall *call) {
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    tree type = TREE_TYPE(gimple_call_arg(call, i));
    if (POINTER_TYPE_P(type) && TREE_CODE(TREE_TYPE(type)) == FUNCTION_TYPE) return true;
  }
  return false;
}

void slice::mark_call(gcall *call) {
  const char *name = called(call);
  tree decl = gimple_call_fndecl(call);
  const buffered_call *known = buffered(call);
  if (gimple_call_chain(call)) mark_value(gimple_call_chain(call));
  mark_value(gimple_call_fn(call));
  if (char sequence = sequence_of(name))
    if (sequences.insert(sequence).second)
      for (gcall *other : calls)
        if (sequence_of(called(other)) == sequence) mark(other);
  if (tree variable = shared_by_statement(call)) {
    for (gcall *other : calls)
      if (shared_by_statement(other) == variable) mark(other);
    for (gimple *store : pointers) /* a text that is read from, the name of a file */
      if (get_base_address(gimple_assign_lhs(store)) == variable) mark_pointed(call, gimple_assign_rhs1(store));
  }
  if (names.calls(call)) {
    for (unsigned i = 0; i < gimple_call_num_args(call); i++)
      mark_value(gimple_call_arg(call, i));
    return;
  }
  if (*mpi_name(call) && is_known(call)) {
    bool data = known && keeps_data(known);
    for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
      bool buffer = known && ((int)i == known->given || (int)i == known->got);
      tree argument = gimple_call_arg(call, i);
      if (buffer && !data) continue;
      mark_value(argument);
      if (buffer ? (int)i == known->given : !strchr("wos", argument_kind(call, i))) mark_pointed(call, argument);
    }
    return;
  }
  bool of_library = decl && !DECL_STRUCT_FUNCTION(decl) && (DECL_IN_SYSTEM_HEADER(decl) || fndecl_built_in_p(decl) || is_known(call));
  if (gimple_call_flags(call) & ECF_CONST) {
    for (unsigned i = 0; i < gimple_call_num_args(call); i++)
      mark_value(gimple_call_arg(call, i));
    return;
  }
  mark_arguments(call, !of_library || *mpi_name(call) || is_given_function(call));
}

/* What may be there, persistent requests get it: each that is started may have, since. */
void slice::need_started(ao_ref *reference) {
  for (gcall *call : calls)
    if (is_for_later(call) && buffered(call)->got >= 0 && may_be(gimple_call_arg(call, buffered(call)->got), reference))
      need_data("");
}

/* What calls of that kin get decides something. */
void slice::need_data(const char *kin) {
  if (!needed_data.insert(kin).second) return;
  for (gcall *call : calls) {
    const buffered_call *known = buffered(call);
    if (!known || strcmp(known->kin, kin)) continue;
    for (int place : {known->given, known->got})
      if (place >= 0) mark_value(gimple_call_arg(call, place));
    if (known->given >= 0) mark_pointed(call, gimple_call_arg(call, known->given));
    for (gcall *start : calls)
      if (known->given >= 0 && is_for_later(call) && starts(start)) mark_pointed(start, gimple_call_arg(call, known->given));
    /* What is given in place stands where it is got. */
    if (known->got >= 0 && known->given >= 0) mark_pointed(call, gimple_call_arg(call, known->got));
  }
}

void slice::need(gimple *statement) {
  mark_block(gimple_bb(statement));
  if (gphi *phi = dyn_cast<gphi *>(statement)) {
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
      basic_block from = gimple_phi_arg_edge(phi, i)->src;
      mark_value(gimple_phi_arg_def(phi, i));
      mark_block(from);
      if (EDGE_COUNT(from->succs) > 1) mark(last_stmt(from));
    }
    return;
  }
  if (gcall *call = dyn_cast<gcall *>(statement)) {
    mark_call(call);
    return;
  }
  ssa_op_iter at;
  tree use;
  FOR_EACH_SSA_TREE_OPERAND(use, statement, at, SSA_OP_USE)
    mark_value(use);
  if (is_a<gasm *>(statement)) mark_all_memory(statement);
  if (gimple_assign_single_p(statement) && gimple_vuse(statement) && !is_gimple_reg(gimple_assign_rhs1(statement)) &&
      (REFERENCE_CLASS_P(gimple_assign_rhs1(statement)) || DECL_P(gimple_assign_rhs1(statement)))) {
    ao_ref reference;
    ao_ref_init(&reference, gimple_assign_rhs1(statement));
    mark_memory(statement, &reference);
  }
}

bool is_root(gimple *statement, const runtime &names) {
  if (names.calls(statement) || talks(statement) || sets_up(called(statement)) || is_a<gasm *>(statement)) return true;
  if (gimple_code(statement) == GIMPLE_RETURN || gimple_code(statement) == GIMPLE_RESX) return true;
  gcall *call = dyn_cast<gcall *>(statement);
  return call && gimple_call_noreturn_p(call);
}

bool is_in(basic_block block, hash_set<class loop *> &loops) {
  for (class loop *loop = block->loop_father; loop && loop->num; loop = loop_outer(loop))
    if (loops.contains(loop)) return true;
  return false;
}

void slice::find(hash_set<class loop *> &kept) {
  basic_block block;
  unsigned number = 1;
  FOR_EACH_BB_FN(block, fun) {
    for (gphi_iterator at = gsi_start_phis(block); !gsi_end_p(at); gsi_next(&at))
      gimple_set_uid(at.phi(), number++);
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      gimple_set_uid(gsi_stmt(at), number++);
      if (gcall *call = dyn_cast<gcall *>(gsi_stmt(at))) calls.safe_push(call);
      if (gimple_store_p(gsi_stmt(at)) && gimple_assign_single_p(gsi_stmt(at)) &&
          POINTER_TYPE_P(TREE_TYPE(gimple_assign_rhs1(gsi_stmt(at)))))
        pointers.safe_push(gsi_stmt(at));
    }
  }
  FOR_EACH_BB_FN(block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      if (is_root(gsi_stmt(at), names) || is_in(block, kept)) mark(gsi_stmt(at));
  for (bool more = true; more;) {
    while (waiting.length())
      need(waiting.pop());
    more = false;
    for (gcall *call : calls) { /* what is still had is given back as before */
      if (is_marked(call) || !only_allocates(call) || gimple_call_lhs(call) || !gimple_call_num_args(call)) continue;
      tree pointer = gimple_call_arg(call, 0);
      if (TREE_CODE(pointer) != SSA_NAME || !is_marked(SSA_NAME_DEF_STMT(pointer))) continue;
      mark(call);
      more = true;
    }
  }
}

bool slice::is_in_part(class loop *loop) {
  bool found = false;
  basic_block *blocks = get_loop_body(loop);
  for (unsigned k = 0; k < loop->num_nodes && !found; k++) {
    for (gphi_iterator at = gsi_start_phis(blocks[k]); !gsi_end_p(at); gsi_next(&at))
      found |= is_marked(at.phi());
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[k]); !gsi_end_p(at); gsi_next(&at))
      found |= is_marked(gsi_stmt(at));
  }
  free(blocks);
  return found;
}

/* ---- what is left ---- */

/* A way from each block to the program's end, no block twice: the number of steps. */
std::vector<int> steps_to_end(function *fun) {
  std::vector<int> steps(last_basic_block_for_fn(fun), -1);
  std::vector<basic_block> now = {EXIT_BLOCK_PTR_FOR_FN(fun)};
  basic_block block;
  FOR_EACH_BB_FN(block, fun)
    if (EDGE_COUNT(block->succs) == 0) now.push_back(block);
  for (basic_block one : now)
    steps[one->index] = 0;
  for (size_t k = 0; k < now.size(); k++) {
    edge way;
    edge_iterator ways;
    FOR_EACH_EDGE(way, ways, now[k]->preds)
      if (steps[way->src->index] < 0) {
        steps[way->src->index] = steps[now[k]->index] + 1;
        now.push_back(way->src);
      }
  }
  return steps;
}

bool is_kept_place(tree argument) {
  if (TREE_CODE(argument) == INTEGER_CST) return true; /* MPI_IN_PLACE, MPI_BOTTOM */
  tree base = TREE_CODE(argument) == ADDR_EXPR ? get_base_address(TREE_OPERAND(argument, 0)) : NULL_TREE;
  return base && DECL_P(base) && DECL_NAME(base) && !strncmp(IDENTIFIER_POINTER(DECL_NAME(base)), "mpipriv", 7);
}

void drop_buffers(slice &slice) {
  for (gcall *call : slice.calls) {
    const buffered_call *known = buffered(call);
    if (!known || slice.keeps_data(known)) continue;
    for (int place : {known->given, known->got}) {
      if (place < 0 || is_kept_place(gimple_call_arg(call, place))) continue;
      gcall *none = gimple_build_call(slice.names.data, 1, build_int_cst(integer_type_node, place == known->got));
      tree nothing = make_ssa_name(ptr_type_node);
      gimple_call_set_lhs(none, nothing);
      gimple_set_location(none, gimple_location(call));
      gimple_stmt_iterator at = gsi_for_stmt(call);
      gsi_insert_before(&at, none, GSI_SAME_STMT);
      gimple_set_uid(none, 0);
      gimple_call_set_arg(call, place, nothing);
      update_stmt(call);
      if (known->given == known->got) break;
    }
  }
}

void delete_others(slice &slice) {
  std::vector<int> steps = steps_to_end(slice.fun);
  auto_vec<edge> ways_left;
  basic_block block;
  /* Uses before what is used. */
  calculate_dominance_info(CDI_DOMINATORS);
  auto_vec<basic_block> blocks = get_all_dominated_blocks(CDI_DOMINATORS, single_succ(ENTRY_BLOCK_PTR_FOR_FN(slice.fun)));
  while (blocks.length()) {
    block = blocks.pop();
    for (gimple_stmt_iterator at = gsi_last_bb(block); !gsi_end_p(at);) {
      gimple *statement = gsi_stmt(at);
      bool stays = slice.is_marked(statement) || gimple_code(statement) == GIMPLE_LABEL;
      bool chooses = is_a<gcond *>(statement) || is_a<gswitch *>(statement) || is_a<ggoto *>(statement);
      if (greturn *ends = dyn_cast<greturn *>(statement)) {
        tree value = gimple_return_retval(ends);
        if (value) gimple_return_set_retval(ends, build_zero_cst(TREE_TYPE(value)));
        update_stmt(ends);
        stays = true;
      }
      if (stays) {
        gsi_prev(&at);
        continue;
      }
      if (chooses) {
        edge way, nearest = NULL;
        edge_iterator ways;
        FOR_EACH_EDGE(way, ways, block->succs) {
          bool ends = steps[way->dest->index] >= 0;
          if (ends && (!nearest || steps[way->dest->index] < steps[nearest->dest->index])) nearest = way;
        }
        if (!nearest) {
          gsi_prev(&at);
          continue;
        }
        leave_by(nearest, ways_left);
      }
      unlink_stmt_vdef(statement);
      gimple_stmt_iterator gone = at;
      gsi_prev(&at);
      gsi_remove(&gone, true);
      release_defs(statement);
    }
    for (gphi_iterator at = gsi_start_phis(block); !gsi_end_p(at);) {
      if (virtual_operand_p(gimple_phi_result(at.phi())) || slice.is_marked(at.phi())) {
        gsi_next(&at);
        continue;
      }
      remove_phi_node(&at, true);
    }
  }
  for (edge way : ways_left)
    remove_edge(way);
}

gasm *use_of(tree value) {
  vec<tree, va_gc> *inputs = NULL;
  tree how = build_tree_list(NULL_TREE, build_string(2, "g"));
  vec_safe_push(inputs, build_tree_list(how, value));
  gasm *use = gimple_build_asm_vec("", inputs, NULL, NULL, NULL);
  gimple_asm_set_volatile(use, true);
  return use;
}

/* A nest that is measured does all that it does: what it computes counts as used, whatever becomes of that. */
void use_results(function *fun, hash_set<class loop *> &kept) {
  unsigned version;
  tree name;
  FOR_EACH_SSA_NAME(version, name, fun) {
    gimple *definition = SSA_NAME_DEF_STMT(name);
    if (virtual_operand_p(name) || !gimple_bb(definition) || !is_in(gimple_bb(definition), kept)) continue;
    if (!is_gimple_reg_type(TREE_TYPE(name)) || AGGREGATE_TYPE_P(TREE_TYPE(name)) || TREE_CODE(TREE_TYPE(name)) == COMPLEX_TYPE) continue;
    gimple *user = NULL;
    use_operand_p use;
    imm_use_iterator uses;
    FOR_EACH_IMM_USE_FAST(use, uses, name)
      if (!is_gimple_debug(USE_STMT(use)) && !is_in(gimple_bb(USE_STMT(use)), kept)) user = USE_STMT(use);
    if (!user) continue;
    if (is_a<gphi *>(user)) {
      for (unsigned i = 0; i < gimple_phi_num_args(user); i++)
        if (gimple_phi_arg_def(user, i) == name) gsi_insert_on_edge(gimple_phi_arg_edge(as_a<gphi *>(user), i), use_of(name));
    } else {
      gimple_stmt_iterator at = gsi_for_stmt(user);
      gsi_insert_before(&at, use_of(name), GSI_SAME_STMT);
    }
  }
  gsi_commit_edge_inserts();
}

/* For the model of the nests: their names, and the chances of each part. */
void report(const plan &plan, const nest_parts &parts) {
  FILE *file = fopen(plan.report.c_str(), "w");
  if (!file) fatal_error(UNKNOWN_LOCATION, "%s cannot be written", plan.report.c_str());
  for (const auto &nest : parts) {
    fprintf(file, "%s", nest.first.c_str());
    for (const chances &part : nest.second) {
      fprintf(file, " 1");
      for (const std::string &chance : part)
        fprintf(file, "*%s", chance.c_str());
    }
    fprintf(file, "\n");
  }
  fclose(file);
}

/* The program with the ways that are never taken, as far as it is to be looked at. */
void prune(const plan &plan, function *fun, const runtime &names) {
  loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  scev_initialize();
  loop_invariant_motion_in_fun(fun, false); /* as before the facts, so that blocks have the same numbers */
  scev_reset();
  calculate_dominance_info(CDI_DOMINATORS);
  follow(plan, fun, names);
  scev_finalize();
  loop_optimizer_finalize();
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  delete_unreachable_blocks();
  update_ssa(TODO_update_ssa);
}

}

void slice_program(function *fun, const char *path) {
  plan plan = read_plan(path);
  push_cfun(fun);
  current_function_decl = fun->decl;
  runtime names;
  prune(plan, fun, names);
  nest_parts parts;
  hash_set<class loop *> kept;
  loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  scev_initialize();
  std::vector<known_nest> known;
  count_nests(names, plan, parts, kept, known);
  if (!kept.is_empty()) use_results(fun, kept);
  update_ssa(TODO_update_ssa);
  compute_may_aliases();
  connect_infinite_loops_to_exit();
  calculate_dominance_info(CDI_POST_DOMINATORS);
  slice slice(names, fun);
  slice.controls = new control_dependences();
  remove_fake_exit_edges();
  slice.find(kept);
  delete slice.controls;
  bitmap_set_bit(slice.essential, 0); /* what is put there from now on */
  for (const known_nest &nest : known)
    if (slice.is_in_part(nest.loop))
      for (gcall *end : end_behind(names, nest))
        gimple_set_uid(end, 0);
  scev_finalize();
  loop_optimizer_finalize();
  drop_buffers(slice);
  delete_others(slice);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  delete_unreachable_blocks();
  mark_virtual_operands_for_renaming(fun);
  update_ssa(TODO_update_ssa);
  cleanup_tree_cfg();
  cgraph_edge::rebuild_edges();
  pop_cfun();
  report(plan, parts);
}
