# Parts of which something could not be read are known as far as they could: no protocol, no transaction, no selector.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
perl "$client" <<'END'
open model.psl <<
transaction solve(part : time);
component worker {
  accepts:
    profile = { kind = box };
    transaction = ;
    protocol = call-return;
  accepts:
    transaction = solve(part);
    protocol = ;
  body:
    call next(part);
    call last(part);
    call other(part);
  requests:
    next(size):
      selector = { kind = box };
      transaction = solve(size);
      protocol = ;
    last(size):
      selector = { kind = ;
      transaction = solve(size);
      protocol = call-return;
    other(size):
      selector = { kind = box };
      transaction = ;
      protocol = call-return;
}
component fast like worker { profile kind = ; }
component slow like ;
system main { requests: selector = { kind = box }; transaction = solve(1 s); protocol = ; }
.
wait model.psl
documentSymbol model.psl
hover model.psl 2:12
hover model.psl 11:11
hover model.psl 28:12
definition model.psl 11:11
references model.psl 8:20
signatureHelp model.psl 11:15
completion model.psl 20:27
inlayHint model.psl
foldingRange model.psl
codeLens model.psl
END
