# Columns and objectives of the command line: beside those of the study, alone where there is none, with params by which
# there are best points; what is wrong with them.
cat > "$TMP/m.psl" <<'END'
param n : int = 1 in 1 .. 9;
param load : time = 4 s;
transaction go();
component worker {
  accepts:
    profile     = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
  body:
    hold load / n + n * 1 s;
}
system s {
  requests:
    selector    = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
}
study tuned of s {
  vary   load in [4 s, 9 s], n in 1 .. 3;
  report time = makespan;
  assert time > 0 s;
}
END
cd "$TMP" || exit
psl study m.psl --report 'part = time / load' --minimize 'least = time by load' --maximize 'part-of = time / load'
psl study m.psl s --vary n=1..3 --report makespan --minimize 'each = makespan * n' -f csv
psl study m.psl s --vary n=1..3 --minimize 'each = makespan * n by n' --search always
for wrong in 'time = makespan' 'x = ' '' 'worker[0].wait' 'x = makespan; } study'; do
  psl study m.psl --report "$wrong"
  echo "[$?]"
done
psl study m.psl --minimize 'true'
psl plot m.psl --minimize time
exit 0
