# What those write who come from JMT: types of stations and customers, params, distributions, disciplines.
input() {
  echo "--- $1"
  psl check - 2>&1
}
input 'stations and customers' <<'END'
use queueing;
component users like Delay { param service = exponential(3 s); profile number = 0; }
component cpu like Queue { param service = exponential(0.1 s); profile number = 1; }
component jobs like ClosedClass { param population = 10; param visits=[1,1]; }
system s { requests: selector = { node type = customer, class = jobs }; transaction = cycle(); visits = 10; protocol = dataflow; }
END
input 'an open class that is dropped' <<'END'
use queueing;
component src like Source { param class = people; param between = exponential(1 s); }
component q like Queue { param service = exponential(0.5 s); param capacity = 10; param drop = true; profile number = 0;}
component out like Sink { }
system s { requests: selector = { node type = arrivals, class = people }; transaction = arrive(); protocol = dataflow; }
END
input 'ways' <<'END'
use queueing;
component r like Router { param routing = random; }
component f like Fork { param tasks = 2; }
component j like Join { }
component cs like ClassSwitch { param matrix = [[0.5,0.5],[1,0]]; }
component fcr like FiniteCapacityRegion { param capacity = 5; }
component lg like Logger { }
END
input 'params of a station' <<'END'
use queueing;
component cpu like fcfs-station { param service = exponential(0.1 s); param capacity = 10; param drop = waiting-queue; param strategy = fcfs; param multiplicity = 2; param rate=3; profile number = 0; }
END
input 'distributions' <<'END'
use queueing;
component cpu like fcfs-station { param service = Exp(0.1 s); profile number = 0; }
component a like fcfs-station { param service = Erlang(4, 0.1 s); profile number = 1; }
component b like fcfs-station { param service = hyperexp(0.5, 1 s, 2 s); profile number = 2; }
component c like fcfs-station { param service = Coxian(0.5, 1 s, 2 s); profile number = 3; }
component d like fcfs-station { param service = Deterministic(1 s); profile number = 4; }
component e like fcfs-station { param service = replayer("trace.txt"); profile number = 5; }
component g like fcfs-station { param service = phase-type([1,2]); profile number = 6; }
component h like fcfs-station { param service = MMPP2(1,2,3,4); profile number = 7; }
component i like fcfs-station { param service = burst(1,2,3,4); profile number = 8; }
END
input 'strategies' <<'END'
use queueing;
component cpu like fcfs-station { param service = exponential(0.1 s); profile number = 0; discipline = SRPT; }
component a like fcfs-station { param service = exponential(0.1 s); profile number = 1; discipline = LCFS; }
component b like fcfs-station { param service = exponential(0.1 s); profile number = 2; discipline = SIRO; }
component c like fcfs-station { param service = exponential(0.1 s); profile number = 3; discipline = sjf; }
component d like fcfs-station { param service = exponential(0.1 s); profile number = 4; discipline = DPS; }
component e like fcfs-station { param service = exponential(0.1 s); profile number = 5; discipline = polling; }
component f like fcfs-station { param service = exponential(0.1 s); profile number = 6; discipline = edf; }
END
input 'declarations' <<'END'
Delay users { service = 3 s; }
Queue cpu { servers = 1; service = Exp(0.1); }
Router r { prob = [0.3, 0.7]; }
END
input 'params of customers' <<'END'
use queueing;
component cpu like fcfs-station { param service = exponential(0.1 s); profile number = 0; }
component jobs like closed-customers { param class = jobs; param think = exponential(1 s); param visits = [1]; param population = 5; param customers = 5; param reference-station = cpu; }
system s { requests: selector = { node type = customer, class = jobs }; transaction = cycle(); population = 10; protocol = dataflow; }
END
input 'settings of a station' <<'END'
use queueing;
component cpu like fcfs-station { multiplicity = 2; init = 3; think-time = 1 s; profile number = 0; }
END
