# Aggregators that there are not, and pieces that lie over each other, or before the file.
run() { psl run matrix.psl --error-format short --quiet "$@" 2>&1 >/dev/null; }
run --set aggregators=5
run --set aggregators=0
run --set 'collective-buffer=0 byte'
run --set list-length=0
run --set collective-io=three-phase
run --set rows=-1
run --set 'row=0 byte'
run --set 'begins=-1 byte'
exit 0
