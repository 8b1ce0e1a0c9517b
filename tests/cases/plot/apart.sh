# Where no plot says what is drawn together, what is optimised has a panel of its own, for it may be far greater than what it is
# made of; the best of a column that is drawn is not drawn again.
cp ../../../examples/farm/farm.psl "$TMP" && cd "$TMP" || exit 1
psl study farm.psl --vary workers=4..32*2 --report wait --minimize 'cost = workers * makespan' --plot
psl study farm.psl --vary workers=4..32*2 --report makespan --minimize 'least = makespan where wait < 5 s' --plot
psl study farm.psl --vary workers=4..32*2 --report wait --minimize 'cost = workers * makespan' --plot='wait, cost against workers' |
  tail -3
psl study farm.psl --vary workers=4..32*2 --report wait --minimize 'cost = workers * makespan' --db farm.db -q > table.txt
psl report farm.db -o page.html && grep -c '<svg' page.html
