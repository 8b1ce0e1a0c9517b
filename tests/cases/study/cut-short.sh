# A run that could have gone on, which --max-time or half-widths have ended, says how long was simulated and predicts no
# time: in each format, in studies and on their page, of repetitions, in comparisons, and where times alone are asked for.
# M/M/1 at 50 %, as in half-width.psl: a stay of 2 s.
cp ../records/half-width.psl "$TMP" && cd "$TMP" || exit
psl run half-width.psl | sed -n '1,4p'
psl run half-width.psl --format json | grep -e '"makespan' -e '"simulated' -e '"stop"' -e '"complete'
psl run half-width.psl --format csv | grep -e makespan -e simulated
psl run half-width.psl --max-time 40s 2>&1 | grep -e '^simulated' -e '^warm' -e '^ended'
psl -c half-width.psl -e run -e last.simulated-time -e last.makespan 2>&1 | tail -5
# What is recorded to a half-width is what such a study is of.
psl study half-width.psl --vary precision=10%,20% --db kept.db
psl report kept.db -q -o page.html
grep -c -i -e 'shortest' -e 'predicted time' page.html
sed -n 's/.*\(No point has a value[^<]*\).*/\1/p' page.html
psl study half-width.psl --vary precision=10%,20% --report 'makespan, part = stay.mean / makespan' \
  --minimize 'least = makespan' --assert 'makespan < 1 s'
echo "$?"
# Of repetitions with few guests some end before: of these alone the mean would be that of the short ones.
psl study half-width.psl --set guests=8000 --repetitions 6 --report 'makespan, simulated-time' --minimize 'least = makespan'
psl compare half-width.psl --vary precision=10%,20% | sed -n '1,6p'
psl sensitivity half-width.psl
psl diff half-width.psl --against precision=20%
