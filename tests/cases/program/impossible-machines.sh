# What no program of MPI leaves is said by LogGOPS and on a machine of Dimemas, too, in the words of impossible.sh. Of many
# more traces tests/fuzz/faults finds by a count of its own what is wrong, by all three.
cd "$TMP"
cat > machine.cfg <<'C'
#DIMEMAS_CONFIGURATION
"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"", 0, "", 4, 100, 0, 1};;
"node information" {0, "", 1, 1, 0.00001, 100, 0, 0, 0, 0.00001, 0, 0, 0.0};;
"node information" {0, "", 1, 1, 0.00001, 100, 0, 0, 0, 0.00001, 0, 0, 0.0};;
"node information" {0, "", 1, 1, 0.00001, 100, 0, 0, 0, 0.00001, 0, 0, 0.0};;
"node information" {0, "", 1, 1, 0.00001, 100, 0, 0, 0, 0.00001, 0, 0, 0.0};;
"predefined mapping information" {"1 TASKS_PER_NODE"};;
C
said() { psl replay "$@" --error-format short 2>&1 > /dev/null | grep -v interface | sed -n 's/.*\(warning\|error\): /  &/; s/.*  .*psl:[0-9]*:[0-9]*: /  /p'; }
both() {
  cat > "$1.tit"
  echo "== $1, LogGOPS"
  said "$1.tit" --set 'costs=analysis[LogGOPS]' --set S='50000 byte'
  echo "== $1, Dimemas"
  said "$1.tit" --dimemas machine.cfg --set eager-limit='50000 byte'
}
both lost <<'T'
0 send 1 7 4000
0 isend 1 8 4000
0 waitall
1 compute 3e8
T
both short <<'T'
0 send 1 7 4000
0 send 1 7 4000000
0 send 1 7 200
1 irecv 0 7 100
1 irecv 0 7 200
1 irecv 0 7 300
1 waitall
T
both unawaited <<'T'
0 send 1 7 4000
1 irecv 0 7 4000
1 irecv -1 8 4000
1 compute 3e8
T
# In a deadlock, what those leave who do not wait any more; a sender that waits is told there.
both stuck <<'T'
0 send 1 7 4000
0 recv 1 9 10
1 recv 0 8 10
2 send 0 5 10
2 send 3 5 10
3 compute 1
T
both announced <<'T'
0 send 1 7 4000000
1 compute 1
T
# A program may do without a wait for a receive that it gives up; into 100 bytes an exchange gets 4000.
cat > given-up.c <<'C'
#include <mpi.h>
int main(int argc, char **argv) {
  static char out[4000], in[4000];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    MPI_Send(out, 4000, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(in, 4000, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  MPI_Sendrecv(out, 4000, MPI_CHAR, 1 - rank, 8, in, rank ? 4000 : 100, MPI_CHAR, 1 - rank, 8, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
C
psl mpicc given-up.c -o given-up
psl mpirun -n 2 --costs none --record given-up.trace --quiet ./given-up > /dev/null 2>&1
echo '== given up, MPI-Sim'
said given-up.trace
echo '== given up, LogGOPS'
said given-up.trace --set 'costs=analysis[LogGOPS]'
echo '== given up, Dimemas'
said given-up.trace --dimemas machine.cfg
# LogGOPS has no collective operations.
echo '== left out, Dimemas'
printf '%s\n' '0 barrier' '0 bcast 1000 0' '1 barrier' '2 barrier' '2 bcast 1000 0' > left-out.tit
said left-out.tit --dimemas machine.cfg
