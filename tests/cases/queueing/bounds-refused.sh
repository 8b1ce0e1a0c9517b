# What bounds do not take, and who does; percentiles that are asked of them.
exec 2>&1
model=../../../examples/queueing
psl run $model/closed.psl --set 'solver=analysis[bounds]'
psl run $model/central-server.psl --set 'solver=analysis[bounds]' --set 'queueing.percentiles=[95 %]' | head -3
cat >"$TMP/open.psl" <<'END'
use queueing;
component desk like fcfs-station { param service = exponential(0.08 s); profile number = 0; }
component door like arrivals { param class = guest; param between = exponential(0.1 s); }
component guest like visitors { param class = guest; param visits = [1]; }
system s { requests: selector = { node type = arrivals }; transaction = arrive(); protocol = dataflow; }
END
psl run "$TMP/open.psl" --set 'solver=analysis[bounds]'
sed '2s/.*/&\n&/; ' "$TMP/open.psl" | sed '3s/desk/other/' >"$TMP/two.psl"
psl run "$TMP/two.psl"
