# Sweep3D by three paradigms: simulation and task graph are one and the same to 1e-9, the equations agree
# within 7 % under the rendezvous reading.
model=../../../examples/sweep3d/sweep3d.psl
makespan() {
  psl run "$model" --format csv --set iterations=1 --set comm="$@" |
    awk -F, '$1 == "result" && $3 == "makespan" { print $4 }'
}
while read -r cells px py graph options; do
  set -- --set I=$cells --set J=$cells --set K=$cells --set px=$px --set py=$py $options
  simulated=$(makespan 'simulation[MPI-Sim]' "$@")
  equations=$(makespan 'analysis[LogGP]' "$@")
  [ $graph = no ] || graph=$(makespan 'analysis[task-graph]' "$@")
  echo "$cells $px $py $simulated $equations $graph $options" | awk '
    function far(a, b) { return a > b ? a / b - 1 : b / a - 1 }
    { graph = $6 == "no" ? "" : far($4, $6) <= 1e-9 ? ", the graph agrees" : ", the graph DIFFERS"
      options = ""
      for (k = 7; k <= NF; k++) options = options " " $k
      printf "%d^3 on %dx%d%s: the equations %s%s\n", $1, $2, $3, options,
        far($4, $5) <= 0.07 ? "agree" : sprintf("DIFFER by %.1f %%", 100 * far($4, $5)), graph }'
done <<END
50 2 1 yes
50 2 2 yes
50 2 3 yes --set partition=integer
50 3 4 yes --set mk=8 --set mmi=4
50 4 4 yes --set mk=10 --set Wg=2us
50 8 8 yes
50 16 8 yes
50 16 16 yes
150 2 3 yes --set mk=30 --set mmi=2
150 4 4 yes
150 8 8 yes
150 16 8 no
150 16 16 no
150 20 20 no
END
