# An assertion is tested where what it compares is known. At no point: it fails, and says why. At some: a note says at how
# many, whether it holds there or not. Points that have failed are not counted. The desk has responses where it is asked.
cat > "$TMP/desk.psl" <<'END'
param calls : int = 1;
transaction go();
transaction ask();
component caller {
  accepts: profile = { k = caller }; transaction = go(); protocol = dataflow;
  body:
    assert calls < 9;
    hold 1 s;
    for i in 1 .. calls { call ask(); }
  requests: ask(): selector = { k = desk }; transaction = ask(); protocol = call-return;
}
component desk {
  accepts: profile = { k = desk }; transaction = ask(); protocol = call-return; servers = 1;
  body: hold 1 s;
}
system s { requests: every selector = { k = caller }; transaction = go(); protocol = dataflow; }
END
for condition in 'desk.response > 5 s' 'desk.response < 5 s' 'max(desk.response) < 5 s' 'calls == 0 or desk.response < 5 s'; do
  for values in 0 0,1 0,2,9 1,2; do
    echo "-- $condition, calls = $values"
    psl study "$TMP/desk.psl" -o "$TMP/table" --vary calls=$values --assert "$condition" >"$TMP/out" 2>&1
    status=$?
    sed -n -e "s|^.*error: *||p" -e "s|^.*note: *||p" "$TMP/out" | grep -e assertion -e known
    echo "$status"
  done
done
psl study "$TMP/desk.psl" -q -o "$TMP/table" --vary calls=0 --assert 'desk.response > 5 s'
psl study "$TMP/desk.psl" -q --format json --vary calls=0,1 --assert 'desk.response < 5 s' 2>/dev/null | grep -A3 assertion
