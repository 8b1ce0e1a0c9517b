# Extra-P's JSON lines: the same figures as its text format has, however members and lines are ordered; what is wrong is said at
# its place.
cd "$TMP" || exit 1
cat >text.txt <<'T'
PARAMETER p
POINTS 2 4 8 16 32
REGION main
METRIC time
DATA 5 5.1
DATA 9
DATA 17
DATA 33
DATA 65
METRIC visits
DATA 1
DATA 2
DATA 3
DATA 4
DATA 5
T
cat >lines.jsonl <<'T'
{"params": {"p": 2}, "callpath": "main", "metric": "time", "value": 5}
{"params":{"p":2},"callpath":"main","metric":"visits","value":1}

{"value":5.1,"metric":"time","callpath":"main","params":{"p":2}, "unit": {"of": ["s", null, 1.5e3, true]}}
{"params":{"p":4},"callpath":"main","metric":"time","value":9}
{"params":{"p":8.0},"callpath":"main","metric":"time","value":1.7e1}
{"params":{"p":4},"callpath":"main","metric":"visits","value":2}
{"params":{"p":16},"callpath":"main","metric":"time","value":33}
{"params":{"p":32},"callpath":"main","metric":"time","value":65}
{"params":{"p":8},"callpath":"main","metric":"visits","value":3}
{"params":{"p":16},"callpath":"main","metric":"visits","value":4}
{"params":{"p":32},"callpath":"main","metric":"visits","value":5}
T
psl fit text.txt | sed 's/text.txt/FILE/' >text.fit
psl fit lines.jsonl | sed 's/lines.jsonl/FILE/' >lines.fit
cmp text.fit lines.fit && echo 'the same'
head -20 lines.fit
psl fit lines.jsonl --metric visits | head -5
for n in 1 2 4 8 16; do for p in 1 2 4 8 16; do echo "{\"params\":{\"p\":$p,\"n\":$n},\"value\":$((3 * n + 2 * p * n))}"; done; done |
  psl fit - | head -6
wrong() { printf "$1\n" | psl fit -; }
wrong '{"params":{"p":2},"value":1'
wrong '{"params":{"p":2},"value":"fast"}'
wrong '{"params":{"p":2}}'
wrong '{"value":2}'
wrong '{"params":{"p":2},"value":1}\n{"params":{"q":2},"value":1}'
wrong '{"params":{"p":2,"q":1},"value":1}\n{"params":{"q":2},"value":1}'
wrong '{"params":{"p":2,"p":1},"value":1}'
wrong '{"params":{"p":2},"value":1,"value":2}'
wrong '{"params":{"p":2},"value":1}\n{"params":{"p":2,"p":1},"value":1}'
wrong '{"params":{"p":2},"value":1} {"params":{"p":3},"value":1}'
wrong '{"params":{"p":2},"value":1}\np,value'
wrong '{"params":{},"value":1}'
wrong '{params:{"p":2},"value":1}'
wrong '{"params":{"p":2},"metric":3,"value":1}'
wrong '{"params":{"p":2},"other":[1,{"a":2,"value":1}'
wrong '{"params" {"p":2}}'
wrong '{"params":{"p":2},"metric":"time'
perl -e 'print "{\"params\":{", join(",", map { qq("p$_":1) } 1 .. 101), "},\"value\":1}\n"' | psl fit - 2>&1 | cut -c1-60
psl run lines.jsonl
# Names are what their escapes say; where some lines have no region, that is one of its own.
for p in 1 2 4 8 16; do
  printf '{"params":{"p":%d},"callpath":"main-\\u003esolve \\"x\\"","value":%d}\n{"params":{"p":%d},"value":%d}\n' $p $((2 * p)) $p $((3 * p))
done >mixed.jsonl
psl fit mixed.jsonl | grep -A3 fitted
psl fit mixed.jsonl --region - | head -4
psl fit mixed.jsonl --region main
printf '{"params":{"p":1},"callpath":"a\\u0001","value":1}\n' | psl fit -
