# What is wrong with the figure of an analysis is said, and a run that has no predicted time may have that figure.
run() { psl sensitivity "$@" 2>&1; echo "[exit $?]"; }
run of.psl --of desk.utilisatoin
run of.psl --of desk.utilisation
run of.psl --of 'desk[3].utilisation'
run of.psl --of 'desk.utilisation, guest.response'
run of.psl --of 'mu * 2'
run of.psl --of 'x ='
run of.psl --of ' '
run of.psl --of 'x = mu > lambda'
run of.psl --of 'value = guest.response'
run of.psl --of messages
run of.psl --minimize guest.response
run of.psl --of 'x = guest.response * price' --set price=4 --set idle=4 --quiet
psl --keep-going -c of.psl 2>&1 <<'END'
sensitivity --of desk.utilisation
sensitivity --of desk.responce
sensitivity
END
cat >"$TMP/steady.psl" <<'M'
param mean : time = 2 ms;
transaction start();
component clerk {
  accepts: profile = { node type = clerk }; transaction = start(); protocol = dataflow;
  body: while true { let work = uniform(0 s, 2 * mean); hold work; record job = work, half-width 10 %; }
}
system office { requests: selector = { node type = clerk }; transaction = start(); protocol = dataflow; }
M
cd "$TMP"
run steady.psl
run steady.psl --of job.mean
