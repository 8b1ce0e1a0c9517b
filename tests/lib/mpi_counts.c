/* Counts below 0 and requests that are none: each call says so, by that class of error. */
#include <mpi.h>
#include <stdio.h>

static int rank;

static void told(const char *call, int code) {
  int class;
  MPI_Error_class(code, &class);
  if (rank == 0) printf("%s: %d\n", call, class);
}
#define TOLD(call) told(#call, call)

static void requests(void) {
  MPI_Request of[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2];
  int which[2], done;
  char data[8];
  TOLD(MPI_Waitall(-1, of, statuses));
  TOLD(MPI_Waitany(-1, of, &done, statuses));
  TOLD(MPI_Waitsome(-1, of, &done, which, statuses));
  TOLD(MPI_Testall(-1, of, &done, statuses));
  TOLD(MPI_Testany(-1, of, which, &done, statuses));
  TOLD(MPI_Testsome(-1, of, &done, which, statuses));
  TOLD(MPI_Startall(-1, of));
  TOLD(MPI_Startall(2, of));
  TOLD(MPI_Cancel(of));
  TOLD(MPI_Request_free(of));
  TOLD(MPI_Irecv(data, -1, MPI_INT, 0, 0, MPI_COMM_SELF, of));
  TOLD(MPI_Status_set_elements(statuses, MPI_INT, -1));
}

static void types(void) {
  int none[2] = {0}, less[2] = {-1, 0};
  MPI_Aint places[2] = {0};
  MPI_Datatype new, of[2] = {MPI_INT, MPI_INT};
  TOLD(MPI_Type_contiguous(-1, MPI_INT, &new));
  TOLD(MPI_Type_vector(-1, 1, 1, MPI_INT, &new));
  TOLD(MPI_Type_vector(1, -1, 1, MPI_INT, &new));
  TOLD(MPI_Type_create_hvector(-1, 1, 1, MPI_INT, &new));
  TOLD(MPI_Type_indexed(-1, none, none, MPI_INT, &new));
  TOLD(MPI_Type_indexed(1, less, none, MPI_INT, &new));
  TOLD(MPI_Type_create_hindexed(-1, none, places, MPI_INT, &new));
  TOLD(MPI_Type_create_indexed_block(-1, 1, none, MPI_INT, &new));
  TOLD(MPI_Type_create_hindexed_block(-1, 1, places, MPI_INT, &new));
  TOLD(MPI_Type_create_struct(-1, none, places, of, &new));
  TOLD(MPI_Type_create_struct(1, less, places, of, &new));
  TOLD(MPI_Type_create_subarray(-1, none, none, none, MPI_ORDER_C, MPI_INT, &new));
}

static void packing(void) {
  char in[80] = {0}, out[80];
  int at = 0, size;
  MPI_Aint place = 0;
  TOLD(MPI_Pack(in, -1, MPI_INT, out, 80, &at, MPI_COMM_WORLD));
  TOLD(MPI_Unpack(in, 80, &at, out, -1, MPI_INT, MPI_COMM_WORLD));
  TOLD(MPI_Pack_size(-1, MPI_INT, MPI_COMM_WORLD, &size));
  TOLD(MPI_Pack_external("external32", in, -1, MPI_INT, out, 80, &place));
  TOLD(MPI_Unpack_external("external32", in, 80, &place, out, -1, MPI_INT));
}

static void groups(void) {
  MPI_Group all, new;
  MPI_Comm comm;
  int ranks[2] = {0}, ranges[1][3] = {{0, 0, 1}};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  TOLD(MPI_Group_translate_ranks(all, -1, ranks, all, ranks));
  TOLD(MPI_Group_incl(all, -1, ranks, &new));
  TOLD(MPI_Group_excl(all, -1, ranks, &new));
  TOLD(MPI_Group_range_incl(all, -1, ranges, &new));
  TOLD(MPI_Group_range_excl(all, -1, ranges, &new));
  TOLD(MPI_Dims_create(-1, 2, ranks));
  TOLD(MPI_Cart_create(MPI_COMM_SELF, -1, ranks, ranks, 0, &comm));
}

static void collective(void) {
  int in[4] = {0}, out[4], none[2] = {0}, less[2] = {-1, 0};
  TOLD(MPI_Bcast(in, -1, MPI_INT, 0, MPI_COMM_SELF));
  TOLD(MPI_Gather(in, -1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_SELF));
  TOLD(MPI_Gather(in, 1, MPI_INT, out, -1, MPI_INT, 0, MPI_COMM_SELF));
  TOLD(MPI_Gatherv(in, 0, MPI_INT, out, less, none, MPI_INT, 0, MPI_COMM_SELF));
  TOLD(MPI_Scatterv(in, less, none, MPI_INT, out, 0, MPI_INT, 0, MPI_COMM_SELF));
  TOLD(MPI_Allgather(in, 1, MPI_INT, out, -1, MPI_INT, MPI_COMM_SELF));
  TOLD(MPI_Alltoall(in, -1, MPI_INT, out, 1, MPI_INT, MPI_COMM_SELF));
  TOLD(MPI_Alltoallv(in, less, none, MPI_INT, out, none, none, MPI_INT, MPI_COMM_SELF));
  TOLD(MPI_Reduce_scatter(in, out, less, MPI_INT, MPI_SUM, MPI_COMM_SELF));
}

static void windows(void) {
  int memory[4] = {0}, data = 0;
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_SELF, &window);
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  MPI_Win_fence(0, window);
  TOLD(MPI_Put(&data, -1, MPI_INT, 0, 0, 1, MPI_INT, window));
  TOLD(MPI_Get(&data, 1, MPI_INT, 0, 0, -1, MPI_INT, window));
  TOLD(MPI_Accumulate(&data, -1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window));
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

int main(int count, char **words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  requests();
  types();
  packing();
  groups();
  collective();
  windows();
  MPI_Finalize();
}
