# Texts as they are typed: places count units of UTF-16, all that is open counts unsaved.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
printf 'param latency : time = 2 us;\n' > machine.psl
printf 'use "machine.psl";\nlet twice : time = 2 * latency;\n' > model.psl
perl "$client" <<'END'
# µ is one unit, 🐎 two: the edits behind them must come to their places
open unicode.psl <<
// µs 🐎 and ℕ
let a : time = 1 s; // µ🐎
let b : time = 2 s;
.
edit unicode.psl 1:10-1:13 "or"
edit unicode.psl 2:25-2:26 "!"
edit unicode.psl 3:5-3:6 "c"
edit unicode.psl 3:5-3:5 "d🐎"
wait unicode.psl
edit unicode.psl 3:5-3:8 "e"
wait unicode.psl
text unicode.psl <<
let a : time = 1;
.
wait unicode.psl
# Lines end in \r\n or \r, too; places behind the end are the end.
text unicode.psl <<
let a : time = 1 s;
.
edit unicode.psl 1:20-2:1 "\r\nlet b : time = a;\r\n"
edit unicode.psl 9:9-9:9 "let c : time = b + 1;"
wait unicode.psl
close unicode.psl
# What another open file says counts before it is saved.
open model.psl
wait model.psl
open machine.psl
wait machine.psl model.psl
hold
edit machine.psl 1:17-1:21 "data"
edit machine.psl 1:24-1:28 "2 byte"
flush
wait machine.psl model.psl
hold
edit machine.psl 1:17-1:21 "time"
edit machine.psl 1:24-1:30 "2 s"
flush
wait machine.psl model.psl
# Closed, it is again as it is on the disk.
edit machine.psl 1:1-1:26 ""
wait machine.psl model.psl
close machine.psl
wait model.psl
END
perl "$client" <<'END'
initialize {"capabilities":{"general":{"positionEncodings":["utf-32"]}}}
open unicode.psl <<
let a : time = 1 s; // 🐎
.
edit unicode.psl 1:24-1:25 "µ"
documentSymbol unicode.psl
edit unicode.psl 1:1-1:25 "let 🐎"
wait unicode.psl
END
