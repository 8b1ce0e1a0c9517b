# Declarations, clauses and items of studies as other languages and simulators have them: each is told what is written
# here. What is given takes the place of the line that begins with its first word, or stands at the end of the model.
try() {
  for line; do
    echo "== $line"
    word=${line%%[ :]*}
    awk -v line="$line" -v word="$word" '
      !done && $1 == word && word != "param" { print line; done = 1; next }
      { print }
      END { if (!done) print line }' wrong-statements.model | psl check - 2>&1 | awk '/error|warning|help|note/'
  done
}
try 'selector = { domain = hardware[station]; node type = station };' 'selector { domain = hardware }' \
  'selector = { domain = "hardware", node type = station };' 'selector = { domain = hardware.station };' \
  'profile = { domain = application; node type = client };' 'servers: 1;' 'servers = uniform-int(1, 3);' \
  'protocol = call;'
try 'param d : distribution = exponential(3 s);' 'param d : distribution(time) = exponential(3 s);' \
  'param d : distribution<time> = exponential(3 s);' 'param d : distribution*int = exponential(3 s);' \
  'param d : random = exponential(3 s);' 'param d : dist = exponential(3 s);' 'param d : range = 1 s .. 3 s;' \
  'param d : list of time = [1 s];' 'param d : time = 3 s in 1 .. 5;' 'param d : time = 3 s in [1, 5];' \
  'param d : data/time = 3 MB;' 'function f(x) = x + 1;' 'use queueing.psl;' 'let a = 3 MB - 2 s;'
study() {
  for item; do
    try "study s of office { vary demand in 1 s .. 3 s by 1 s; $item }"
  done
}
study 'optimize makespan;' 'minimum makespan;' 'set demand = 3 ms;' 'runs = 5;' 'seeds = 3;' 'warm-up = 3 s;' \
  'until = 100 s;' 'confidence = 95 %;' 'objective = makespan;' 'output = makespan;' 'params = [1, 2];' \
  'report last.station.p95;' 'report client.done.p95;'
