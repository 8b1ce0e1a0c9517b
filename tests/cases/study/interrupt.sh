# Ctrl-C ends a study with what is there: whole lines, counted, and a failure.
timeout -s INT 0.5 psl study repetitions.psl s --vary load=0ms..1s+1us --format csv > "$TMP/out.csv" 2> "$TMP/said"
echo "exit $?" # of timeout: 124, that it came to that
sed 's/[0-9][0-9]* points are/N points are/' "$TMP/said"
said=$(sed -n 's/.*interrupted: \([0-9]*\) points.*/\1/p' "$TMP/said")
[ "$(($(wc -l < "$TMP/out.csv") - 1))" = "$said" ] && echo 'as many lines'
awk -F, 'NF != 8 { print "broken line", NR }' "$TMP/out.csv"
timeout -s INT --preserve-status 0.5 psl study repetitions.psl s --vary load=0ms..1s+1us --jobs 2 -o "$TMP/b.csv" \
  --format csv 2>/dev/null
echo "exit $?"
head -n 5 "$TMP/b.csv"
