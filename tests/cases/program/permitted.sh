# A program that does what MPI permits, of which no message, receive or collective operation is warned: receives with
# more room than their messages need, given up, taken back, tested, persistent or behind a probe; the last messages of a
# half of the ranks; sizes that differ by rank where each has its own, or says them in another type. That two messages
# are longer than their receives the program is told by MPI itself; of its trace psl says so.
cat > "$TMP/permitted.c" <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, size, flag;
  char buffer[4][1000];
  MPI_Request request, persistent;
  MPI_Status status;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0 && size > 1) {
    MPI_Send(buffer[0], 100, MPI_CHAR, 1, 1, MPI_COMM_WORLD); /* into a larger buffer */
    MPI_Send(buffer[0], 200, MPI_CHAR, 1, 2, MPI_COMM_WORLD); /* whose receive is given up */
    MPI_Send(buffer[0], 300, MPI_CHAR, 1, 3, MPI_COMM_WORLD); /* into a smaller one: an error that is returned */
    MPI_Send(buffer[0], 300, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
    for (int k = 0; k < 3; k++)
      MPI_Send(buffer[0], 400, MPI_CHAR, 1, 4, MPI_COMM_WORLD); /* to a persistent receive */
    MPI_Send(buffer[0], 500, MPI_CHAR, 1, 5, MPI_COMM_WORLD); /* probed */
    MPI_Send(buffer[0], 600, MPI_CHAR, 1, 6, MPI_COMM_WORLD); /* tested */
  } else if (rank == 1) {
    MPI_Recv(buffer[0], 1000, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &status);
    MPI_Irecv(buffer[1], 1000, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    if (MPI_Recv(buffer[0], 10, MPI_CHAR, 0, 3, MPI_COMM_WORLD, &status)) printf("truncated\n");
    MPI_Irecv(buffer[0], 10, MPI_CHAR, 0, 3, MPI_COMM_WORLD, &request);
    if (MPI_Wait(&request, &status)) printf("truncated\n");
    MPI_Recv_init(buffer[2], 1000, MPI_CHAR, 0, 4, MPI_COMM_WORLD, &persistent);
    for (int k = 0; k < 3; k++) {
      MPI_Start(&persistent);
      MPI_Wait(&persistent, &status);
    }
    MPI_Request_free(&persistent);
    MPI_Probe(0, 5, MPI_COMM_WORLD, &status);
    MPI_Recv(buffer[0], 1000, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &status);
    MPI_Irecv(buffer[3], 1000, MPI_CHAR, 0, 6, MPI_COMM_WORLD, &request);
    for (flag = 0; !flag;)
      MPI_Test(&request, &flag, &status);
    MPI_Irecv(buffer[3], 1000, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  int n, me, counts[16], places[16], mine[16];
  MPI_Comm_size(half, &n);
  MPI_Comm_rank(half, &me);
  for (int k = 0, at = 0; k < n; at += counts[k], k++)
    counts[k] = k + 1, places[k] = at;
  MPI_Gatherv(buffer[0], me + 1, MPI_CHAR, buffer[1], counts, places, MPI_CHAR, 0, half);
  MPI_Scatterv(buffer[0], counts, places, MPI_CHAR, buffer[1], me + 1, MPI_CHAR, 0, half);
  MPI_Allgatherv(buffer[0], me + 1, MPI_CHAR, buffer[1], counts, places, MPI_CHAR, half);
  for (int k = 0; k < n; k++)
    mine[k] = me + 1;
  MPI_Alltoallv(buffer[0], mine, places, MPI_CHAR, buffer[1], counts, places, MPI_CHAR, half);
  MPI_Reduce_scatter(buffer[0], buffer[1], counts, MPI_CHAR, MPI_MAX, half);
  MPI_Gather(me ? buffer[0] : MPI_IN_PLACE, me ? 10 : 0, MPI_CHAR, buffer[1], 10, MPI_CHAR, 0, half);
  MPI_Scatter(buffer[0], me ? 0 : 10, MPI_CHAR, me ? buffer[1] : MPI_IN_PLACE, me ? 10 : 0, MPI_CHAR, 0, half);
  MPI_Bcast(buffer[0], me ? 5 : 20, me ? MPI_INT : MPI_CHAR, 0, half);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
C
cd "$TMP"
psl mpicc -w permitted.c -o permitted
said() { grep -E "warning|error" | grep -v interfaces; }
for n in 1 2 3 8; do
  echo "ranks: $n"
  psl mpirun -n $n --costs none --record $n.trace ./permitted 2>&1 > /dev/null | said
  psl replay $n.trace 2>&1 > /dev/null | said
done
