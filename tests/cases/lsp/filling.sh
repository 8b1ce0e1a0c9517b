# The values of a component, as a form shows them, are filled in anew; one with its request is appended to another; what
# is deleted takes its requests along; and all of that within components, too.
client=$PWD/../../lib/lsp.pl
cp ../../../examples/farm/farm.psl "$TMP"
cd "$TMP"
cat > office.psl <<'END'
transaction ask(n : int);
transaction work(t : time);
component office {
  component clerk [k] : 0 <= k < 3 {
    accepts:
      profile     = { domain = runtime[clerk], node type = clerk };
      transaction = work(t);
      protocol    = call-return;
    body:
      hold t;
  }
  component chief {
    accepts:
      profile     = { domain = runtime[clerk], node type = chief };
      transaction = ask(n);
      protocol    = call-return;
    body:
      let twice = (n + n) * (3 - 2);
      for i in 1 .. twice by 2 { call pass(1 s); }
    requests:
      pass(t):
        selector    = { domain = runtime[clerk], node type = clerk, k = 1 };
        transaction = work(t);
        protocol    = call-return;
  }
  accepts:
    profile     = { domain = application[office], node type = office };
    transaction = ask(n);
    protocol    = call-return;
  body:
    call delegate(n);
  requests:
    delegate(n):
      selector    = { domain = runtime[clerk], node type = chief };
      transaction = ask(n);
      protocol    = call-return;
}
system main {
  requests:
    selector    = { domain = application[office] };
    transaction = ask(3);
    protocol    = call-return;
}
END
perl "$client" <<'END_OF_SCRIPT'
open farm.psl
open office.psl
# what a form shows
request psl/fields {"textDocument": {"uri": "FOLDERfarm.psl"}, "component": "worker"}
request psl/fields {"textDocument": {"uri": "FOLDERfarm.psl"}, "component": "flash-drive"}
request psl/fields {"textDocument": {"uri": "FOLDERoffice.psl"}, "component": "office.chief"}
request psl/fields {"textDocument": {"uri": "FOLDERoffice.psl"}, "component": "main"}
request psl/fields {"textDocument": {"uri": "FOLDERoffice.psl"}, "component": "chief"}
request psl/fields {"textDocument": {"uri": "FOLDERoffice.psl"}}
# filled in
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.clerk", "values": [{"field": 0, "was": "0 <= k < 3", "value": "0 <= k < 5"}, {"field": 3, "was": "t", "value": "2 * t"}]}
apply office.psl
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.clerk", "values": [{"field": 3, "was": "t", "value": "t"}]}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.clerk", "values": [{"field": 3, "was": "2 * t", "value": "3 MB"}]}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.clerk", "values": [{"field": 3, "was": "2 * t", "value": ""}]}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.clerk", "values": [{"field": 3, "was": "2 * t", "value": "t; hold t"}]}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.clerk", "values": [{"field": 2, "was": "clerk", "value": "clerk, k = 1"}]}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.clerk", "values": [{"field": 3, "was": "2 * t", "value": "(t"}]}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.clerk", "values": [{"field": 3, "was": "2 * t", "value": "2 * t"}]}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.nobody", "values": []}
# within a component, which is not seen from elsewhere: a request elsewhere, one more like it, one more request
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "target", "component": "office", "request": "delegate", "to": "office.clerk"}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "target", "component": "main", "request": "ask", "to": "office.chief"}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "like", "name": "office.clerk", "as": "trainee", "attribute": "node type"}
apply office.psl
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "target", "component": "office.chief", "request": "pass", "number": 0, "to": "office.trainee"}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "request", "component": "office.chief", "request": "help", "to": "office.trainee", "given": "2 s"}
apply office.psl
# one that is asked next
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "append", "component": "office.chief", "name": "printer", "domain": "hardware[printer]", "transaction": "print(pages : int)", "time": "pages * 1 s", "request": "on-paper", "given": "n"}
apply office.psl
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "append", "component": "main", "name": "guest", "domain": "application[guest]", "transaction": "visit(n : int)", "time": "1 s", "given": "1"}
apply office.psl
# parentheses are part of what they stand around
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "fill", "component": "office.chief", "values": [{"field": 2, "was": "(n + n) * (3 - 2)", "value": "2 * n"}]}
# what is deleted, with the requests that go to it and the calls that make them
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "delete", "name": "printer", "requests": [{"component": "office.chief", "request": "on-paper", "number": 2}]}
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "delete", "name": "office.trainee", "requests": [{"component": "office.chief", "request": "help", "number": 1}]}
apply office.psl
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "delete", "name": "flash-drive"}
apply farm.psl
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "delete", "name": "disk-drive", "requests": [{"component": "worker", "request": "store", "number": 0}]}
request psl/draw {"textDocument": {"uri": "FOLDERfarm.psl"}, "operation": "delete", "name": "worker", "requests": [{"component": "farm", "request": "solve", "number": 0}]}
apply farm.psl
request psl/draw {"textDocument": {"uri": "FOLDERoffice.psl"}, "operation": "delete", "name": "office", "requests": [{"component": "main", "request": "nothing", "number": 0}]}
END_OF_SCRIPT
