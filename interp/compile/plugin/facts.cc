/* A plugin of GCC that says what a program of MPI is made of, for psl compile: all functions that can be are inlined into
 * the program's main, which is then written as facts, in JSON: its blocks, statements and loops, what decides which block
 * is reached, and which stores a load may see. It judges nothing: what matters of all that, slice.c says.
 *
 * It works before GCC's inlining, when each function is in SSA form and cleaned up, but no loop has been changed. */
#include "interp/compile/plugin/sliced_program.h"

int plugin_is_GPL_compatible;

namespace {

FILE *out;
const char *path, *timers_path, *counters_path; /* those of what is timed, and counted; NULL: nothing */
const char *sliced_by; /* The plan of a sliced program, which is made in place of facts; NULL: none */
bool usual_math;
bool facts_alone; /* no program is made */
bool as_sums;  /* unsigned numbers that are added are below 0, not in the upper half */
bool handles; /* has the program handlers of exceptions? */
bitmap wanted; /* versions of SSA names that are spoken of */
/* What the source calls variables, and which are set to which: not all of these are left where facts are written. */
std::set<std::string> variables;
std::set<std::pair<std::string, std::string>> copies;

void mark_inlined(cgraph_node *node) {
  tree decl = node->decl;
  if (lookup_attribute("noinline", DECL_ATTRIBUTES(decl)))
    DECL_ATTRIBUTES(decl) = remove_attribute("noinline", copy_list(DECL_ATTRIBUTES(decl)));
  DECL_UNINLINABLE(decl) = 0;
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("always_inline"), NULL_TREE, DECL_ATTRIBUTES(decl));
  DECL_DISREGARD_INLINE_LIMITS(decl) = 1;
  DECL_DECLARED_INLINE_P(decl) = 1;
}

/* Can `to` be reached by calls from `from`? */
bool reaches(cgraph_node *from, cgraph_node *to, hash_set<cgraph_node *> &seen) {
  for (cgraph_edge *edge = from->callees; edge; edge = edge->next_callee) {
    cgraph_node *callee = edge->callee->ultimate_alias_target();
    if (callee == to) return true;
    if (callee->definition && !seen.add(callee) && reaches(callee, to, seen)) return true;
  }
  return false;
}

/* Functions that may call MPI, among those that the program takes the address of, before any was inlined. */
std::vector<tree> talking;

/* As many arguments of the same modes. */
bool takes_alike(tree a, tree b) {
  tree x = TYPE_ARG_TYPES(a), y = TYPE_ARG_TYPES(b);
  for (; x && y; x = TREE_CHAIN(x), y = TREE_CHAIN(y))
    if (TYPE_MODE(TREE_VALUE(x)) != TYPE_MODE(TREE_VALUE(y))) return false;
  return !x && !y;
}

bool calls_mpi(cgraph_node *node, hash_set<cgraph_node *> &seen) {
  if (node->indirect_calls) return true;
  for (cgraph_edge *edge = node->callees; edge; edge = edge->next_callee) {
    cgraph_node *callee = edge->callee->ultimate_alias_target();
    const char *name = DECL_NAME(callee->decl) ? IDENTIFIER_POINTER(DECL_NAME(callee->decl)) : "";
    if (!strncasecmp(name, "mpi_", 4) || (!callee->definition && is_foreign(callee->decl))) return true;
    if (callee->definition && !seen.add(callee) && calls_mpi(callee, seen)) return true;
  }
  return false;
}

void note_talking() {
  cgraph_node *node;
  FOR_EACH_FUNCTION(node) {
    hash_set<cgraph_node *> seen;
    if (!node->address_taken && !DECL_VIRTUAL_P(node->decl)) continue;
    const char *name = DECL_NAME(node->decl) ? IDENTIFIER_POINTER(DECL_NAME(node->decl)) : "";
    bool outside = !node->definition && (!strncasecmp(name, "mpi_", 4) || is_foreign(node->decl));
    if (outside || (node->definition && calls_mpi(node, seen))) talking.push_back(TREE_TYPE(node->decl));
  }
}

/* May this call, through a pointer, be one of those? Where types are not said, as in old C, each may. */
bool may_talk(gcall *call) {
  tree type = gimple_call_fntype(call);
  for (tree other : talking)
    if (!type || !prototype_p(type) || !prototype_p(other) || takes_alike(type, other)) return true;
  return false;
}

/* A function that a module of Fortran, or a statement in another unit, declares has a declaration of its own beside the
 * one of its body: calls of it are calls of the body of that name. */
void follow_declarations() {
  std::map<tree, cgraph_node *> bodies;
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node)
    if (TREE_PUBLIC(node->decl)) bodies[DECL_ASSEMBLER_NAME(node->decl)] = node;
  FOR_EACH_FUNCTION(node) {
    if (node->definition || !node->callers || !bodies.count(DECL_ASSEMBLER_NAME(node->decl))) continue;
    cgraph_node *body = bodies[DECL_ASSEMBLER_NAME(node->decl)];
    for (cgraph_edge *edge = node->callers, *next; edge; edge = next) {
      next = edge->next_caller;
      gimple_call_set_fndecl(edge->call_stmt, body->decl);
      edge->redirect_callee(body);
    }
  }
}

const pass_data inline_data = {SIMPLE_IPA_PASS, "psl_inline", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

/* What calls itself stays a function. */
class inline_pass : public simple_ipa_opt_pass {
public:
  inline_pass(gcc::context *context) : simple_ipa_opt_pass(inline_data, context) {}
  unsigned execute(function *) final override {
    cgraph_node *node;
    follow_declarations();
    note_talking();
    FOR_EACH_DEFINED_FUNCTION(node) {
      hash_set<cgraph_node *> seen;
      if (!reaches(node, node, seen) && !MAIN_NAME_P(DECL_NAME(node->decl))) mark_inlined(node);
    }
    return 0;
  }
};

/* What is chosen by ?: is in a variable of GCC's before it is in one of the program, by whose name it is called then. */
void name_temporary(gimple *statement) {
  if (!gimple_assign_single_p(statement) && !gimple_assign_cast_p(statement)) return;
  tree from = gimple_assign_rhs1(statement), to = gimple_assign_lhs(statement);
  if (TREE_CODE(from) != VAR_DECL || !DECL_ARTIFICIAL(from)) return;
  while (TREE_CODE(to) == COMPONENT_REF && !DECL_P(to))
    to = TREE_OPERAND(to, 1);
  if (!DECL_P(to) || !DECL_NAME(to) || DECL_ARTIFICIAL(to)) return;
  DECL_NAME(from) = DECL_NAME(to);
  DECL_IGNORED_P(from) = 0; /* the name stays beside it when it is in SSA form */
}

/* ---- names of the source ---- */

bool has_own_name(tree decl) {
  return DECL_P(decl) && DECL_NAME(decl) && !DECL_ARTIFICIAL(decl) && !in_system_header_at(DECL_SOURCE_LOCATION(decl));
}

void note_variable(tree decl, hash_set<tree> &seen) {
  if (!has_own_name(decl)) return;
  variables.insert(IDENTIFIER_POINTER(DECL_NAME(decl)));
  tree type = TREE_TYPE(decl);
  while (type && (POINTER_TYPE_P(type) || TREE_CODE(type) == ARRAY_TYPE))
    type = TREE_TYPE(type);
  if (!type || !RECORD_OR_UNION_TYPE_P(type) || seen.add(TYPE_MAIN_VARIANT(type))) return;
  for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field))
    if (TREE_CODE(field) == FIELD_DECL) note_variable(field, seen);
}

void note_copy(tree to, tree from) {
  if (VAR_P(from) || TREE_CODE(from) == PARM_DECL)
    if (has_own_name(to) && has_own_name(from))
      copies.insert({IDENTIFIER_POINTER(DECL_NAME(to)), IDENTIFIER_POINTER(DECL_NAME(from))});
}

/* Which variables are others: by a statement, or as parameters of a function. */
void note_copies(gimple *statement) {
  if (gimple_assign_single_p(statement)) note_copy(gimple_assign_lhs(statement), gimple_assign_rhs1(statement));
  gcall *call = dyn_cast<gcall *>(statement);
  tree function = call ? gimple_call_fndecl(call) : NULL_TREE;
  tree parameter = function ? DECL_ARGUMENTS(function) : NULL_TREE;
  for (unsigned i = 0; call && parameter && i < gimple_call_num_args(call); i++, parameter = DECL_CHAIN(parameter))
    note_copy(parameter, gimple_call_arg(call, i));
}

void note_variables(function *fun) {
  hash_set<tree> seen;
  unsigned i;
  tree decl;
  for (decl = DECL_ARGUMENTS(fun->decl); decl; decl = DECL_CHAIN(decl))
    note_variable(decl, seen);
  FOR_EACH_LOCAL_DECL(fun, i, decl)
    note_variable(decl, seen);
  varpool_node *node;
  FOR_EACH_VARIABLE(node)
    note_variable(node->decl, seen);
}

/* Of those that no function is left to speak of, C and C++ tell. */
void note_finished(void *decl, void *) {
  hash_set<tree> seen;
  if (VAR_P((tree)decl)) note_variable((tree)decl, seen);
}

void write_variables() {
  bool first = true;
  fprintf(out, ",\n\"variables\":[");
  for (const std::string &name : variables) {
    if (!first) fprintf(out, ",");
    first = false;
    write_text(out, name.c_str());
  }
  fprintf(out, "],\n\"copies\":[");
  first = true;
  for (const auto &copy : copies) {
    fprintf(out, first ? "[" : ",[");
    first = false;
    write_text(out, copy.first.c_str());
    fprintf(out, ",");
    write_text(out, copy.second.c_str());
    fprintf(out, "]");
  }
  fprintf(out, "]");
}

/* Nothing is thrown: what handles exceptions is never come to. */
void drop_exceptions(function *fun) {
  basic_block block;
  if (!fun->eh || !fun->eh->region_tree) return;
  for (unsigned i = 1; i < vec_safe_length(fun->eh->region_array); i++) {
    eh_region region = (*fun->eh->region_array)[i];
    handles |= region && region->type == ERT_TRY && !in_system_header_at(DECL_SOURCE_LOCATION(fun->decl));
  }
  FOR_EACH_BB_FN(block, fun) {
    gimple *last = last_stmt(block);
    if (last) remove_stmt_from_eh_lp_fn(fun, last);
    gimple_purge_dead_eh_edges(block);
  }
}

const pass_data spec_data = {GIMPLE_PASS, "psl_spec", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

/* Tells GCC what a call of MPI does to memory, so that the variables of the program that it has the address of are known
 * to stay as they are. */
class spec_pass : public gimple_opt_pass {
public:
  spec_pass(gcc::context *context) : gimple_opt_pass(spec_data, context) {}
  unsigned execute(function *fun) final override {
    basic_block block;
    drop_exceptions(fun);
    note_variables(fun);
    FOR_EACH_BB_FN(block, fun)
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        name_temporary(gsi_stmt(at));
        note_copies(gsi_stmt(at));
        gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
        std::string spec = call ? call_spec(call) : "";
        if (call) give_copies(&at, call);
        if (spec.empty()) continue;
        tree text = build_string(spec.size(), spec.c_str());
        tree attribute = tree_cons(get_identifier("fn spec"), tree_cons(NULL_TREE, text, NULL_TREE), NULL_TREE);
        tree type = build_distinct_type_copy(gimple_call_fntype(call));
        TYPE_ATTRIBUTES(type) = attribute;
        gimple_call_set_fntype(call, type);
      }
    return 0;
  }
};

/* ---- values ---- */

void write_place(location_t where) {
  expanded_location place = expand_location(where);
  fprintf(out, ",\"file\":");
  write_text(out, place.file ? place.file : "");
  fprintf(out, ",\"line\":%d,\"column\":%d", place.line, place.column);
}

}

/* The function of the program that the statement comes from. */
const char *function_of(gimple *statement) {
  for (tree block = gimple_block(statement); block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
    tree origin = BLOCK_ABSTRACT_ORIGIN(block);
    while (origin && TREE_CODE(origin) == BLOCK && BLOCK_ABSTRACT_ORIGIN(origin) && BLOCK_ABSTRACT_ORIGIN(origin) != origin)
      origin = BLOCK_ABSTRACT_ORIGIN(origin);
    if (origin && TREE_CODE(origin) == FUNCTION_DECL) return lang_hooks.decl_printable_name(origin, 1);
  }
  return lang_hooks.decl_printable_name(current_function_decl, 1);
}

namespace {

const char *type_word(tree type) {
  if (POINTER_TYPE_P(type)) return "p";
  if (TREE_CODE(type) == BOOLEAN_TYPE || (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == 1)) return "b";
  if (SCALAR_FLOAT_TYPE_P(type) || TREE_CODE(type) == COMPLEX_TYPE) return "f";
  if (INTEGRAL_TYPE_P(type)) return TYPE_UNSIGNED(type) ? "u" : "i";
  return AGGREGATE_TYPE_P(type) ? "a" : "o";
}

void write_expression(tree expression);

/* The field of a type at a constant offset: its path, as .a or [3], in `path`. */
bool path_at(tree type, HOST_WIDE_INT offset, tree wanted_type, std::string &path, long &length, long &stride) {
  if (offset < 0 || TREE_CODE(type) == UNION_TYPE) return false;
  if (TREE_CODE(type) == RECORD_TYPE) {
    for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field)) {
      if (TREE_CODE(field) != FIELD_DECL || !tree_fits_shwi_p(bit_position(field))) continue;
      HOST_WIDE_INT at = int_bit_position(field) / 8;
      tree size = DECL_SIZE_UNIT(field);
      if (offset < at || !size || !tree_fits_shwi_p(size) || offset >= at + tree_to_shwi(size)) continue;
      std::string before = path;
      if (DECL_NAME(field)) path = path + "." + IDENTIFIER_POINTER(DECL_NAME(field));
      if (path_at(TREE_TYPE(field), offset - at, wanted_type, path, length, stride)) return true;
      path = before;
    }
    return false;
  }
  if (TREE_CODE(type) == ARRAY_TYPE) {
    tree element = type; /* arrays of arrays are one list */
    while (TREE_CODE(element) == ARRAY_TYPE)
      element = TREE_TYPE(element);
    tree size = TYPE_SIZE_UNIT(element);
    if (!size || !tree_fits_shwi_p(size) || tree_to_shwi(size) == 0) return false;
    if (offset == 0 && types_compatible_p(type, wanted_type)) return true;
    char index[40];
    snprintf(index, sizeof index, "[%ld]", (long)(offset / tree_to_shwi(size)));
    path += index;
    tree whole = TYPE_SIZE_UNIT(type);
    length = whole && tree_fits_shwi_p(whole) ? tree_to_shwi(whole) / tree_to_shwi(size) : 0;
    stride = tree_to_shwi(size);
    return path_at(element, offset % tree_to_shwi(size), wanted_type, path, length, stride);
  }
  tree own = TYPE_SIZE_UNIT(type), wanted_size = TYPE_SIZE_UNIT(wanted_type);
  bool part = !AGGREGATE_TYPE_P(wanted_type) && own && wanted_size && !operand_equal_p(own, wanted_size, 0);
  bool other = SCALAR_FLOAT_TYPE_P(type) != SCALAR_FLOAT_TYPE_P(wanted_type) && !AGGREGATE_TYPE_P(wanted_type) &&
               TREE_CODE(wanted_type) != COMPLEX_TYPE && TREE_CODE(type) != COMPLEX_TYPE;
  return offset == 0 && !part && !other;
}

/* What a list begins as, element by element. */
void write_elements(tree variable, tree type, const std::string &path, HOST_WIDE_INT offset, long length, long stride) {
  const long most = 10000;
  size_t open = path.rfind('[');
  if (!VAR_P(variable) || !TREE_STATIC(variable) || open == std::string::npos || length < 1 || length > most) return;
  tree initial = DECL_INITIAL(variable), size = TYPE_SIZE_UNIT(type);
  if (!initial || (TREE_CODE(initial) != CONSTRUCTOR && TREE_CODE(initial) != STRING_CST) || !size || !tree_fits_shwi_p(size)) return;
  HOST_WIDE_INT first = offset - atol(path.c_str() + open + 1) * stride;
  fprintf(out, ",\"elements\":[");
  for (long i = 0; i < length; i++) {
    if (i) fprintf(out, ",");
    tree value = fold_ctor_reference(type, initial, (first + i * stride) * 8, tree_to_shwi(size) * 8, variable);
    if (value && CONSTANT_CLASS_P(value)) write_expression(value);
    else fprintf(out, "null");
  }
  fprintf(out, "]");
}

/* Does it begin as zeros, as nothing else is said? */
bool begins_as_zeros(tree variable) {
  varpool_node *node = varpool_node::get(variable);
  return !DECL_INITIAL(variable) && !DECL_EXTERNAL(variable) && !(node && node->dynamically_initialized);
}

/* What is varied by in a place of memory: an index, and the bytes that one of it is. */
typedef std::vector<std::pair<tree, HOST_WIDE_INT>> indices;

/* Of several, as of arrays of arrays, the one of the list that these are. */
void write_indices(const indices &all, long stride) {
  bool plain = all.size() == 1 && all[0].second == stride;
  fprintf(out, ",\"scale\":%ld,\"index\":", plain || all.size() > 1 || stride > 0 ? stride : (long)all[0].second);
  for (size_t i = 0; i + 1 < all.size(); i++)
    fprintf(out, "[\"op\",\"plus_expr\",\"i\",64,");
  for (size_t i = 0; i < all.size(); i++) {
    if (i) fprintf(out, ",");
    long times = stride > 0 ? all[i].second / stride : 1;
    if (times != 1) fprintf(out, "[\"op\",\"mult_expr\",\"i\",64,");
    write_expression(all[i].first);
    if (times != 1) fprintf(out, ",[\"whole\",%ld]]", times);
    if (i) fprintf(out, "]");
  }
}

/* May they be one? Only where there is one list, of which each steps over whole elements. */
bool joins(const indices &all, const std::string &path, long stride) {
  if (all.size() == 1 && all[0].second == stride) return true;
  if (stride <= 0 || path.find('[') == std::string::npos || path.find('[') != path.rfind('[')) return false;
  for (const auto &one : all)
    if (one.second % stride) return false;
  return true;
}

/* A place in memory: the variable, or the pointer, that it is reached by; the fields on the way; indices that vary. */
void write_reference(tree reference) {
  HOST_WIDE_INT offset = 0;
  tree whole = reference;
  indices index;
  bool plain = true;
  while (handled_component_p(reference)) {
    tree inner = TREE_OPERAND(reference, 0);
    if (TREE_CODE(reference) == COMPONENT_REF) {
      tree field = TREE_OPERAND(reference, 1);
      if (tree_fits_shwi_p(bit_position(field)) && !DECL_BIT_FIELD(field)) offset += int_bit_position(field) / 8;
      else plain = false;
    } else if (TREE_CODE(reference) == ARRAY_REF) {
      tree at = TREE_OPERAND(reference, 1), low = array_ref_low_bound(reference), size = array_ref_element_size(reference);
      if (!tree_fits_shwi_p(low) || !tree_fits_shwi_p(size)) plain = false;
      else if (tree_fits_shwi_p(at)) offset += (tree_to_shwi(at) - tree_to_shwi(low)) * tree_to_shwi(size);
      else {
        index.push_back({at, tree_to_shwi(size)});
        offset -= tree_to_shwi(low) * tree_to_shwi(size);
      }
    } else if (TREE_CODE(reference) == REALPART_EXPR || TREE_CODE(reference) == IMAGPART_EXPR) {
      ;
    } else if (TREE_CODE(reference) != VIEW_CONVERT_EXPR) {
      plain = false;
    }
    reference = inner;
  }
  tree pointer = NULL_TREE;
  if (TREE_CODE(reference) == MEM_REF) {
    if (tree_fits_shwi_p(TREE_OPERAND(reference, 1))) offset += tree_to_shwi(TREE_OPERAND(reference, 1));
    pointer = TREE_OPERAND(reference, 0);
    if (TREE_CODE(pointer) == ADDR_EXPR) {
      reference = TREE_OPERAND(pointer, 0);
      pointer = NULL_TREE;
      while (handled_component_p(reference)) {
        poly_int64 more;
        tree base = get_addr_base_and_unit_offset(reference, &more);
        HOST_WIDE_INT constant;
        if (base && more.is_constant(&constant)) offset += constant;
        else plain = false;
        if (!base) break;
        reference = base;
      }
    }
  } else if (TREE_CODE(reference) == TARGET_MEM_REF) {
    plain = false;
  }
  fprintf(out, "{\"type\":\"%s\"", type_word(TREE_TYPE(whole)));
  tree size = TYPE_SIZE_UNIT(TREE_TYPE(whole));
  long length = 0, stride = 0;
  if (size && tree_fits_shwi_p(size)) fprintf(out, ",\"size\":%ld", (long)tree_to_shwi(size));
  if (pointer) {
    fprintf(out, ",\"pointer\":");
    write_expression(pointer);
  } else if (DECL_P(reference)) {
    fprintf(out, ",\"decl\":%u,\"name\":", DECL_UID(reference));
    write_text(out, DECL_NAME(reference) ? IDENTIFIER_POINTER(DECL_NAME(reference)) : "");
    if (VAR_P(reference) && (TREE_STATIC(reference) || DECL_EXTERNAL(reference))) fprintf(out, ",\"static\":true");
    if (VAR_P(reference) && begins_as_zeros(reference)) fprintf(out, ",\"zeros\":true");
    if (TREE_CODE(reference) == PARM_DECL) {
      int place = 0;
      for (tree p = DECL_ARGUMENTS(current_function_decl); p && p != reference; p = DECL_CHAIN(p))
        place++;
      fprintf(out, ",\"parameter\":%d", place);
    }
    if (TREE_CODE(reference) == CONST_DECL && DECL_INITIAL(reference) && CONSTANT_CLASS_P(DECL_INITIAL(reference))) {
      fprintf(out, ",\"constant\":true,\"initial\":");
      write_expression(DECL_INITIAL(reference));
    }
    tree total = DECL_SIZE_UNIT(reference);
    if (total && tree_fits_shwi_p(total)) fprintf(out, ",\"whole\":%ld", (long)tree_to_shwi(total));
    std::string path;
    tree wanted_type = TREE_TYPE(whole);
    if (plain && path_at(TREE_TYPE(reference), offset, wanted_type, path, length, stride)) {
      if (!index.empty() && !joins(index, path, stride)) plain = index.size() == 1, stride = 0;
      fprintf(out, ",\"length\":%ld,\"stride\":%ld,\"path\":", length, stride);
      write_text(out, path.c_str());
      write_elements(reference, TREE_TYPE(whole), path, offset, length, stride);
    }
    if (VAR_P(reference) && TREE_STATIC(reference) && (TREE_READONLY(reference) || !DECL_EXTERNAL(reference))) {
      tree initial = DECL_INITIAL(reference);
      fprintf(out, ",\"initial\":");
      if (initial && CONSTANT_CLASS_P(initial)) write_expression(initial);
      else if (initial && initial != error_mark_node && TREE_CODE(initial) == CONSTRUCTOR) {
        tree value = fold_ctor_reference(TREE_TYPE(whole), initial, offset * 8, size && tree_fits_shwi_p(size) ? tree_to_shwi(size) * 8 : 0, reference);
        if (value && index.empty()) write_expression(value);
        else fprintf(out, "null");
      } else if (begins_as_zeros(reference)) fprintf(out, "[\"whole\",0]");
      else fprintf(out, "null");
      if (TREE_READONLY(reference)) fprintf(out, ",\"constant\":true");
    }
  }
  fprintf(out, ",\"offset\":%ld", (long)offset);
  if (!index.empty()) write_indices(index, stride);
  if (!plain) fprintf(out, ",\"odd\":true");
  fprintf(out, "}");
}

void write_expression(tree expression) {
  if (!expression) {
    fprintf(out, "null");
    return;
  }
  tree type = TREE_TYPE(expression);
  switch (TREE_CODE(expression)) {
  case SSA_NAME:
    bitmap_set_bit(wanted, SSA_NAME_VERSION(expression));
    fprintf(out, "[\"ssa\",%u]", SSA_NAME_VERSION(expression));
    return;
  case INTEGER_CST: {
    /* An unsigned number of the upper half is one below 0 where it has 64 bits, and in sums. */
    widest_int value = wi::to_widest(expression);
    bool upper = TYPE_PRECISION(type) > 32 || (as_sums && TYPE_PRECISION(type) == 32);
    if (TYPE_UNSIGNED(type) && upper && wi::neg_p(wi::to_wide(expression)))
      value = widest_int::from(wi::to_wide(expression), SIGNED);
    fprintf(out, "[\"whole\",%ld]", (long)value.to_shwi());
    return;
  }
  case REAL_CST: {
    char text[64];
    real_to_decimal(text, TREE_REAL_CST_PTR(expression), sizeof text, 17, 1);
    fprintf(out, "[\"floating\",");
    write_text(out, text);
    fprintf(out, "]");
    return;
  }
  case ADDR_EXPR:
    fprintf(out, "[\"address\",");
    write_reference(TREE_OPERAND(expression, 0));
    fprintf(out, "]");
    return;
  case CONSTRUCTOR:
    if (CONSTRUCTOR_NELTS(expression) == 0) {
      fprintf(out, "[\"other\",\"zero\"]");
      return;
    } /* else as strings */
    /* FALLTHRU */
  case STRING_CST:
  case COMPLEX_CST:
    fprintf(out, "[\"other\",\"%s\"]", get_tree_code_name(TREE_CODE(expression)));
    return;
  default: break;
  }
  if (REFERENCE_CLASS_P(expression) || DECL_P(expression)) {
    fprintf(out, "[\"memory\",");
    write_reference(expression);
    fprintf(out, "]");
    return;
  }
  fprintf(out, "[\"op\",\"%s\",\"%s\",%u", get_tree_code_name(TREE_CODE(expression)), type_word(type),
          INTEGRAL_TYPE_P(type) ? TYPE_PRECISION(type) * (TYPE_UNSIGNED(type) ? 1u : 1u) : 0u);
  for (int i = 0; i < TREE_OPERAND_LENGTH(expression); i++) {
    fprintf(out, ",");
    write_expression(TREE_OPERAND(expression, i));
  }
  fprintf(out, "]");
}

/* ---- which stores a load may see ---- */

struct reaching {
  bool first;
  bitmap seen;
};

bool see_store(ao_ref *reference, tree definition, void *data) {
  struct reaching *reaching = (struct reaching *)data;
  gimple *statement = SSA_NAME_DEF_STMT(definition);
  if (is_a<gcall *>(statement) && !is_written(as_a<gcall *>(statement), reference)) return false;
  if (bitmap_set_bit(reaching->seen, gimple_uid(statement))) {
    fprintf(out, "%s%u", reaching->first ? "" : ",", gimple_uid(statement));
    reaching->first = false;
  }
  return stmt_kills_ref_p(statement, reference) || kills(statement, reference);
}

void write_stores(gimple *statement, ao_ref *reference) {
  fprintf(out, ",\"from\":[");
  if (gimple_vuse(statement)) {
    struct reaching reaching = {true, BITMAP_ALLOC(NULL)};
    bool function_entry = false;
    walk_aliased_vdefs(reference, gimple_vuse(statement), see_store, &reaching, NULL, &function_entry);
    BITMAP_FREE(reaching.seen);
    fprintf(out, "]");
    if (function_entry) fprintf(out, ",\"entry\":true");
    return;
  }
  fprintf(out, "]");
}

/* ---- statements ---- */

void write_argument(gcall *call, unsigned place) {
  tree argument = gimple_call_arg(call, place);
  fprintf(out, "%s{\"value\":", place ? "," : "");
  write_expression(argument);
  if (POINTER_TYPE_P(TREE_TYPE(argument)) && gimple_vuse(call)) {
    tree size = NULL_TREE, type = TREE_TYPE(TREE_TYPE(argument));
    ao_ref reference;
    if (TREE_CODE(argument) == ADDR_EXPR) {
      tree place_of = TREE_OPERAND(argument, 0);
      type = TREE_TYPE(place_of);
    }
    bool whole = TREE_CODE(argument) == ADDR_EXPR && (is_gimple_reg_type(type) || DECL_P(TREE_OPERAND(argument, 0)));
    if (whole && begins_list(call, place)) whole = false;
    bool all;
    if (given_range(call, place, &reference, &all)) {
      size = NULL_TREE;
    } else if (whole && TYPE_SIZE_UNIT(type)) {
      tree target = TREE_OPERAND(argument, 0);
      ao_ref_init(&reference, target);
      size = TYPE_SIZE_UNIT(type);
    } else {
      ao_ref_init_from_ptr_and_size(&reference, argument, size);
    }
    write_stores(call, &reference);
  }
  fprintf(out, "}");
}

/* Is it written in a header of the system, and not by a macro of one? */
bool stands_in_library(gimple *statement) {
  location_t at = gimple_location(statement);
  return in_system_header_at(linemap_resolve_location(line_table, at, LRK_MACRO_EXPANSION_POINT, NULL));
}

void write_call(gcall *call) {
  tree decl = gimple_call_fndecl(call);
  const char *name = decl && DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl))
                     : gimple_call_internal_p(call) ? internal_fn_name(gimple_call_internal_fn(call))
                     : stands_in_library(call)                  ? "a library" /* through a pointer of its own */
                     : !decl && !may_talk(call)                   ? "a function through a pointer"
                                                    : "";
  fprintf(out, ",\"call\":");
  write_text(out, name);
  if (decl && DECL_STRUCT_FUNCTION(decl)) fprintf(out, ",\"defined\":true");
  if (decl && !DECL_STRUCT_FUNCTION(decl) && !DECL_IN_SYSTEM_HEADER(decl) && is_foreign(decl)) fprintf(out, ",\"foreign\":true");
  if (gimple_call_noreturn_p(call)) fprintf(out, ",\"noreturn\":true");
  if (gimple_call_flags(call) & (ECF_CONST | ECF_PURE)) fprintf(out, ",\"pure\":true");
  if (gimple_call_lhs(call) && TREE_CODE(gimple_call_lhs(call)) == SSA_NAME)
    fprintf(out, ",\"def\":%u", SSA_NAME_VERSION(gimple_call_lhs(call)));
  fprintf(out, ",\"arguments\":[");
  for (unsigned i = 0; i < gimple_call_num_args(call); i++)
    write_argument(call, i);
  fprintf(out, "]");
}

void write_assignment(gassign *assign) {
  tree left = gimple_assign_lhs(assign);
  if (TREE_CODE(left) == SSA_NAME) {
    fprintf(out, ",\"def\":%u", SSA_NAME_VERSION(left));
  } else {
    fprintf(out, ",\"store\":");
    write_reference(left);
  }
  fprintf(out, ",\"value\":");
  if (gimple_assign_single_p(assign)) {
    tree right = gimple_assign_rhs1(assign);
    write_expression(right);
    if (gimple_assign_load_p(assign)) {
      ao_ref reference;
      ao_ref_init(&reference, right);
      write_stores(assign, &reference);
    }
    return;
  }
  tree type = TREE_TYPE(left);
  fprintf(out, "[\"op\",\"%s\",\"%s\",%u", get_tree_code_name(gimple_assign_rhs_code(assign)), type_word(type),
          INTEGRAL_TYPE_P(type) ? TYPE_PRECISION(type) : 0u);
  as_sums = gimple_assign_rhs_code(assign) == PLUS_EXPR || gimple_assign_rhs_code(assign) == BIT_AND_EXPR;
  for (unsigned i = 1; i < gimple_num_ops(assign); i++) {
    fprintf(out, ",");
    write_expression(gimple_op(assign, i));
  }
  as_sums = false;
  fprintf(out, "]");
}

void write_statement(gimple *statement) {
  fprintf(out, "\n{\"id\":%u,\"function\":", gimple_uid(statement));
  write_text(out, function_of(statement));
  write_place(gimple_location(statement));
  if (gcall *call = dyn_cast<gcall *>(statement)) write_call(call);
  if (gassign *assign = dyn_cast<gassign *>(statement)) write_assignment(assign);
  if (gcond *condition = dyn_cast<gcond *>(statement)) {
    fprintf(out, ",\"condition\":[\"op\",\"%s\",\"b\",1,", get_tree_code_name(gimple_cond_code(condition)));
    write_expression(gimple_cond_lhs(condition));
    fprintf(out, ",");
    write_expression(gimple_cond_rhs(condition));
    fprintf(out, "]");
  }
  if (gswitch *choice = dyn_cast<gswitch *>(statement)) {
    fprintf(out, ",\"switch\":");
    write_expression(gimple_switch_index(choice));
  }
  if (is_a<greturn *>(statement)) fprintf(out, ",\"return\":true");
  if (is_a<gasm *>(statement)) fprintf(out, ",\"asm\":true");
  fprintf(out, ",\"count\":\"%s\"}", operation_of(statement));
}

void write_cases(basic_block block, edge way) {
  gimple_stmt_iterator last = gsi_last_nondebug_bb(block);
  gswitch *choice = gsi_end_p(last) ? NULL : dyn_cast<gswitch *>(gsi_stmt(last));
  if (!choice) return;
  fprintf(out, ",\"cases\":[");
  bool first = true;
  for (unsigned i = 0; i < gimple_switch_num_labels(choice); i++) {
    tree label = gimple_switch_label(choice, i);
    if (label_to_block(cfun, CASE_LABEL(label)) != way->dest) continue;
    fprintf(out, "%s[", first ? "" : ",");
    first = false;
    write_expression(CASE_LOW(label));
    fprintf(out, ",");
    write_expression(CASE_HIGH(label));
    fprintf(out, "]");
  }
  fprintf(out, "]");
}

void write_block(basic_block block) {
  fprintf(out, "{\"block\":%d,\"loop\":%d,\"to\":[", block->index, block->loop_father->num);
  edge way;
  edge_iterator ways;
  FOR_EACH_EDGE(way, ways, block->succs) {
    fprintf(out, "%s{\"block\":%d,\"when\":\"%s\"", ways.index ? "," : "", way->dest->index,
            way->flags & EDGE_TRUE_VALUE    ? "true"
            : way->flags & EDGE_FALSE_VALUE ? "false"
            : way->flags & (EDGE_EH | EDGE_ABNORMAL) ? "odd"
                                            : "always");
    write_cases(block, way);
    fprintf(out, "}");
  }
  fprintf(out, "],\"phis\":[");
  bool first = true;
  for (gphi_iterator at = gsi_start_phis(block); !gsi_end_p(at); gsi_next(&at)) {
    gphi *phi = at.phi();
    if (virtual_operand_p(gimple_phi_result(phi))) continue;
    fprintf(out, "%s\n{\"id\":%u,\"def\":%u,\"arguments\":[", first ? "" : ",", gimple_uid(phi), SSA_NAME_VERSION(gimple_phi_result(phi)));
    first = false;
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
      fprintf(out, "%s{\"block\":%d,\"value\":", i ? "," : "", gimple_phi_arg_edge(phi, i)->src->index);
      write_expression(gimple_phi_arg_def(phi, i));
      fprintf(out, "}");
    }
    fprintf(out, "]}");
  }
  fprintf(out, "],\"statements\":[");
  first = true;
  for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at); gsi_next_nondebug(&at)) {
    gimple *statement = gsi_stmt(at);
    if (gimple_code(statement) == GIMPLE_LABEL || gimple_code(statement) == GIMPLE_PREDICT || gimple_clobber_p(statement) ||
        gimple_code(statement) == GIMPLE_NOP)
      continue;
    if (!first) fprintf(out, ",");
    first = false;
    write_statement(statement);
  }
  fprintf(out, "]}");
}

/* ---- loops ---- */

bool see_store_of_loop(ao_ref *reference, tree definition, void *data) {
  gimple *statement = SSA_NAME_DEF_STMT(definition);
  class loop *loop = (class loop *)*(void **)data;
  if (!loop) return true; /* one was found on another way */
  if (is_a<gcall *>(statement) && !is_written(as_a<gcall *>(statement), reference)) return false;
  if (!flow_bb_inside_loop_p(loop, gimple_bb(statement))) return false;
  *(void **)data = NULL;
  return true;
}

/* Does a load in the loop read the same each time? GCC asks no call what it does. */
bool is_steady_load(class loop *loop, tree value) {
  gimple *statement = SSA_NAME_DEF_STMT(value);
  if (!gimple_assign_load_p(statement) || !gimple_vuse(statement)) return false;
  ao_ref reference;
  ao_ref_init(&reference, gimple_assign_rhs1(statement));
  void *there = loop;
  if (!DECL_P(ao_ref_base(&reference))) return false;
  walk_aliased_vdefs(&reference, gimple_vuse(statement), see_store_of_loop, &there, NULL, NULL);
  return there != NULL;
}

/* A counter of which only the first two values are left, as the loop is passed once: what it begins as, and what is
 * added to it. */
bool is_counted_once(class loop *loop, tree value, HOST_WIDE_INT *begin, HOST_WIDE_INT *step) {
  gphi *phi = TREE_CODE(value) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(value)) : NULL;
  if (!phi || gimple_bb(phi) != loop->header || !loop->latch || !INTEGRAL_TYPE_P(TREE_TYPE(value))) return false;
  tree first = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop));
  tree second = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop));
  if (!tree_fits_shwi_p(first) || !tree_fits_shwi_p(second)) return false;
  *begin = tree_to_shwi(first);
  *step = tree_to_shwi(second) - *begin;
  return *step != 0;
}

/* Is the loop left by the test when it is come to for the second time? `stays`: what holds while it is not. */
bool is_passed_once(class loop *loop, enum tree_code stays, tree left, tree right) {
  HOST_WIDE_INT begin, step;
  if (!tree_fits_shwi_p(right) || !is_counted_once(loop, left, &begin, &step)) return false;
  tree type = TREE_TYPE(left);
  tree once = fold_binary(stays, boolean_type_node, build_int_cst(type, begin), right);
  tree again = fold_binary(stays, boolean_type_node, build_int_cst(type, begin + step), right);
  return once && integer_onep(once) && again && integer_zerop(again);
}

void write_induction(class loop *loop, const char *name, tree value) {
  affine_iv iv;
  fprintf(out, ",\"%s\":", name);
  if (TREE_CODE(value) != SSA_NAME || simple_iv(loop, loop, value, &iv, false)) {
    fprintf(out, "{\"base\":");
    write_expression(TREE_CODE(value) == SSA_NAME ? iv.base : value);
    fprintf(out, ",\"step\":");
    if (TREE_CODE(value) == SSA_NAME) write_expression(iv.step);
    else fprintf(out, "[\"whole\",0]");
    fprintf(out, "}");
    return;
  }
  if (is_steady_load(loop, value)) {
    fprintf(out, "{\"base\":");
    write_expression(value);
    fprintf(out, ",\"step\":[\"whole\",0]}");
    return;
  }
  /* One that is multiplied each time. */
  gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(value));
  tree next = phi && gimple_bb(phi) == loop->header ? PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop)) : NULL_TREE;
  gassign *assign = next && TREE_CODE(next) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(next)) : NULL;
  if (assign && gimple_num_ops(assign) == 3 && gimple_assign_rhs1(assign) == value && tree_fits_shwi_p(gimple_assign_rhs2(assign))) {
    long by = tree_to_shwi(gimple_assign_rhs2(assign));
    bool shift = gimple_assign_rhs_code(assign) == LSHIFT_EXPR;
    if (shift || gimple_assign_rhs_code(assign) == MULT_EXPR) {
      fprintf(out, "{\"base\":");
      write_expression(PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop)));
      fprintf(out, ",\"factor\":%ld}", shift ? 1L << by : by);
      return;
    }
  }
  /* One to which something is added that does not change in the loop. */
  tree added = assign && gimple_assign_rhs_code(assign) == PLUS_EXPR
                   ? gimple_assign_rhs1(assign) == value ? gimple_assign_rhs2(assign) : gimple_assign_rhs1(assign)
                   : NULL_TREE;
  if (added && added != value && expr_invariant_in_loop_p(loop, added)) {
    fprintf(out, "{\"base\":");
    write_expression(PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop)));
    fprintf(out, ",\"step\":");
    write_expression(added);
    fprintf(out, "}");
    return;
  }
  fprintf(out, "null");
}

}

/* Where it is tested, or else where something stands in it, first where it begins. */
location_t place_of(class loop *loop) {
  gimple *last = last_stmt(loop->header);
  if (last && is_a<gcond *>(last) && gimple_location(last)) return gimple_location(last);
  for (gimple_stmt_iterator at = gsi_start_bb(loop->header); !gsi_end_p(at); gsi_next(&at))
    if (gimple_location(gsi_stmt(at))) return gimple_location(gsi_stmt(at));
  location_t found = UNKNOWN_LOCATION;
  basic_block *blocks = get_loop_body(loop);
  for (unsigned b = 0; b < loop->num_nodes && !found; b++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[b]); !gsi_end_p(at) && !found; gsi_next(&at))
      found = gimple_location(gsi_stmt(at));
  free(blocks);
  return found;
}

namespace {

void write_loop(class loop *loop, bool first) {
  fprintf(out, "%s\n{\"loop\":%d,\"header\":%d,\"latch\":%d,\"outer\":%d", first ? "" : ",", loop->num, loop->header->index,
          loop->latch ? loop->latch->index : -1, loop_outer(loop) ? loop_outer(loop)->num : -1);
  write_place(place_of(loop));
  fprintf(out, ",\"exits\":[");
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  for (unsigned i = 0; i < exits.length(); i++) {
    edge way = exits[i];
    gcond *condition = safe_dyn_cast<gcond *>(last_stmt(way->src));
    fprintf(out, "%s{\"from\":%d,\"to\":%d", i ? "," : "", way->src->index, way->dest->index);
    if (condition && loop->latch && dominated_by_p(CDI_DOMINATORS, loop->latch, way->src) && way->src->loop_father == loop) {
      enum tree_code code = gimple_cond_code(condition);
      if (way->flags & EDGE_TRUE_VALUE) code = invert_tree_comparison(code, false);
      if (way->src == loop->header && is_passed_once(loop, code, gimple_cond_lhs(condition), gimple_cond_rhs(condition))) {
        HOST_WIDE_INT begin, step;
        is_counted_once(loop, gimple_cond_lhs(condition), &begin, &step);
        fprintf(out, ",\"while\":\"%s\",\"test first\":true,\"left\":{\"base\":[\"whole\",%ld],\"step\":[\"whole\",%ld]}", step > 0 ? "lt_expr" : "gt_expr", (long)begin, (long)step);
        fprintf(out, ",\"right\":{\"base\":[\"whole\",%ld],\"step\":[\"whole\",0]}}", (long)(begin + step));
        continue;
      }
      fprintf(out, ",\"while\":\"%s\",\"test first\":%s", get_tree_code_name(code), way->src == loop->header ? "true" : "false");
      write_induction(loop, "left", gimple_cond_lhs(condition));
      write_induction(loop, "right", gimple_cond_rhs(condition));
    }
    fprintf(out, "}");
  }
  fprintf(out, "]");
  /* What counts steps of the loop. */
  fprintf(out, ",\"counters\":[");
  bool before = false;
  for (gphi_iterator at = gsi_start_phis(loop->header); !gsi_end_p(at); gsi_next(&at)) {
    tree result = gimple_phi_result(at.phi());
    affine_iv iv;
    if (virtual_operand_p(result) || !INTEGRAL_TYPE_P(TREE_TYPE(result))) continue;
    if (!simple_iv(loop, loop, result, &iv, false)) continue;
    fprintf(out, "%s{\"ssa\":%u,\"base\":", before ? "," : "", SSA_NAME_VERSION(result));
    before = true;
    write_expression(iv.base);
    fprintf(out, ",\"step\":");
    write_expression(iv.step);
    fprintf(out, "}");
  }
  fprintf(out, "]}");
}

/* ---- all ---- */

/* Is it a name that GCC gives what it keeps in a register while a loop is passed? */
bool is_kept(tree name) {
  tree variable = SSA_NAME_VAR(name);
  const char *text = variable && DECL_NAME(variable) ? IDENTIFIER_POINTER(DECL_NAME(variable)) : "";
  return variable && strstr(text, "_lsm");
}

void number_statements(function *fun) {
  unsigned number = 1;
  basic_block block;
  FOR_EACH_BB_FN(block, fun) {
    for (gphi_iterator at = gsi_start_phis(block); !gsi_end_p(at); gsi_next(&at))
      gimple_set_uid(at.phi(), number++);
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      gimple_set_uid(gsi_stmt(at), number++);
  }
}

void write_names() {
  bool first = true;
  unsigned version;
  tree name;
  fprintf(out, ",\n\"names\":[");
  FOR_EACH_SSA_NAME(version, name, cfun) {
    tree variable = SSA_NAME_VAR(name);
    if (virtual_operand_p(name)) continue;
    std::string text = variable && DECL_NAME(variable) ? IDENTIFIER_POINTER(DECL_NAME(variable)) : "";
    if (is_kept(name)) text.erase(text.find("_lsm"));
    fprintf(out, "%s[%u,\"%s\",", first ? "" : ",", version, type_word(TREE_TYPE(name)));
    write_text(out, text.c_str());
    first = false;
    bool parameter = variable && SSA_NAME_IS_DEFAULT_DEF(name) && TREE_CODE(variable) == PARM_DECL;
    int place = 0, at = 0;
    for (tree p = DECL_ARGUMENTS(current_function_decl); p; p = DECL_CHAIN(p), at++)
      if (p == variable) place = at;
    tree type = TREE_TYPE(name);
    fprintf(out, ",%d,%u]", parameter ? place : -1, INTEGRAL_TYPE_P(type) ? TYPE_PRECISION(type) : 0u);
  }
  fprintf(out, "]");
}

/* Functions that are there still, as they call themselves, and what they call. */
void write_functions(function *fun) {
  cgraph_node *node;
  bool first = true;
  fprintf(out, ",\n\"functions\":[");
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
    if (DECL_STRUCT_FUNCTION(node->decl) == fun) continue;
    fprintf(out, "%s{\"name\":", first ? "" : ",");
    first = false;
    write_text(out, IDENTIFIER_POINTER(DECL_NAME(node->decl)));
    write_place(DECL_SOURCE_LOCATION(node->decl));
    fprintf(out, ",\"calls\":[");
    bool before = false;
    for (cgraph_edge *edge = node->callees; edge; edge = edge->next_callee) {
      if (!DECL_NAME(edge->callee->decl)) continue;
      if (before) fprintf(out, ",");
      before = true;
      write_text(out, IDENTIFIER_POINTER(DECL_NAME(edge->callee->decl)));
    }
    fprintf(out, "]}");
  }
  fprintf(out, "]");
}

/* What is kept in a register while a loop is passed is copied when the loop is entered and passed again: without these
 * copies it is seen what the loop counts. */
void drop_copies(function *fun) {
  basic_block block;
  FOR_EACH_BB_FN(block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
      gimple *copy = gsi_stmt(at);
      tree to = gimple_get_lhs(copy), from = gimple_assign_ssa_name_copy_p(copy) ? gimple_assign_rhs1(copy) : NULL_TREE;
      bool made = from && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(to) && (is_kept(to) || is_kept(from));
      if (!made) {
        gsi_next(&at);
        continue;
      }
      replace_uses_by(to, from);
      gsi_remove(&at, true);
      release_ssa_name(to);
    }
}

void write_facts(function *fun) {
  push_cfun(fun);
  current_function_decl = fun->decl;
  wanted = BITMAP_ALLOC(NULL);
  loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  scev_initialize();
  loop_invariant_motion_in_fun(fun, true);
  drop_copies(fun);
  scev_reset();
  compute_may_aliases();
  calculate_dominance_info(CDI_DOMINATORS);
  number_statements(fun);
  basic_block block;
  FOR_EACH_BB_FN(block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      if (gcall *call = dyn_cast<gcall *>(gsi_stmt(at))) point_to_elements(call);
  bool irreducible = mark_irreducible_loops();
  fprintf(out, "{\"version\":1,\"language\":");
  write_text(out, lang_hooks.name);
  fprintf(out, ",\"function\":");
  write_text(out, IDENTIFIER_POINTER(DECL_NAME(fun->decl)));
  if (handles) fprintf(out, ",\"exceptions\":true");
  fprintf(out, ",\"irreducible\":[");
  bool first = true;
  if (irreducible)
    FOR_EACH_BB_FN(block, fun)
      if (block->flags & BB_IRREDUCIBLE_LOOP) {
        fprintf(out, "%s%d", first ? "" : ",", block->index);
        first = false;
      }
  fprintf(out, "],\"blocks\":[");
  first = true;
  FOR_EACH_BB_FN(block, fun) {
    fprintf(out, "%s\n", first ? "" : ",");
    first = false;
    write_block(block);
  }
  fprintf(out, "],\n\"loops\":[");
  first = true;
  for (auto loop : loops_list(fun, 0)) {
    as_sums = true;
    write_loop(loop, first);
    as_sums = false;
    first = false;
  }
  fprintf(out, "]");
  write_names();
  write_functions(fun);
  write_variables();
  fprintf(out, "}\n");
  scev_finalize();
  if (counters_path) add_counters(fun, counters_path);
  loop_optimizer_finalize();
  BITMAP_FREE(wanted);
  pop_cfun();
}

const pass_data facts_data = {SIMPLE_IPA_PASS, "psl_facts", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class facts_pass : public simple_ipa_opt_pass {
public:
  facts_pass(gcc::context *context) : simple_ipa_opt_pass(facts_data, context) {}
  unsigned execute(function *) final override {
    cgraph_node *node;
    if (seen_error()) return 0;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
      if (MAIN_NAME_P(DECL_NAME(node->decl))) {
        if (sliced_by) {
          slice_program(DECL_STRUCT_FUNCTION(node->decl), sliced_by);
          return 0;
        }
        out = fopen(path, "w");
        if (!out) fatal_error(UNKNOWN_LOCATION, "%s cannot be written", path);
        write_facts(DECL_STRUCT_FUNCTION(node->decl));
        fclose(out);
        if (facts_alone) exit(0); /* most of a compilation is yet to come */
      }
    return 0;
  }
};

const pass_data timers_data = {SIMPLE_IPA_PASS, "psl_timers", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class timers_pass : public simple_ipa_opt_pass {
public:
  timers_pass(gcc::context *context) : simple_ipa_opt_pass(timers_data, context) {}
  unsigned execute(function *) final override {
    if (!seen_error()) add_timers(timers_path, usual_math);
    return 0;
  }
};

void insert(opt_pass *pass, const char *beside, pass_positioning_ops where) {
  register_pass_info info = {pass, beside, 1, where};
  register_callback("psl_facts", PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

}

int plugin_init(plugin_name_args *plugin, plugin_gcc_version *version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    fprintf(stderr, "psl: error: the plugin was made for another GCC than %s\n", version->basever);
    return 1;
  }
  for (int i = 0; i < plugin->argc; i++) {
    if (!strcmp(plugin->argv[i].key, "facts")) path = plugin->argv[i].value;
    else if (!strcmp(plugin->argv[i].key, "slice")) sliced_by = plugin->argv[i].value;
    else if (!strcmp(plugin->argv[i].key, "timers")) timers_path = plugin->argv[i].value;
    else if (!strcmp(plugin->argv[i].key, "counters")) counters_path = plugin->argv[i].value;
    else if (!strcmp(plugin->argv[i].key, "usual-math")) usual_math = true;
    else if (!strcmp(plugin->argv[i].key, "alone")) facts_alone = true;
  }
  if (timers_path) {
    insert(new timers_pass(g), "opt_local_passes", PASS_POS_INSERT_AFTER);
    return 0;
  }
  if (!path && !sliced_by) return 1;
  register_callback(plugin->base_name, PLUGIN_FINISH_DECL, note_finished, NULL);
  insert(new spec_pass(g), "cfg", PASS_POS_INSERT_AFTER);
  insert(new inline_pass(g), "visibility", PASS_POS_INSERT_AFTER);
  insert(new facts_pass(g), "opt_local_passes", PASS_POS_INSERT_AFTER);
  return 0;
}
