# What is derived of a line of ranks, decided by values and beside a run; parts of it, in each format.
# tolerance: 1e-9
psl derive ranks.psl --decide --verify
psl derive ranks.psl --process 'rank[0]' --decide --memory penalty | sed -n '/^rank/,/^  in all/p'
psl derive ranks.psl --section memory
psl derive ranks.psl --section 38 -f json
psl derive ranks.psl --section save -f psl
psl derive ranks.psl --process rank --section memory -f latex
