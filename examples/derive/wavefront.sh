# The wavefront of examples/programs/wavefront.psl by LogGP, with what psl derive finds in its model, beside the
# simulated run. PSL names the command.
#
# The model, wavefront-loggp.psl, has messages and corners by equations; it knows of computing only what was derived.
# tolerance: 1e-6
set -eu
psl=${PSL:-psl}
here=$(dirname "$0")
program=$here/../programs/wavefront.psl
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# The functions that the model uses are those that are derived.
"$psl" derive "$program" --section compute -f psl -o "$made/wavefront-block.psl"
octants=$(awk '/for octant in/ { print NR }' "$program")
"$psl" derive "$program" --section "$octants" -f psl | sed "s|: $program|: ../programs/wavefront.psl|" > "$made/wavefront-own.psl"
cmp "$made/wavefront-block.psl" "$here/wavefront-block.psl"
cmp "$made/wavefront-own.psl" "$here/wavefront-own.psl"

time_of() {
  "$psl" run -q "$@" --format csv | awk -F, '$1 == "result" && $3 == "makespan" { print $4 }'
}

echo 'cells a rank, grid of ranks: predicted by LogGP, simulated'
while read -r px py cells nz planes; do
  set -- --set px="$px" --set py="$py" --set nx="$cells" --set ny="$cells" --set nz="$nz" --set planes="$planes"
  awk -v name="$cells x $cells x $nz by $planes, $px x $py" -v a="$(time_of "$here/wavefront-loggp.psl" "$@")" \
    -v b="$(time_of "$program" "$@")" 'BEGIN {
      printf "  %-28s  %9.3f ms  %9.3f ms  %+5.1f %%\n", name, 1e3 * a, 1e3 * b, 100 * (a / b - 1)
    }'
done <<END
2 2 6 24 6
4 4 6 24 6
8 8 6 24 6
4 4 50 24 6
8 4 50 96 6
16 16 50 96 6
16 16 5 48 2
4 4 100 96 8
END
