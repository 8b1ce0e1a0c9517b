# More points than the walker takes alone, by both engines: the same, also where a let has no value.
for engine in "" --reference; do
  psl study lets-part.psl --vary n=1..130 --format csv $engine >"$TMP/points${engine:+-walked}" 2>"$TMP/said${engine:+-walked}"
done
cmp "$TMP/points" "$TMP/points-walked" && cmp "$TMP/said" "$TMP/said-walked" && echo the same
sed -n '1,2p;50p;100,102p' "$TMP/points"
cat "$TMP/said"
