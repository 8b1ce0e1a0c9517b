# Two calls of an evaluator that may be made as one come to the same as each by itself: with holds, of lengths known and
# not, between them; where the pair is refused; with a warm-up, a trace, an error of either call. The clocks that the
# evaluator adds up are those of the holds: 4 s and 1, 2 and 3 s of the parcels' own. Weights are prepared: in rounds of
# 6 s those of 0 to 3 from 0 s on come to 0 + 6 + 24 + 54 = 84 s, that of 10, 4 s later, to 10 x (4 + 10 + 16 + 22) =
# 520 s; those of 0 are posted and delivered apart. Parcels that come after 10, 20, ... 60 s are awaited and opened, in
# one where nothing stands between the two: the clocks come to 210 s, and with a hold of 1 s there, three times, to 213 s.
# Numbers of kinds 0 and 1 need no call.
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
component weighed {
  accepts: profile = { domain = runtime, node type = weighed }; transaction = work(); protocol = call-return;
  body:
    for k in 0 .. rounds {
      let a = call parcel.post(1 s, false, k);
      hold 4 s;
      call parcel.deliver(a);
      let b = call parcel.post(1 s, false, 10);
      hold 1 s;
      call parcel.deliver(b);
      let c = call parcel.post(1 s, false, 0);
      hold 1 s;
      call parcel.deliver(c);
    }
}
component delivering {
  accepts: profile = { domain = runtime, node type = delivering }; transaction = work(); protocol = dataflow;
  body:
    for k in 1 .. 2 * rounds {
      hold 10 s;
      call parcel.turn();  // so that the other one waits
      let a = call parcel.post(1 s, false);
      call parcel.deliver(a);
    }
}
component awaiting {
  accepts: profile = { domain = runtime, node type = awaiting }; transaction = work(); protocol = dataflow;
  body:
    for k in 1 .. rounds {
      let a = call parcel.await();
      let size = call parcel.unpack(a);
      hold size;
      let b = call parcel.await();
      hold late;
      let more = call parcel.unpack(b);
      hold more;
    }
}
component numbering {
  accepts: profile = { domain = runtime, node type = numbering }; transaction = work(); protocol = call-return;
  body:
    for k in 1 .. rounds {
      let a = call parcel.number(0, k);
      let b = call parcel.number(1, a + k);
      let c = call parcel.number(2, k);
      let d = call parcel.number(k - 1, k);
      call parcel.number(0, k);
      assert a == k and b == 2 * k and c == 10 * k and d == (if k <= 2 then k else 10 * k);
      hold (a + b + c + d) * 1 s;
    }
}
system numbers {
  requests: selector = { domain = runtime, node type = numbering }; transaction = work(); protocol = call-return;
}
system waiting {
  requests:
    selector = { domain = runtime, node type = awaiting }; transaction = work(); protocol = dataflow;
    selector = { domain = runtime, node type = delivering }; transaction = work(); protocol = dataflow;
}
system weighing {
  requests: selector = { domain = runtime, node type = weighed }; transaction = work(); protocol = call-return;
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
for system in parcels knowing weighing waiting numbers; do
  both run m.psl "$system"
  cat fast
  both run m.psl "$system" --warm-up '7 s'
  both run m.psl "$system" --format json --by rank
  both run m.psl "$system" --trace t --format csv
  for options in "" "--warm-up 7s" "--trace t" "--reference"; do
    psl run m.psl $system --allow-native --timing $options | grep "calls made two at once" | tr -s " "
  done
done
both run m.psl waiting --set late=1s
cat fast
both run m.psl parcels --set rounds=70
cat fast.err
both run m.psl knowing --set late=1e101s
cat fast.err
both run m.psl parcels --max-time 6s
both run m.psl parcels --max-firings 1
