# Dimemas' model beside closed forms: L = 1 ms, 100 MiB/s between nodes; messages of 1 MiB take 10 ms.
# say WHAT EXPECTED-SECONDS TRACE-LINES…; what machine has is set by the variables.
nodes=4 processors=1 buses=0 inputs=1 outputs=1 model=3 ratio=1.0 inside='0.0005, 200.0, 0, 1, 1' map='1 TASKS_PER_NODE' more=''
say() {
  what=$1 expected=$2
  shift 2
  ranks=$(printf '%s\n' "$@" | sed -n 's/^[0-9]*:\([0-9]*\):.*/\1/p' | sort -nu | wc -l)
  {
    printf '#DIMEMAS:"t":0:%d(%s),1\nd:1:1:%d:%s\n' $ranks "$(yes 1 | head -$ranks | paste -sd,)" $ranks \
      "$(seq 0 $((ranks - 1)) | paste -sd:)"
    printf '%s\n' "$@" | sort -s -t: -k2,2n
  } >"$TMP/t.dim"
  cat >"$TMP/m.cfg" <<END
#DIMEMAS_CONFIGURATION
"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"", 0, "", $nodes, 100.0, $buses, $model};;
"multi node information" {0, $nodes, "", $processors, $ratio, $inside, 0.001, $inputs, $outputs, 0.0};;
"predefined mapping information" {"$map"};;
"configuration files" {"", "", "", ""};;
$more
END
  for engine in '' --reference; do
    psl replay "$TMP/t.dim" --dimemas "$TMP/m.cfg" --format csv $engine |
      awk -F, -v what="$what" -v expected=$expected '/makespan/ {
        off = $4 - expected
        print what ": " expected " s" (off * off < 1e-24 ? "" : ", and not " $4) }'
  done | uniq
}
send() { echo "2:$1:0:$2:1048576:0:1:0"; }
receive() { echo "3:$2:0:$1:1048576:0:1:0"; }
burst() { echo "1:$1:0:$2"; }
start() { for r in "$@"; do burst $r 0; done; }

say 'there and back' 0.023 "$(burst 0 0.001)" "$(start 1)" "$(send 0 1)" "$(receive 0 1)" "$(send 1 0)" "$(receive 1 0)"
say 'a receiver that comes late' 0.051 "$(start 0)" "$(burst 1 0.05)" "$(send 0 1)" "$(receive 0 1)"
say 'to itself: the message goes when its receive was reached' 0.026 "$(start 1)" 2:0:0:0:1048576:0:1:2 "$(burst 0 0.02)" \
  "$(receive 0 0)"
pairs="$(start 0 1 2 3) $(send 0 1) $(send 2 3) $(receive 0 1) $(receive 2 3)"
say 'two pairs' 0.011 $pairs
buses=1
say 'two pairs, one bus' 0.021 $pairs
nodes=8
say 'four pairs, one bus' 0.041 $(start 0 1 2 3 4 5 6 7) $(for r in 0 2 4 6; do send $r $((r + 1)); receive $r $((r + 1)); done)
buses=2
say 'four pairs, two buses' 0.021 $(start 0 1 2 3 4 5 6 7) $(for r in 0 2 4 6; do send $r $((r + 1)); receive $r $((r + 1)); done)
nodes=4 buses=0
out="$(start 0 1 2 3) $(send 0 1) $(send 0 2) $(send 0 3) $(receive 0 1) $(receive 0 2) $(receive 0 3)"
say 'one to three, one link out' 0.031 $out
outputs=3
say 'one to three, three links out' 0.013 $out
in="$(start 0 1 2 3) $(send 1 0) $(send 2 0) $(send 3 0) $(receive 1 0) $(receive 2 0) $(receive 3 0)"
say 'three to one, one link in' 0.031 $in
inputs=0 outputs=0
say 'three to one, links without limit, its receives one after another' 0.013 $in
inputs=1 outputs=0
both="$(start 0 1) $(send 0 1) $(send 1 0) $(receive 0 1) $(receive 1 0)"
say 'both ways, a link for both directions' 0.021 $both
outputs=1
say 'both ways, a link for each' 0.011 $both
map=FILL_NODES processors=2
say 'inside a node: 0.5 ms, 200 MiB/s' 0.0055 "$(start 0 1)" "$(send 0 1)" "$(receive 0 1)"
processors=1 map='4 TASKS_PER_NODE'
say 'two ranks on one processor' 0.3 "$(burst 0 0.1)" "$(burst 1 0.2)"
map='1 TASKS_PER_NODE' ratio=2.0
say 'processors twice as fast' 0.1 "$(burst 0 0.2)"
ratio=1.0 more='"modules information" {60000019, 1, 4.0};;
"modules information" {60000019, 2, -0.05};;
"modules information" {60000019, 3, 0};;'
region() { echo "20:0:0:60000019:$1"; }
say 'regions: a quarter, 50 ms, nothing, and as it is' 0.175 "$(region 1)" "$(burst 0 0.1)" "$(region 2)" "$(burst 0 0.7)" \
  "$(region 0)" "$(region 3)" "$(burst 0 0.6)" "$(region 0)" "$(region 0)" "$(burst 0 0.1)"
more=''
waits() { echo "2:0:0:1:1048576:0:1:$1"; }
late="$(start 0) $(burst 1 0.05) $(receive 0 1)"
say 'a sender that waits' 0.161 $late "$(waits 1)" "$(burst 0 0.11)"
say 'one that goes on meanwhile' 0.111 $late "$(waits 3)" "$(burst 0 0.11)"
together() { for r in 0 1 2; do echo "10:$r:0:$1:1:0:0:1048576:2097152:$2"; done; }
say 'all-reduce of three: 2 rounds in, 2 out' 0.064 "$(start 0 1 2)" $(together 11 1)
model=2
say 'and one after another' 0.064 "$(start 0 1 2)" $(together 11 1)
model=1
say 'and once, and once inside: 0.5 ms, 200 MiB/s' 0.048 "$(start 0 1 2)" $(together 11 1)
model=3
say 'started: the first round of a rank that works on' 0.101 $(start 1 2) "$(burst 0 0)" $(together 27 0 | sort -t: -k2) \
  "$(burst 0 0.1)"
reduction() { for r in 0 1 2; do echo "10:$r:0:10:1:0:0:1048576:0:3"; done; }
say 'a reduction: two messages to one link of the root' 0.021 "$(start 0 1 2)" $(reduction)
inside='0.0, 0.0, 0, 0, 0' inputs=0 outputs=0
say 'a reduction: links without limit' 0.011 "$(start 0 1 2)" $(reduction)
