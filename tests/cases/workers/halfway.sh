# Killed when SQLite moved its log into the file: the first page is there, which counts pages that are not. With the
# log the file is whole; what was computed is kept.
cp ../../../examples/farm/farm.psl "$TMP"
cd "$TMP" || exit
set -- psl study farm.psl --vary workers=1..1000 --vary result=50MB,60MB,70MB --format csv --db farm.db
"$@" > part &
until [ "$(sqlite3 -readonly farm.db 'SELECT count(*) FROM run' 2>&1)" -gt 0 ] 2>&-; do sleep 0.01; done
kill -9 $!
wait $! 2>&-
[ -f farm.db-wal ] && echo 'a log is there'
perl -e 'open F, "+<", "farm.db" or die; seek F, 28, 0; print F pack "N", (-s F) / 4096 + 100; close F'
sqlite3 "file:farm.db?immutable=1" 'SELECT count(*) FROM run' 2>&1 | grep -c malformed
"$@" > whole && wc -l < whole
sqlite3 farm.db 'PRAGMA integrity_check; SELECT count(*) FROM run'
