# Three customers of each of two classes think for 4 s and are served for 1 s, those of the second class first. Their
# responses by the Markov chain of their places (tests/lib/Network.pm solves it):
#   nobody is interrupted  late 3.7167 s, early 2.0720 s
#   with interruption      late 4.9944 s, early 1.4615 s: those do not notice the others, 1 + 0.4615 found
cd "$TMP" || exit
cat > model.psl <<'END'
use queueing;
param busy : real = 1;
component desk  like priority-station { param service = exponential(1 s); profile number = 0; }
component late  like closed-customers { param class = late; param think = exponential(4 s); param visits = [1]; }
component early like closed-customers {
  param class  = early;
  param think  = exponential(4 s / busy);
  param visits = [1];
  param priority   = 1;
}
system net {
  requests:
    selector = { node type = customer, class = late }; transaction = cycle(); visits = 3; protocol = dataflow;
    selector = { node type = customer, class = early }; transaction = cycle(); visits = 3; protocol = dataflow;
}
END
for station in priority preemptive; do
  sed "s/like priority-station/like $station-station/" model.psl > station.psl
  psl compare station.psl --vary 'solver=analysis[Bard],analysis[Schweitzer],analysis[Linearizer]' |
    sed -n '/^by class/,/^$/p'
done
echo 'Where those before leave little, the estimate is coarse; where they leave next to nothing, there is none.'
for busy in 3 8; do
  psl run station.psl --set "busy=$busy" --set 'solver=analysis[Linearizer]' --error-format short 2>&1 | grep -E 'warning|error:|^  late'
done
