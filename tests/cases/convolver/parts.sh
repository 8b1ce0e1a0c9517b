# A machine put together of parts of two: what each part makes of the difference of the two, beside the sums written out and
# their mean over all orders in which the parts can be changed.
cat > "$TMP/parts.psl" <<'END'
use message-cost { param machine = a; }
use convolver { param program = search;  param traced = a;  param combination = sum;  param placement = levels; }
transaction go();
component search-signature like signature {
  param places        = ["find search.c:12"];
  param blocks        = [[1000, 9000, 1000, 0, 0, 600, 0, 0, 0, 0, 0, 0, 0, 1000]];
  param distance-ends = [32 KiB, 64 KiB, 512 KiB, 1 MiB];
  param distances     = [[[], [], [400, 100, 200, 100, 200], [], [], []]];
  profile program     = search;
}
component a-memory like memory-profile {
  param levels     = [32 KiB, 512 KiB];
  param sets       = [16 KiB, 128 KiB, 64 MiB];
  param sequential = [8 GB/s, 8 GB/s / 3, 0.16 GB/s];
  param float-rate = 1 Gflop/s;
  profile machine  = a;
}
component b-memory like memory-profile {
  param levels     = [64 KiB, 1 MiB];
  param sets       = [32 KiB, 256 KiB, 64 MiB];
  param sequential = [4 GB/s, 2 GB/s, 0.1 GB/s];
  param float-rate = 2 Gflop/s;
  profile machine  = b;
}
component one-level-memory like a-memory {
  param levels    = [32 KiB];
  profile machine = one-level;
}
component a-processor like convolved { param L = 1 us; param os = 1 us; param G = 1 ns/byte; profile machine = a; }
component b-processor like convolved { param L = 1 us; param os = 1 us; param G = 1 ns/byte; profile machine = b; }
component one-level-processor like convolved { param L = 1 us; param os = 1 us; param G = 1 ns/byte; profile machine = one-level; }
component job {
  accepts:
    profile     = { domain = application };
    transaction = go();
    protocol    = dataflow;
  body:
    hold predicted-time;
}
system jobs {
  requests:
    selector    = { domain = application };
    transaction = go();
    protocol    = dataflow;
}
END
cd "$TMP"
time_of() { psl -c parts.psl "$@" -e predicted-time; }
time_of
time_of -e ':set machine=b'
time_of -e ':set machine=b' -e ':set first-level=a' -e ':set second-level=a' -e ':set third-level=a' \
  -e ':set main-memory=a' -e ':set floating-point=a'
time_of -e ':set second-level=one-level' -e ':set third-level=one-level'
time_of -e ':set machine=one-level' -e ':set second-level=a'
time_of -e ':set combination=overlap'
psl diff parts.psl --against first-level=b --against second-level=b --against third-level=b --against main-memory=b \
  --against floating-point=b | sed -n '/^  change/,/^$/p'
perl <<'END'
use List::Util 'sum';
my @parts = ('first-level', 'second-level', 'main-memory', 'floating-point');
my %hits = ("00" => [400, 300, 300], "10" => [500, 200, 300], "01" => [400, 400, 200], "11" => [500, 300, 200]);
sub ns {
  my ($l1, $l2, $memory, $float) = @_;
  my ($a, $b, $c) = @{$hits{"$l1$l2"}};
  return $a * ($l1 ? 2 : 1) + $b * ($l2 ? 4 : 3) + $c * ($memory ? 80 : 50) + 600 / ($float ? 2 : 1);
}
sub orders { my ($done, @left) = @_; @left ? map { my $k = $_; orders([@$done, $k], grep { $_ != $k } @left) } @left : $done }
my (@share, $count);
for my $order (orders([], 0 .. 3)) {
  my @set = (0) x 4;
  for my $k (@$order) { my $before = ns(@set); $set[$k] = 1; $share[$k] += ns(@set) - $before }
  $count++;
}
printf "%-15s %+.3f us\n", $parts[$_], $share[$_] / $count / 1000 for 0 .. 3;
END
