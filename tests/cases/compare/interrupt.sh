# Ctrl-C ends a comparison: no difference and no spread of what did not end, and what was not begun is said to be so.
env --default-signal=INT psl compare interrupt.txt --vary rounds=1,1000000000000,3 > "$TMP/out" 2> "$TMP/said" &
sleep 1
kill -INT $!
wait $!
echo "exit $?"
sed '/^by component/,/^ *rounds/d' "$TMP/out" | awk '/1000000000000 +[0-9]/ { sub(/[0-9]+ +[0-9.]+ .*s  .*/, "N ..."); } { print }'
awk '/by component/ { there = 1 } there && /%/ { print "a difference:", $0 }' "$TMP/out"
cat "$TMP/said"
