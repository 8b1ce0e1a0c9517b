# All uses of a name, in texts that are open and in others of the workspace; those in the same text, as an editor marks them.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
printf 'use "machine.psl";\nlet thrice : time = 3 * latency;\nparam other : time = latency;\n' > one.psl
printf 'param latency : time = 1 s; // another one\nlet x : time = latency;\n' > two.psl
printf 'param latency : time = 2 us;\ntransaction move(amount : data);\n' > machine.psl
perl "$client" <<'END'
open model.psl <<
use "machine.psl" { param latency = 3 us; }
use "machine.psl";
domain hardware { attribute node type : term; }
component node [i] : 0 <= i < 3 {
  var done : int = 0;
  accepts:
    profile = { domain = hardware, node type = box };
    transaction = move(amount);
    protocol = call-return;
  body:
    done = done + 1;
    hold latency * i + amount / (1 GB/s);
    call next(amount);
  requests:
    next(size):
      selector = { node type = BOX };
      transaction = move(amount = size);
      protocol = call-return;
}
system main { requests: selector = { node-type = box }; transaction = move(1 byte); protocol = call-return; }
study lags of main { vary latency in 1 us .. 3 us by 1 us; report node.wait; }
.
references model.psl 12:12
references model.psl 12:12 {"context":{"includeDeclaration":false}}
references model.psl 8:20
references model.psl 7:37
references model.psl 7:50
references model.psl 15:7
references model.psl 17:28
references model.psl 12:38
references model.psl 9:8
documentHighlight model.psl 11:6
documentHighlight model.psl 4:18
documentHighlight model.psl 7:45
END
