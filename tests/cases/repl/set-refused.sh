# What no run could take is refused when it is set: a solver that there is not, what is asserted of the param alone. What is
# asserted of several waits, since they are set one by one.
cat >$TMP/repair.psl <<'END'
use queueing;
param machines : int = 10;
param spares : int = 4;
assert spares < machines;
component workshop like fcfs-station {
  param service = exponential(20 s);
  profile number = 0;
}
component machine like closed-customers {
  param class  = machine;
  param think  = exponential(300 s);
  param visits = [1];
}
system factory {
  requests:
    selector    = { domain = application[queueing], node type = customer, class = machine };
    transaction = cycle();
    visits      = machines - spares;
    protocol    = dataflow;
}
END
cd $TMP
psl --keep-going -c repair.psl 2>&1 <<'END'
:set percentiles=[50 %, 190 %]
:set percentiles=[50, 90]
:set solver=simulation[quueing]
:set solver=analysis[mva]
:set solver=analysis
:set solver=nonsense[nonsense]
:set
:set spares=12
:set machines=20
:set solver=analysis[Schweitzer]
:set
param own : int = 3;
assert own < 5;
let twice = 2 * own;
assert twice != 2;
:set own=7
:set own=1
own
param typed : distribution of time = exponential(5 ms);
param typed : distribution*time = 3;
:type [1.0 s .. 2.0 s]
END
