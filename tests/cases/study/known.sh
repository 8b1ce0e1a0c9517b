# Objectives that are not known at some points, hold at none, or at one.
cat > "$TMP/network.psl" <<'END'
use queueing;
param jobs : int = 1;
component cpu like fcfs-station { param service = exponential(1 s); profile number = 0; }
component disk like fcfs-station { param service = exponential(2 s); profile number = 1; }
component job like closed-customers { param class = job; param visits = [1, 1]; }
system net {
  requests:
    selector = { node type = customer, class = job }; transaction = cycle(); visits = jobs; protocol = dataflow;
}
END
cd "$TMP" || exit
some='solver=analysis[MVA],simulation[queueing]'
psl study network.psl --vary jobs=1,2 --vary "$some" --report 'job.p95' --minimize 'least = job.p95' 2>/dev/null | tail -n 1
psl study network.psl --vary jobs=1,2 --report 'r = job.response' --minimize 'least = r where r < 1 s'
echo "exit status $?"
psl study network.psl --vary jobs=1,2 --report 'r = job.response' --minimize 'least = r where r < 4 s'
psl study network.psl --vary jobs=2 --set 'solver=analysis[bounds]' --report 'makespan'
