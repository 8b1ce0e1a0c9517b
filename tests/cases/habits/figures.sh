# Results asked for in the words of other tools, in a study and of the last run of a session; distributions whose
# arguments are of another order or have no unit; settings by themselves; a trace in the place of a model.
cd "$TMP"
cat >network.psl <<'END'
use queueing;
component cpu like fcfs-station { param service = exponential(20 ms); profile number = 0; }
component job like closed-customers { param class = job; param visits = [1]; }
param jobs : int = 6;
system computer {
  requests:
    selector    = { domain = application[queueing], node type = customer, class = job };
    transaction = cycle();
    visits      = jobs;
    protocol    = dataflow;
}
END
cat >stores.psl <<'END'
use processes;
transaction go();
component user {
  accepts:
    profile     = { domain = application, node type = user };
    transaction = go();
    protocol    = dataflow;
  body:
    hold 1 s;
    record waited = clock;
}
system s {
  requests:
    selector    = { domain = application, node type = user };
    transaction = go();
    protocol    = dataflow;
}
END
for figure in 'percentile(job.response, 95)' 'median(job.response)' p95 throughput job.p97 job.response.p97 cpu.rho cpu.util job.R \
  cpu.mean cpu.X cpu.q 'job.percentile(95)' 'job.p(95)' job.95 job.p99.9 system.response requests.p95; do
  psl study network.psl --vary jobs=2,4 --report "$figure"
done
for figure in waited.p95 'quantile(waited, 0.95)' 'mean items in buffer[0]' 'makespan -> ms'; do
  psl study stores.psl --report "$figure"
done
psl study stores.psl --report makespan --report makespan
for figure in p95 last.response last.time last.job.response.p95 'percentile(last.job.response, 95)' 'jobs 8'; do
  psl -c network.psl -e run -e "$figure" >/dev/null
done
psl run network.psl --set 'jobs=2*jobs'
cat >variates.psl <<'END'
param load : real = 0.5;
let phases = mean(erlang(0.6 s, 2));
let shaped = mean(gamma(2 s, 2));
let mixed = mean(hyperexponential(1 s, 2 s, 0.5));
let times : distribution*time = exponential(load);
let written : distribution*time = exponential(0.5);
END
psl check variates.psl
echo 'buffer b[4](slots);' >buffer.psl
psl check buffer.psl
printf '0 init\n0 compute 1e9\n0 finalize\n' >program.tit
echo 'use "program.tit";' >using.psl
psl check using.psl
psl -c program.tit -e 1
