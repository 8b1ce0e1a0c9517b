# Points that fail for one reason say so once, with their number; others are told apart. A plot without a point is not
# drawn, and its file not made. In a table long errors stand below.
cp ../../../examples/farm/farm.psl "$TMP" && cd "$TMP" || exit 1
echo 'assert workers < 9 or result < 20 MB and seek-time-that-is-no-param-of-any-farm-at-all > 0 s;
let seek-time-that-is-no-param-of-any-farm-at-all = 0 s;' >>farm.psl
psl study farm.psl --vary workers=1..100 -o table 2>said
cat said
sed -n '9,13p;/^evidence/,$p' table.partial
psl study farm.psl --vary workers=0,-1,9,3 --error-format short -o table
psl plot farm.psl --vary workers=9,10 --error-format short
psl study farm.psl --vary workers=9,10 --vary work=1s,2s --plot='makespan against workers' --plot-file plot.svg --error-format short -o table
ls
psl study farm.psl --vary workers=8,9 --format html 2>/dev/null | sed -n '/<tbody>/,/<\/tbody>/p'
