# Components of the library and of the folder are offered and taken into a model; the evaluation modes that accepts
# offer to a request are a choice, written into its selector.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
cat > disks.psl <<'END'
transaction write(amount : data);
component drum {
  accepts:
    profile     = { domain = hardware[storage], node type = drum, evaluation mode = simulation[exact] };
    transaction = write(amount);
    protocol    = call-return;
  body:
    hold 1 ms;
}
component guess like drum { profile evaluation mode = analysis[rough]; }
component none { }
END
cat > model.psl <<'END'
// what is written here stays

/// how many
param n : int = 2;  // two
END
cat > broken.psl <<'END'
component broken {
END
cat > asks.psl <<'END'
use disks;
component reader {
  accepts:
    profile     = { domain = application[files], node type = reader };
    transaction = write(amount);
    protocol    = call-return;
  body:
    call keep(amount);
    call keep-all(amount);
  requests:
    keep(amount):
      selector    = { domain = hardware[storage], evaluation-mode=simulation[exact] };
      transaction = write(amount);
      protocol    = call-return;
    keep-all(amount):
      selector    = { domain = hardware[storage], node type = drum };
      transaction = write(amount);
      protocol    = call-return;
}
END
perl "$client" <<'END_OF_SCRIPT' > said
open model.psl
request psl/palette {"textDocument": {"uri": "FOLDERmodel.psl"}}
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "take", "file": "disks", "name": "drum", "as": "tape", "attribute": "node type"}
apply model.psl
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "take", "file": "disks", "name": "guess", "as": "other", "attribute": ""}
apply model.psl
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "take", "file": "disks", "name": "drum", "as": "tape", "attribute": ""}
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "take", "file": "disks", "name": "nothing", "as": "more", "attribute": ""}
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "take", "file": "disks; use mpi", "name": "nothing", "as": "more", "attribute": ""}
request psl/draw {"textDocument": {"uri": "FOLDERmodel.psl"}, "operation": "take", "file": "nowhere", "name": "nothing", "as": "more", "attribute": ""}
open asks.psl
request psl/modes {"textDocument": {"uri": "FOLDERasks.psl"}, "transaction": "write", "domain": "hardware[storage]"}
request psl/modes {"textDocument": {"uri": "FOLDERasks.psl"}, "transaction": "write", "domain": "hardware[network]"}
request psl/modes {"textDocument": {"uri": "FOLDERasks.psl"}, "transaction": "read", "domain": ""}
request psl/modes {"textDocument": {"uri": "FOLDERasks.psl"}}
request psl/draw {"textDocument": {"uri": "FOLDERasks.psl"}, "operation": "mode", "component": "reader", "request": "keep", "mode": "analysis[rough]"}
apply asks.psl
request psl/draw {"textDocument": {"uri": "FOLDERasks.psl"}, "operation": "mode", "component": "reader", "request": "keep-all", "number": 1, "mode": "analysis[rough]"}
apply asks.psl
request psl/draw {"textDocument": {"uri": "FOLDERasks.psl"}, "operation": "take", "file": "storage", "name": "file-server", "as": "server", "attribute": "node type"}
apply asks.psl
request psl/draw {"textDocument": {"uri": "FOLDERasks.psl"}, "operation": "mode", "component": "reader", "request": "keep", "mode": "a, node type = b"}
request psl/draw {"textDocument": {"uri": "FOLDERasks.psl"}, "operation": "mode", "component": "reader", "request": "keep", "mode": " "}
request psl/draw {"textDocument": {"uri": "FOLDERasks.psl"}, "operation": "mode", "component": "reader", "request": "none", "mode": "analysis[rough]"}
END_OF_SCRIPT
# Of what is offered the folder's.
grep -c '^    component: ' said | awk '{ print ($1 > 50 ? "the library" : "no library") }'
perl -0ne 'print "$1\n" while /^(  - accepts: [^\n]*(?:\n    [^\n]*)*?disks(?:\n    [^\n]*|[^\n]*)*)/mg' said
sed -n '/psl.draw/,$p' said
