# The program's commands work on the session's model; what is wrong in them does not end it.
psl --keep-going -c farm.psl 2>&1 <<'END'
check
explain worker.store
graph
run nothing
run farm more
run --by rank --format csv
run --nothing
run 'farm
explain --system farm disk-drive
compare
:run --max-firings 3
rnu
:rnu
:
ast
fmt --check farm.psl
help params
let run = 3;
(run) + 1
run
:quit
1
END
echo "[exit $?]"
echo run | psl
