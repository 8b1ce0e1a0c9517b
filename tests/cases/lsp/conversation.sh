# Interactions of conversations are names: what they are, where they stand, what could stand there, another name.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
perl "$client" <<'END'
open talk.psl <<
transaction begin();
transaction ask(n : int);
transaction more(n : int);
transaction answer(n : int);
protocol session { -> ask; repeat { -> more; } <- answer; }
component client {
  accepts:
    profile     = { domain = application[talk], node type = client };
    transaction = begin();
    protocol    = dataflow;
  body:
    call serve(1);
    call serve.more(2);
    let a = call serve.answer();
    call serve.
  requests:
    serve(n):
      selector    = { domain = application[talk], node type = server };
      transaction = ask(n);
      protocol    = session;
}
component server {
  accepts:
    profile     = { domain = application[talk], node type = server };
    transaction = ask(n);
    protocol    = session;
  body:
    let m = call caller.more();
    call caller.answer(m);
}
.
hover talk.psl 13:17
hover talk.psl 13:11
hover talk.psl 28:18
completion talk.psl 15:16
definition talk.psl 13:17
references talk.psl 3:13
rename talk.psl 13:17 {"newName":"again"}
signatureHelp talk.psl 13:22
END
