# A study that takes another's place in a database says what of that it does not have, and runs keep the params that were
# varied or set. A study that has grown, and one of another name, have all. One point takes the place of none of several.
cp ../../../examples/farm/farm.psl "$TMP" && cd "$TMP" || exit 1
over() { echo "-- $*"; psl study farm.psl --db a.db -o table --vary "$@" 2>&1; }
over workers=2,4
over workers=1..4
over workers=1,2 --set 'result=10 MB'
over workers=8 --set "result=10 MB"
over workers=1..3 --set 'result=10 MB'
over workers=8
over result=10MB,20MB --set workers=8
over workers=8 --name eight
over workers=1,0
sqlite3 a.db 'SELECT name, json_array_length(params), points FROM study' \
  "SELECT params, round(results ->> 'makespan', 3), status FROM run ORDER BY id"
