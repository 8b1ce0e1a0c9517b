# Where a name is declared: in the text, in another one, in the library; nowhere.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
printf 'param latency : time = 2 us;\ntransaction move(amount : data);\n' > machine.psl
perl "$client" <<'END'
open model.psl <<
use "machine.psl";
use message-cost;
param n : int = 3;
domain hardware { attribute node type : term; }
function f(x : int) -> int = sum(k in 1 .. x : k * n);
component node [i] : 0 <= i < n {
  let k = i + 1;
  accepts:
    profile = { domain = hardware, node type = box };
    transaction = move(amount);
    protocol = call-return;
  body:
    let t = latency * k;
    for j in 1 .. 3 { hold t * j; }
    call next(amount);
  requests:
    next(size):
      selector = { node type = box };
      transaction = move(size);
      protocol = call-return;
}
component fast like node { let k = 5; }
study of-n of main { vary n in 1 .. 3; }
system main { requests: selector = { }; transaction = move(1 byte); protocol = call-return; }
.
definition model.psl 1:8
definition model.psl 2:7
definition model.psl 5:44
definition model.psl 5:48
definition model.psl 5:52
definition model.psl 6:25
definition model.psl 7:11
definition model.psl 9:29
definition model.psl 9:37
definition model.psl 9:48
definition model.psl 10:20
definition model.psl 13:14
definition model.psl 13:23
definition model.psl 14:28
definition model.psl 14:32
definition model.psl 15:11
definition model.psl 15:18
definition model.psl 19:27
definition model.psl 22:22
definition model.psl 23:16
definition model.psl 23:28
definition model.psl 4:43
definition model.psl 24:63
# in a text with an error what is sound is still known
edit model.psl 14:30-14:32 ""
definition model.psl 13:14
definition model.psl 15:11
END
