# What was typed in several inputs, each of which is a file of one name, is studied and plotted; so is a model whose file
# has a space in its name.
declarations='
transaction go(t : time);
param w : time = 2 s;
component main {
  accepts: profile = { domain = application, node type = m }; transaction = go(t); protocol = dataflow;
  body: hold t;
}
system s { requests: selector = { domain = application }; transaction = go(w); protocol = dataflow; }'
psl -e 'transaction go(t : time);' -e 'param w : time = 2 s;' \
  -e 'component main {
        accepts: profile = { domain = application, node type = m }; transaction = go(t); protocol = dataflow;
        body: hold t;
      }' \
  -e 'system s { requests: selector = { domain = application }; transaction = go(w); protocol = dataflow; }' \
  -e 'study --vary w=1s,2s,3s' -e 'plot --vary w=1s,2s' \
  -e 'study typed of s { vary w in [1 s, 2 s]; report twice = 2 * makespan; }' -e 'study typed'
echo "$declarations" > "$TMP/a model.psl"
psl study "$TMP/a model.psl" --vary w=1s,2s --plot | tail -2

# The only one is meant where none is named; of two, one must be.
cat >"$TMP/plain.psl" <<'END'
param share : real = 0.5;
transaction go();
component job {
  accepts:
    profile     = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
  body:
    hold share * 1 s;
}
system plain {
  requests:
    selector    = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
}
END
split='study split of plain { vary share in 0 .. 1 by 0.5; report time = makespan; }'
psl -c "$TMP/plain.psl" -e "$split" -e study
psl -c "$TMP/plain.psl" -e "$split" -e 'study other of plain { vary share in [1]; report time = makespan; }' -e study
