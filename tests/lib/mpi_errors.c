/* The classes of errors that a program is told of which lets them be returned: "line:class" of each call that is wrong,
 * and of some that look so. MPICH tells the same. */
#include "mpi_said.h"

#define TRY(call)                                                    \
  do {                                                               \
    int class;                                                       \
    MPI_Error_class(MPI_##call, &class);                             \
    sprintf(said + strlen(said), " %d:%d", __LINE__ - FIRST, class); \
  } while (0)

static int numbers[8], others[8], size, flag;
static char bytes[64];
static MPI_Aint address, extent;
static MPI_Count large;
static MPI_Datatype raw, made; /* the first one is not committed */
static MPI_Request request;
static MPI_Status status;

enum { FIRST = __LINE__ };
static void of_messages(int to) {
  TRY(Send(numbers, 1, raw, to, 0, MPI_COMM_WORLD));
  TRY(Send(numbers, 1, raw, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  TRY(Send(numbers, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  TRY(Send(numbers, 0, raw, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  TRY(Send(NULL, 1, MPI_INT, to, 0, MPI_COMM_WORLD));
  TRY(Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  TRY(Send(MPI_BOTTOM, 1, raw, to, 0, MPI_COMM_WORLD));
  TRY(Recv(numbers, 1, raw, to, 0, MPI_COMM_WORLD, &status));
  TRY(Isend(numbers, 1, raw, to, 0, MPI_COMM_WORLD, &request));
  TRY(Send_init(numbers, 1, raw, to, 0, MPI_COMM_WORLD, &request));
  TRY(Sendrecv(numbers, 1, raw, to, 0, others, 1, MPI_INT, to, 0, MPI_COMM_WORLD, &status));
  TRY(Sendrecv_replace(numbers, 1, raw, to, 0, to, 0, MPI_COMM_WORLD, &status));
  TRY(Bsend(numbers, 1, MPI_INT, to, 7, MPI_COMM_WORLD));
  TRY(Buffer_attach(bytes, -1));
  size = 0;
  TRY(Pack(numbers, 1, raw, bytes, 64, &size, MPI_COMM_WORLD));
  TRY(Pack(numbers, 1, MPI_DATATYPE_NULL, bytes, 64, &size, MPI_COMM_WORLD));
  TRY(Unpack(bytes, 64, &size, numbers, 1, raw, MPI_COMM_WORLD));
  TRY(Pack_size(1, raw, MPI_COMM_WORLD, &size));
  TRY(Pack_size(1, MPI_DATATYPE_NULL, MPI_COMM_WORLD, &size));
  address = 0;
  TRY(Pack_external("external32", numbers, 1, raw, bytes, 64, &address));
  TRY(Pack_external_size("external32", 1, raw, &extent));
  TRY(Unpack_external("external32", bytes, 64, &address, numbers, 1, raw));
}

static void of_datatypes(void) {
  MPI_Datatype null = MPI_DATATYPE_NULL, basic = MPI_INT, pair = MPI_DOUBLE_INT;
  TRY(Type_free(&basic));
  TRY(Type_free(&pair));
  TRY(Type_free(&null));
  TRY(Type_commit(&null));
  TRY(Type_commit(&basic));
  TRY(Type_size(null, &size));
  TRY(Type_size_x(null, &large));
  TRY(Type_get_extent(null, &address, &extent));
  TRY(Type_get_true_extent(null, &address, &extent));
  TRY(Type_contiguous(1, null, &made));
  TRY(Type_vector(1, 1, 1, null, &made));
  TRY(Type_create_hvector(1, 1, 1, null, &made));
  TRY(Type_indexed(1, numbers, numbers, null, &made));
  TRY(Type_create_struct(1, numbers, &address, &null, &made));
  TRY(Type_create_resized(null, 0, 4, &made));
  TRY(Type_dup(null, &made));
  TRY(Type_get_envelope(null, &size, &size, &size, &size));
  TRY(Type_get_contents(MPI_INT, 1, 1, 1, &size, &address, &made));
  TRY(Type_set_name(null, "x"));
  TRY(Type_get_name(null, bytes, &size));
  TRY(Get_count(&status, null, &size));
  TRY(Get_elements(&status, null, &size));
  TRY(Type_create_subarray(1, (int[]){2}, (int[]){1}, (int[]){0}, 5, MPI_INT, &made));
  TRY(Type_match_size(MPI_TYPECLASS_REAL, 3, &made));
}

static void user(void *in, void *out, int *count, MPI_Datatype *type) {}

static void of_operations(void) {
  MPI_Op sum = MPI_SUM, null = MPI_OP_NULL;
  TRY(Op_free(&sum));
  TRY(Op_free(&null));
  TRY(Op_commutative(null, &flag));
  TRY(Reduce_local(numbers, others, 1, MPI_INT, null));
  TRY(Reduce_local(numbers, numbers, 1, MPI_INT, MPI_SUM));
  TRY(Reduce_local(numbers, others, 1, MPI_DOUBLE, MPI_BAND));
  TRY(Reduce_local(numbers, others, 1, MPI_INT, MPI_REPLACE));
  TRY(Allreduce(numbers, others, 1, MPI_INT, null, MPI_COMM_WORLD));
  TRY(Allreduce(numbers, others, 1, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD));
  TRY(Allreduce(numbers, others, 1, MPI_INT, MPI_NO_OP, MPI_COMM_WORLD));
  TRY(Allreduce(numbers, others, 1, raw, MPI_SUM, MPI_COMM_WORLD));
}

static void of_collectives(void) {
  int ones[4] = {1, 1, 1, 1}, places[4] = {0, 0, 0, 0};
  TRY(Bcast(numbers, 1, raw, 0, MPI_COMM_WORLD));
  TRY(Bcast(numbers, 0, raw, 0, MPI_COMM_WORLD));
  TRY(Bcast(numbers, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD));
  TRY(Bcast(NULL, 1, MPI_INT, 0, MPI_COMM_WORLD));
  TRY(Bcast(numbers, 1, MPI_INT, 9, MPI_COMM_WORLD));
  TRY(Gather(numbers, 1, raw, others, 1, raw, 0, MPI_COMM_WORLD));
  TRY(Allgather(numbers, 1, raw, others, 1, raw, MPI_COMM_WORLD));
  TRY(Alltoall(numbers, 1, raw, others, 1, raw, MPI_COMM_WORLD));
  TRY(Ibcast(numbers, 1, raw, 0, MPI_COMM_WORLD, &request));
  TRY(Allreduce(NULL, others, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TRY(Allreduce(MPI_IN_PLACE, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TRY(Allreduce(numbers, numbers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TRY(Allreduce(numbers, numbers, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TRY(Reduce(numbers, numbers, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF));
  TRY(Scan(numbers, numbers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TRY(Exscan(numbers, numbers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TRY(Iallreduce(numbers, numbers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
  TRY(Iscan(numbers, numbers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
  TRY(Reduce_scatter_block(numbers, numbers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TRY(Reduce_scatter(numbers, numbers, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  TRY(Allgather(numbers + rank, 1, MPI_INT, numbers, 1, MPI_INT, MPI_COMM_WORLD));
  TRY(Allgatherv(numbers, 1, MPI_INT, numbers, ones, places, MPI_INT, MPI_COMM_SELF));
  TRY(Gather(numbers, 1, MPI_INT, numbers, 1, MPI_INT, 0, MPI_COMM_SELF));
  TRY(Scatter(numbers, 1, MPI_INT, numbers, 1, MPI_INT, 0, MPI_COMM_SELF));
  TRY(Alltoall(numbers, 1, MPI_INT, numbers, 1, MPI_INT, MPI_COMM_WORLD));
  TRY(Alltoallv(numbers, ones, places, MPI_INT, numbers, ones, places, MPI_INT, MPI_COMM_WORLD));
}

static void of_communicators(void) {
  MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF, null = MPI_COMM_NULL, other;
  MPI_Errhandler own[] = {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN, MPI_ERRHANDLER_NULL};
  TRY(Comm_free(&world));
  TRY(Comm_free(&self));
  TRY(Comm_free(&null));
  TRY(Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &other));
  TRY(Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL));
  for (int k = 0; k < 3; k++)
    TRY(Errhandler_free(&own[k]));
}

static void of_groups(void) {
  MPI_Group all, empty = MPI_GROUP_EMPTY, null = MPI_GROUP_NULL, some;
  int ranges[][3] = {{0, 3, 0}, {3, 0, 1}, {0, 3, -1}, {0, 9, 1}, {-1, 2, 1}, {0, 4, 3}, {0, 2, 1}, {2, 3, 1}};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  TRY(Group_free(&empty));
  TRY(Group_free(&null));
  TRY(Group_size(null, &size));
  TRY(Group_rank(null, &size));
  TRY(Group_union(all, null, &some));
  TRY(Group_compare(all, null, &size));
  for (int k = 0; k < 7; k++) {
    TRY(Group_range_incl(all, k == 6 ? 2 : 1, &ranges[k], &some));
    TRY(Group_range_excl(all, k == 6 ? 2 : 1, &ranges[k], &some));
  }
  TRY(Group_incl(all, 2, (int[]){0, 9}, &some));
  TRY(Group_excl(all, 2, (int[]){0, 9}, &some));
  TRY(Group_incl(all, 2, (int[]){0, -2}, &some));
  TRY(Group_incl(all, -1, numbers, &some));
  TRY(Group_translate_ranks(all, 2, (int[]){0, 9}, all, numbers));
  TRY(Group_translate_ranks(all, 2, (int[]){0, -2}, all, numbers));
}

static int refuses;
static int copy_not(int handle, int key, void *extra, void *value, void *copied, int *set) { return MPI_ERR_OTHER; }
static int delete_not(int handle, int key, void *value, void *extra) { return refuses ? MPI_ERR_OTHER : MPI_SUCCESS; }

static void of_attributes(void) {
  int key, key_of_types, invalid = MPI_KEYVAL_INVALID, own = MPI_TAG_UB, *value;
  MPI_Comm one, two;
  MPI_Datatype type;
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_create_keyval(copy_not, delete_not, &key, NULL);
  MPI_Type_create_keyval(copy_not, delete_not, &key_of_types, NULL);
  MPI_Comm_set_attr(one, key, numbers);
  refuses = 1;
  TRY(Comm_set_attr(one, key, numbers));
  TRY(Comm_delete_attr(one, key));
  TRY(Comm_dup(one, &two));
  TRY(Comm_free(&one));
  say("freed", one == MPI_COMM_NULL);
  refuses = 0;
  TRY(Comm_free(&one));
  say("freed", one == MPI_COMM_NULL);
  TRY(Comm_set_attr(MPI_COMM_WORLD, invalid, numbers));
  TRY(Comm_set_attr(MPI_COMM_WORLD, own, numbers));
  TRY(Comm_set_attr(MPI_COMM_WORLD, key_of_types, numbers));
  TRY(Comm_get_attr(MPI_COMM_WORLD, invalid, &value, &flag));
  TRY(Comm_delete_attr(MPI_COMM_WORLD, invalid));
  TRY(Comm_delete_attr(MPI_COMM_WORLD, own));
  TRY(Comm_delete_attr(MPI_COMM_WORLD, key));
  TRY(Comm_free_keyval(&invalid));
  TRY(Comm_free_keyval(&own));
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_set_attr(type, key_of_types, numbers);
  TRY(Type_dup(type, &made));
  refuses = 1;
  TRY(Type_set_attr(type, key_of_types, numbers));
  TRY(Type_delete_attr(type, key_of_types));
  refuses = 0;
  TRY(Type_free(&type));
}

static void of_windows(int to) {
  int cells[8] = {0};
  void *base;
  MPI_Op mine;
  MPI_Win w, null = MPI_WIN_NULL;
  MPI_Op_create(user, 1, &mine);
  MPI_Win_create(cells, sizeof cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
  MPI_Win_fence(0, w);
  TRY(Put(numbers, 1, raw, to, 0, 1, raw, w));
  TRY(Put(numbers, 1, MPI_DATATYPE_NULL, to, 0, 1, MPI_INT, w));
  TRY(Put(numbers, 1, MPI_INT, to, 0, 1, MPI_DATATYPE_NULL, w));
  TRY(Get(numbers, 1, raw, to, 0, 2, MPI_INT, w));
  TRY(Put(numbers, -1, MPI_INT, to, 0, 1, MPI_INT, w));
  TRY(Put(numbers, 1, MPI_INT, to, -1, 1, MPI_INT, w));
  TRY(Put(numbers, 1, MPI_INT, 77, 0, 1, MPI_INT, w));
  TRY(Accumulate(numbers, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_OP_NULL, w));
  TRY(Accumulate(numbers, 1, MPI_INT, to, 0, 1, MPI_INT, mine, w));
  TRY(Accumulate(numbers, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_NO_OP, w));
  TRY(Get_accumulate(numbers, 1, MPI_INT, others, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_OP_NULL, w));
  TRY(Get_accumulate(numbers, 1, MPI_INT, others, 1, MPI_INT, to, 0, 1, MPI_INT, mine, w));
  TRY(Fetch_and_op(numbers, others, MPI_INT, to, 0, MPI_OP_NULL, w));
  TRY(Fetch_and_op(numbers, others, MPI_INT, to, 0, mine, w));
  TRY(Fetch_and_op(numbers, others, raw, to, 0, MPI_SUM, w));
  TRY(Compare_and_swap(numbers, others, others, MPI_DOUBLE, to, 0, w));
  TRY(Compare_and_swap(numbers, others, others, raw, to, 0, w));
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  TRY(Win_free(&null));
  TRY(Win_fence(0, MPI_WIN_NULL));
  TRY(Win_create(cells, -1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w));
  TRY(Win_create(cells, 4, 0, MPI_INFO_NULL, MPI_COMM_SELF, &w));
  TRY(Win_create(cells, 4, -1, MPI_INFO_NULL, MPI_COMM_SELF, &w));
  TRY(Win_allocate(-1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &w));
}

static void of_locks(void) {
  int cells[4] = {0};
  MPI_Win w;
  MPI_Win_create(cells, sizeof cells, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
  TRY(Win_unlock(0, w));
  TRY(Win_unlock_all(w));
  TRY(Win_lock(MPI_LOCK_SHARED, 77, 0, w));
  TRY(Win_complete(w));
  TRY(Win_wait(w));
  TRY(Win_flush(0, w));
  TRY(Win_flush_all(w));
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w);
  TRY(Win_lock(MPI_LOCK_SHARED, rank, 0, w));
  TRY(Win_flush(rank, w));
  MPI_Win_unlock(rank, w);
  MPI_Win_free(&w);
}

static void of_topologies(void) {
  int x[4] = {0}, y[4] = {0}, z[4] = {0}, zero = 0, many = 99;
  MPI_Comm other, row;
  TRY(Cartdim_get(MPI_COMM_WORLD, x));
  TRY(Cartdim_get(MPI_COMM_NULL, x));
  TRY(Graphdims_get(MPI_COMM_WORLD, x, y));
  TRY(Dist_graph_neighbors_count(MPI_COMM_WORLD, x, y, z));
  TRY(Cart_shift(MPI_COMM_WORLD, 0, 1, x, y));
  TRY(Cart_sub(MPI_COMM_WORLD, x, &other));
  TRY(Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD));
  TRY(Cart_create(MPI_COMM_WORLD, 1, &many, &zero, 0, &other));
  TRY(Graph_create(MPI_COMM_WORLD, many, x, y, 0, &other));
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &zero, 0, &row);
  TRY(Cart_rank(row, &many, x));
  TRY(Cart_coords(row, 9, 1, x));
  TRY(Cart_coords(row, 0, 0, x));
  TRY(Cart_shift(row, 3, 1, x, y));
  MPI_Comm_free(&row);
}

static void of_requests(void) {
  MPI_Request none = 7;
  TRY(Wait(&none, MPI_STATUS_IGNORE));
  TRY(Test(&none, &flag, MPI_STATUS_IGNORE));
  TRY(Waitall(1, &none, MPI_STATUSES_IGNORE));
  TRY(Cancel(&none));
  TRY(Request_free(&none));
  TRY(Start(&none));
}

static void of_infos(void) {
  MPI_Info null = MPI_INFO_NULL;
  TRY(Info_free(&null));
  TRY(Info_set(null, "a", "b"));
  TRY(Info_get_nkeys(null, &size));
  TRY(Info_dup(null, &null));
  TRY(Info_get(7, "a", 3, bytes, &flag));
}

static void what_is_tested(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &raw);
  of_locks(); /* these first: behind many errors MPICH tells MPI_ERR_OTHER of some */
  of_topologies();
  of_requests();
  of_infos();
  of_messages(rank ^ 1);
  of_datatypes();
  of_operations();
  of_collectives();
  of_communicators();
  of_groups();
  of_attributes();
  of_windows(rank ^ 1);
}
