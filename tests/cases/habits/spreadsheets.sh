# Functions of spreadsheets, and figures of networks of queues by other names.
input() {
  echo "--- $1"
  psl check - 2>&1
}
input 'functions' <<'END'
param a : real = 1;
let b = SUM(1, 2, 3);
let c = AVERAGE([1,2,3]);
let d = IF(a > 1, 2, 3);
let e = VLOOKUP(1, [1,2]);
let f = STDEV([1,2]);
let g = RAND();
let h = ROUND(1.5, 2);
let i = NORMINV(0.5, 1, 2);
let j = COUNTIF([1,2], 1);
let k = MAX(1,2);
let l = IFERROR(1,2);
let m = POISSON(1,2);
let n = PRODUCT([1,2]);
let o = ROUNDUP(1.2);
let q = MOD(5, 2);
let r = SQRT(2);
let s = PERCENTILE([1,2],0.5);
END
input 'figures' <<'END'
use queueing;
component q like fcfs-station { param service = exponential(0.5 s); profile number = 0;}
component d like arrivals { param class = p; param between = exponential(1 s); }
component p like visitors { param class = p; param visits = [1]; param arrival-rate = 3; param lambda = 3; }
system s { requests: selector = { node type = arrivals, class = p }; transaction = arrive(); protocol = dataflow; }
study st of s { vary lambda in [1, 2]; report q.utilization, q.residence-time, q.drop-rate, q.system-response-time, q.customers, q.arrival-rate, q.service-time, q.loss; }
END
