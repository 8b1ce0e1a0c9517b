# A gnuplot that hangs ends with psl, and nothing is left beside the files; a log axis and what is not drawn on it.
cd "$TMP" && sed '/^study/,$d' "$OLDPWD/farm.psl" >farm.psl && mkdir bin && cat >bin/gnuplot <<'M'
#!/bin/sh
# Answers so often as the file says, then hangs.
left=$(cat "$TMP/answers")
echo $((left - 1)) >"$TMP/answers"
[ "$left" -gt 0 ] && echo drawn && exit
echo $$ >"$TMP/hangs.new" && mv "$TMP/hangs.new" "$TMP/hangs"
exec sleep 1000
M
chmod +x bin/gnuplot
export TMP PATH="$TMP/bin:$PATH"
hang() { # ANSWERS SIGNAL COMMAND...
  echo "$1" >answers && signal=$2 && rm -f hangs && shift 2
  env --default-signal=INT,TERM,HUP "$@" &
  until [ -e hangs ] || ! kill -0 $!; do sleep 0.02; done
  kill -"$signal" $!
  { wait $!; } 2>/dev/null
  echo "exit $?, $(ls *.svg* *.html* 2>/dev/null | wc -l) files"
  kill "$(cat hangs)" 2>/dev/null
}
hang 0 INT psl plot farm.psl makespan against workers --vary workers=2..4 --plot-file a.svg
hang 1 TERM psl study farm.psl farm --vary workers=2..4 --plot='makespan against workers' --plot-file a.svg
hang 0 HUP psl plot farm.psl makespan against workers --vary workers=2..4 --plot-file a.svg
psl study farm.psl --vary workers=2..4 --db a.db -o table
hang 0 INT psl report a.db -o page.html
rm bin/gnuplot
psl plot farm.psl 'makespan - 20 s' against workers, log y --vary workers=1,2,4,8,2000 | tail -n 1
psl plot farm.psl 'makespan - 20 s' against workers, log y --vary workers=16,2000 | tail -n 1
