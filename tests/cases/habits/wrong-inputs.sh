# What is typed at the prompt by who knows another one: each is told what is written here.
try() {
  for line; do
    echo "== $line"
    printf 'run --quiet -o %s/run.json\n%s\n' "$TMP" "$line" | psl -c wrong-statements.model 2>&1
  done
}
try 'psl run m.psl' 'seed 3' 'var y = 5;' ':q' ':exit' '[i ^ 2 for i in 1 .. 3]' 'makespan' 'office' 'client' \
  'last.client.done.p95' 'last.makespan.p95' 'last.client.p95'
