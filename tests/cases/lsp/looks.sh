# The colours of names, types that are not written, what can be folded.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
perl "$client" <<'END'
open model.psl <<
// a comment
// that goes on
param n : int = 3 in 1 .. 9;
let rate = 3 MB / 2 s;
let names : [term] = [a, b];
domain hardware { attribute node
  type : term; }
transaction solve(part : time);
function twice(x : real) = 2 * x;

/// A worker.
component worker [i] : 0 <= i < n {
  var done = 0;
  let share = rate / n;
  accepts:
    profile = { domain = hardware[µ🐎], node type = box };
    transaction = solve(part);
    protocol = call-return;
  body:
    let more = part * 2;
    for k in 1 .. 3 {
      hold more;
      done = done + 1;
    }
    record extra = sqrt(more * 1 s);
  requests:
    next(size):
      selector = { node type = box };
      transaction = solve(size);
      protocol = call-return;
}
study s of main { vary n in 1 .. 3; report worker.extra; }
system main { requests: selector = { node type = box }; transaction = solve(part = 1 s); protocol = call-return; }
.
edit model.psl 16:35-16:38 "disk"
semanticTokens/full model.psl
inlayHint model.psl {"range":{"start":{"line":0,"character":0},"end":{"line":99,"character":0}}}
inlayHint model.psl {"range":{"start":{"line":3,"character":0},"end":{"line":3,"character":9}}}
foldingRange model.psl
END
