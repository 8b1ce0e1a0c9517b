# A random demand that a request gives is refused by analyses where its parameter is a number, and taken where it is
# declared as a distribution. Customers without think time at a shared station of mean 1 s: 8 are there 8 s each.
model() {
  cat > "$TMP/drawn.psl" <<END
use queueing;
transaction work(t : $1);
component cpu {
  accepts:
    profile     = { domain = hardware[server], node type = cpu, evaluation mode = solver };
    transaction = work(t);
    protocol    = call-return;
    servers     = 1;
    discipline  = processor-sharing;
  body:
    hold t;
}
component person [k] : 0 <= k < 8 {
  accepts:
    profile     = { domain = application[queueing], node type = customer, evaluation mode = solver };
    transaction = cycle();
    protocol    = dataflow;
    servers     = unlimited;
  body:
    call ask($2);
  requests:
    ask($3):
      selector    = { domain = hardware[server], node type = cpu };
      transaction = work($4);
      protocol    = call-return;
    selector    = { domain = application, node type = customer, k = k };
    transaction = cycle();
    protocol    = dataflow;
}
system office {
  requests:
    every selector = { domain = application, node type = customer };
    transaction    = cycle();
    protocol       = dataflow;
}
END
  (cd "$TMP" && psl run drawn.psl 2>&1 | grep -v '^model')
}
model time '' '' 'exponential(1 s)'
model time 'exponential(1 s)' q q
model 'distribution*time' '' '' 'exponential(1 s)'
