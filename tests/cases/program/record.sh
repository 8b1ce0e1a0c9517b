# psl replay --record: a trace with the times of the replay, which takes as long again; where it cannot be written.
cat >"$TMP/t.tit" <<'END'
0 init
0 sleep 0.25
0 isend 1 3 1000
0 compute 1e6
0 wait 0 1 3
0 allreduce 8 10
0 finalize
1 init
1 irecv -1 3 1000
1 sleep 0.5
1 wait -1 1 3
1 allreduce 8 10
1 finalize
END
replay() { psl replay "$@" --format csv 2>&1 | grep ,makespan,; }
replay "$TMP/t.tit" --set speed=2 --record "$TMP/fast.trace"
psl trace info "$TMP/fast.trace" --format csv | grep 'kinds,.*,time'
replay "$TMP/fast.trace"
replay "$TMP/t.tit" --set speed=2 --reference --record "$TMP/again.trace"
cmp "$TMP/fast.trace" "$TMP/again.trace"
psl trace convert "$TMP/fast.trace" "$TMP/fast.tit" && grep irecv "$TMP/fast.tit"

echo '0 init
0 send 1 1 1
1 init' >"$TMP/cut.tit"
psl replay "$TMP/t.tit" --record /dev/stdout
psl replay "$TMP/t.tit" --record "$TMP/t.tit" 2>&1 | sed "s|$TMP|TMP|g"
psl replay "$TMP/t.tit" --record "$TMP/none/x.trace" 2>&1 | sed "s|$TMP|TMP|g"
psl replay "$TMP/none.tit" --record "$TMP/x.trace" 2>&1 | sed "s|$TMP|TMP|g"
# A model names such a file in vain.
printf 'PSL recorded replay\0%s\0%s\0' "$TMP/t.tit" "$TMP/x.trace" >"$TMP/not"
psl replay "$TMP/not" --error-format short 2>&1 | sed "s|$TMP|TMP|g" | uniq
ls "$TMP"/x* 2>/dev/null
