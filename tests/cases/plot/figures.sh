# The plot of columns that nobody has put together has an axis for each quantity: figures of one unit share one, those without a
# unit do not. Where panels have other series each has its own legend. What is not drawn is said by figure.
cd "$TMP" && cp "$OLDPWD/farm.psl" .
cat >mixed.psl <<'E'
use "farm.psl";
study mixed of farm {
  vary workers in [2, 4, 6, 8], work in [20 s, 40 s];
  report makespan;
  minimize cost = workers * makespan / 1 s where workers > 3;
}
E
texts() { grep -o '>[^<>]*<' | sed 's/[<>]//g' | grep '[a-z]' | grep -v -i '^mixed$\|gnuplot\|^plot' | uniq; }
drawn() { # OPTION... the labels of frames, the legends, and what is not drawn
  psl study mixed.psl mixed -q -o table --plot-file a.svg "$@" && texts <a.svg
}
echo "-- columns that are asked for" && drawn --report 'wait, firings, messages, busy = compute'
echo "-- a page" && psl study mixed.psl mixed --report 'wait, firings, messages' --db a.db -q -o table
psl report a.db mixed -o page.html && sed -n '/id="plots"/,/<\/section>/p' page.html | texts
echo "-- what somebody puts together" && drawn --plot='cost, firings against workers by work'
echo "-- a panel of one figure, and one of two" && drawn --plot='firings, makespan, wait against workers by work'
psl plot mixed.psl mixed 'cost, wait against workers' --vary workers=0,2,4 -q 2>notes | tail -1
