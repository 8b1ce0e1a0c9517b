# The bounds of predicted times by ranges: 1 us + 2 k us and 1 us + 4 k us.
psl compare uncertain.psl --vary k=1,5
psl compare uncertain.psl --vary L=3us,2us..4us --format csv
psl diff uncertain.psl --against k=5
psl diff uncertain.psl --against L=1us
psl study uncertain.psl --vary k=1,5 --report 'makespan'
psl study uncertain.psl --vary k=1,5 --report 'makespan.low, low = low(makespan), high = high(makespan)'
cat >"$TMP/opposite.psl" <<'END'
// A set-up of 1 to 3 s ends before 10 s are over, and what follows takes 1 to 3 s: 8 to 12 s.
param early : time = 1 s .. 3 s;
param late : time = 1 s .. 3 s;
transaction go();
component a {
  var used : time = 0 s;
  accepts:
    profile     = { domain = application[x], node type = a };
    transaction = go();
    protocol    = call-return;
  body:
    used = early;
    hold 10 s - used + late;
}
system s {
  requests:
    selector    = { domain = application[x], node type = a };
    transaction = go();
    protocol    = call-return;
}
END
psl study "$TMP/opposite.psl" --vary 'early=1 s,1 s .. 3 s' --report 'makespan, makespan.low, makespan.high' | sed "s|$TMP/||"
