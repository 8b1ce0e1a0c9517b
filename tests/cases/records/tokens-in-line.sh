# Where a half-width ends a run, tokens that wait before an accept with servers are in line until then, as calls are. One comes
# each second from 1 s on, is served for 2 s, and the run ends after N of them: the one that comes at k is there until
# 1 + 2 k, or till the end. Those of a class are every second one; of partial tokens the second comes half a second later.
cd "$TMP" || exit
model() { # what the stage takes, how it is asked
  cat <<PSL
transaction work($1);
transaction begin();
component stage {
  accepts:
    profile     = { domain = hardware[stage], node type = stage };
    transaction = work($1);
    protocol    = $3;
    servers     = 1;
  body:
    hold 2 s;
}
component door {
  var number = 1;
  accepts:
    profile     = { domain = application, node type = door };
    transaction = begin();
    protocol    = dataflow;
  body:
    while true {
      hold 1 s;
      record gap = 1 s, half-width 5 %;
      $2
      number = number + 1;
    }
  requests:
$4
}
$5
system office {
  requests:
    selector    = { node type = door };
    transaction = begin();
    protocol    = dataflow;
}
PSL
}
stage="selector = { node type = stage }; transaction = work"
model class 'call send(if number mod 2 == 1 then "odd" else "even");' dataflow "    send(class): $stage(class); protocol = dataflow;" >tokens.psl
model class 'call send(if number mod 2 == 1 then "odd" else "even");' call-return \
  '    send(class): selector = { node type = client }; transaction = live(class); protocol = dataflow;' "
transaction live(class);
component client {
  accepts:
    profile     = { domain = application, node type = client };
    transaction = live(class);
    protocol    = dataflow;
    servers     = unlimited;
  body:
    call ask(class);
  requests:
    ask(class): $stage(class); protocol = call-return;
}" >calls.psl
model 'a, b' 'call first(number); call second(number);' dataflow \
  "    first(a): $stage(a, b); protocol = dataflow;
    second(b): $stage(a, b); delay = 0.5 s; protocol = dataflow;" >partial.psl
for name in tokens calls partial; do
  psl study $name.psl --report 'made = door.firings, whole = simulated-time, queue = stage.queue, busy = stage.utilisation' \
    --quiet --format csv >$name.csv
  awk -F, -v name=$name -v later=$([ $name = partial ] && echo 0.5 || echo 0) 'NR == 2 {
    for (k = 1; k + later <= $2; k++) {
      end = 1 + later + 2 * k
      known += (end < $2 ? end : $2) - k - later
    }
    print name, ($3 / (known / $2) - 1) ^ 2 < 1e-24 && ($4 * $2 / ($2 - 1 - later) - 1) ^ 2 < 1e-24 ? "as known" : "wrong: " $0 ", known " known / $2
  }' $name.csv
done
for name in tokens calls; do
  psl study $name.psl --report 'whole = simulated-time, odd = stage.odd.queue, even = stage.even.queue' --quiet --format csv |
    awk -F, -v name=$name 'NR == 2 {
      for (k = 1; k <= $1; k++) known[k % 2] += (1 + 2 * k < $1 ? 1 + 2 * k : $1) - k
      fine = ($2 / (known[1] / $1) - 1) ^ 2 < 1e-24 && ($3 / (known[0] / $1) - 1) ^ 2 < 1e-24
      print name, fine ? "as known, by class" : "wrong: " $0
    }'
done
