# Functions of an evaluator that answer what stands in its items: each kind of number, by both engines; an item that is
# not there, and what is no finite number, end the run.
cat >"$TMP/m.psl" <<'PSL'
use "row.so";
param item : int = 0;
param none : bool = false;
transaction go();

component main {
  accepts:
    profile     = { domain = application, node type = main };
    transaction = go();
    protocol    = dataflow;
  body:
    let real = call row.real(item);
    let wide = call row.wide(item);
    let small = call row.small(item);
    let whole = call row.whole(item);
    let truth = call row.truth(item);
    record real-here = real;
    record wide-here = wide;
    record small-here = small;
    record whole-here = whole;
    record truth-here = if truth then 1 else 0;
    if none {
      let nothing = call row.none(item);
      record none-here = nothing;
    }
    hold 1 s;
}

system s {
  requests:
    selector    = { domain = application };
    transaction = go();
    protocol    = dataflow;
}
PSL
cd "$TMP"
for options in "item=0" "item=1" "item=2" "item=-1" "none=true" "item=1 --set none=true"; do
  psl run m.psl --format csv --allow-native --set $options >fast 2>fast.err
  psl run m.psl --format csv --allow-native --reference --set $options >walked 2>walked.err
  cmp fast walked && cmp fast.err walked.err
  echo "$options"
  grep "^records,.*,mean," fast
  cat fast.err
done
