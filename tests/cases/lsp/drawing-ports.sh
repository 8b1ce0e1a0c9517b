# A request is drawn from its port to an accept: those without a label by their number, to one of several profiles, and
# to a component of a file that the text uses; to none that it would not go to alone.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
cat > used.psl <<'END'
transaction write(amount : data);
component tape {
  accepts:
    profile     = { domain = hardware[storage], node type = tape };
    transaction = write(amount);
    protocol    = call-return;
  body:
    hold 1 s;
}
END
cat > model.psl <<'END'
use "used.psl";
transaction read(amount : data);
component disk {
  accepts:
    profile     = { domain = hardware[storage], node type = disk };
    transaction = write(amount);
    protocol    = call-return;
  body:
    hold 1 s;
  accepts:
    profile     = { domain = hardware[storage], node type = cache };
    transaction = read(amount);
    protocol    = call-return;
  body:
    hold 1 ms;
}
component twin like disk { }
system main {
  requests:
    selector = { node type = disk };  // first
    transaction = write(1 MB);
    protocol = call-return;

    every selector = { domain = hardware[storage], node type = tape };
    transaction = write(2 MB);
    protocol = call-return;
}
END
perl "$client" <<'END_OF_SCRIPT'
open model.psl
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "target", "component": "main", "request": "write", "number": 0, "to": "tape", "accept": "write"}
apply model.psl
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "target", "component": "main", "request": "write", "number": 1, "to": "disk"}
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "target", "component": "main", "request": "write", "number": 0, "to": "disk", "accept": "read"}
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "target", "component": "main", "request": "write", "number": 2, "to": "tape"}
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "target", "component": "main", "request": "read", "number": 0, "to": "tape"}
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "target", "component": "main", "request": "write", "to": "drum"}
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "delete", "name": "twin"}
apply model.psl
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "target", "component": "main", "request": "write", "number": 1, "to": "disk", "accept": "write"}
apply model.psl
save model.psl
END_OF_SCRIPT
diff used.psl model.psl | grep selector
psl run model.psl | head -1
