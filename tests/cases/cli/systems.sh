# Which system is run.
t() {
  echo "$ psl $*"
  psl "$@" 2>&1 | head -n 12
}
t run two-systems.psl
t run two-systems.psl thrid
t run two-systems.psl second
t run two-systems.psl small
t run wrong.psl
