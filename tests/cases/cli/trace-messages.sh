# Traces as Chrome's format has them, which lib/chrome-trace reads by its rules alone: calls of MPI by their names with peers, tags
# and bytes, collective operations around what they are made of, a flow for each message, elements of programs around both; of
# a run that ends early, too; compressed they are the same. No report depends on whether there is a trace.
for model in ../../../examples/mpi/halo2d ../../../examples/mpi/master-worker ../../../examples/prophet/jacobi \
  ../mpi/every-collective ../mpi/deadlock ../../../examples/simulation/bank; do
  rm -f "$TMP"/trace.json* "$TMP"/packed.json*
  psl run $model.psl --trace "$TMP/trace.json" --format csv >"$TMP/traced.csv" 2>"$TMP/errors"
  psl run $model.psl --format csv >"$TMP/report.csv" 2>"$TMP/errors"
  echo "$(basename $model)"
  cmp "$TMP/traced.csv" "$TMP/report.csv"
  trace=$(ls "$TMP"/trace.json*)
  psl run $model.psl --trace "$TMP/packed.json.gz" --format csv >"$TMP/traced.csv" 2>"$TMP/errors"
  gzip -dc <"$(ls "$TMP"/packed.json.gz*)" | cmp - "$trace"
  perl ../../lib/chrome-trace "$trace"
  echo "messages: $(sed -n 's/.*,messages,\([0-9]*\).*/\1/p' "$TMP/report.csv" | head -1)"
  grep '"cat":"call"' "$trace" | grep '"tid":2,' | sed 's/.*"name":\("[^"]*"\),.*"ph":\("."\).*\("args".*\)},*$/  \1 \2 \3/' | sort | uniq -c | head -6
done
