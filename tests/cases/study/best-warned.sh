# What the run of a best point has warned of stands beside it in all formats, and so does what is not certain of it: without
# receivers nothing is served, in no time, and 100 messages are left in the mailbox; points of a Pareto front have theirs,
# too. A resumed study that is interrupted before its first new point has those of the database. A column of what a
# condition leaves out says so.
cat >"$TMP/box.psl" <<'END'
use processes;
param receivers : int = 1;
param kept : int = 0;
component orders like mailbox { profile node type = orders; }
transaction begin();
component client {
  accepts: profile = { domain = application[test], node type = client }; transaction = begin(); protocol = dataflow;
  body: for k in 1 .. 100 { call order(k); }
  requests:
    order(message): selector    = { domain = processes, node type = orders };
                    transaction = send-message(message);
                    protocol    = call-return;
}
component server {
  accepts: profile = { domain = application[test], node type = server }; transaction = begin(); protocol = dataflow;
  body: if receivers > 0 { for k in kept + 1 .. 100 { let m = call next(); hold 1 s; } }
  requests:
    next(): selector    = { domain = processes, node type = orders };
            transaction = receive-message();
            protocol    = call-return;
}
system office { requests: every selector = { domain = application[test] }; transaction = begin(); protocol = dataflow; }
study tune of office {
  vary receivers in 0 .. 1;
  minimize makespan;
  minimize slow = makespan where makespan > 1 s;
  minimize rate = 100 / slow;
}
END
cp near.sh condition-close.sh "$TMP" && cd "$TMP" || exit
psl run box.psl --set receivers=0 | head -1
psl run box.psl --set kept=49 2>&1 | head -1
psl run box.psl --set kept=51 2>&1 | head -1
psl study box.psl tune --db box.db
psl study box.psl tune --best --format csv -q
psl study box.psl tune --best --format jsonl -q
psl study box.psl tune --best --format json -q | sed -n '/"best": /,/^  ]/p'
psl study box.psl --vary receivers=0,1 --minimize 'makespan by receivers' -q
echo "a Pareto front"
front() { psl study box.psl office --vary receivers=0,1 --minimize makespan --maximize 'kept = receivers' --pareto -q "$@"; }
front | sed -n '/^Pareto/,$p'
front --format csv
front --format jsonl
front --format json | sed -n '/"pareto": /,/^  ]/p'
front --format markdown | sed -n '/Pareto/,$p'
psl report box.db -q -o box.html && grep -o 'it has warned: .*' box.html
sed -n '/^cat > crowd.psl/,/^E$/p' near.sh | sed '1d;$d;/^study/,$d' > crowd.psl
cat >> crowd.psl <<'END'
study crowd of office {
  vary clients in 2 .. 16 by * 2, load in [5 ms, 10 ms];
  maximize makespan where makespan < 80 ms;
  repetitions = 5;
}
END
psl study crowd.psl --best -q | tail -2
psl study crowd.psl --best --format csv -q
cat >slow.psl <<'END'
param n : int = 1;
transaction go();
component job {
  accepts: profile = { node type = job }; transaction = go(); protocol = dataflow;
  body: for k in 1 .. (if n == 3 then 100000000000 else 10) { hold 1 s; }
}
system jobs { requests: selector = { node type = job }; transaction = go(); protocol = dataflow; }
END
for _ in 1 2; do
  env --default-signal=INT psl study slow.psl --vary n=1..5 --report makespan --db slow.db >said 2>&1 &
  until [ "$(cut -d ' ' -f 14 "/proc/$!/stat")" -gt 60 ]; do sleep 0.05; done # ticks: it is at the long point
  kill -INT $!
  wait $!
  cat said
done
