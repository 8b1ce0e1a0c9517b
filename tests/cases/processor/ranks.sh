# Ranks of a program on simulated processors do what they do as processes under psl mpirun's own library, in the same time but
# for what they compute.
riscv64-linux-gnu-gcc -O2 -static -I ../../../examples/processor ranks.c -o "$TMP/other"
psl mpicc -O2 ranks.c -o "$TMP/native"
cd "$TMP"
run() { psl mpirun -n "$@"; }
for p in native other; do run 3 ./$p | grep '^[0-9]:' | sort >$p.printed; done
diff native.printed other.printed && wc -l <other.printed
for n in 1 2 5; do
  run $n --costs none ./native | grep ^predicted >native.time
  run $n --costs none ./other | grep ^predicted | diff native.time - && echo "$n ranks: the same time"
done
# What they compute takes cycles, the same each time, or instructions; a trace of the run takes the same.
run 2 ./other | grep ^predicted >first
run 2 --record kept.trace ./other | grep ^predicted | diff first - && cat first
psl replay kept.trace | grep ^predicted | diff first - && echo 'replayed'
run 2 --costs instructions ./other | grep ^predicted
run 2 --processor ruu:size=64 --processor lsq:size=32 ./other | grep ^predicted
# The clock of the program tells the virtual time: 1 s of latency is there.
cat >wait.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(void) {
  int rank;
  double begin = MPI_Wtime(), data = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank) MPI_Recv(&data, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!rank) MPI_Send(&data, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (rank) printf("%.2f s, input ends: %d\n", MPI_Wtime() - begin, getchar() == EOF);
  return 0;
}
END
riscv64-linux-gnu-gcc -O2 -static -I "$OLDPWD/../../../examples/processor" wait.c -o wait
echo unread | run 2 --set L=1s ./wait | head -1
# What goes wrong.
for w in short root roots kinds nowhere nobody request type abort status crash deadlock; do
  run 2 ./other $w 2>&1 >report | grep -E 'error:|waits' | sed 's/at 0x[0-9a-f]*:* */at ADDRESS: /'
done
psl simulate ./other 2>&1 >report | sed 's/in instruction.*0x[0-9a-f]*:/at ADDRESS:/'
run 2 --processor ruu:sise=3 ./other 2>&1
run 2 --processor ruu:size=1 ./other 2>&1
run 2 --processor ruu ./other 2>&1
run 2 --processor cache:dl1=none ./other 2>&1
run 2 --processor ruu:size=64 ./native 2>&1
run 2 --ranks inside ./other 2>&1
