# Conditions on real numbers that depend on indices, of more instances than are looked at together: as many hold as a
# loop in perl counts.
cat >"$TMP/where.psl" <<'END'
param which : int = 1;
param scale : real = 0.1;
let half = 0.5;
transaction begin();
transaction mark();
function part(x : real, n : int) -> real = x / n;
function level(i : int) -> real = if i mod 2 == 0 then i * scale else -i * scale;
function third(i : int) -> real = i div 3;
function either(i : int) -> real = if which == 1 then i div 2 else i / 2;
component item [i] : 0 <= i < 1000 {
  let x = level(i);
  let y : real = i - 500;
  accepts: profile = { domain = application, node type = item }; transaction = begin(); protocol = dataflow;
  requests:
    where which == 1 and x * 3 >= 100.5;
      selector = { domain = hardware }; transaction = mark(); protocol = dataflow;
    where which == 2 and part(i, 7) == i div 7;
      selector = { domain = hardware }; transaction = mark(); protocol = dataflow;
    where which == 3 and y != 0 and 100 / y < -0.3;
      selector = { domain = hardware }; transaction = mark(); protocol = dataflow;
    where which == 4 and abs(x) in 10.0 .. 20.0 and min(x, -y) > -half * i + 60;
      selector = { domain = hardware }; transaction = mark(); protocol = dataflow;
    where which == 5 and third(i) / 2 == (i div 3) div 2;
      selector = { domain = hardware }; transaction = mark(); protocol = dataflow;
    where which == 6 and max(x, -x) * 1 s <= 25 s - i * 1 ms;
      selector = { domain = hardware }; transaction = mark(); protocol = dataflow;
    where which == 7 and either(i) > 100 and 1e300 * y * 1e10 > 0;
      selector = { domain = hardware }; transaction = mark(); protocol = dataflow;
}
component sink {
  accepts: profile = { domain = hardware }; transaction = mark(); protocol = dataflow;
  body: hold 0 s;
}
system test {
  requests: every selector = { domain = application }; transaction = begin(); protocol = dataflow;
}
END
perl -e '
  use List::Util qw(min max);
  my @count = (0) x 7;
  for my $i (0 .. 999) {
    my ($x, $y) = (($i % 2 ? -$i : $i) * 0.1, $i - 500);
    my $third = int($i / 3);
    my @holds = ($x * 3 >= 100.5, $i / 7 == int($i / 7), $y && 100 / $y < -0.3,
      abs($x) >= 10 && abs($x) <= 20 && min($x, -$y) > -0.5 * $i + 60, $third % 2 == 0,
      max($x, -$x) <= 25 - $i / 1000);
    $count[$_] += !!$holds[$_] for 0 .. $#holds;
  }
  print "counted: @count[0 .. 5]\n"'
for which in 1 2 3 4 5 6; do psl run "$TMP/where.psl" --set which=$which -f csv | grep '^components,sink,firings'; done
psl run "$TMP/where.psl" --set which=7
