# One of several values, another one and any value, as those of other languages write them in a selector.
input() {
  echo "--- $1"
  psl check - <<END 2>&1
transaction go();
transaction work();
component cpu {
  accepts: profile = { domain = hardware, node type = cpu }; transaction = work(); protocol = call-return;
  body: hold 1 s;
}
component app {
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body: call some();
  requests: some():
    selector = { $1 };
    transaction = work(); protocol = call-return;
}
system s { requests: selector = { domain = application }; transaction = go(); protocol = dataflow; }
END
}
input 'node type = cpu or gpu'
input 'node type = gpu or cpu or tpu, speed = 3'
input 'node type in { cpu, gpu }'
input 'node type in (cpu, gpu)'
input 'node type = [cpu, gpu]'
input 'node type != [cpu, gpu]'
input 'domain = hardware and node type = cpu, gpu'
input 'node type = not cpu'
input 'node type = *'
input 'node type < cpu'
input 'node type: cpu'
