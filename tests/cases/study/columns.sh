# What a table has where a study reports nothing, of points that `where` leaves out, and of rounding.
cat > "$TMP/model.psl" <<'E'
param n : int = 4 in 1 .. 1000000;
param load : time = 4 s;
transaction go();
component worker [w] : 0 <= w < n {
  accepts:
    profile     = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
  body:
    hold uniform(0 s, 10 ms);
    let begin = clock;
    hold load / 3;
    record response = clock - begin;
}
system s {
  requests:
    every selector = { domain = d, node type = worker };
    transaction    = go();
    protocol       = call-return;
}
study best of s { vary n in [2, 4]; minimize t = load / n + 1 s where n < 4; }
study checked of s { vary n in [2, 4]; assert n < 4; }
study none of s {
  vary n in [2, 4], load in [1 s, 2 s];
  where n > 2 and load > 1 s;
  where n > 5;
  report n2 = 2 * n;
}
study noise of s { vary n in [50]; report r = worker.response.mean, late = makespan; repetitions = 5; }
study many of s { vary n in 1 .. 200, load in 1 ms .. 1 s by 1 ms; where n > 20; report l = load; }
E
cd "$TMP"
psl study model.psl best
psl study model.psl checked
psl study model.psl none
psl study model.psl noise
: > out.csv
env --default-signal=INT psl study model.psl many --format csv >> out.csv 2> said &
until [ "$(wc -l < out.csv)" -gt 9 ]; do sleep 0.05; done
kill -INT $!
wait $!
echo "exit $?"
sed 's/[0-9][0-9]* points are/N points are/' said
