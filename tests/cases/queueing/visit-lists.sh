# Lists of visits have an item for each station, and each station a number of its own; by each solver and engine.
cd "$TMP"
model() { # stations' numbers, visits
  echo 'use queueing;'
  for number in $1; do
    echo "component s$number$extra like fcfs-station { param service = exponential(1 s); profile number = $number; }"
    extra="${extra}x"
  done
  cat <<END
component people like closed-customers { param class = people; param think = exponential(9 s); $2 }
system all {
  requests: selector = { node type = customer, class = people }; transaction = cycle(); visits = 3; protocol = dataflow;
}
END
}
t() {
  extra=
  model "$1" "$2" >net.psl
  echo "stations $1: $2"
  psl run net.psl 2>one
  echo "[exit $?]"
  for options in --reference '--set solver=simulation[queueing]' '--set solver=simulation[queueing] --reference'; do
    psl run net.psl $options 2>two >out
    cmp one two
  done
  sed "s|[^ ]*/stdlib/queueing.psl:[0-9]*|queueing.psl|; /^ *[0-9]* | .*go-to(k)/d" one
}
t '0 1 2' 'param visits = [1, 1];'
t '0 1 2' 'param visits = [1, 1, 1, 1];'
t '0 1 3' 'param visits = [1, 1, 1];'
t '0 1 1' 'param visits = [1, 1, 1];'
t '1 2' 'param visits = [1, 1];'
t '0 1' ''
t '0 1 2 3 4 5 6 7' 'param visits = [1];'
# by instance, and in a component of one's own
cat >own.psl <<'END'
use queueing;
param n : int = 3;
component disk [i] : 0 <= i < n like fcfs-station { param service = exponential(1 s); profile number = i; }
component job [j] : 0 <= j < 3 {
  accepts:
    profile     = { domain = application[queueing], node type = job, evaluation mode = solver };
    transaction = cycle();
    protocol    = dataflow;
  body:
    hold exponential(1 s);
    call ask(0);
    call ask(1);
  requests:
    ask(k): selector = { node type = station, number = k }; transaction = visit(); visits = [0.4, 0.6][k];
            protocol = call-return;
    selector = { domain = application[queueing], node type = job, j = j }; transaction = cycle(); protocol = dataflow;
}
system all { requests: every selector = { node type = job }; transaction = cycle(); protocol = dataflow; }
END
psl run own.psl --error-format short
psl run own.psl --set n=2 --error-format short | head -1
# what a list counts need not be places, and what is visited not once needs none: 11 s and 8 s
cat >kinds.psl <<'E'
param first : int = 0;
param disks : int = 2;
transaction read(c : int);
transaction go();
let reads = if first == 0 then [3, 1, 2, 5] else [0, 1, 2, 5];
component disk [i] : first <= i < first + disks {
  accepts:
    profile     = { domain = hardware, node type = disk };
    transaction = read(c);
    protocol    = call-return;
  body:
    hold 1 s;
}
component user {
  accepts:
    profile     = { domain = application[visits], node type = user };
    transaction = go();
    protocol    = call-return;
  body:
    for c in first .. 3 { call fetch(c); }
  requests:
    fetch(c): selector = { domain = hardware, node type = disk, i = PLACE }; transaction = read(c); visits = reads[c];
              protocol = call-return;
}
system s { requests: selector = { node type = user }; transaction = go(); protocol = call-return; }
E
sed 's/PLACE/c mod 2/' kinds.psl >mod.psl && psl run mod.psl | head -1
sed 's/PLACE/c/' kinds.psl >same.psl && psl run same.psl --set first=1 --set disks=3 | head -1
