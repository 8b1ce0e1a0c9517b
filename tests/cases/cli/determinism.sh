# The same model, params and seed give the same bytes, in every format and from every folder; another seed does not
# where something is drawn.
examples=../../../examples
for run in "run $examples/mpi/halo2d.psl" "run $examples/mpi/master-worker.psl" "run $examples/coercions/solver.psl" \
  "run ../values/draws.psl --seed 7"; do
  for format in text json csv; do
    psl $run --format $format --by rank --trace "$TMP/1.json" --timeline "$TMP/1.svg" >"$TMP/1.txt" 2>&1
    psl $run --format $format --by rank --trace "$TMP/2.json" --timeline "$TMP/2.svg" >"$TMP/2.txt" 2>&1
    psl $run --format $format --by rank --reference >"$TMP/3.txt" 2>&1
    cmp "$TMP/1.txt" "$TMP/2.txt" && cmp "$TMP/1.txt" "$TMP/3.txt" && cmp "$TMP/1.json" "$TMP/2.json" &&
      cmp "$TMP/1.svg" "$TMP/2.svg" && test -s "$TMP/1.txt" && echo "$(basename "${run%.psl*}") $format: the same"
  done
done
for seed in 1 2 1 7; do psl run ../values/draws.psl --format csv --seed $seed | grep makespan; done | sort | uniq -c | sed 's/ *\([0-9]*\) .*/seen \1/'
for seed in 1 2; do psl run $examples/mpi/halo2d.psl --format csv --seed $seed | grep makespan; done | uniq | wc -l
for what in '' --dynamic; do
  psl graph $examples/sweep3d/sweep3d.psl $what >"$TMP/1.dot" 2>"$TMP/err"
  psl graph $examples/sweep3d/sweep3d.psl $what >"$TMP/2.dot" 2>"$TMP/err"
  cmp "$TMP/1.dot" "$TMP/2.dot" && test -s "$TMP/1.dot" && echo "graph $what: the same"
done
