# W by the place of a process in the grid: from a table, the convolver, a measurement on this computer and four
# simulated processors; and 28,000 processes from that. Of what is measured it is shown that it answers.
cp grid.psl grid-signatures.psl "$TMP"
flags='-O2 -fno-tree-loop-distribute-patterns'
gcc $flags -shared -fPIC grid.c -o "$TMP/grid.so"
gcc $flags grid.c -o "$TMP/here"
riscv64-linux-gnu-gcc $flags -static grid.c -o "$TMP/grid"
cd "$TMP"
study() {
  psl study -q --allow-native grid.psl --report time=makespan,corner,south-edge,west-edge,inside --format csv "$@"
}
echo '28,000 processes:'
study --vary 'source=analysis[table],analysis[convolver],measurement[timer],simulation[out-of-order]' |
  awk -F, 'NR > 1 { m = $1 ~ /^measure/
    printf "  %-26s", $1
    for (k = 3; k <= 6; k++) printf " %8s", m ? ($k > 0 ? "some" : "none") : sprintf("%.1f us", 1e6 * $k)
    printf "  %s  %s\n", m ? ($2 > 100 * $6 ? "some time" : "too little") : sprintf("%.1f ms", 1e3 * $2), $7 }'
echo 'with twice the second-level cache:'
for cells in 16 32; do
  for source in 'analysis[convolver]' 'simulation[out-of-order]'; do
    study --set cells=$cells --set "source=$source" --vary 'second=256 KiB,512 KiB' |
      awk -F, -v of="$cells cells by $source" 'NR > 1 { W[++n] = $6; T[n] = $2 } END {
        printf "  %-37s  ", of
        printf "inside %5.2f %%, all %5.2f %% faster\n", 100 * (1 - W[2] / W[1]), 100 * (1 - T[2] / T[1]) }'
  done
done
# Equation (5) by another program, process by process, from the four W alone: L = 5 us, o = 1 us, G = 1 ns a byte; faces
# of 8 KiB have a handshake.
echo 'equation (5) again, and each process and message simulated:'
for source in 'analysis[table]' 'analysis[convolver]' 'simulation[out-of-order]'; do
  study --set "source=$source" --vary px=140 | tail -1 | perl -F, -ane '
    my ($time, @W) = @F[1 .. 5];
    my ($L, $o, $face) = (5e-6, 1e-6, 8192e-9);
    my ($send, $receive) = ($o + $L + $o + $o + $L + $o, $o + $L + $o + $face + $L + $o);
    my $total = $o + $L + $o + $o + $L + $o + $face + $L + $o;
    my @start;
    for my $i (0 .. 139) { for my $j (0 .. 199) {
      my @come = (0);
      my $west = $W[$j ? ($i > 1 ? 3 : 2) : ($i > 1 ? 1 : 0)];
      my $south = $W[$i ? ($j > 1 ? 3 : 1) : ($j > 1 ? 2 : 0)];
      push @come, $start[$i - 1][$j] + $west + $total + ($j ? $receive : 0) if $i;
      push @come, $start[$i][$j - 1] + $south + $total + ($i < 139 ? $send : 0) if $j;
      ($start[$i][$j]) = sort { $b <=> $a } @come;
    } }
    my ($slowest) = sort { $b <=> $a } @W;
    my $mine = $start[139][199] + 99 * ($slowest + 2 * $send + 2 * $receive) + $W[3];
    printf "  %s\n", abs($mine / $time - 1) < 1e-9 ? "the same" : "$mine, not $time"'
  psl compare -q grid.psl --set "source=$source" --set px=8 --set py=6 --vary model --format csv |
    awk -F, '$1 == "runs" && $3 == "makespan" { printf "  8 x 6 by %-18s  %.2f ms", $2, 1e3 * $4 }
      $1 == "runs" && $3 == "evidence" { print "  " $4 }'
done
# A profile whose rate is known to lie between two goes to the end as a range, whose ends are runs with these two.
echo 'with a rate of 2.5 to 3.5 Gflop/s:'
for rate in '2.5 Gflop\/s .. 3.5 Gflop\/s' '3.5 Gflop\/s' '2.5 Gflop\/s'; do
  sed "s/param float-rate = .*/param float-rate = $rate;/" grid.psl > rate.psl
  psl run rate.psl | sed -n '/^asked/,/^$/s/^  inside *wavefront/  inside/p; s/^predicted time/  all   /p'
done
# What the simulated processes send each other is what the program sends that runs here.
echo 'what is sent:'
cat > look <<'END'
        for c in 0 .. cells ^ 2 - 1 {
          let east = call Processor.read(processor, out-of-order.address("to_east") + 8 * c);
          let north = call Processor.read(processor, out-of-order.address("to_north") + 8 * c);
          sent = sent + east + north;
        }
        record sent = sent;
        sent = 0;
END
sed '/^        times\[p\] = /r look
  s|^  var times|  var sent : real = 0;\n&|' grid.psl > looked.psl
./here 16 | sort -n | awk '{ s += $1; of[NR] = $1 } END { printf "  here       %.6f %.6f %.6f\n", of[1], s / 4, of[4] }'
psl run looked.psl --set cells=16 --set 'source=simulation[out-of-order]' --format json | perl -MJSON::PP -0777 -ne '
  ($r) = grep { $_->{name} eq "sent" } @{decode_json($_)->{records}};
  printf "  simulated  %.6f %.6f %.6f\n", @$r{qw(minimum mean maximum)}'
for source in 'analysis[table]' 'analysis[convolver]' 'measurement[timer]' 'simulation[out-of-order]'; do
  psl explain --allow-native grid.psl wavefront.inside --set "source=$source" | tail -1 |
    sed '/measured$/s/: [0-9.]* us to [0-9.]* us,/: some time to some time,/'
done
