# Values whose sums and squares are too great for a number: what cannot be told is left out, and all else is right. The
# timeline of a run that takes next to no time has numbers, too.
cd "$TMP" || exit
cat >m.psl <<'END'
transaction go();
component main [m] : 0 <= m < 3 {
  accepts:
    profile     = { domain = application, node type = main };
    transaction = go();
    protocol    = dataflow;
  body:
    record great = 1e308;
    record wide  = [1.6e308, -1.6e308, 0.8e308][m], quantiles [50 %], histogram 4;
    hold 1e-320 s * m;
    record level = 1e308, level;
    hold 1e-320 s;
}
system s {
  requests:
    every selector = { domain = application };
    transaction    = go();
    protocol       = dataflow;
}
END
psl run m.psl --trace trace.json --timeline timeline.svg
psl run m.psl --format csv | grep -E '^(records|quantiles|histograms)'
psl run m.psl --format json | grep -E 'great|level'
grep -ciE "[^a-z](inf|nan)" trace.json timeline.svg || :
