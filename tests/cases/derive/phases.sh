# The whole of bulk-synchronous programs: of even phases between barriers it is what the run takes, else that is at least
# so long. The function of the whole, for other sizes, is the run of these.
# tolerance: 1e-9
sed 's/ + slope \* r//' phases.psl > "$TMP/even.psl"
while read -r model operation ranks; do
  echo "== $model $operation, $ranks ranks"
  file=phases.psl
  if [ "$model" = even ]; then file=$TMP/even.psl; fi
  psl derive -q "$file" --set operation="$operation" --set ranks="$ranks" --set steps=7 --decide |
    sed -n '/^the whole/,/^$/p' | sed 1d
  psl run -q "$file" --set operation="$operation" --set ranks="$ranks" --set steps=7 | head -1
done <<MODELS
even barrier 6
even barrier 1
even allgather 8
even allreduce 5
even ring 4
uneven barrier 6
uneven allgather 7
MODELS
psl derive -q "$TMP/even.psl" -f psl > "$TMP/whole.psl"
grep -A 99 '^/// Time of the run' "$TMP/whole.psl"
cat > "$TMP/model.psl" <<'END'
use domains;
use "whole.psl";
transaction go();
component one {
  accepts: profile = { domain = application[test], node type = one }; transaction = go(); protocol = dataflow;
  body: hold rank-whole(ranks = 12, steps = 20);
}
system whole {
  requests: selector = { domain = application[test], node type = one }; transaction = go(); protocol = dataflow;
}
END
psl run -q "$TMP/model.psl" | head -1
psl run -q "$TMP/even.psl" --set ranks=12 --set steps=20 | head -1
psl derive -q "$TMP/even.psl" -f latex | sed -n '/^% the run/,$p'
psl derive -q phases.psl -f json | grep -A 1 '"exact"' | cut -c 1-200
# A barrier to which an index decides who comes, and loops that may go round no turn, end no phase.
sed 's/if operation == barrier/if r < ranks - 1/' "$TMP/even.psl" > "$TMP/some.psl"
sed 's/in 1 \.\. 1000/in 0 .. 1000/' "$TMP/even.psl" > "$TMP/none.psl"
for model in some none; do psl derive -q "$TMP/$model.psl" | sed -n '/^the whole/,/^$/p'; done
