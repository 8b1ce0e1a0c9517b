/* What calls of MPI do to memory, and what statements cost. */
#include "interp/compile/plugin/facts.h"

namespace {

/* One letter an argument: v a value, r read, w written, o written and no more than what is named, b read and written. A pointer that a
 * request keeps is taken as used by the call. */
struct known_call {
  const char *name, *arguments;
};
const known_call known_calls[] = {
    {"Init", "rr"},
    {"Init_thread", "rrvw"},
    {"Finalize", ""},
    {"Comm_rank", "vo"},
    {"Comm_size", "vo"},
    {"Send", "rvvvvv"},
    {"Ssend", "rvvvvv"},
    {"Bsend", "rvvvvv"},
    {"Rsend", "rvvvvv"},
    {"Recv", "wvvvvvw"},
    {"Isend", "rvvvvvo"},
    {"Issend", "rvvvvvo"},
    {"Irecv", "wvvvvvo"},
    {"Sendrecv", "rvvvvwvvvvvw"},
    {"Sendrecv_replace", "bvvvvvvvw"},
    {"Wait", "bw"},
    {"Waitall", "vbw"},
    {"Waitany", "vbww"},
    {"Test", "bww"},
    {"Probe", "vvvw"},
    {"Iprobe", "vvvww"},
    {"Get_count", "rvw"},
    {"Barrier", "v"},
    {"Bcast", "bvvvv"},
    {"Reduce", "rwvvvvv"},
    {"Allreduce", "rwvvvv"},
    {"Scan", "rwvvvv"},
    {"Exscan", "rwvvvv"},
    {"Gather", "rvvwvvvv"},
    {"Scatter", "rvvwvvvv"},
    {"Allgather", "rvvwvvv"},
    {"Alltoall", "rvvwvvv"},
    {"Gatherv", "rvvwrrvvv"},
    {"Scatterv", "rrrvwvvvv"},
    {"Allgatherv", "rvvwrrvv"},
    {"Alltoallv", "rrrvwrrvv"},
    {"Reduce_scatter_block", "rwvvvv"},
    {"Reduce_scatter", "rwrvvv"},
    {"Comm_split", "vvvw"},
    {"Comm_dup", "vw"},
    {"Comm_free", "b"},
    {"Dims_create", "vvb"},
    {"Type_contiguous", "vvw"},
    {"Type_vector", "vvvvw"},
    {"Type_create_hvector", "vvvvw"},
    {"Type_commit", "b"},
    {"Type_free", "b"},
    {"Type_size", "vw"},
    {"Wtime", ""},
    {"Wtick", ""},
    {"Abort", "vv"},
    {"Get_processor_name", "ww"},
};

/* Of libraries; all that is not named is read. */
const known_call library_calls[] = {
    {"printf", "r"},
    {"fprintf", "r"},
    {"puts", "r"},
    {"putchar", "v"},
    {"fputs", "rr"},
    {"fputc", "vr"},
    {"fflush", "r"},
    {"fwrite", "rvvr"},
    {"fclose", "r"},
    {"exit", "v"},
    {"abort", ""},
    {"atoi", "r"},
    {"atol", "r"},
    {"atoll", "r"},
    {"atof", "r"},
    {"strtol", "rwv"},
    {"strtoul", "rwv"},
    {"strtod", "rw"},
    {"rand", ""},
    {"srand", "v"},
    {"scanf", "rwwwwwwww"},
    {"fscanf", "rrwwwwwwww"},
    {"sscanf", "rrwwwwwwww"},
    {"_gfortran_set_args", "vr"},
    {"_gfortran_set_options", "vr"},
    {"_gfortran_iargc", ""},
    {"_gfortran_get_command_argument_i4", "rwwwvv"},
    {"_gfortran_get_command_argument_i8", "rwwwvv"},
    {"_gfortran_getarg_i4", "rwv"},
    {"_gfortran_st_read", "b"},
    {"_gfortran_st_read_done", "b"},
    {"_gfortran_transfer_integer", "bwv"},
    {"_gfortran_transfer_real", "bwv"},
    {"_gfortran_st_write", "b"},
    {"_gfortran_st_write_done", "b"},
    {"_gfortran_transfer_integer_write", "brv"},
    {"_gfortran_transfer_real_write", "brv"},
    {"_gfortran_transfer_character_write", "brv"},
    {"_gfortran_transfer_logical_write", "brv"},
    {"_gfortran_stop_string", "rvv"},
    {"_gfortran_stop_numeric", "vv"},
    {"_gfortran_runtime_error", "rr"},
    {"_gfortran_runtime_error_at", "rrr"},
    {"_gfortran_os_error_at", "rrv"},
};

/* The function, without MPI_, and whether it is one that Fortran calls, whose arguments are addresses and whose last one is
 * for an error. */
const known_call *find_call(const char *name, bool *fortran) {
  *fortran = false;
  for (const known_call &call : library_calls)
    if (!strcmp(call.name, name)) return &call;
  if (strncasecmp(name, "mpi_", 4) != 0) return NULL;
  *fortran = name[0] == 'm';
  for (const known_call &call : known_calls)
    if (*fortran ? !strcasecmp(call.name, name + 4) : !strcmp(call.name, name + 4)) return &call;
  return NULL;
}

}

static int kind_of(const known_call *known, bool fortran, unsigned place, tree argument) {
  size_t length = strlen(known->arguments);
  if (TREE_CODE(argument) == INTEGER_CST) return 'v'; /* MPI_STATUS_IGNORE and the like are no memory */
  return place < length ? known->arguments[place] : fortran && place == length ? 'w' : 'r';
}

static const known_call *known_of(gcall *call, bool *fortran) {
  tree decl = gimple_call_fndecl(call);
  return decl && DECL_NAME(decl) ? find_call(IDENTIFIER_POINTER(DECL_NAME(decl)), fortran) : NULL;
}

std::string call_spec(gcall *call) {
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  if (!known) return "";
  std::string spec = ".p"; /* of the result, and: touches nothing but what it is given */
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    int kind = kind_of(known, fortran, i, gimple_call_arg(call, i));
    if (kind == 'v' && fortran) kind = 'r';
    spec += kind == 'v' || !POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, i))) ? ". " : kind == 'r' ? "r " : "w ";
  }
  return spec;
}

int argument_kind(gcall *call, unsigned place) {
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  return known ? kind_of(known, fortran, place, gimple_call_arg(call, place)) : 0;
}

bool is_known(gcall *call) {
  bool fortran;
  return known_of(call, &fortran) != NULL;
}

bool is_foreign(tree decl) {
  const char *name = DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
  bool fortran;
  return !fndecl_built_in_p(decl) && strncasecmp(name, "mpi_", 4) && strncasecmp(name, "pmpi_", 5) &&
         strncmp(name, "_gfortran", 9) && strncmp(name, "__", 2) && !find_call(name, &fortran);
}

bool is_written(gcall *call, ao_ref *reference) {
  bool fortran;
  if (!known_of(call, &fortran)) return true;
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    tree argument = gimple_call_arg(call, i);
    int kind = argument_kind(call, i);
    if ((kind != 'w' && kind != 'b' && kind != 'o') || !POINTER_TYPE_P(TREE_TYPE(argument))) continue;
    ao_ref target;
    if (kind == 'o' && TREE_CODE(argument) == ADDR_EXPR) ao_ref_init(&target, TREE_OPERAND(argument, 0));
    else ao_ref_init_from_ptr_and_size(&target, argument, NULL_TREE);
    if (refs_may_alias_p_1(&target, reference, false)) return true;
  }
  return false;
}

bool kills(gimple *statement, ao_ref *reference) {
  gcall *call = dyn_cast<gcall *>(statement);
  if (!call) return false;
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    tree argument = gimple_call_arg(call, i);
    int kind = argument_kind(call, i);
    if ((kind != 'w' && kind != 'o') || TREE_CODE(argument) != ADDR_EXPR) continue;
    if (reference->ref && operand_equal_p(TREE_OPERAND(argument, 0), reference->ref, 0)) return true;
  }
  /* All dimensions are set. */
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  if (known && !strcmp(known->name, "Dims_create") && TREE_CODE(gimple_call_arg(call, 2)) == ADDR_EXPR)
    return get_base_address(TREE_OPERAND(gimple_call_arg(call, 2), 0)) == ao_ref_base(reference);
  return false;
}

const char *operation_of(gimple *statement) {
  if (gcall *call = dyn_cast<gcall *>(statement)) {
    tree left = gimple_call_lhs(call);
    if (!(gimple_call_flags(call) & (ECF_CONST | ECF_PURE)) && !gimple_call_builtin_p(call, BUILT_IN_NORMAL)) return "call";
    return left && FLOAT_TYPE_P(TREE_TYPE(left)) ? "float" : "int";
  }
  if (is_a<gcond *>(statement) || is_a<gswitch *>(statement)) return "int";
  gassign *assign = dyn_cast<gassign *>(statement);
  if (!assign) return "";
  if (gimple_assign_load_p(assign)) return "load";
  if (gimple_store_p(assign)) return "store";
  if (gimple_assign_single_p(assign) || CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(assign))) return "";
  return FLOAT_TYPE_P(TREE_TYPE(gimple_assign_lhs(assign))) ? "float" : "int";
}

void write_text(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fputc('\\', file);
    if (c < 32) fprintf(file, "\\u%04x", c);
    else fputc(c, file);
  }
  fputc('"', file);
}
