# What is wrong with elements is said, with the place in the model.
short() { psl run --error-format short "$@" 2>&1 | grep -E ':[0-9]+:[0-9]+:' | sed 's|[^ ]*/\(stdlib/\)|\1|; s|^[^ ]*/||'; }
cat > $TMP/region.psl <<'M'
use prophet;
component program like Process {
  param processes = 1;
  body:
    call ParallelRegion("sweep", "swep");
}
component sweep like Thread {
  param processes = 1;
  profile region  = "sweep";
  body:
    call ActionPlus("row", 1 s);
}
component host like Node { param nodes = 1; }
M
cat > $TMP/node.psl <<'M'
use prophet;
component program like Process {
  param processes = 3;
  param per-node  = 1;
  body:
    call ActionPlus("row", 1 s);
}
component host like Node { param nodes = 2; }
M
cat > $TMP/schedule.psl <<'M'
use prophet;
component program like Process {
  param processes = 1;
  body:
    call ParallelDo("rows", [1 s, 2 s], schedule = runtime);
}
component host like Node { param nodes = 1; }
M
cat > $TMP/depth.psl <<'M'
use program-elements;
param begun : int = 65;
transaction go();
component c {
  accepts:
    profile     = { domain = application };
    transaction = go();
    protocol    = dataflow;
  body:
    for k in 1 .. begun { call program-elements.begin(); }
    for k in 1 .. 65 { call program-elements.end("kind", "name"); }
}
system one {
  requests:
    selector    = { domain = application };
    transaction = go();
    protocol    = dataflow;
}
M
for model in region node schedule depth; do short $TMP/$model.psl; done
short $TMP/depth.psl --set begun=64
