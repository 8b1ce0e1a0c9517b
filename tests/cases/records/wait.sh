# What a body records by the name of a share of time is what studies, sessions and reports mean by it: of three clients at
# one desk, who take 6 s each, 0 s, 6 s and 12 s. The shares of the component stay those of time.
cd "$TMP" || exit
cat >bank.psl <<'EOF'
transaction come();
transaction serve();
component client [c] : 0 <= c < 3 {
  accepts:
    profile     = { domain = application[bank], node type = client };
    transaction = come();
    protocol    = dataflow;
  body:
    let came = clock;
    call desk();
    record wait    = clock - came - 6 s;
    record compute = c + 1;
  requests:
    desk(): selector    = { domain = application[bank], node type = desk };
            transaction = serve();
            protocol    = call-return;
}
component desk {
  accepts:
    profile     = { domain = application[bank], node type = desk };
    transaction = serve();
    protocol    = call-return;
    servers     = 1;
  body:
    hold 6 s;
}
system bank {
  requests:
    every selector = { domain = application[bank], node type = client };
    transaction    = come();
    protocol       = dataflow;
}
EOF
psl run bank.psl
psl study bank.psl --report 'client.wait, client.wait.sum, wait, client[1].wait, client.compute, desk.wait, wait.maximum'
psl study bank.psl --repetitions 2
psl -c bank.psl -e run -e last.client.wait.mean -e last.wait.mean -e last.client.compute.mean -e last.desk.wait \
  -e ':last client' -e last.client.communicate.mean | sed 1,/records/d
sed -i 's/record compute = c + 1;/record compute = 1 s; record communicate = 2 s;/' bank.psl
psl run bank.psl
psl study bank.psl --report 'client.wait, client.wait.mean, wait, client.communicate'
