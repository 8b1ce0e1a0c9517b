# Points one after another, each with code and results that the ones before have left where they still do: the same
# as walked, and as a run of its own.
study() { psl study recurrences.psl --vary base=2,0.25,-1 --vary n=12,30,31 --vary wide=3,40 --format jsonl "$@" 2>&1; }
study >"$TMP/compiled"
study --reference >"$TMP/walked"
cmp "$TMP/compiled" "$TMP/walked" && grep -c '"makespan"' "$TMP/compiled"
grep '"makespan"' "$TMP/compiled" | sed -n '1p;$p'
