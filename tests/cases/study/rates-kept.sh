# A point of a database whose param is a rate runs again for its page: there is its time, 1 / (2 per second).
# That the model does not read e, which the rate is made of, is no matter of who wants the page.
cat >"$TMP/rate.psl" <<'END'
param rate : 1/time = 4 s^-1;
param e : int = 0;
study s of rate { vary e in 0 .. 1, rate = 2 ^ e * 1 s^-1; }
transaction go();
component job {
  accepts:
    profile     = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
  body:
    hold 1 / rate;
}
system rate {
  requests:
    selector    = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
}
END
psl study "$TMP/rate.psl" --db "$TMP/rate.db" | sed -n 3,5p
psl report "$TMP/rate.db" --point 1 -o "$TMP/rate.html" && sed 's/<[^>]*>//g' "$TMP/rate.html" | grep -o 'Point 1: .*'
