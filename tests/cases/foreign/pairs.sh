# Two calls of an evaluator that may be made as one come to the same as each by itself: with holds, of lengths known and
# not, between them; where the pair is refused; with a warm-up, a trace, an error of either call. The clocks that the
# evaluator adds up are those of the holds: 4 s and 1, 2 and 3 s of the parcels' own.
cat >"$TMP/m.psl" <<'PSL'
use "parcel.so";
param rounds : int = 3;
param late : time = 0 s;
transaction work();
component post {
  accepts: profile = { domain = application[post], node type = post }; transaction = work(); protocol = call-return;
  body:
    for k in 1 .. rounds {
      let m = call parcel.post(k * 1 s, k == 2);
      if parcel.announced(m) { hold 10 s; }
      hold 4 s;
      hold k * 1 s;
      let told = call parcel.deliver(m);
      if told { hold 1 s; }
    }
    for k in 1 .. rounds {
      let m = call parcel.fetch();
      let size = call parcel.unpack(m);
      hold size;
    }
}
component known {
  accepts: profile = { domain = runtime, node type = known }; transaction = work(); protocol = call-return;
  body:
    let a = call parcel.post(1 s, false);
    hold 4 s;
    let told = call parcel.deliver(a);
    let b = call parcel.fetch();
    let size = call parcel.unpack(b);
    hold size + late;
    let c = call parcel.post(2 s, false);
    hold 4 s;
    call parcel.deliver(c);
    let d = call parcel.fetch-alone();
    let again = call parcel.unpack(d);
    hold again;
    let e = call parcel.post(3 s, false);
    call parcel.deliver(e);
    assert e == 4;
    let f = call parcel.fetch();
    assert f == 4;
    let last = call parcel.unpack(f);
    hold last;
}
system parcels {
  requests: selector = { domain = application[post], node type = post }; transaction = work(); protocol = call-return;
}
system knowing {
  requests: selector = { domain = runtime, node type = known }; transaction = work(); protocol = call-return;
}
PSL
both() {
  psl "$@" --allow-native >"$TMP/fast" 2>"$TMP/fast.err"
  fast=$?
  psl "$@" --allow-native --reference >"$TMP/walked" 2>"$TMP/walked.err"
  [ $fast = $? ] && cmp -s "$TMP/fast" "$TMP/walked" && cmp -s "$TMP/fast.err" "$TMP/walked.err" && echo "the same: exit $fast"
}
cd "$TMP"
for system in parcels knowing; do
  both run m.psl "$system"
  cat fast
  both run m.psl "$system" --warm-up '7 s'
  both run m.psl "$system" --format json --by rank
  both run m.psl "$system" --trace t --format csv
  for options in "" "--warm-up 7s" "--trace t" "--reference"; do
    psl run m.psl $system --allow-native --timing $options | grep "calls made two at once" | tr -s " "
  done
done
both run m.psl parcels --set rounds=70
cat fast.err
both run m.psl knowing --set late=1e101s
cat fast.err
both run m.psl parcels --max-time 6s
both run m.psl parcels --max-firings 1
