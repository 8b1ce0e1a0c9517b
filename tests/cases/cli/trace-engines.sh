# A trace is the same whichever engine has run the model, and so in whatever order processes were let run ahead: stretches that
# meet are one, a message is from who sent it, also where the process that did so, one beside a rank, has ended since.
for model in execution/sums mpi/every-collective prophet/critical; do
  for engine in '' --reference; do
    psl run ../$model.psl $engine --trace "$TMP/trace$engine" --timeline "$TMP/timeline$engine" >/dev/null
  done
  cmp "$TMP/trace" "$TMP/trace--reference" && cmp "$TMP/timeline" "$TMP/timeline--reference" && echo "$model: the same"
  grep -c '"ph":"s"' "$TMP/trace"
  grep '"tid":2' "$TMP/trace" | head -4 | cut -c1-100
done
