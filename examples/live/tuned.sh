# The policy at a simulated computer: no time is measured, so that each run is the same.
cc -O2 -I ../../evaluators/programs/reflector -o "$TMP/transpose" transpose.c "$PSL_BUILD/libpsl-reflector.a" -pthread -lm
psl reflect --costs none --model simulated.psl "$TMP/transpose" 2000 12 2000
psl reflect --costs none --model simulated.psl --set true-cache=64kB --set true-line-time=5ns -f csv \
    "$TMP/transpose" 2000 12 2000 | grep -e ^block -e makespan
