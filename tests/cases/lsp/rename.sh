# A name is another one wherever it stands, where nothing then means something else; else it is said why not.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
printf 'param latency : time = 2 us;\nparam lag : time = 1 us;\ntransaction move(amount : data);\n' > machine.psl
printf 'use "machine.psl";\nlet thrice : time = 3 * latency;\n' > user.psl
perl "$client" <<'END'
open model.psl <<
use "machine.psl"; // µ🐎
param workers : int = 3; param other : int = 4;
domain hardware { attribute node type : term; }
component node [i] : 0 <= i < workers {
  var done : int = 0;
  accepts:
    profile = { domain = hardware, node type = box };
    transaction = move(amount);
    protocol = call-return;
  body:
    done = done + other;
    let extra : time = latency * i;
    hold extra;
    call next(amount);
  requests:
    next(size):
      selector = { node type = box };
      transaction = move(amount = size);
      protocol = call-return;
}
component fast like node { profile node type = box; }
system main { requests: selector = { node-type = box }; transaction = move(1 byte); protocol = call-return; }
study lags of main { vary workers in 1 .. 3; report node.wait; }
.
prepareRename model.psl 4:34
rename model.psl 4:34 {"newName":"clerks"}
apply model.psl
rename model.psl 12:26 {"newName":"delay-of-all"}
rename model.psl 16:5 {"newName":"follower"}
rename model.psl 7:38 {"newName":"kind of node"}
rename model.psl 16:10 {"newName":"much"}
rename model.psl 8:20 {"newName":"carry"}
# what would mean something else
rename model.psl 12:9 {"newName":"other"}
rename model.psl 13:11 {"newName":"amount"}
rename model.psl 11:20 {"newName":"done"}
rename model.psl 12:26 {"newName":"lag"}
rename model.psl 4:12 {"newName":"fast"}
rename model.psl 5:8 {"newName":"i"}
# what is no name, or not one's own
rename model.psl 4:34 {"newName":"3rd"}
rename model.psl 4:34 {"newName":"while"}
rename model.psl 4:34 {"newName":"a, b"}
rename model.psl 4:34 {"newName":"a-1"}
rename model.psl 4:34 {}
rename model.psl 22:80 {"newName":"octet"}
prepareRename model.psl 22:80
prepareRename model.psl 1:8
prepareRename model.psl 5:15
prepareRename model.psl 23:58
prepareRename model.psl 9:6
END
# Errors that are there already do not matter, but where the name stands by one; they are not said for others.
perl "$client" <<'END'
open wrong.psl <<
param workers : int = 3;
let a = workers + 1;
let b = unknown + workers;
.
rename wrong.psl 1:7 {"newName":"clerks"}
rename wrong.psl 1:7 {"newName":"a"}
open half.psl <<
param workers : int = 3; param other : int = 2;
let a = workers + ;
let b = 2 * workers;
.
rename half.psl 1:7 {"newName":"clerks"}
rename half.psl 1:32 {"newName":"another"}
END
