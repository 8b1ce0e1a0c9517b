# Figures 5.1 to 5.4 of the POEMS paper as tables, made by `psl run` of sweep3d.psl, and each conclusion
# that the paper draws from them: confirmed or not, under either reading of the handshake terms.
#
#   figures.sh [5.1] [5.2] [5.3] [5.4]      all, where none is named; PSL names the command
#
# One iteration each (all are alike while Wg_fixup = Wg); mk = 10 and mmi = 3 where nothing else is said. Nothing is
# tuned: params are those of the model. What the paper leaves to the eye has a number here, said with each conclusion.
# tolerance: 1e-6
set -eu
psl=${PSL:-psl}
model=$(dirname "$0")/sweep3d.psl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

simulated='--set comm=simulation[MPI-Sim]'
rendezvous='--set comm=analysis[LogGP] --set handshake_terms=rendezvous'
always='--set comm=analysis[LogGP] --set handshake_terms=always'

# report CELLS PX PY OPTION...: what psl says, as CSV; CELLS is IxJxK
report() {
  cells=$1 px=$2 py=$3
  shift 3
  "$psl" run "$model" --format csv --set iterations=1 --set I="${cells%%x*}" --set J="$(echo "$cells" | cut -dx -f2)" \
    --set K="${cells##*x}" --set px="$px" --set py="$py" "$@"
}

# seconds CELLS PX PY OPTION...: the predicted time
seconds() {
  report "$@" | awk -F, '$1 == "result" && $3 == "makespan" { print $4 }'
}

# verdict TEXT: reads "READING yes|no [FIGURES]" lines
verdict() {
  echo "  $1"
  while read -r reading answer figures; do
    [ "$answer" = yes ] && answer=confirmed || answer='not confirmed'
    printf '    %-12s %-14s %s\n' "$reading" "$answer" "$figures"
  done
}

# models CELLS GRIDS: a table of PXxPY, and of simulation and both readings of the equations; into $work/table
models() {
  : > "$work/table"
  printf '  %10s  %9s  %12s  %22s  %22s\n' processors grid simulated 'analysis, rendezvous' 'analysis, always'
  for grid in $2; do
    px=${grid%x*} py=${grid#*x}
    echo $((px * py)) "$grid" "$(seconds "$1" "$px" "$py" $simulated)" "$(seconds "$1" "$px" "$py" $rendezvous)" \
      "$(seconds "$1" "$px" "$py" $always)" >> "$work/table"
  done
  awk '{ printf "  %10d  %9s  %10.4f s  %10.4f s %+7.1f %%  %10.4f s %+7.1f %%\n", $1, $2, $3, $4, 100 * ($4 / $3 - 1),
         $5, 100 * ($5 / $3 - 1) }' "$work/table"
}

agreement() { # of the table: within 7 %?
  awk 'function far(x) { return x < 1 ? 1 - x : x - 1 }
       { if (far($4 / $3) > r) r = far($4 / $3); if (far($5 / $3) > a) a = far($5 / $3) }
       END { printf "rendezvous %s (%.1f %% at most)\nalways %s (%.1f %% at most)\n", r <= .07 ? "yes" : "no", 100 * r,
             a <= .07 ? "yes" : "no", 100 * a }' "$work/table"
}

# efficient SERIAL N LEAST: is the parallel efficiency at N processors LEAST or more? For simulation and both readings.
efficiency() {
  awk -v serial="$1" -v n="$2" '$1 == n { for (k = 3; k <= 5; k++) print serial / n / $k }' "$work/table"
}

figure_1() {
  for cells in 50x50x50 150x150x150; do
    echo
    echo "Figure 5.1: $cells cells, execution time of an iteration"
    models $cells '2x1 2x2 4x2 4x4 8x4 8x8 16x8'
    agreement | verdict 'Both models agree (at most 7 % from simulation, to 128 processors)'
  done
}

# small SERIAL BELOW ABOVE TEXT: efficiency of 50 % or more at BELOW processors, less at ABOVE
turning() {
  efficiency "$1" "$2" > "$work/below"
  efficiency "$1" "$3" > "$work/above"
  paste -d' ' "$work/below" "$work/above" |
    awk -v b="$2" -v a="$3" 'BEGIN { split("simulation rendezvous always", name) }
      { printf "%s %s (%.0f %% at %d, %.0f %% at %d processors)\n", name[NR], ($1 >= .5 && $2 < .5 ? "yes" : "no"),
        100 * $1, b, 100 * $2, a }' | verdict "$4"
}

figure_2() {
  for cells in 50x50x50 150x150x150; do
    echo
    echo "Figure 5.2: $cells cells, to 2,500 processors"
    models $cells '4x4 8x8 16x8 16x16 20x20 30x30 40x40 50x50'
    serial=$(seconds $cells 1 1 $simulated)
    awk -v serial="$serial" '{ printf "  %10d  speed-up %7.1f  efficiency %5.1f %%\n", $1, serial / $3, 100 * serial / $3 / $1 }' \
      "$work/table"
    if [ $cells = 50x50x50 ]; then
      turning "$serial" 64 128 '50 x 50 x 50 cannot use more than 64 processors efficiently (50 % there, less at 128)'
    else
      efficiency "$serial" 128 | awk 'BEGIN { split("simulation rendezvous always", name) }
        { printf "%s %s (%.0f %%)\n", name[NR], ($1 >= .75 ? "yes" : "no"), 100 * $1 }' |
        verdict '150 x 150 x 150 has excellent speed-up to 128 processors (efficiency of 75 % or more)'
      turning "$serial" 900 2500 '150 x 150 x 150 performs well to 900 processors and not beyond (50 % there, less at 2,500)'
    fi
    agreement | verdict 'Both models agree to 2,500 processors (at most 7 %)'
  done
  rounded_up
}

# How much the handshake terms weigh depends on what a process computes between them. Above that is the mean, 50 / 16
# cells of either column at 256 processors; where columns are rounded up to whole cells it is 4.
rounded_up() {
  echo
  echo '50x50x50 cells where each process has whole columns, all rounded up: the grid grows to so many columns'
  printf '  %10s  %9s  %9s  %22s  %22s\n' processors grid columns 'analysis, rendezvous' 'analysis, always'
  for grid in 8x8 16x16 30x30 50x50; do
    p=${grid%x*} up=$(((50 + ${grid%x*} - 1) / ${grid%x*} * ${grid%x*}))
    echo $((p * p)) "$grid" "${up}x$up" "$(seconds "${up}x${up}x50" "$p" "$p" $simulated)" \
      "$(seconds "${up}x${up}x50" "$p" "$p" $rendezvous)" "$(seconds "${up}x${up}x50" "$p" "$p" $always)"
  done | awk '{ printf "  %10d  %9s  %9s  %10.4f s %+7.1f %%  %10.4f s %+7.1f %%\n", $1, $2, $3, $5, 100 * ($5 / $4 - 1),
                $6, 100 * ($6 / $4 - 1) }'
}

figure_3() {
  echo
  echo 'Figure 5.3 (a): 14 x 14 x 255 cells a processor, execution time of an iteration'
  : > "$work/table"
  printf '  %10s  %9s  %12s  %22s  %22s\n' processors grid simulated 'analysis, rendezvous' 'analysis, always'
  for grid in 2x2 4x4 8x8 16x8 20x20 40x40; do
    px=${grid%x*} py=${grid#*x} cells=$((14 * px))x$((14 * py))x255
    echo $((px * py)) "$grid" "$(seconds $cells "$px" "$py" $simulated)" "$(seconds $cells "$px" "$py" $rendezvous)" \
      "$(seconds $cells "$px" "$py" $always)" >> "$work/table"
  done
  awk '{ printf "  %10d  %9s  %10.4f s  %10.4f s %+7.1f %%  %10.4f s %+7.1f %%\n", $1, $2, $3, $4, 100 * ($4 / $3 - 1),
         $5, 100 * ($5 / $3 - 1) }' "$work/table"
  for grid in 100x100 140x200; do
    px=${grid%x*} py=${grid#*x} cells=$((14 * px))x$((14 * py))x255
    printf '  %10d  %9s  %12s  %10.4f s %9s  %10.4f s\n' $((px * py)) $grid - "$(seconds $cells "$px" "$py" $rendezvous)" '' \
      "$(seconds $cells "$px" "$py" $always)"
  done
  agreement | verdict 'Both models agree to 1,600 processors (at most 7 %)'

  echo
  echo 'Figure 5.3 (b): 20 million cells (280 x 280 x 255), analysis, by mk and mmi'
  for reading in rendezvous always; do
    : > "$work/$reading"
    echo "  handshake terms: $reading"
    printf '  %10s  %10s  %10s  %10s  %10s  %10s  %10s\n' processors 'mk 1 mmi 1' 'mk 1 mmi 3' 'mk 1 mmi 6' 'mk 10 mmi 1' \
      'mk 10 mmi 3' 'mk 10 mmi 6'
    for grid in 10x10 20x20 30x30 40x25 50x40 100x50 100x100 200x100; do
      px=${grid%x*} py=${grid#*x} line=$((px * py))
      for mk in 1 10; do
        for mmi in 1 3 6; do
          line="$line $(seconds 280x280x255 "$px" "$py" --set comm='analysis[LogGP]' --set handshake_terms=$reading \
            --set mk=$mk --set mmi=$mmi)"
        done
      done
      echo "$line" >> "$work/$reading"
    done
    awk '{ printf "  %10d", $1; for (k = 2; k <= 7; k++) printf "  %8.3f s", $k; print "" }' "$work/$reading"
  done
  both 'Below 400 processors blocking is not very important (all within 25 % of the best)' '
    $1 <= 400 { low = high = $2; for (k = 3; k <= 7; k++) { if ($k < low) low = $k; if ($k > high) high = $k }
                if (high / low > x) x = high / low }
    END { print (x <= 1.25 ? "yes" : "no"), sprintf("(%.0f %%)", 100 * (x - 1)) }'
  both 'On many processors mk = 1 is poor (at 20,000 half as slow again as mk = 10, mmi = 3, or more)' '
    $1 == 20000 { print ($3 >= 1.5 * $6 ? "yes" : "no"), sprintf("(%.2f times the time)", $3 / $6) }'
  both 'With mk = 1 the time is sensitive to mmi (by 25 % or more at 20,000)' '
    $1 == 20000 { low = high = $2; for (k = 3; k <= 4; k++) { if ($k < low) low = $k; if ($k > high) high = $k }
                  print (high / low >= 1.25 ? "yes" : "no"), sprintf("(%.0f %%)", 100 * (high / low - 1)) }'
  both 'With mk = 10 mmi is negligible (within 10 % everywhere)' '
    { low = high = $5; for (k = 6; k <= 7; k++) { if ($k < low) low = $k; if ($k > high) high = $k }
      if (high / low > x) x = high / low }
    END { print (x <= 1.1 ? "yes" : "no"), sprintf("(%.0f %%)", 100 * (x - 1)) }'
  both 'Beyond one or two thousand processors little is gained (less than twice as fast at 20,000 as at 2,000)' '
    $1 == 2000 { t = $6 } $1 == 20000 { print (t / $6 < 2 ? "yes" : "no"), sprintf("(%.2f times as fast)", t / $6) }'
}

# both TEXT PROGRAM: the verdict of an awk program over the tables of either reading
both() {
  for reading in rendezvous always; do
    echo "$reading $(awk "$2" "$work/$reading")"
  done | verdict "$1"
}

figure_4() {
  echo
  echo 'Figure 5.4 (a): 20 million cells, simulation, with n times the latency of the SP'
  : > "$work/table"
  printf '  %10s  %10s  %10s  %10s  %10s  %10s\n' processors 0xSP 1xSP 5xSP 10xSP 50xSP
  for grid in 4x4 10x10 20x20 30x30 40x40; do
    px=${grid%x*} py=${grid#*x} line=$((px * py))
    for n in 0 1 5 10 50; do
      line="$line $(seconds 280x280x255 "$px" "$py" $simulated --set L="$((23 * n)) us")"
    done
    echo "$line" >> "$work/table"
  done
  awk '{ printf "  %10d", $1; for (k = 2; k <= 6; k++) printf "  %8.3f s", $k; print "" }' "$work/table"
  awk '{ if ($3 / $2 - 1 > x) x = $3 / $2 - 1 }
    END { printf "simulation %s (%.1f %% at most)\n", x <= .1 ? "yes" : "no", 100 * x }' "$work/table" |
    verdict 'Without latency not much is gained (10 % at most)'
  awk '$1 >= 400 { if ($6 / $3 - 1 > x) x = $6 / $3 - 1 }
    END { printf "simulation %s (%.0f %% at most)\n", x <= .25 ? "yes" : "no", 100 * x }' "$work/table" |
    verdict 'From 400 processors on 50 times the latency costs little (25 % at most)'

  echo
  echo 'Figure 5.4 (b): 20 million cells, analysis: where the time goes'
  for reading in rendezvous always; do
    : > "$work/$reading"
    echo "  handshake terms: $reading"
    printf '  %10s  %10s  %10s  %13s  %15s\n' processors total computing communicating synchronising
    for grid in 20x20 40x25 50x40 100x50 100x100 200x100; do
      px=${grid%x*} py=${grid#*x}
      report 280x280x255 "$px" "$py" --set comm='analysis[LogGP]' --set handshake_terms=$reading |
        awk -F, -v n=$((px * py)) '$1 == "result" && $3 == "makespan" { t = $4 } $1 == "shares" && $3 == "mean" { s[$2] = $4 }
          END { print n, t, s["compute"], s["communicate"], s["wait"] }' >> "$work/$reading"
    done
    awk '{ printf "  %10d  %8.3f s  %8.3f s  %11.3f s  %13.3f s\n", $1, $2, $3, $4, $5 }' "$work/$reading"
  done
  both 'Nothing is gained beyond 5,000 processors (at 20,000 less than 25 % faster)' '
    $1 == 5000 { t = $2 } $1 == 20000 { print (t / $2 < 1.25 ? "yes" : "no"), sprintf("(%.0f %% faster)", 100 * (t / $2 - 1)) }'
  both 'Computing shrinks with the processors' '
    NR == 1 { first = last = $3; good = 1 } { if ($3 > last) good = 0; last = $3 }
    END { print (good ? "yes" : "no"), sprintf("(%.1f times less)", first / last) }'
  both 'Communication remains flat (within a factor of two)' '
    NR == 1 { low = high = $4 } { if ($4 < low) low = $4; if ($4 > high) high = $4 }
    END { print (high / low <= 2 ? "yes" : "no"), sprintf("(factor %.1f)", high / low) }'
  both 'Synchronisation dominates at 20,000 processors (more than half of the time)' '
    $1 == 20000 { print ($5 > $2 / 2 ? "yes" : "no"), sprintf("(%.0f %%)", 100 * $5 / $2) }'
}

[ $# -gt 0 ] || set -- 5.1 5.2 5.3 5.4
for figure; do
  case $figure in
    5.1) figure_1 ;; 5.2) figure_2 ;; 5.3) figure_3 ;; 5.4) figure_4 ;;
    *) echo "$0: no figure $figure: 5.1, 5.2, 5.3 or 5.4" >&2; exit 2 ;;
  esac
done
