# Params from a file, and what is wrong in it at its line.
cat >$TMP/fast.txt <<'END'
# of the new machine
tasks = 7        // more of them
  work=5 ms;

END
t() {
  echo "$ psl $*" | sed "s|$TMP/||g"
  psl "$@" 2>&1 | sed "s|$TMP/||g"
}
w() {
  printf "$1" >$TMP/w.txt
  t run small.psl --params $TMP/w.txt
}
t params small.psl --params $TMP/fast.txt
t params small.psl --params $TMP/fast.txt --set tasks=3
t params small.psl --set tasks=3 --params $TMP/fast.txt
w '\n\n wrok = 3 ms\n'
w 'work = 3\n'
w 'work = 3 ms +\n'
w '\ntasks = 0 # none\n'
w 'tasks\n'
w 'tasks = # none\n'
w ' = 3\n'
w 'small = 3\n'
t run small.psl --params $TMP/none.txt
psl run small.psl --params $TMP/none.txt 2>/dev/null; echo "exit $?"
t run small.psl --params $TMP/fast.json
t compare small.psl --params $TMP/fast.txt --vary tasks=1,2
t fit small.psl --params
printf 'run --params %s -f csv\nwork\n' $TMP/fast.txt | psl -c small.psl 2>&1 | sed -n '2p;$p'
t run small.psl --params /dev/zero
