# lines: .
# What `last` says of a model that has changed since its run.
psl -c farm.psl 2>&1 <<'END'
run --format csv -o /dev/null
let w = last.makespan;
last.makespan
:set workers=4
last.makespan
ans
:last disk-drive.wait
:undo
last.makespan
param work : time = 20 s;
last.makespan
run --format csv -o /dev/null
last.makespan
component other { accepts: profile = { domain = application }; transaction = solve(part); protocol = call-return; }
last.makespan
:undo
run --format csv -o /dev/null
:reload
last.makespan
w
END
echo "[exit $?]"
