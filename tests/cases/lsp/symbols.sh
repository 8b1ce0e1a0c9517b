# Outlines, and the names of a workspace.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
mkdir -p models/.hidden
printf 'component disk { accepts: transaction = write; protocol = call-return; }\n' > models/disk.psl
printf 'param secret : int = 3;\n' > models/.hidden/secret.psl
perl "$client" <<'END'
open all.psl <<
use units;
unit parsec = 3e16;
param n : int = 3 in 1 .. 9;
let m = n + 1;
domain storage { attribute seek : time; attribute node type : term; }
transaction write(amount : data);
function twice(x : real) -> real = 2 * x;
component drive [i] : 0 <= i < n {
  var done : int = 0;
  let k = 3;
  function half(x : real) = x / 2;
  accepts:
    profile = { seek = 3 ms };
    transaction = write(amount);
    protocol = call-return;
  body:
    call next(amount);
  requests:
    next(size):
      selector = { };
      transaction = write(size);
      protocol = call-return;
}
component fast like drive { param k = 3; }
coercion time -> data = 3 byte;
system main { requests: selector = { }; transaction = write(3 byte); protocol = call-return; }
study sizes of main { vary n in 1 .. 3; report makespan; }
assert n > 2;
.
documentSymbol all.psl
request workspace/symbol {"query":"d"}
request workspace/symbol {"query":"wrt"}
request workspace/symbol {}
request workspace/symbol {"query":"secret"}
END
