# Settings and axes as other programs write them.
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
farm=../../../examples/farm/farm.psl
t run $farm --set workers 4
t run $farm --set 'workers 4'
t run $farm --set workers:4
t run $farm --set workers==4
t run $farm --set =4
t study $farm --vary workers:1:4
t study $farm --vary 'workers=seq(1,4)'
t plot $farm
