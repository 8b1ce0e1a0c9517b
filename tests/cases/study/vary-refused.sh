# What cannot be varied as it is given: a param of a component, a list in brackets, and a value beyond a large range.
cd $TMP; cat >m.psl <<END
param doctors : int = 3 in 1 .. 10;
param G : data/time = 1 GB/s in 1 MB/s .. 1e18 byte/s;
param tiny : time = 1 ms in 1 ns .. 1e9 s;
param FLAG : bool = true;
transaction go();
component ward {
  param beds : int = 4;
  accepts: profile = { domain = h, node type = ward }; transaction = go(); protocol = dataflow; servers = doctors;
  body: hold 3 s / beds;
}
system h { requests: selector = { domain = h, node type = ward }; transaction = go(); protocol = dataflow; }
study one of h { vary doctors in [1, 2, 3]; report makespan; }
END
psl compare m.psl --vary beds=1,2
psl compare m.psl --vary 'FLAG=[true,false]' 2>&1 | tail -2
psl run m.psl --set tiny=1e12s
psl run m.psl --set doctors=three
