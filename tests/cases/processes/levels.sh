# In the terminal, one component, as a picture, in the page of a study; and what has no level.
COLUMNS=60 psl run levels.psl --plot -o "$TMP/report"
COLUMNS=50 psl run levels.psl --plot=desk --reference -o "$TMP/report"
psl run levels.psl --plot-file "$TMP/levels.svg" >/dev/null && ls "$TMP"
psl study waits.psl --db "$TMP/waits.db" >/dev/null && psl report "$TMP/waits.db" | grep -o '<h3>Levels of [a-z-]* over time</h3>'
psl run levels.psl --plot=tanks -o "$TMP/report"
psl run ../execution/hold.psl --plot -o "$TMP/report" 2>&1 | head -1
psl run levels.psl --plot='desk[7]' 2>&1
psl run levels.psl --plot=dsek 2>&1
# What has none is said before the run, and words that stand where the value of --plot does not.
psl run ../plot/farm.psl --plot='worker[2]'
psl run ../execution/hold.psl --plot=client
psl run --plot desk levels.psl
psl run levels.psl --plot desk
psl plot levels.psl desk
psl plot levels.psl level against time
psl study ../plot/farm.psl farm --vary workers=1,2 --plot=farm
psl study ../plot/farm.psl --vary workers=1,2 --plot 'makespan against workers'
echo 'run --plot desk' | psl --load levels.psl
