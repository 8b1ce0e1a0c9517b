# Cycles of the wavefront's kernel, for a cell and an angle, on grids of four sizes (cells along a side): on the processor
# of the defaults, and what caches, window and units are worth.
riscv64-linux-gnu-gcc -O2 -static wavefront.c -o "$TMP/wavefront"
cycles() { psl simulate -f json "$@" 2>&1 >/dev/null | perl -MJSON::PP -0777 -ne 'print decode_json($_)->{sim_cycle}'; }
row() {
  printf '%-34s' "$1"
  shift
  start=$(cycles "$@" "$TMP/wavefront" 1)
  for n in 4 8 16 24; do
    perl -e 'printf " %7.2f", ($ARGV[1] - $ARGV[2]) / $ARGV[0] ** 3 / 6' $n "$(cycles "$@" "$TMP/wavefront" $n)" "$start"
  done
  echo
}
printf '%-34s %7s %7s %7s %7s\n' cells 4 8 16 24
row 'the defaults'
row 'second cache of 2 MiB' --set cache:dl2=ul2:8192:64:4:l
row 'second cache of 16 KiB' --set cache:dl2=ul2:64:64:4:l
row 'window of 128' --set ruu:size=128 --set lsq:size=64
row 'two units for products, quotients' --set res:fpmult=2
row 'division in 6 cycles' --set 'lat:fpdiv=6 6'
