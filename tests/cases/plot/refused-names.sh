# A page of a point that there is not, in a format that there is not; a database that has the name of a model; how a plot is
# said to be drawn.
cp farm.psl $TMP
cd $TMP
psl study farm.psl --db model.psl 2>&1
psl study farm.psl --db farm.psl 2>&1
cp farm.psl other.psl
psl study farm.psl --db other.psl 2>&1
cmp other.psl farm.psl && cmp farm.psl "$OLDPWD/farm.psl" && ls
psl study farm.psl scaling --db farm.db >/dev/null 2>&1
psl report farm.db --point 99 2>&1
psl report farm.db -f html -o page.html && ls page.html
psl report farm.db -f csv 2>&1
psl plot farm.psl farm makespan against workers log x 2>&1
