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
