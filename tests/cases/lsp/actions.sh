# Each "did you mean" is an action; systems and studies can be run, requests say where they go.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
perl "$client" <<'END'
open model.psl <<
param workers : int = 4;
let twice : int = 2 * wrokers; // 🐎
let other : tiem = 3 sec;
domain hardware { attribute node type : term; }
transaction solve(part : time);
component worker [w] : 0 <= w < workers {
  accepts:
    profile = { domain = hardware, node tipe = box };
    transaction = slove(part);
    protocol = call-return;
  body:
    hold part;
}
let what : [int] = [1, 2];
.
codeAction model.psl {"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":9}},"context":{"diagnostics":[]}}
apply model.psl
codeAction model.psl {"range":{"start":{"line":0,"character":0},"end":{"line":99,"character":0}},"context":{"diagnostics":[]}}
codeAction model.psl
# lenses
open run.psl <<
param workers : int = 3;
transaction solve(part : time);
transaction put(part : time);
component worker [w] : 0 <= w < workers {
  accepts:
    profile = { kind = worker };
    transaction = solve(part);
    protocol = call-return;
  body:
    hold part;
    if w > 0 { call one(part); }
    call store(1 s);
  requests:
    one(part):
      selector = { kind = disk };
      transaction = put(part);
      protocol = call-return;
    store(part):
      where w > 5;
      selector = { kind = disk };
      transaction = put(part);
      protocol = call-return;
}
component disk {
  accepts:
    profile = { kind = disk };
    transaction = put(part);
    protocol = call-return;
  body:
    hold part;
}
system main {
  requests:
    every selector = { kind = worker };
    transaction = solve(2 s);
    protocol = call-return;
}
study sizes of main { vary workers in 1 .. 2; report makespan; }
.
codeLens run.psl
# what is not saved does not run
request workspace/executeCommand {"command":"psl.run","arguments":["FOLDERrun.psl","main"]}
text run.psl <<
component worker {
  accepts:
    profile = { kind = worker };
    transaction = solve();
    protocol = call-return;
  body:
    hold 3 s;
}
system main {
  requests:
    selector = { kind = worker };
    transaction = solve();
    protocol = call-return;
}
study pace of main { report makespan; }
.
save run.psl
request workspace/executeCommand {"command":"psl.run","arguments":["FOLDERrun.psl","main"]}
request workspace/executeCommand {"command":"psl.check","arguments":["FOLDERrun.psl","main"]}
request workspace/executeCommand {"command":"psl.study","arguments":["FOLDERrun.psl","pace"]}
request workspace/executeCommand {"command":"psl.dance","arguments":["FOLDERrun.psl","pace"]}
END
