# A program that is run is not replaced, by whatever output of the command; nor is what its arguments name.
cd "$TMP" && printf '#!/bin/sh\n' > solver && chmod +x solver && cp solver before && echo 1 > input
for option in -o --record --trace --timeline; do psl mpirun -n 2 $option solver ./solver; done
PATH="$TMP:$PATH" psl mpirun -n 2 -o ./solver solver
psl mpirun -n 2 -o input ./solver input
psl mpirun -n 2 --record input ./solver input
psl simulate -o solver ./solver
psl trace -o solver mpirun -n 2 ./solver
psl trace -o input mpirun -n 2 ./solver input
psl trace --memory -o solver ./solver
cmp solver before && cat input && ls
