# What could stand at a place, by what stands before it, while one types there.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
printf 'param latency : time = 2 us;\nparam lanes : int = 2;\n' > machine.psl
cat > farm.psl <<'END'
use "machine.psl";
param workers : int = 8;  /// how many
domain hardware { attribute node type : term in [fast, slow]; attribute speed : real; }
transaction solve(part : time);
transaction store(amount : data);
component worker [w] : 0 <= w < workers {
  var done : int = 0;
  accepts:
    profile = { domain = hardware, node type = fast };
    transaction = solve(part);
    protocol = call-return;
  body:
    let more : time = part + 3 us;
    hold more;
    call save(3 byte);
  requests:
    save(amount):
      selector = { node type = disk };
      transaction = store(amount);
      protocol = call-return;
}
component disk {
  param seek : time = 3 ms;
  accepts:
    profile = { domain = hardware, node type = disk };
    transaction = store(amount);
    protocol = call-return;
}
component slow-disk like disk {
  param seek = 9 ms;
}
study sizes of farm { vary workers in 1 .. 3; report makespan; }
system farm { requests: selector = { }; transaction = solve(1 s); protocol = call-return; }
END
perl "$client" <<'END'
open farm.psl
# a file for `use`, its params
edit farm.psl 1:1-1:19 "use mes"
completion farm.psl 1:8
edit farm.psl 1:1-1:8 "use \"machine.psl\" { p }"
completion farm.psl 1:22
edit farm.psl 1:21-1:22 "param la"
completion farm.psl 1:29
edit farm.psl 1:1-1:31 "use \"machine.psl\";"
# an attribute and its terms, of a profile and of a selector
edit farm.psl 9:52-9:52 ", s"
completion farm.psl 9:55
edit farm.psl 9:52-9:55 ""
completion farm.psl 9:48
completion farm.psl 18:32
completion farm.psl 9:26
edit farm.psl 33:38-33:38 "n"
completion farm.psl 33:39
edit farm.psl 33:38-33:39 ""
# a transaction, a protocol, a label, what is declared in the component
edit farm.psl 19:21-19:34 "s"
completion farm.psl 19:22
edit farm.psl 19:21-19:22 "store(amount)"
completion farm.psl 20:18
edit farm.psl 15:10-15:22 "s"
completion farm.psl 15:11
edit farm.psl 15:10-15:11 "save(3 byte)"
edit farm.psl 14:10-14:15 "mo"
completion farm.psl 14:12
edit farm.psl 14:10-14:12 "d"
completion farm.psl 14:11
edit farm.psl 14:10-14:11 "more;"
# a unit behind a number, a type behind a name
edit farm.psl 13:30-13:34 "3 u"
completion farm.psl 13:33
edit farm.psl 13:30-13:33 "3 us;"
edit farm.psl 23:16-23:20 "t"
completion farm.psl 23:17
edit farm.psl 23:16-23:17 "time"
# components for `like`, their params, members
edit farm.psl 29:26-29:30 "d"
completion farm.psl 29:27
edit farm.psl 29:26-29:27 "disk"
completion farm.psl 30:11
edit farm.psl 14:10-14:14 "disk.s"
completion farm.psl 14:16
edit farm.psl 14:10-14:16 "more"
# systems and params of studies, and their results
completion farm.psl 32:18
completion farm.psl 32:29
edit farm.psl 32:54-32:62 "worker.w"
completion farm.psl 32:62
edit farm.psl 32:54-32:62 "makespan"
# what is known of a word
request completionItem/resolve {"label":"solve","data":{"uri":"file:///none.psl"}}
request completionItem/resolve {}
# anything
edit farm.psl 2:1-2:26 "s"
completion farm.psl 2:2
END
