# The names of these waits in a trace, a timeline, a page and a session.
psl run waits.psl --trace "$TMP/trace.json" >/dev/null
grep -o '"cat":"[a-z ]*","ph":"X"' "$TMP/trace.json" | sort | uniq -c | sed 's/^ *//'
psl run waits.psl --timeline "$TMP/line.svg" >/dev/null
grep -o '>\(other wait\|starved\|blocked\|transfer\)<' "$TMP/line.svg"
psl study waits.psl --db "$TMP/waits.db" >/dev/null
psl report "$TMP/waits.db" | grep -o 'data-waits="[^"]*"'
psl --no-rc -c waits.psl <<'END' | tail -n 8
run
last.starved
last.worker_9.starved
last.worker.blocked
:help starved
END
