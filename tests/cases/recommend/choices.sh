# A query: choices with their predictions, what they rest on, and what it would cost to know better.
psl recommend wave.psl --set cells=3000 --where 'ranks <= 128' --goal 'makespan < 1 s and sent < 20000' --runs 150
# The problem as the model has it, on a machine that is told, with a choice that is made already; the choices are run.
psl recommend wave.psl --set ranks=64 --set order=columns --runs 150 --verify --choices 2 --format csv
