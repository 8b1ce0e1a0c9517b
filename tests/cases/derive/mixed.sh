# A maximum of what is computed and what memory takes is computing as far as it would be if memory took no time.
psl derive -q mixed.psl --verify
for what in min abs; do
  sed "s/call compute(.*/call compute($([ $what = abs ] && echo 'abs(n * 5 ns - load-time)' || echo 'min(n * 5 ns, (r + 1) * n * 2 * load-time)'));/" mixed.psl >"$TMP/mixed.psl"
  echo "== $what"
  psl derive -q "$TMP/mixed.psl" --verify | sed -n '/^  compute/,/^$/p;/^beside/,$p'
done
