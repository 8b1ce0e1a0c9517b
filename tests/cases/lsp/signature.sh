# What a call takes: functions, labels, transactions, built-in functions, those of evaluators, by place and by name.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
perl "$client" <<'END'
open model.psl <<
use MPI-Sim;
transaction solve(part : time, class : term = fast) -> int;
function area(width : real, height : real = 2) -> real = width * height; /// of a rectangle
let a = area(1, 2) + max(1, area(height = 3, width = 4));
let b = interpolate([1, 2], [3, 4], 2);
component worker {
  function own(x : real) -> real = x;
  accepts:
    profile = { kind = box };
    transaction = solve(part);
    protocol = call-return;
  body:
    let c = own(3) + area(1);
    call next(part, 2);
    return 3;
  requests:
    next(size, more):
      selector = { kind = box };
      transaction = solve(size, class = slow);
      protocol = call-return;
}
.
signatureHelp model.psl 4:14
signatureHelp model.psl 4:17
signatureHelp model.psl 4:26
signatureHelp model.psl 4:29
signatureHelp model.psl 4:43
signatureHelp model.psl 4:55
signatureHelp model.psl 4:29
signatureHelp model.psl 5:37
signatureHelp model.psl 13:17
signatureHelp model.psl 14:21
signatureHelp model.psl 19:34
signatureHelp model.psl 19:44
signatureHelp model.psl 15:12
text model.psl <<
let b = max(
.
signatureHelp model.psl 1:13
END
