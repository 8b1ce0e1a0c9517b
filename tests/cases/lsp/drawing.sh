# What is done to the graph is an edit of the text: the rest of it stays to the last byte, and where it would not become
# what was meant it is said why.
client=$PWD/../../lib/lsp.pl
cp ../../../examples/farm/farm.psl "$TMP"
cd "$TMP"
perl "$client" <<'END_OF_SCRIPT'
open farm.psl
# a param
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "value", "name": "work", "value": "80 s"}
apply farm.psl
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "value", "name": "work", "value": "80 MB"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "value", "name": "work", "value": "1 s; param more : int = 2"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "value", "name": "worker", "value": "1"}
# where a request goes
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "target", "component": "worker", "request": "store", "to": "flash-drive"}
apply farm.psl
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "target", "component": "worker", "request": "store", "to": "worker"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "target", "component": "worker", "request": "store", "to": "farm"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "target", "component": "worker", "request": "fetch", "to": "disk-drive"}
# another component, and no more
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "like", "name": "disk-drive", "as": "tape", "attribute": "node type"}
apply farm.psl
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "like", "name": "disk-drive", "as": "tape", "attribute": "node type"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "like", "name": "disk-drive", "as": "9", "attribute": "node type"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "like", "name": "disk-drive", "as": "drum", "attribute": "colour"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "delete", "name": "tape"}
apply farm.psl
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "delete", "name": "disk-drive"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "delete", "name": "solve"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "delete", "name": "nothing"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "paint"}
# a text that is wrong is changed as well, but by no other error, also where one goes
open wrong.psl <<
param n : int = bogus;
param m : int = 2;
.
request psl/draw {"textDocument": {"uri": "FOLDERwrong.psl"}, "operation": "value", "name": "m", "value": "3"}
request psl/draw {"textDocument": {"uri": "FOLDERwrong.psl"}, "operation": "value", "name": "n", "value": "other"}
request psl/draw {"textDocument": {"uri": "FOLDERwrong.psl"}, "operation": "value", "name": "n", "value": "m"}
# from nothing
open new.psl <<
.
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "param", "name": "workers", "type": "int", "value": "8"}
apply new.psl
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "component", "name": "worker", "count": "workers", "domain": "application[farm]", "transaction": "solve(part : time, of : int)", "time": "part"}
apply new.psl
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "param", "name": "work", "type": "time", "value": "40 s"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "system", "name": "farm", "to": "worker", "given": "5 s, 1"}
apply new.psl
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "component", "name": "disk", "domain": "hardware[storage]", "transaction": "write(amount : data)", "time": "amount / (100 MB/s)", "servers": "1"}
apply new.psl
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "request", "component": "worker", "request": "store", "to": "disk", "given": "50 MB"}
apply new.psl
# without a body, and behind other requests
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "component", "name": "cache", "domain": "hardware[storage]", "transaction": "write(amount : data)"}
apply new.psl
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "request", "component": "cache", "request": "flush", "to": "disk", "given": "1 MB"}
apply new.psl
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "request", "component": "worker", "request": "keep", "to": "cache", "given": "2 MB"}
apply new.psl
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "request", "component": "farm", "to": "disk", "given": "1 MB"}
apply new.psl
# what cannot be
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "param", "name": "work", "type": "time", "value": "40 MB"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "param", "name": "workers", "type": "int", "value": "1"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "param", "name": "spare", "type": "int", "value": ""}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "component", "name": "disk", "domain": "hardware[storage]", "transaction": "write(amount : data)"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "component", "name": "tape", "domain": "hardware[storage]", "transaction": ""}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "component", "name": "tape", "domain": "hardware[storage]", "transaction": "write(amount : data)", "time": "1 s; } param evil : int = 1; component other { body: hold 1 s"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "component", "name": "tape", "domain": "hardware[storage]", "transaction": "read(amount)", "time": "1 s"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "request", "component": "worker", "request": "store", "to": "disk", "given": "50 MB"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "request", "component": "worker", "request": "more", "to": "disk", "given": "5 s"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "request", "component": "workers", "request": "more", "to": "disk", "given": "5 MB"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "request", "component": "worker", "request": "more", "to": "workers", "given": "5 MB"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "system", "name": "worker", "to": "disk", "given": "1 MB"}
request psl/draw {"textDocument": {"uri": "FOLDERnew.psl"}, "operation": "system", "name": "other", "to": "solve", "given": "1 MB"}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "request", "component": "flash-drive", "request": "more", "to": "disk-drive", "given": "5 MB"}
save new.psl
END_OF_SCRIPT
psl fmt new.psl | diff new.psl - && echo laid out
psl run new.psl | head -1
