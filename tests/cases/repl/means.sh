# Who takes what was recorded for a number is told its mean; who misspells a command is told it.
cd "$TMP" || exit
cat >gaps.psl <<'EOF'
transaction go();
component source [i] : 0 <= i < 2 {
  accepts:
    profile     = { domain = application, node type = source };
    transaction = go();
    protocol    = dataflow;
  body:
    for n in 1 .. 3 {
      hold 20 s;
      record gap = 20 s;
    }
}
system s {
  requests:
    every selector = { domain = application };
    transaction    = go();
    protocol       = dataflow;
}
EOF
psl -c gaps.psl -e run -e '1 h / last.gap.mean' | tail -1
for asked in '1 h / last.gap' '-last.source.gap' 'last.gap < 3 s' 'sqrt(last.source[1].gap)' 'last.gap -> min' \
  'let g : time = last.gap;' studdy; do
  psl -c gaps.psl -e 'run --max-firings 5' -e "$asked" >/dev/null
done
