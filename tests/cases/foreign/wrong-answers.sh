# An evaluator whose answers are no times or numbers ends the run there.
native="$(dirname "$(command -v psl)")/native"
cat >"$TMP/m.psl" <<'END'
use astray;
param what : int = 0;
transaction go();

component main {
  accepts:
    profile     = { domain = application, node type = main };
    transaction = go();
    protocol    = dataflow;
  body:
    hold 2 s;
    let x = call astray.answer(what);
    hold (1 + abs(x)) * 1 s;
    if what == 7 {
      let y = astray.reciprocal(x);
      hold y * 1 s;
    }
}

system s {
  requests:
    selector    = { domain = application };
    transaction = go();
    protocol    = dataflow;
}
END
for what in 0 1 2 3 4 5 6 7; do
  psl run --allow-native -I "$native" "$TMP/m.psl" --set what=$what 2>"$TMP/one" >"$TMP/report"
  psl run --allow-native -I "$native" "$TMP/m.psl" --set what=$what --reference 2>"$TMP/other" >/dev/null
  cmp "$TMP/one" "$TMP/other"
  cat "$TMP/one"
  grep -E ' (inf|nan)' "$TMP/report"
done
