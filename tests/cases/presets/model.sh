# A file gives values to the params of a file that it uses: expressions of its own params; --set goes before them.
cp machine.txt "$TMP/machine.psl"; cd "$TMP" || exit
cat > model.psl <<'END'
use machine {
  param cores = nodes * 2;  // of this model
  param kind  = slow;
}
param nodes : int = 4 in 1 .. 100;
system s {
  requests:
    selector    = { domain = hardware, node type = processor };
    transaction = work(1_000_000);
    protocol    = dataflow;
}
END
psl fmt --check model.psl
psl ast model.psl | sed -n 1,12p
psl params model.psl
psl run model.psl | grep -v '^ \|^$'
psl run model.psl --set nodes=8 | head -1
psl run model.psl --set cores=1 --set kind=fast | head -1
psl run model.psl --set nodes=40
psl run model.psl --set nodes=40 --set cores=64 | head -1
psl sensitivity model.psl | tail -5
printf ':load model.psl\nrun\nuse "machine.psl" { param cores = 2; }\nrun\n:set cores=16\nrun\n:unset cores\nrun\n' | psl | grep time
