# An option that takes one value, given two: neither is taken. Those that add up, and those of which a wrapper has given one
# before, may be repeated; so may one with the same value.
farm=../../../examples/farm/farm.psl
psl study $farm --vary workers=4 --seed 1 --seed 2
psl study $farm --vary workers=4 -o a.csv --output b.csv
psl study $farm --vary workers=4 --repetitions 2 -q --repetitions=2 --where 'workers > 1' --where 'workers < 9' --color never --color auto --jobs 1 --jobs 2 -f csv
printf 'n,p,t [ms]\n1,1,2\n2,1,4\n4,2,4\n8,1,16\n' >"$TMP/t.csv"
psl fit "$TMP/t.csv" --terms n/p --where 'n > 1' --where 'p > 1'
psl fit "$TMP/t.csv" -p n -p p
