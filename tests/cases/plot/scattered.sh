# A figure against a figure: points that one param makes come in its order and are joined; those of two params are not, though each
# x has one y. Against a param all are joined, in whatever order its values are given.
show() { echo "-- $*" && COLUMNS=44 psl study farm.psl farm "$@" -o /dev/null; }
show --vary workers=2,3,4 --report 'makespan, cost = workers * makespan / 1 s' --plot='cost against makespan'
show --vary workers=2,3,4 --vary work=20s,60s --report 'makespan, cost = workers * makespan / 1 s' --plot='cost against makespan'
show --vary workers=3,2,4 --report 'cost = workers * makespan / 1 s' --plot='cost against workers'
