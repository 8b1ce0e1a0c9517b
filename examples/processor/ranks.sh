# A wavefront on ranks whose processors are simulated: four grids of cells a rank, on four ranks; and with other processors,
# with another network, and on more ranks.
riscv64-linux-gnu-gcc -O2 -static -I . ranks.c -lm -o "$TMP/ranks"
cd "$TMP"
psl mpirun -n 4 ./ranks 8 2 | head -1
row() {
  printf '%-34s' "$1"
  shift
  for n in 4 8 16 24; do
    psl mpirun "$@" ./ranks $n 2 | perl -ne 'print " $1" if /^predicted time +(\S+ \S+)/'
  done
  echo
}
row '4 ranks' -n 4
row 'window of 128' -n 4 --processor ruu:size=128 --processor lsq:size=64
row 'second cache of 16 KiB' -n 4 --processor cache:dl2=ul2:64:64:4:l
row 'by instructions, at 1 GHz' -n 4 --costs instructions --set speed=8.333333
row 'network of a present cluster' -n 4 --set machine=cluster
row '16 ranks' -n 16
