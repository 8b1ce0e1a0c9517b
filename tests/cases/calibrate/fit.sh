# Factors and chances by runs whose times are known; what comes out is taken by --params. What cannot be fitted is refused.
export TMP
t() {
  rm -f "$TMP/turn"
  echo "$ psl calibrate $*"
  psl calibrate --mpirun sh "$@" 2>&1
  echo "[exit $?]"
}
t -n 2 --repetitions 3 --run 1000 --run 4000 --check 2000 --at 16000 two.psl fake.sh
t -n 2 --repetitions 3 --run 500 --run 1000 --confidence 80% -f json two.psl fake.sh
psl calibrate --mpirun sh -n 2 --repetitions 3 --run 1000 --run 4000 two.psl fake.sh -o "$TMP/two.params"
psl run two.psl --set ranks=2 --set n=4000 --params "$TMP/two.params" -f json | grep '"activity": "compute"'
t --run 1000 --run 4000 two.psl fake.sh
t -n 2 --run 1000 two.psl fake.sh
t -n 2 --run 1000 --run 1000 two.psl fake.sh
t -n 2 two.psl fake.sh
t -n 2 --run 1000 --run '' two.psl fake.sh
t -n 3 --run 1000 --run 4000 two.psl fake.sh
SOURCE=another t -n 2 --run 1000 --run 4000 two.psl fake.sh
NEVER=1 t -n 2 --run 1000 --run 4000 two.psl fake.sh
t -n 2 --run 1000 --run 4000 ../cli/small.psl fake.sh
t -n 2 --run 1000 --run 4000 two.psl fit.expected
