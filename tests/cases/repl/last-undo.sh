# `last` says that it is of another model for as long as the model is another one: after what was taken back, and no longer
# once it was made again.
psl --no-rc -c farm.psl <<'S' 2>&1
:set workers = 3
run -q -o /dev/null
:undo
last.makespan
:redo
last.makespan
component other { }
last.makespan
:undo
last.makespan
:set workers = 4
last.makespan
:set workers = 3
last.makespan
S
