# Ctrl-C ends the evaluation of a let, for a check and for a run.
cat > "$TMP/slow.psl" <<'END'
let big = sum(i in 1 .. 3_000_000_000 : i mod 7);
transaction go();
component c {
  accepts:
    profile     = { domain = d, node type = c };
    transaction = go();
    protocol    = call-return;
  body:
    hold big * 1 s;
}
system s {
  requests:
    selector    = { domain = d, node type = c };
    transaction = go();
    protocol    = call-return;
}
END
cd "$TMP" || exit
timeout -s INT --preserve-status 1 psl check slow.psl
echo "exit $?"
timeout -s INT --preserve-status 1 psl run slow.psl
echo "exit $?"
