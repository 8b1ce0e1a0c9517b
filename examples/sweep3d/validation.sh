# Sweep3D 2.2b itself beside its model: what the code prints of each iteration, and what it took. PSL names the command.
#
# The efficiency is that of the domain decomposition alone, so it is simulated with communication for nothing. The times were
# measured by the code's own clocks (CPU and elapsed) on single machines whose processors the model does not know: Wg is the
# SP/2's, nothing is tuned.
# tolerance: 1e-6
set -eu
psl=${PSL:-psl}
model=$(dirname "$0")/sweep3d.psl

# result QUANTITY CELLS PX PY MK MMI ITERATIONS OPTION...
result() {
  quantity=$1 cells=$2 px=$3 py=$4 mk=$5 mmi=$6 iterations=$7
  shift 7
  "$psl" run "$model" --format csv --set I="$cells" --set J="$cells" --set K="$cells" --set px="$px" --set py="$py" \
    --set mk="$mk" --set mmi="$mmi" --set iterations="$iterations" "$@" |
    awk -F, -v quantity="$quantity" '$1 == "result" && $3 == quantity { print $4 }'
}

free_time() {
  result makespan "$@" 1 --set L='0 s' --set os='0 s' --set ol='0 s' --set G='0 s/byte' --set Gl='0 s/byte' --set g='0 s'
}

echo 'An iteration: messages, and domain parallel efficiency'
printf '  %5s  %4s  %3s  %3s  %18s  %27s\n' cells grid mk mmi 'messages (code)' 'efficiency (code)'
while read -r cells px py mk mmi messages efficiency; do
  serial=$(free_time "$cells" 1 1 "$mk" "$mmi")
  parallel=$(free_time "$cells" "$px" "$py" "$mk" "$mmi")
  awk -v cells="$cells^3" -v grid="${px}x$py" -v mk="$mk" -v mmi="$mmi" -v messages="$messages" -v efficiency="$efficiency" \
    -v ours="$(result messages "$cells" "$px" "$py" "$mk" "$mmi" 1)" -v value="$serial" -v time="$parallel" -v n=$((px * py)) \
    'BEGIN { e = sprintf("%.2f", 100 * value / n / time)
             printf "  %5s  %4s  %3d  %3d  %8d %9s  %10s %% %14s  %s\n", cells, grid, mk, mmi, ours, "(" messages ")", e,
               "(" efficiency " %)", (ours == messages && e == efficiency ? "equal" : "DIFFERENT") }'
done <<END
50 2 1 10 3 80 97.56
50 1 2 10 3 80 95.24
50 2 3 10 3 560 88.89
150 2 3 30 2 840 92.31
END

echo
echo 'Twelve iterations: predicted, and measured'
printf '  %5s  %4s  %3s  %3s  %11s  %21s  %21s\n' cells grid mk mmi predicted 'CPU (error)' 'elapsed (error)'
while read -r cells px py mk mmi cpu elapsed; do
  awk -v cells="$cells^3" -v grid="${px}x$py" -v mk="$mk" -v mmi="$mmi" -v cpu="$cpu" -v elapsed="$elapsed" \
    -v t="$(result makespan "$cells" "$px" "$py" "$mk" "$mmi" 12)" '
    function against(x) { return x == "-" ? "-" : sprintf("%.2f s (%+.1f %%)", x, 100 * (t / x - 1)) }
    BEGIN { printf "  %5s  %4s  %3d  %3d  %9.2f s  %21s  %21s\n", cells, grid, mk, mmi, t, against(cpu), against(elapsed) }'
done <<END
50 1 1 10 3 81.37 82.13
50 2 3 10 3 13.62 32.72
150 1 1 30 2 1970.94 2434.99
150 2 3 30 2 347.44 437.81
150 16 8 10 3 - 71.9
END
echo '  (150^3 on 16x8: a Cray T3D, another processor; its grid and blocking are assumed)'
