# A machine's name where a file is expected, databases by other options, and a study named by an option.
exec 2>&1
cp ../../../examples/farm/farm.psl "$TMP"
cp ../../../examples/traces/jacobi.dim "$TMP"
cd "$TMP" || exit
psl replay jacobi.dim --platform cluster
psl replay jacobi.dim --machine cluster
psl replay jacobi.dim --model cluster
psl run farm.psl --platform cluster
psl study farm.psl --vary workers=2,4 --format sqlite
psl study farm.psl --vary workers=2,4 -o points.sqlite
psl run farm.psl -o points.db
psl study farm.psl --vary workers=2,4 --db points.db
psl report points.db --study slow
psl report points.db --name slow
psl report points.db slow
psl compare farm.psl --vary workers=2,4 --report speedup
psl study farm.psl --vary workers=2,4 --report speedup
psl -c farm.psl -e 'study x { workers = 1 .. 3 }'
ls
