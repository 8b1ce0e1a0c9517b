# Servers of accepts keep means of their calls, of all and by class: who asks for a percentile or an interval is told how a
# caller records it, and what is then there. In a queueing network percentiles are of all classes together.
cd "$TMP" || exit
cat > desk.psl <<'PSL'
transaction serve(amount : time, class : string);
transaction live();
component desk {
  accepts:
    profile     = { domain = hardware[desk], node type = desk };
    transaction = serve(amount, class);
    protocol    = call-return;
    servers     = 2;
  body:
    hold amount;
}
component people [i] : 0 <= i < 40 {
  accepts:
    profile     = { domain = application, node type = people };
    transaction = live();
    protocol    = dataflow;
  body:
    hold i * 1 s;
    let begin = clock;
    call ask(i mod 4 * 1 s, if i mod 2 == 0 then "gold" else "iron");
    record stay = clock - begin, quantiles [95 %];
  requests:
    ask(amount, class):
      selector    = { node type = desk };
      transaction = serve(amount, class);
      protocol    = call-return;
}
system office {
  requests:
    every selector = { node type = people };
    transaction    = live();
    protocol       = dataflow;
}
PSL
for figure in desk.p95 desk.gold.p95 desk.response.half-width desk.gold.response.half-width desk.gold.rsponse; do
  psl study desk.psl --report "a = $figure"
done
psl study desk.psl --report 'gold = desk.gold.response, stay.p95' --quiet
cat > network.psl <<'PSL'
use queueing;
component desk like fcfs-station { param service = exponential(0.3 s); profile number = 0; }
component door like arrivals { param class = gold; param between = exponential(1 s); }
component gold like visitors { param class = gold; param visits = [1]; }
system office {
  requests:
    selector    = { node type = arrivals };
    transaction = arrive();
    protocol    = dataflow;
}
PSL
psl study network.psl --report 'a = desk.gold.p95'
