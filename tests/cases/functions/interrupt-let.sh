# Ctrl-C, which a function of C sends, ends the evaluation of a let, for an assertion and in a run.
cat > "$TMP/slow.psl" <<'END'
extern "probe.so" { function interrupt(x : real) -> real; }
let pressed = interrupt(1);
let big = pressed * sum(i in 1 .. 100_000_000 : i mod 7);
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
psl run slow.psl --allow-native
echo "exit $?"
echo 'assert big > 0;' >> slow.psl
psl check slow.psl --allow-native
echo "exit $?"
