# What is wrong with a plot is said before anything is run.
psl study farm.psl scaling --plot='makespann against workers'
psl study farm.psl scaling --plot='makespan against workers by mk, log z'
psl study farm.psl scaling --plot='kind against workers'
psl study farm.psl scaling --plot=makespan
psl study farm.psl farm --plot
psl study farm.psl scaling --plot-file plot.gif
psl study farm.psl scaling --plot-file "$TMP/none/plot.svg" 2>&1 | sed "s|$TMP|TMP|"
# Without gnuplot.
mkdir "$TMP/bin" && ln -s "$(command -v psl)" "$TMP/bin/psl"
PATH=$TMP/bin psl study farm.psl scaling --plot-file "$TMP/plot.svg"
# A gnuplot that fails.
printf '#!/bin/sh\necho one >&2\necho "no fonts" >&2\nexit 3\n' >"$TMP/bin/gnuplot" && chmod +x "$TMP/bin/gnuplot"
PATH=$TMP/bin:$PATH psl study farm.psl scaling --plot-file "$TMP/plot.svg"
printf '#!/bin/sh\n' >"$TMP/bin/gnuplot"
PATH=$TMP/bin:$PATH psl study farm.psl scaling --plot-file "$TMP/plot.svg" --format csv -o /dev/null
ls "$TMP"
