/* What calls of MPI do to memory, and what statements cost. */
#include "interp/compile/plugin/facts.h"

namespace {

/* One letter an argument: v a value, r read, w written, o written and no more than what is named, s a status, b read and
 * written, h a handle that is read and may be written. A pointer that a request keeps is taken as used by the call. */
struct known_call {
  const char *name, *arguments;
};
const known_call known_calls[] = {
    {"Init", "rr"},
    {"Init_thread", "rrvo"},
    {"Finalize", ""},
    {"Comm_rank", "vo"},
    {"Comm_size", "vo"},
    {"Send", "rvvvvv"},
    {"Ssend", "rvvvvv"},
    {"Bsend", "rvvvvv"},
    {"Rsend", "rvvvvv"},
    {"Recv", "wvvvvvs"},
    {"Isend", "rvvvvvo"},
    {"Issend", "rvvvvvo"},
    {"Ibsend", "rvvvvvo"},
    {"Irsend", "rvvvvvo"},
    {"Irecv", "wvvvvvo"},
    {"Mprobe", "vvvow"},
    {"Mrecv", "wvvbw"},
    {"Buffer_attach", "vv"},
    {"Buffer_detach", "ww"},
    {"Sendrecv", "rvvvvwvvvvvs"},
    {"Sendrecv_replace", "bvvvvvvvs"},
    {"Wait", "hs"},
    {"Waitall", "vbw"},
    {"Waitany", "vbow"},
    {"Waitsome", "vboww"},
    {"Testall", "vbow"},
    {"Test", "hos"},
    {"Probe", "vvvs"},
    {"Iprobe", "vvvos"},
    {"Get_count", "rvo"},
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
    {"Ibarrier", "vo"},
    {"Ibcast", "bvvvvo"},
    {"Ireduce", "rwvvvvvo"},
    {"Iallreduce", "rwvvvvo"},
    {"Iallgather", "rvvwvvvo"},
    {"Ialltoall", "rvvwvvvo"},
    {"Ialltoallv", "rrrvwrrvvo"},
    {"Iscan", "rwvvvvo"},
    {"Iexscan", "rwvvvvo"},
    {"Igather", "rvvwvvvvo"},
    {"Iscatter", "rvvwvvvvo"},
    {"Igatherv", "rvvwrrvvvo"},
    {"Iscatterv", "rrrvwvvvvo"},
    {"Iallgatherv", "rvvwrrvvo"},
    {"Ireduce_scatter", "rwrvvvo"},
    {"Ireduce_scatter_block", "rwvvvvo"},
    {"Neighbor_allgather", "rvvwvvv"},
    {"Neighbor_alltoall", "rvvwvvv"},
    {"Comm_split", "vvvo"},
    {"Comm_dup", "vo"},
    {"Comm_create", "vvo"},
    {"Comm_split_type", "vvvvo"},
    {"Comm_group", "vo"},
    {"Comm_free", "h"},
    {"Group_incl", "vvro"},
    {"Group_excl", "vvro"},
    {"Group_free", "h"},
    {"Comm_set_errhandler", "vv"},
    {"Dims_create", "vvb"},
    {"Cart_create", "vvrrvo"},
    {"Cart_coords", "vvvw"},
    {"Cart_shift", "vvvoo"},
    {"Cart_rank", "vro"},
    {"Cart_get", "vvwww"},
    {"Cart_sub", "vro"},
    {"Type_contiguous", "vvo"},
    {"Type_vector", "vvvvo"},
    {"Type_hvector", "vvvvo"},
    {"Type_create_hvector", "vvvvo"},
    {"Type_indexed", "vrrvo"},
    {"Type_create_hindexed", "vrrvo"},
    {"Type_create_indexed_block", "vvrvo"},
    {"Type_create_subarray", "vrrrvvo"},
    {"Type_create_struct", "vrrro"},
    {"Type_create_resized", "vvvo"},
    {"Type_dup", "vo"},
    {"Type_commit", "r"},
    {"Type_free", "h"},
    {"Type_size", "vo"},
    {"Type_set_name", "vr"},
    {"Comm_set_name", "vr"},
    {"Comm_get_name", "vwo"},
    {"Info_create", "o"},
    {"Info_set", "vrr"},
    {"Info_free", "h"},
    {"Comm_dup_with_info", "vvo"},
    {"Comm_create_group", "vvvo"},
    {"Group_size", "vo"},
    {"Group_rank", "vo"},
    {"Type_get_extent", "voo"},
    {"Send_init", "rvvvvvo"},
    {"Ssend_init", "rvvvvvo"},
    {"Bsend_init", "rvvvvvo"},
    {"Rsend_init", "rvvvvvo"},
    {"Recv_init", "wvvvvvo"},
    {"Start", "r"},
    {"Startall", "vr"},
    {"Request_free", "h"},
    {"Get_address", "ro"},
    {"Initialized", "o"},
    {"Finalized", "o"},
    {"Op_create", "rvo"},
    {"Op_free", "r"},
    {"Get_version", "oo"},
    {"Get_library_version", "ww"},
    {"Wtime", ""},
    {"Wtick", ""},
    {"Abort", "vv"},
    {"Get_processor_name", "ww"},
};

const int status_bytes = 20; /* of MPICH */

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
    {"fopen", "rr"},
    {"fopen64", "rr"},
    {"fgets", "wvr"},
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
    {"random", ""},
    {"srandom", "v"},
    {"drand48", ""},
    {"lrand48", ""},
    {"srand48", "v"},
    {"rand_r", "b"},
    {"time", "o"},
    {"clock", ""},
    {"sleep", "v"},
    {"usleep", "v"},
    {"getpid", ""},
    {"getenv", "r"},
    {"gettimeofday", "oo"},
    {"clock_gettime", "vo"},
    {"gethostname", "wv"},
    {"perror", "r"},
    {"strlen", "r"},
    {"strcmp", "rr"},
    {"strncmp", "rrv"},
    {"scanf", "rwwwwwwww"},
    {"fscanf", "rrwwwwwwww"},
    {"sscanf", "rrwwwwwwww"},
    {"_gfortran_set_args", "vr"},
    {"_gfortran_set_options", "vr"},
    {"_gfortran_iargc", ""},
    {"_gfortran_get_command_argument_i4", "rwwwvv"},
    {"_gfortran_get_command_argument_i8", "rwwwvv"},
    {"_gfortran_getarg_i4", "rwv"},
    {"_gfortran_get_environment_variable_i4", "rwoorvv"},
    {"_gfortran_random_seed_i4", "ooo"},
    {"_gfortran_random_r4", "o"},
    {"_gfortran_random_r8", "o"},
    {"_gfortran_arandom_r4", "b"},
    {"_gfortran_arandom_r8", "b"},
    {"_gfortran_system_clock_4", "ooo"},
    {"_gfortran_system_clock_8", "ooo"},
    {"_gfortran_cpu_time_4", "o"},
    {"_gfortran_cpu_time_8", "o"},
    {"_gfortran_flush_i4", "r"},
    {"_gfortran_ieee_procedure_entry", "o"},
    {"_gfortran_ieee_procedure_exit", "r"},
    {"_gfortran_st_open", "b"},
    {"_gfortran_st_close", "b"},
    {"_gfortran_st_read", "b"},
    {"_gfortran_st_read_done", "b"},
    {"_gfortran_transfer_integer", "bwv"},
    {"_gfortran_transfer_real", "bwv"},
    {"_gfortran_transfer_logical", "bwv"},
    {"_gfortran_st_write", "b"},
    {"_gfortran_st_write_done", "b"},
    {"_gfortran_transfer_integer_write", "brv"},
    {"_gfortran_transfer_real_write", "brv"},
    {"_gfortran_transfer_character_write", "brv"},
    {"_gfortran_transfer_logical_write", "brv"},
    {"_gfortran_transfer_complex_write", "brv"},
    {"_gfortran_transfer_array_write", "brvv"},
    {"_gfortran_st_rewind", "b"},
    {"_gfortran_st_backspace", "b"},
    {"_gfortran_st_inquire", "b"},
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
  if (!strncmp(name, "__isoc99_", 9)) name += 9;
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
  return place < length ? known->arguments[place] : fortran && place == length ? 'o' : 'r';
}

static const known_call *known_of(gcall *call, bool *fortran) {
  tree decl = gimple_call_fndecl(call);
  return decl && DECL_NAME(decl) ? find_call(IDENTIFIER_POINTER(DECL_NAME(decl)), fortran) : NULL;
}

/* Does it set what iostat= names, which no argument of it leads to? */
static bool sets_status(gcall *call) {
  tree decl = gimple_call_fndecl(call);
  const char *name = decl && DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
  return !strcmp(name, "_gfortran_st_open") || !strcmp(name, "_gfortran_st_read_done");
}

/* Of what makes or starts a persistent request; names are without MPI_. */
static bool is_persistent(const char *name) {
  size_t length = strlen(name);
  return !strncmp(name, "Start", 5) || (length > 5 && !strcmp(name + length - 5, "_init"));
}

std::string call_spec(gcall *call) {
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  if (!known || sets_status(call)) return "";
  /* The buffer of a persistent request is read and written by what starts it, which is not given it. */
  if (is_persistent(known->name)) return "";
  std::string spec = ".p"; /* of the result, and: touches nothing but what it is given */
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    int kind = kind_of(known, fortran, i, gimple_call_arg(call, i));
    if (kind == 'v' && fortran) kind = 'r';
    spec += kind == 'v' || !POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, i))) ? ". " : kind == 'r' ? "r " : "w ";
  }
  return spec;
}

/* A number that is given, by its address in Fortran; NULL: it is no constant. */
static tree constant_given(gcall *call, unsigned place) {
  tree value = place < gimple_call_num_args(call) ? gimple_call_arg(call, place) : NULL_TREE;
  if (value && TREE_CODE(value) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(value, 0)) == CONST_DECL)
    value = DECL_INITIAL(TREE_OPERAND(value, 0));
  return value && TREE_CODE(value) == INTEGER_CST ? value : NULL_TREE;
}

/* Of a type of MPICH that it has by itself, whose handle has the size; else, of what the address is one of. */
static HOST_WIDE_INT element_size(gcall *call, unsigned type_place, tree address) {
  tree handle = constant_given(call, type_place), type = TREE_TYPE(TREE_OPERAND(address, 0));
  if (handle && (TREE_INT_CST_LOW(handle) & 0xff000000) == 0x4c000000) return TREE_INT_CST_LOW(handle) >> 8 & 0xff;
  while (TREE_CODE(type) == ARRAY_TYPE)
    type = TREE_TYPE(type);
  tree size = handle ? NULL_TREE : TYPE_SIZE_UNIT(type);
  return size && tree_fits_shwi_p(size) ? tree_to_shwi(size) : 0;
}

/* Of calls that set what they are given: the buffer, how many of which type, whether these are set always. */
static const struct given_buffer {
  const char *name;
  unsigned buffer, count, type;
  bool all;
} given_buffers[] = {
    {"Bcast", 0, 1, 2, true},       {"Recv", 0, 1, 2, false},     {"Irecv", 0, 1, 2, false},
    {"Allreduce", 1, 2, 3, true},   {"Reduce", 1, 2, 3, false},   {"Scan", 1, 2, 3, true},
    {"Sendrecv", 5, 6, 7, false},   {"Recv_init", 0, 1, 2, false}, {"Sendrecv_replace", 0, 1, 2, false},
};

/* The array that the address is in, where it is known; what is set stays in that. */
static bool array_range(tree address, ao_ref *range) {
  tree object = TREE_OPERAND(address, 0);
  while (TREE_CODE(object) == ARRAY_REF)
    object = TREE_OPERAND(object, 0);
  if (TREE_CODE(TREE_TYPE(object)) != ARRAY_TYPE || !TYPE_SIZE_UNIT(TREE_TYPE(object))) return false;
  ao_ref_init(range, object);
  return ao_ref_base(range) && range->max_size_known_p();
}

bool given_range(gcall *call, unsigned place, ao_ref *range, bool *all) {
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  tree address = place < gimple_call_num_args(call) ? gimple_call_arg(call, place) : NULL_TREE;
  HOST_WIDE_INT size = 0;
  *all = true;
  if (!known || !address || TREE_CODE(address) != ADDR_EXPR) return false;
  for (const given_buffer &buffer : given_buffers) {
    if (strcmp(known->name, buffer.name) || place != buffer.buffer || gimple_call_num_args(call) <= buffer.type) continue;
    tree count = constant_given(call, buffer.count);
    *all = buffer.all && count;
    if (!count || !tree_fits_shwi_p(count)) return array_range(address, range);
    size = tree_to_shwi(count) * element_size(call, buffer.type, address);
  }
  tree type = TREE_TYPE(TREE_OPERAND(address, 0));
  if (strstr(known->name, "scanf") && place > 0 && (INTEGRAL_TYPE_P(type) || SCALAR_FLOAT_TYPE_P(type)))
    size = tree_to_shwi(TYPE_SIZE_UNIT(type)) > 1 ? tree_to_shwi(TYPE_SIZE_UNIT(type)) : 0; /* else a text */
  tree bytes = constant_given(call, 2);
  if (!strncmp(known->name, "_gfortran_transfer_", 19) && place == 1 && bytes && tree_fits_shwi_p(bytes))
    size = tree_to_shwi(bytes);
  if (size <= 0) return false;
  ao_ref_init_from_ptr_and_size(range, address, build_int_cst(sizetype, size));
  return true;
}

static bool is_within(ao_ref *inner, ao_ref *range) {
  return ao_ref_base(inner) == ao_ref_base(range) && DECL_P(ao_ref_base(inner)) && inner->max_size_known_p() &&
         known_ge(inner->offset, range->offset) &&
         known_le(inner->offset + inner->max_size, range->offset + range->max_size);
}

int argument_kind(gcall *call, unsigned place) {
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  return known ? kind_of(known, fortran, place, gimple_call_arg(call, place)) : 0;
}

void give_copies(gimple_stmt_iterator *at, gcall *call) {
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  size_t length = known ? strlen(known->name) : 0;
  bool writes = length > 6 && !strncmp(known->name, "_gfortran_transfer_", 19) && !strcmp(known->name + length - 6, "_write");
  tree argument = writes && gimple_call_num_args(call) > 1 ? gimple_call_arg(call, 1) : NULL_TREE;
  tree variable = argument && TREE_CODE(argument) == ADDR_EXPR ? TREE_OPERAND(argument, 0) : NULL_TREE;
  if (!variable || !VAR_P(variable) || !auto_var_in_fn_p(variable, current_function_decl)) return;
  if (!is_gimple_reg_type(TREE_TYPE(variable)) || TREE_THIS_VOLATILE(variable)) return;
  tree value = create_tmp_reg(TREE_TYPE(variable)), copy = create_tmp_var(TREE_TYPE(variable));
  TREE_ADDRESSABLE(copy) = 1;
  for (gassign *assign : {gimple_build_assign(value, variable), gimple_build_assign(copy, value)}) {
    gimple_set_location(assign, gimple_location(call));
    gsi_insert_before(at, assign, GSI_SAME_STMT);
  }
  gimple_call_set_arg(call, 1, build_fold_addr_expr(copy));
}

/* Is it the address of one handle or number, and of no list? */
static bool is_single(const known_call *known, int kind, unsigned place) {
  static const char *const of_one[] = {"Wait", "Test", "Start", "Request_free", "Type_commit", "Type_free"};
  if (kind == 'o') return true;
  for (const char *name : of_one)
    if (place == 0 && !strcmp(known->name, name)) return true;
  return false;
}

static tree first_scalar(tree type) {
  while (type && AGGREGATE_TYPE_P(type)) {
    if (TREE_CODE(type) == ARRAY_TYPE) {
      type = TREE_TYPE(type);
      continue;
    }
    tree field = TYPE_FIELDS(type);
    while (field && TREE_CODE(field) != FIELD_DECL)
      field = DECL_CHAIN(field);
    type = field ? TREE_TYPE(field) : NULL_TREE;
  }
  return type;
}

/* What the parameter points to; where that is not declared, as in Fortran, what the variable begins with. */
static tree pointed_type(gcall *call, unsigned place, tree object) {
  tree list = TYPE_ARG_TYPES(gimple_call_fntype(call));
  for (unsigned i = 0; list && i < place; i++)
    list = TREE_CHAIN(list);
  tree given = list ? TREE_VALUE(list) : NULL_TREE;
  tree type = given && POINTER_TYPE_P(given) ? TREE_TYPE(given) : NULL_TREE;
  return type && is_gimple_reg_type(type) ? TYPE_MAIN_VARIANT(type) : first_scalar(TREE_TYPE(object));
}

void point_to_elements(gcall *call) {
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  for (unsigned i = 0; known && i < gimple_call_num_args(call); i++) {
    tree argument = gimple_call_arg(call, i);
    tree object = TREE_CODE(argument) == ADDR_EXPR ? TREE_OPERAND(argument, 0) : NULL_TREE;
    if (!object || !AGGREGATE_TYPE_P(TREE_TYPE(object)) || !is_single(known, kind_of(known, fortran, i, argument), i))
      continue;
    tree type = pointed_type(call, i, object);
    if (!type) continue;
    /* An address in GCC's simplest form has no element in it: this one is made as it stands. */
    poly_int64 offset;
    tree base = get_addr_base_and_unit_offset(object, &offset);
    if (!base) continue;
    if (TREE_CODE(base) == MEM_REF) {
      offset += mem_ref_offset(base).force_shwi();
      base = TREE_OPERAND(base, 0);
    } else {
      base = build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(base)), base);
    }
    tree element = build2(MEM_REF, type, base, build_int_cst(ptr_type_node, offset));
    gimple_call_set_arg(call, i, build1(ADDR_EXPR, build_pointer_type(type), element));
    update_stmt(call);
  }
}

bool begins_list(gcall *call, unsigned place) {
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  tree argument = gimple_call_arg(call, place);
  int kind = known ? kind_of(known, fortran, place, argument) : 'v';
  return kind != 'v' && !is_single(known, kind, place) && TREE_CODE(argument) == ADDR_EXPR &&
         !DECL_P(TREE_OPERAND(argument, 0));
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

/* What a statement of Fortran sets by iostat=; NULL: nothing. */
static tree status_of(gcall *call) {
  tree decl = gimple_call_fndecl(call);
  const char *name = decl && DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
  if (!sets_status(call)) return NULL_TREE;
  for (gimple_stmt_iterator at = gsi_for_stmt(call); !gsi_end_p(at); gsi_prev(&at)) {
    gimple *store = gsi_stmt(at);
    if (store != call && is_a<gcall *>(store) && !strcmp(name, "_gfortran_st_open")) break;
    if (!gimple_assign_single_p(store) || TREE_CODE(gimple_assign_lhs(store)) != COMPONENT_REF) continue;
    tree field = DECL_NAME(TREE_OPERAND(gimple_assign_lhs(store), 1)), value = gimple_assign_rhs1(store);
    if (!field || strcmp(IDENTIFIER_POINTER(field), "iostat") || TREE_CODE(value) != ADDR_EXPR) continue;
    return TREE_OPERAND(value, 0);
  }
  return NULL_TREE;
}

/* What the address is one of, as it is written in the call or, with an index that varies, before it; NULL: not known. */
static tree named_address(tree argument) {
  gassign *made = TREE_CODE(argument) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(argument)) : NULL;
  tree address = made && gimple_assign_single_p(made) ? gimple_assign_rhs1(made) : argument;
  return TREE_CODE(address) == ADDR_EXPR ? address : NULL_TREE;
}

bool is_written(gcall *call, ao_ref *reference) {
  bool fortran;
  if (!known_of(call, &fortran)) return true;
  ao_ref status;
  tree set = status_of(call);
  if (set) ao_ref_init(&status, set);
  if (set && refs_may_alias_p_1(&status, reference, false)) return true;
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    tree argument = gimple_call_arg(call, i);
    int kind = argument_kind(call, i);
    if (!strchr("wbosh", kind) || !POINTER_TYPE_P(TREE_TYPE(argument))) continue;
    ao_ref target;
    bool all;
    tree named = named_address(argument);
    if (given_range(call, i, &target, &all)) ;
    else if ((kind == 'o' || kind == 'h') && named) ao_ref_init(&target, TREE_OPERAND(named, 0));
    else ao_ref_init_from_ptr_and_size(&target, argument, kind == 's' ? build_int_cst(sizetype, status_bytes) : NULL_TREE);
    if (refs_may_alias_p_1(&target, reference, false)) return true;
  }
  return false;
}

/* Is its status set whatever happens? */
static bool sets_all(gcall *call) {
  bool fortran;
  const known_call *known = known_of(call, &fortran);
  return known && strcmp(known->name, "Test") && strcmp(known->name, "Iprobe");
}

bool kills(gimple *statement, ao_ref *reference) {
  gcall *call = dyn_cast<gcall *>(statement);
  if (!call) return false;
  for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
    tree argument = gimple_call_arg(call, i);
    int kind = argument_kind(call, i);
    if ((kind != 'w' && kind != 'o' && kind != 's') || TREE_CODE(argument) != ADDR_EXPR) continue;
    ao_ref target;
    bool all = true;
    if (given_range(call, i, &target, &all) && !all) continue;
    ao_ref_init(&target, TREE_OPERAND(argument, 0));
    bool whole = kind == 's' ? sets_all(call) : is_gimple_reg_type(TREE_TYPE(TREE_OPERAND(argument, 0)));
    if (whole && is_within(reference, &target)) return true;
  }
  ao_ref status;
  tree set = status_of(call);
  if (set) ao_ref_init(&status, set);
  if (set && is_within(reference, &status)) return true;
  ao_ref range; /* of a broadcast, at the root it stays as it is */
  bool all;
  for (unsigned i = 0; i < gimple_call_num_args(call); i++)
    if (given_range(call, i, &range, &all) && all && is_within(reference, &range)) return true;
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
