# Factors and chances by runs whose times are known; what comes out is taken by --params. What cannot be fitted is refused.
export TMP
t() {
  rm -f "$TMP/turn"
  echo "$ psl calibrate $*"
  psl calibrate --mpirun sh "$@" 2>&1
  echo "[exit $?]"
}
t -n 2 --repetitions 3 --arguments 1000 --arguments 4000 --check 2000 --at 16000 two.psl fake.program
t -n 2 --repetitions 3 --arguments 500 --arguments 1000 --confidence 80% -f json two.psl fake.program
psl calibrate --mpirun sh -n 2 --repetitions 3 --arguments 1000 --arguments 4000 two.psl fake.program -o "$TMP/two.params"
psl run two.psl --set ranks=2 --set n=4000 --params "$TMP/two.params" -f json | grep '"activity": "compute"'
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
