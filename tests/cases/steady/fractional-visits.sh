# One customer, stations that serve for 1 s and for 3 s: with visits of 0.5 each cycles of 0 s, 1 s, 3 s and 4 s are a quarter
# each, and reports, comparisons and studies of percentiles say once what these are of; with `one of` cycles of 1 s and of 3 s are a half each.
cd "$TMP" || exit
cat > halves.psl <<'END'
use queueing { param percentiles = [20 %, 40 %, 60 %, 90 %]; }
param pause : time = 1 s;
component quick like fcfs-station { param service = constant(1 s); profile number = 0; }
component slow like fcfs-station { param service = constant(3 s); profile number = 1; }
component job like closed-customers { param class = job; param think = exponential(pause); param visits = [0.5, 0.5]; }
system one-job {
  requests:
    selector    = { node type = customer, class = job };
    transaction = cycle();
    protocol    = dataflow;
}
study parts of one-job { report p20 = job.p20, p40 = job.p40, p60 = job.p60, p90 = job.p90; }
END
sed '/^component job/d' halves.psl > one-of.psl
cat >> one-of.psl <<'END'
component job [n] : 0 <= n < 1 {
  accepts:
    profile     = { domain = application[queueing], node type = customer, evaluation mode = solver, class = job };
    transaction = cycle();
    protocol    = dataflow;
  body:
    hold exponential(pause);
    one of { 0.5 { call go-to(0); } 0.5 { call go-to(1); } }
  requests:
    go-to(k): selector = { node type = station, number = k }; transaction = visit(); protocol = call-return;
    selector    = { node type = customer, class = job, n = 0 };
    transaction = cycle();
    protocol    = dataflow;
}
END
says() { sed -n "s/.*\(cycles of\)/$1: \1/p"; }
for model in halves one-of; do
  set -- $model.psl --set 'solver=simulation[queueing]' --error-format short
  psl study "$@" 2>/dev/null | sed -n '3,4s/ +-[0-9.e-]* *m*s//gp'
  psl run "$@" 2>&1 | says run
  psl compare "$@" --vary 'pause=1s,2s' 2>&1 | says compare
  psl study "$@" one-job --vary 'pause=1s,2s' --report job.p40,job.p90 2>&1 | says study
  psl study "$@" one-job --vary 'pause=1s,2s' --report job.response 2>&1 | says 'no percentiles'
  psl -c $model.psl -e "study parts --set 'solver=simulation[queueing]'" 2>&1 | says session
done
