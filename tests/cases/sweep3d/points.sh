# A study by equations and by simulation in turn: the graph and the code of the point before are kept where they do.
study() {
  psl study ../../../examples/sweep3d/sweep3d.psl --vary 'comm=analysis[LogGP],simulation[MPI-Sim]' --vary px=2,3 \
    --vary py=1,4 --vary mk=1,10 --vary 'machine=SP2,cluster' --set iterations=2 --format csv --quiet "$@" 2>&1
}
study >"$TMP/compiled"
study --reference >"$TMP/walked"
cmp "$TMP/compiled" "$TMP/walked" && grep -c '^[as].*,analytic\|^[as].*,simulated' "$TMP/compiled"
psl run ../../../examples/sweep3d/sweep3d.psl --set 'comm=analysis[LogGP]' --set px=3 --set py=4 --set mk=10 \
  --set machine=cluster --set iterations=2 | head -1
grep 'LogGP.*3,4,10,cluster' "$TMP/compiled"
