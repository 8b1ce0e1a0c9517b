# Factors and chances by runs whose times are known; what comes out is taken by --params. What cannot be fitted is refused.
export TMP
t() {
  rm -f "$TMP"/turn.*
  echo "$ psl calibrate $*"
  psl calibrate --mpirun sh "$@" 2>&1
  echo "[exit $?]"
}
t -n 2 --repetitions 3 --arguments 1000 --arguments 4000 --check 2000 --at 16000 two.psl fake.program
t -n 2 --repetitions 3 --arguments 500 --arguments 1000 --confidence 80% -f json two.psl fake.program
psl calibrate --mpirun sh -n 2 --repetitions 3 --arguments 1000 --arguments 4000 two.psl fake.program -o "$TMP/two.params"
psl run two.psl --set ranks=2 --set n=4000 --params "$TMP/two.params" -f json | grep '"activity": "compute"'
psl run two.psl --set ranks=2 --set n=4000 | grep 'two-rank: '
psl run two.psl --set ranks=2 --set n=8000 --params "$TMP/two.params" 2>&1 >/dev/null | grep -v '^ \|100:' | sed "s|$TMP/||"
psl run two.psl --set ranks=2 --set n=4000 --params "$TMP/two.params" | grep 'two-rank: '
t --arguments 1000 --arguments 4000 two.psl fake.program
t -n 2 --arguments 1000 two.psl fake.program
t -n 2 --arguments 1000 --arguments 1000 two.psl fake.program
t -n 2 two.psl fake.program
t -n 2 --arguments 1000 --arguments '' two.psl fake.program
t -n 3 --arguments 1000 --arguments 4000 two.psl fake.program
SOURCE=another t -n 2 --arguments 1000 --arguments 4000 two.psl fake.program
NEVER=1 t -n 2 --arguments 1000 --arguments 4000 two.psl fake.program
t -n 2 --arguments 1000 --arguments 4000 ../cli/small.psl fake.program
t -n 2 --arguments 1000 --arguments 4000 two.psl /dev/null
# Runs of which the arguments are no params.
FILES=1 t -n 2 --repetitions 2 --arguments small.in --with n=1000 --arguments large.in --with 'n = 4000' --check middle.in --with n=2000 two.psl fake.program
FILES=1 t -n 2 --arguments small.in --with n=1000 --arguments large.in two.psl fake.program
FILES=1 t -n 2 --arguments small.in --with n=1000 --arguments large.in --with n=1000 two.psl fake.program
t -n 2 --arguments '8 1000' --arguments '8 4000' two.psl fake.program
t -n 2 --with n=1000 --arguments 1000 two.psl fake.program
t -n 2 --arguments 1000 --with n --arguments 4000 two.psl fake.program
t -n 2 --arguments 1000 --with m=3 --arguments 4000 two.psl fake.program
t -n 2 --arguments 1000 --with ranks=3 --arguments 4000 two.psl fake.program
FILES=1 t -n 2 --repetitions 2 --arguments small.in --with n=0 --arguments large.in --with n=0,load-time=1ns two.psl fake.program
t -n 2 --repetitions 99999999999 --arguments 1000 --arguments 4000 two.psl fake.program
echo 1000 >"$TMP/small.in"
echo 4000 >"$TMP/large.in"
INPUT=1 t -n 2 --repetitions 2 --arguments '' --input "$TMP/small.in" --with n=1000 --arguments '' --input "$TMP/large.in" --with n=4000 two.psl fake.program | sed "s|$TMP/||g"
INPUT=1 t -n 2 --arguments '' --input "$TMP/small.in" --with n=1000 --arguments '' --input "$TMP/none.in" --with n=4000 two.psl fake.program | sed "s|$TMP/||g"
# Every entry takes as long as any other, but for the first two of each rank.
sed 's/call main_7(\(.*\)); .*/for i in 1 .. 4 { call main_7(\1); if i == 1 { call touch(\1 * main_7-first); } }/
  s/^param main_10-factor/param main_7-first : real = 0.0;\n&/
  s/^    main_7(work):/    touch(more): selector = { domain = hardware[processor], node type = processor, machine = machine,\n      evaluation mode = expression, nest = touch };\n    transaction = execute(more);\n    protocol = call-return;\n&/' two.psl >"$TMP/four.psl"
TOUCH=1 t -n 2 --repetitions 2 --arguments 1000 --arguments 4000 --check 2000 "$TMP/four.psl" fake.program | sed "s|$TMP/||g"
t -n 2 --arguments 1000 --with main_11-chance=0.5 --arguments 4000 two.psl fake.program
# What a file says was measured.
for line in 'measured n = 8 .. 4' 'measured n 1 .. 2' 'measured = 3' 'measured n = 8 .. 8'; do
  echo "$line" >"$TMP/said.params"
  psl run -q two.psl --set ranks=2 --params "$TMP/said.params" 2>&1 >/dev/null | sed "s|$TMP/||"
  psl run two.psl --set ranks=2 --params "$TMP/said.params" 2>&1 >/dev/null | grep measured | sed "s|$TMP/||"
done
