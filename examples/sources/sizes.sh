# What a cell of the wavefront's kernel takes at four sizes of a process's grid, side by side: by a simulated processor,
# in cycles and in time, by the convolver, and measured on this computer, of which it is shown that it answers. Below,
# what the caches make of it: by how much more a cell takes than at the size where it takes least.
cp wavefront.psl signatures.psl "$TMP"
gcc -O2 -shared -fPIC ../processor/wavefront.c -o "$TMP/wavefront.so"
riscv64-linux-gnu-gcc -O2 -static ../processor/wavefront.c -o "$TMP/wavefront"
cd "$TMP"
table() {
  psl study --allow-native wavefront.psl "$@" --report 'cell=W / cells^3' --vary cells=8,16,32,64 --format csv \
    --vary 'source=simulation[out-of-order],analysis[convolver],measurement[timer]' >rows
  awk -F, 'NR > 1 { cell[$2, $1] = $3 * 1e9 }
    function row(what, of, by, form,   n) {
      printf "%-34s", what
      for (n = 8; n <= 64; n *= 2) printf(form, by ? cell[of, n] * by : (cell[of, n] > 0) ? "some" : "none")
      print ""
    }
    function more(of,   n, least) {
      for (n = 8; n <= 64; n *= 2) if (!least || cell[of, n] < least) least = cell[of, n]
      printf "%-34s", "  more than at the best size, %"
      for (n = 8; n <= 64; n *= 2) printf " %7.1f", 100 * (cell[of, n] / least - 1)
      print ""
    }
    END {
      row("simulated, cycles of 3 GHz", "simulation[out-of-order]", 3, " %7.2f")
      row("simulated, ns", "simulation[out-of-order]", 1, " %7.2f")
      more("simulation[out-of-order]")
      row("by the convolver, ns", "analysis[convolver]", 1, " %7.2f")
      more("analysis[convolver]")
      row("measured, ns", "measurement[timer]", 0, " %7s")
    }' rows
}
printf '%-34s %7s %7s %7s %7s\n' 'cells along a side' 8 16 32 64
for second in '256 KiB' '512 KiB'; do
  echo "second-level cache of $second"
  table --set "second=$second"
done
