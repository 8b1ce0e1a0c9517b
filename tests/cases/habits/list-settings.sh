# What is given to a param that is a list, as other tools take it.
exec 2>&1
cat >"$TMP/grid.psl" <<'END'
param sizes : [int] = [4, 4];
param times : [time] = [4 s, 4 s];
param kinds : [term] = [a, b];
END
cd "$TMP" || exit
for setting in 'sizes=[1,2,3]' 'sizes=1,2,3' 'sizes=(1,2,3)' 'sizes={1, 2}' 'sizes=1;2;3' 'sizes=5' 'sizes[0]=1' 'sizes.0=1' 'times=1 s,2 s' 'times=[1,2] s' 'kinds=c,d'; do
  echo "--set $setting"
  psl check grid.psl --set "$setting"
done
cat >>grid.psl <<'END'
transaction go();
component app { accepts: profile = { domain = application }; transaction = go(); protocol = dataflow; body: hold sum(sizes) * 1 s; }
system s { requests: selector = { domain = application }; transaction = go(); protocol = dataflow; }
END
for values in '[1,2],[3,4]' '1,2' '[[1,2],[3,4]]'; do
  psl compare grid.psl --vary "sizes=$values"
  psl study grid.psl --vary "sizes=$values"
done
