# Growing a study computes the new points alone: longer axes, more of them, more repetitions, other columns, another
# layout of the model; but a change of the model, of a limit or of another param computes all again.
cp ../../../examples/farm/farm.psl $TMP/m.psl
cd $TMP
runs() { sqlite3 m.db 'SELECT count(*) FROM run'; }
study() { psl study m.psl "$@" --db m.db > out || echo "exit $?"; echo "$(runs) runs: $*"; }
study --vary workers=1..4
study --vary workers=1..6
study --vary workers=6,2
study --vary workers=1..6 --vary 'result=50MB,60MB'
study --vary 'result=60000000 byte' --vary workers=1..6 --jobs 2
study --vary workers=1..6 --set result=60MB
study --vary workers=1..6 --set 'result=0.05 GB'
study --vary workers=1..6 --repetitions 2
study --vary workers=1..6 --repetitions 2 --seed 1
sed 's/; *\/\/\/.*/;   \/\/ remarks/' m.psl > n.psl
cmp -s m.psl n.psl || mv n.psl m.psl
echo 'study all of farm { vary workers in 1 .. 6; report time = makespan, twice = 2 * makespan; }' >> m.psl
study all
sed -i 's/report/report n = workers, /' m.psl
study all
sqlite3 -header m.db 'SELECT * FROM "all" WHERE number < 2' | cut -d '|' -f 1-9
study all --max-time 1000s
sed -i 's/100 MB/101 MB/' m.psl
study all
sqlite3 m.db 'SELECT name, view, points FROM study'
