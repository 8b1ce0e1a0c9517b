# A let that comes between two studies follows the varied param as those before it do.
psl <<'END'
param n : int = 1;
transaction go();
component one { accepts: profile = { domain = application, node type = one }; transaction = go(); protocol = call-return; body: hold n * 1 s; }
system s { requests: selector = { domain = application, node type = one }; transaction = go(); protocol = call-return; }
study s --vary n=1..3 --report double=2*n
let late = 10 * n;
study s --vary n=1..3 --report late=late
:quit
END
