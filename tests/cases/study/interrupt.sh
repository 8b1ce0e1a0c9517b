# Ctrl-C ends a study with what is there: whole lines, counted, and a failure.
study() { # [OPTION...]: begins it, sends it SIGINT once lines are written, waits for it
  : > "$TMP/out.csv"
  env --default-signal=INT psl study repetitions.psl s --vary load=0ms..1s+1us --format csv "$@" \
    >> "$TMP/out.csv" 2> "$TMP/said" &
  until [ "$(wc -l < "$TMP/out.csv")" -gt 9 ]; do sleep 0.05; done
  kill -INT $!
  wait $!
  echo "exit $?"
  sed 's/[0-9][0-9]* points are/N points are/' "$TMP/said"
}
study
said=$(sed -n 's/.*interrupted: \([0-9]*\) points.*/\1/p' "$TMP/said")
[ "$(($(wc -l < "$TMP/out.csv") - 2))" = "$said" ] && echo 'as many lines, and one that says so:'
tail -n 1 "$TMP/out.csv" | sed 's/[0-9][0-9]* points are/N points are/'
awk -F, 'NF != 10 { print "broken line", NR }' "$TMP/out.csv"
study --jobs 2
head -n 5 "$TMP/out.csv"
# What an interrupted study came to does not take the place of a whole one; SIGTERM is heard, too.
echo whole > "$TMP/kept.csv"
env --default-signal=TERM psl study repetitions.psl s --vary load=0ms..1s+1us --format csv -o "$TMP/kept.csv" 2> "$TMP/said" &
until find -L /proc/$!/fd -type f -newer "$TMP/kept.csv" -size +1 2>/dev/null | grep -q .; do sleep 0.05; done
kill -TERM $!
{ wait $!; } 2>/dev/null
echo "exit $?"
sed "s/[0-9][0-9]* points are/N points are/; s|$TMP/||g" "$TMP/said"
cat "$TMP/kept.csv"
head -n 3 "$TMP/kept.csv.partial"
tail -n 1 "$TMP/kept.csv.partial" | sed 's/[0-9][0-9]* points are/N points are/'
ls "$TMP" | grep kept
