# Mappings that would put more ranks on a node than it has room for, or tiles on a grid that is narrower, are refused.
cd "$TMP" || exit
cat >pair.goal <<'GOAL'
num_ranks 4
rank 0 {
a: send 8b to 3 tag 1
}
rank 3 {
b: recv 8b from 0 tag 1
}
GOAL
replay() {
  echo "$*"
  psl replay pair.goal --set machine=cluster "$@" 2>&1 | grep -E 'error:|note:|^predicted'
}
replay --set mapping=cyclic --set ranks-per-node=2
replay --set mapping=cyclic --set ranks-per-node=2 --set node-count=2
replay --set mapping=tile --set ranks-per-node=4
replay --set mapping=tile --set ranks-per-node=4 --set grid-columns=2
