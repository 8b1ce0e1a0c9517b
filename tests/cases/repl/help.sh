# :help on names of the model and the library, built-in functions, units, evaluators, files, commands.
psl --keep-going -c farm.psl 2>&1 <<'END' | sed "s|$(dirname "$(dirname "$PWD")")|TOP|; s|[^ ]*/\(stdlib/\)|\1|"
use message-cost;
:help workers
:help worker
:help write
:help farm
:help application
:help node-type
:help total
:help message-cost.L
:help us
:help byte
:help max
:help LogGP
:help LogGP.total
:help message-cost
:help :set
:help unset
?quit
:help percentile
:help quantiles
:help p95
:help simulation
:help confidence
:help throughput
:help class
:help classes
:help wrokers
:help closed-customers
:help visit
:help longest
:help message-cost.nothing
study s of farm { vary workers in [1, 2]; }
:help s
:set workers = 2 * 3
:help workers
END
