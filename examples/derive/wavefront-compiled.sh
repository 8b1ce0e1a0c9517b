# The wavefront of examples/programs/wavefront.f90 by LogGP, with the time of its nest of loops as psl derive has it of
# the model that psl compile makes of the program, beside runs of that model. It takes what psl compile does: MPICH's
# mpif90, gfortran and GCC's headers for plugins. How many operations the nest has is the compiler's matter. PSL names the
# command.
set -eu
psl=${PSL:-psl}
here=$(dirname "$0")
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
cp "$here/wavefront-compiled.psl" "$here/wavefront-own.psl" "$made"
"$psl" compile "$here/../programs/wavefront.f90" -o "$made/program.psl"
nest=$(sed -n 's/.*call \(compute_[0-9]*\)(.*/\1/p' "$made/program.psl")
"$psl" derive "$made/program.psl" --section "$nest" -f psl |
  sed "s/$nest/compute_87/g" > "$made/nest.psl"
echo "the nest: $nest"

time_of() {
  "$psl" run -q "$@" --format csv | awk -F, '$1 == "result" && $3 == "makespan" { print $4 }'
}

echo 'cells a rank, grid of ranks: by LogGP, by the model of the program'
while read -r side cells nz planes; do
  set -- --set nx="$cells" --set ny="$cells" --set nz="$nz" --set planes="$planes"
  awk -v name="$cells x $cells x $nz by $planes, $side x $side" \
    -v a="$(time_of "$made/wavefront-compiled.psl" "$@" --set px="$side" --set py="$side")" \
    -v b="$(time_of "$made/program.psl" "$@" --set ranks=$((side * side)))" 'BEGIN {
      printf "  %-28s  %9.3f ms  %9.3f ms  %+5.1f %%\n", name, 1e3 * a, 1e3 * b, 100 * (a / b - 1)
    }'
done <<SIZES
2 6 24 6
4 6 24 6
4 50 24 6
8 50 96 6
4 100 96 8
SIZES
