# M/G/1 whose service is not exponential has a mean by Pollaczek and Khinchine, 1 + 0.5 x 1.5 / 2 / 0.5 = 1.75 s of Erlang's
# two phases of 0.5 s each, and no percentiles: the report says that, and who has them.
for law in 'exponential(1 s)' 'gamma(2, 0.5 s)' 'erlang(2, 1 s)'; do
  sed "/^ *hold exponential(1 s)/s/exponential.*;/$law;/; /^\/\/ /d" ../steady/one-server.psl >"$TMP/one.psl"
  echo "$law"
  psl run "$TMP/one.psl" --set 'solver=analysis[open]' | grep -e ^predicted -e '^  server *visit' -e 'no closed form'
done

# So does the report of an open network of several stations, none of which has a closed form.
cat >"$TMP/two.psl" <<'M'
use queueing;
component a like fcfs-station { profile number = 0; param service = erlang(2, 100 ms); }
component b like fcfs-station { profile number = 1; param service = constant(200 ms); }
component guests like arrivals { param class = guest; param between = exponential(1 s); }
component guest like visitors { param class = guest; param visits = [1, 2]; }
system bank { requests: every selector = { node type = arrivals }; transaction = arrive(); protocol = dataflow; }
M
for solver in open Linearizer; do
  psl run "$TMP/two.psl" --set "solver=analysis[$solver]" | grep -e ^predicted -e 'no closed form'
done
# Who asks for percentiles is told so by the run, and the report does not say it again.
psl run "$TMP/two.psl" --set 'solver=analysis[open]' --set 'percentiles=[90 %]' | grep -c 'no closed form'
