# A value that is given again makes no second point, whatever its unit or the case of its letters, and has one spelling.
FARM=$(realpath ../../../examples/farm/farm.psl)
SWEEP=$(realpath ../../../examples/sweep3d/sweep3d.psl)
cat "$FARM" - >"$TMP/farm.psl" <<'END'
study doubled of farm {
  vary workers in [2, 4, 2 + 2, 2, 4];
  report makespan;
}
END
cd "$TMP" || exit
psl study farm.psl farm --vary workers=4,8,4,4 --report makespan
psl study farm.psl farm --vary 'work=1s,1000ms,2s' --report makespan --format csv
psl study farm.psl farm --vary 'workers=[i in 0 .. 5 : 1 + i div 2]' --report makespan --format csv
psl study farm.psl doubled
psl study "$SWEEP" sweep3d --vary machine=Cluster,CLUSTER,sp2 --report makespan --minimize 'makespan by machine' --format csv
psl study "$SWEEP" sweep3d --vary 'machine=CLUSTER' --report makespan --format csv
psl compare farm.psl farm --vary workers=4,8,4 | sed -n 3,6p
psl compare "$SWEEP" sweep3d --vary machine=SP2,Cluster,sp2 | sed -n 3,6p
