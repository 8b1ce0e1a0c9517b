# The layout of psl fmt, as edits of blanks.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
perl "$client" <<'END'
open messy.psl <<
param   n:int=3;   // µ🐎
let  twice : time=2*n*1 s  ;


component worker { accepts: transaction = solve( part ) ; protocol = call-return;
body: hold part*2; }
.
formatting messy.psl
apply messy.psl
formatting messy.psl
# a text with errors stays as it is
text messy.psl <<
param   n : int = ;
.
formatting messy.psl
text messy.psl <<
.
formatting messy.psl
END
