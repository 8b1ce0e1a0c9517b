# What is recorded stands in a comparison, where a run that could have gone on predicts no time, too: M/M/1 as in
# half-width.psl, a stay of 2 s at 50 % and of 4/3 s at 25 %, with the intervals of one run; those over repetitions; without
# a count where each is recorded once.
cp ../records/half-width.psl "$TMP" && cd "$TMP" || exit
psl compare half-width.psl --vary 'arrivals=2 s,4 s' | sed '/^by component/,/^$/d'
psl compare half-width.psl --vary precision=10%,12% --repetitions 4 | sed '/^by component/,/^$/d'
psl compare half-width.psl --vary 'arrivals=2 s,4 s' --repetitions 3 --format csv --quiet | grep '^records,customer.stay'
cat >once.psl <<'M'
param n : int = 3 in [3, 0, 5];
transaction start();
component process {
  accepts: profile = { node type = process }; transaction = start(); protocol = dataflow;
  body:
    hold n * 1 s;
    record squares = n^2;
    if n > 0 { record inverse = 1 / n; }
}
system test { requests: selector = { node type = process }; transaction = start(); protocol = dataflow; }
M
psl compare once.psl --vary n | sed '/^by component/,/^$/d'
