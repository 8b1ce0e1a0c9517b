# A protocol is declared in a session, too, and what has been woven into bodies is made anew.
psl <<'S' 2>&1 | grep -v '^ \|^$'
:load rendezvous.psl
transaction ask(n : int);
protocol asking { -> ask; <- refuse; }
:run
:help asking
protocol wrong { <- ask; }
S
