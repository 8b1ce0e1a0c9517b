# What users of other tools write on the command line, of options, settings and the values of params: the help says what
# to write instead, with what was given.
cp ../../../examples/traces/cluster.cfg "$TMP"
cd "$TMP" || exit
cat >desk.psl <<'MODEL'
param agents  : int  = 3 in 1 .. 50;
param service : time = 4 min;
transaction enter();
component customer {
  accepts:
    profile     = { domain = application, node type = customer };
    transaction = enter();
    protocol    = dataflow;
  body:
    let arrived = clock;
    hold exponential(service / agents);
    record response = clock - arrived;
}
system desk {
  requests:
    selector    = { domain = application, node type = customer };
    transaction = enter();
    protocol    = dataflow;
}
MODEL
cp desk.psl other.psl
printf '0 init\n0 compute 1e9\n0 send 1 0 100\n0 finalize\n1 init\n1 recv 0 0 100\n1 finalize\n' >two.tit
printf '# of a day\nagents = 3\nservice = 5 min\nagents = 4\n' >day.txt
# An end of an interval; a record that is misspelt; a figure where points are chosen by params.
psl study desk.psl --assert 'customer.response.high < 6 min'
psl study desk.psl --minimize 'makespan where customer.response.mean.high < 6 min'
psl study desk.psl --report customer.respons
psl study desk.psl --where 'customer.response < 5 min'
psl replay two.tit --report 'rank[1].wait'
# Units, and settings.
psl run desk.psl --set 'service=4 mn'
psl run desk.psl --set agents=4,service=4min
psl run desk.psl --params day.txt
psl replay two.tit --set 'float rate=1 Gflop/s'
psl replay two.tit --set latancy=1us
# One dash, and options of others.
psl replay -platform plat.xml two.tit
psl replay -plat plat.xml two.tit
psl study -report 'makespan, agents' desk.psl
psl replay two.tit --cfg=smpi/os:0
psl replay two.tit --by-rank
psl replay two.tit --ndjson
psl replay two.tit -f ndjson
psl replay two.tit --platform cluster.cfg
psl study desk.psl --param agents=3,4
psl study desk.psl --baseline 4
psl compare desk.psl --vary agents=3,4 --baseline 4
psl compare desk.psl --vary agents=3,4 --confidence 99
psl study desk.psl --vary seed=1..5
psl study desk.psl --seed 2,3,4
psl study desk.psl --vary 'service=linspace(3min,5min,3)'
psl replay two.tit --vary machine
psl diff desk.psl other.psl --report makespan
psl diff desk.psl --against other.psl
# A dry run refuses what a run would; the first point at which an assertion fails is told with what it compares.
psl study desk.psl --vary agents=49..52 --dry-run
psl study desk.psl --vary agents=1,2 --set service=2s --seed 1 --assert 'makespan > 2 * service' --assert 'agents < 2'
# A trace stands for a model in completion, too.
psl completion words study two.tit --vary mach
psl completion words replay two.tit --set machine=S
