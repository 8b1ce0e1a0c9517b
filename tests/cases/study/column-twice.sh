# A figure by a name that a column of the study has: it is that column, with a condition one of its own; other columns have
# a name of their own, and what the help suggests is taken.
cp ../../../examples/farm/farm.psl "$TMP" && cd "$TMP" || exit 1
cat > buy.psl <<'END'
use "farm.psl";
study buy of farm { vary workers in [4, 8]; report time = makespan; minimize least = makespan; }
END
for what in time 'time by workers where time < 10 s' 'time < 10 s'; do psl study buy.psl --minimize "$what"; done
psl study buy.psl --minimize 'least2 = time by workers where time < 10 s' | tail -3
for what in time 'time = wait'; do psl study buy.psl --report "$what"; done
psl study buy.psl --report 'time2 = wait' --best
psl study farm.psl --vary workers=4,8 --report makespan --minimize makespan
psl study farm.psl --vary workers=4,8 --report makespan --minimize 'least = makespan' | tail -1
