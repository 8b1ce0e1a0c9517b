# Values at which a run draws random numbers are named, where there is another one to compare with: 100 services of 1 s in the
# mean take 100 s by one way, and by the other one 100 s within the interval of ten seeds.
psl compare chance.psl --vary way | sed '/^by component/,$d'
psl compare chance.psl --vary way=drawn | sed '/^by component/,$d'
psl study chance.psl --vary way=even,drawn --repetitions 10 --report makespan --quiet
# Desks that differ in what nobody reads: the runs are one.
psl compare chance.psl --vary desk --quiet >/dev/null
psl compare chance.psl --vary desk | sed '/^by component/,$d'
psl compare chance.psl --vary desk --set way=drawn --quiet | sed '/^by component/,$d'
