# What a name is: its type, unit, documentation, its value where that is constant.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
perl "$client" <<'END'
open farm.psl <<
/// How many work.
param workers : int = 8 in 1 .. 1000;
let each : time = 40 s / workers;  /// of one worker
domain hardware { attribute node type : term; /// what it is
}
transaction solve(part : time);
function twice(x : time) -> time = 2 * x;  /// once more
component worker [w] : 0 <= w < workers {
  var done : int = 0;  /// so far
  accepts:
    profile = { domain = hardware, node type = fast };
    transaction = solve(part);
    protocol = call-return;
  body:
    let more = twice(part) + sqrt(4) * 1 ms;
    hold more;
    done = done + 1;
}
system farm {
  requests:
    every selector = { node type = fast };
    transaction = solve(each);
    protocol = call-return;
}
.
hover farm.psl 3:28
hover farm.psl 3:6
hover farm.psl 15:17
hover farm.psl 15:22
hover farm.psl 15:32
hover farm.psl 15:43
hover farm.psl 16:11
hover farm.psl 17:6
hover farm.psl 8:27
hover farm.psl 8:12
hover farm.psl 12:21
hover farm.psl 11:38
hover farm.psl 11:50
hover farm.psl 11:24
hover farm.psl 3:12
hover farm.psl 16:6
hover farm.psl 13:18
hover farm.psl 1:1
hover farm.psl 99:1
# where the text is wrong types are known still, values are not
edit farm.psl 16:10-16:14 "more +"
hover farm.psl 3:6
hover farm.psl 15:9
END
