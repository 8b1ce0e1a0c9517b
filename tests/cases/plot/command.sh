# psl plot draws alone: a plot of the command line, the study's own, one in a session, a file; and what is wrong.
cp ../../../examples/farm/farm.psl ../../../examples/farm/what-if.psl "$TMP" && cd "$TMP" || exit
psl plot farm.psl wait against workers, log x --vary 'workers=1..16*2' 2>&1
psl plot what-if.psl --set 'work=40 s' 2>&1
echo 'plot makespan against workers --vary workers=1..3' | psl -c farm.psl 2>&1
psl plot what-if.psl --plot-file speedup.svg && grep -c '<svg' speedup.svg
psl plot farm.psl 2>&1
echo "exit $?"
psl plot farm.psl makespan --vary workers=1..3 2>&1
psl plot 2>&1
echo "exit $?"
