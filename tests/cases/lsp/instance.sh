# A study names an instance of a component that has no results, since its text is wrong.
client=$PWD/../../lib/lsp.pl
cd "$TMP"
cat > broken.psl <<'END'
transaction go();
component main [i] : 0 <= i < 5 {
  accepts:
    profile     = { domain = applicatio[node type = main };
    transaction = go();
    protocol    = dataflow;
}
system s {
  requests:
    every selector = { domain = application, node type = main };
    transaction    = go();
    protocol       = dataflow;
}
study points of s {
  report other = main[2];
}
END
perl "$client" <<'END_OF_SCRIPT'
open broken.psl
wait broken.psl
END_OF_SCRIPT
