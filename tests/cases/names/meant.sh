# What other languages and tools call it: what it is here.
psl -e '1 s in ms'
psl -e '2 -> float'
psl -e '2 -> time'
psl -e 'exit()'
psl -e 'unit work-item;'
psl -e ':help makespan'
psl -c "../../../examples/farm/farm.psl" -e ':help disk-drive.wait'
psl -c "../../../examples/farm/farm.psl" -e ':help wait.maximum'
psl explain "../../../examples/farm/farm.psl" worker.stor
psl compare "../../../examples/farm/farm.psl" --vary workers=1:10:2
psl study "../../../examples/farm/farm.psl" --vary workers=1:10:2
