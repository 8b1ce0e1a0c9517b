# Goals that nothing is predicted to fulfil, and that no run fulfils.
psl recommend wave.psl --runs 150 --goal 'makespan < 1 ns' --choices 1 --format csv
psl recommend wave.psl --runs 150 --goal 'makespan < 1 ns' --choices 1 --verify --format csv
# Beyond what was learnt from: all candidates are run, or those of a search.
psl recommend wave.psl --runs 60 --set cells=50000 --set ranks=8 --choices 2 | grep -A 2 -e '^rules do' -e '^  block'
psl recommend wave.psl --runs 60 --set cells=50000 --choices 1 --evaluations 30 --format json | grep -e reach -e searched -e found
# Too little to predict by.
psl recommend wave.psl --runs 5 --set ranks=16 --choices 1 --format json | grep -e reach -e searched -e found
# One candidate alone, and errors of 100 % and more.
psl recommend wave.psl --runs 5 --set ranks=16 --set block=5 --set order=rows --choices 1 | grep 'candidate'
psl recommend wave.psl --runs 24 --rules | grep -A 3 '^predictions'
