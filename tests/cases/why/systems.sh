# The system that is meant where a file has two; a session explains its own model.
cat > "$TMP/two.psl" <<'MODEL'
transaction begin();
component worker {
  accepts:
    profile     = { domain = application, node type = worker };
    transaction = begin();
    protocol    = dataflow;
  body:
    hold 1 s;
}
system one {
  requests:
    selector    = { node type = worker };
    transaction = begin();
    protocol    = dataflow;
}
system two {
  requests:
    selector    = { node type = worker };
    transaction = begin();
    delay       = 1 s;
    protocol    = dataflow;
}
MODEL
cd "$TMP"
psl why two.psl 2>&1
psl why two.psl --system two
printf 'why --system one --process worker\n' | psl --load two.psl
