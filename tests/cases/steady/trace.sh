# A network's customers stand in its trace, though its report has no row for them.
psl run -q ../../../examples/queueing/closed.psl --set 'solver=simulation[queueing]' --max-firings 2000 --trace "$TMP/t.json" |
  grep -E 'where it goes|by class'
grep -c 'customer\[1, 4\]' "$TMP/t.json.partial"
