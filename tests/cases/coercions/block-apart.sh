# A block that would stand for the request if it held between the two sides: the refusal says for whom it is.
cd "$TMP" || exit
cat >model.psl <<'EOF'
transaction go();
transaction compute(amount : flop);
transaction kernel(amount : flop, bytes : data);
coercion compute -> kernel in application -> accelerator { call kernel(amount, amount * 0.1 byte/flop); }

component job {
  accepts:
    profile     = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
  body:
    call offload();
  requests:
    offload():
      selector    = { domain = hardware[accelerator] };
      transaction = compute(1e9 flop);
      protocol    = call-return;
}
component gpu {
  accepts:
    profile     = { domain = hardware[accelerator], node type = gpu };
    transaction = kernel(amount, bytes);
    protocol    = call-return;
  body:
    hold amount / (1 Gflop/s);
}
system s {
  requests:
    selector    = { node type = job };
    transaction = go();
    protocol    = dataflow;
}
EOF
psl run model.psl
psl explain model.psl job.offload
sed -i 's/ in application -> accelerator/ in accelerator/' model.psl
psl check model.psl
sed -i 's/ in accelerator/ in application -> hardware[accelerator]/' model.psl
psl run model.psl | head -1
