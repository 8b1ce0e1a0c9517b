# The kernel as blocks of a model: cycles for a cell and an angle on grids of four sizes, simulated and by instructions; and
# simulated on other processors, with nothing else changed.
riscv64-linux-gnu-gcc -O2 -static wavefront.c -o "$TMP/wavefront"
cp kernel.psl "$TMP"
cd "$TMP"
row() {
  printf '%-34s' "$1"
  shift
  for n in 4 8 16 24; do
    psl run kernel.psl --set "cells=$n" "$@" | perl -ne 'printf " %7.2f", $1 if /cycles-of-a-cell +rank +(\S+)/'
  done
  echo
}
printf '%-34s %7s %7s %7s %7s\n' cells 4 8 16 24
row 'simulated'
row 'by instructions' --set computing=analysis
row 'second cache of 2 MiB' --set 'cache-dl2="ul2:8192:64:4:l"'
row 'second cache of 16 KiB' --set 'cache-dl2="ul2:64:64:4:l"'
row 'window of 128' --set ruu-size=128 --set lsq-size=64
