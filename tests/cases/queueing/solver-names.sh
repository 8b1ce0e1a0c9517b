# A solver that there is none of: the message stands at the setting, and its help can be copied.
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
}
for solver in mva simulation analysis 'analysis[mav]' exact; do
  t run ../../../examples/queueing/central-server.psl --set "solver=$solver"
done
exit 1
