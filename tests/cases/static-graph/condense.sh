# Condensed: loops without messages become factors and sums, the branch that is the same in all turns moves out of them,
# those that collapse are means, the third stays. The run of it takes as long where nothing was taken for its mean, with a
# hundred times fewer firings.
psl graph --static --condense fine.psl
psl graph --static fine.psl -f json > "$TMP/fine.json"
psl graph --static --condense "$TMP/fine.json" > "$TMP/read"
psl graph --static --condense fine.psl > "$TMP/made"
cmp "$TMP/made" "$TMP/read" && echo "what was stored is condensed, too"
figures() { psl run -f json "$@" | sed -n 's/^  "makespan"/makespan/p; s/^  "firings"/firings/p'; }
sed 's/collapse one of {/one of { 0.5 { hold 3 us; } 0.5 { hold 3 us; } } if false {/; s/50 % { hold . us; }//
     s/collapse by 25 % if cell mod 4 == 0/collapse if cell mod 4 == 0/' fine.psl > "$TMP/same.psl"
figures "$TMP/same.psl"
figures --condense "$TMP/same.psl"
figures --condense --set exact=false --set rows=0 "$TMP/same.psl"
psl graph --condense fine.psl
sed 's/collapse by 25 %/collapse by 130 %/' fine.psl > "$TMP/chance.psl"
psl check "$TMP/chance.psl"
psl fmt fine.psl | grep -A2 collapse
psl run --condense - < fine.psl 2>&1 | head -1
