# What is wrong is said while one types: several errors at once, in files that are used, too, with what to write instead.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
printf 'param rate : tmie = 2 s;\n' > broken.psl
perl "$client" <<'END'
open several.psl <<
param n : int = ;
component worker {
  accepts:
    transaction = solve(part);
    protocol = call-return;
  body:
    hold part +;
}
let twice : int = 2 * ;
let rest : int = 3;
.
wait several.psl
documentSymbol several.psl
# names that are not right carry what was meant
text several.psl <<
param workers : int = 4;
let twice : int = 2 * wrokers;
let wait : time = 3 sec;
component disk like dsik {
}
.
wait several.psl
close several.psl
# a request that comes before has the text read: what is wrong is told all the same
hold
open asked.psl <<
param workers : int = 4;
let twice : int = 2 * wrokers;
.
hover asked.psl 1:8
wait asked.psl
hold
edit asked.psl 2:23-2:30 "workers + wait"
hover asked.psl 1:8
wait asked.psl
close asked.psl
# of a file that is used
open user.psl <<
use "broken.psl";
let double : time = 2 * rate;
.
wait user.psl broken.psl
edit user.psl 1:1-1:18 "param rate : time = 1 s;"
wait user.psl broken.psl
# what a check computes and proves, and what has no place
open checked.psl <<
param n : int = 3 in 4 .. 8;
assert n > 5;
transaction work();
component idle {
  accepts:
    profile = { kind = box };
    transaction = work();
    protocol = call-return;
}
component spare like idle { profile kind = circle; }
system main {
  requests:
    selector = { kind = box };
    transaction = work();
    protocol = call-return;
}
.
wait checked.psl
edit checked.psl 1:17-1:18 "6"
wait checked.psl
close checked.psl
wait checked.psl
END
