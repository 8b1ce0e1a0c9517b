# What each part of a machine makes of the difference of two, where accesses are timed by the set that they come again in:
# beside the sums written out, of which the order does not matter in which the parts are changed.
cat > "$TMP/parts.psl" <<'MODEL'
use message-cost { param machine = a; }
use convolver { param program = search;  param traced = a;  param placement = sets;  param combination = sum; }
transaction go();
component search-signature like signature {
  param places        = ["find search.c:12"];
  param blocks        = [[1000, 9000, 1000, 0, 0, 600, 0, 0, 1000, 0, 0, 0, 0, 0]];
  param distance-ends = [32 KiB, 64 KiB, 512 KiB, 1 MiB];
  param distances     = [[[400, 100, 200, 100, 200], [], [], [], [], []]];
  profile program     = search;
}
component a-memory like memory-profile {
  param levels     = [32 KiB, 512 KiB];
  param sets       = [16 KiB, 64 KiB, 512 KiB, 1 MiB, 64 MiB];
  param sequential = [8 GB/s, 8 GB/s, 8 GB/s, 8 GB/s, 8 GB/s];
  param strided    = [8 GB/s, 8 GB/s / 2, 8 GB/s / 4, 8 GB/s / 10, 8 GB/s / 20];
  param float-rate = 1 Gflop/s;
  profile machine  = a;
}
component b-memory like a-memory {
  param sequential = [4 GB/s, 4 GB/s, 4 GB/s, 4 GB/s, 4 GB/s];
  param strided    = [4 GB/s, 8 GB/s / 3, 8 GB/s / 6, 8 GB/s / 30, 8 GB/s / 40];
  param float-rate = 2 Gflop/s;
  profile machine  = b;
}
component a-processor like convolved { param L = 1 us; param os = 1 us; param G = 1 ns/byte; profile machine = a; }
component b-processor like convolved { param L = 1 us; param os = 1 us; param G = 1 ns/byte; profile machine = b; }
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
MODEL
cd "$TMP"
psl -c parts.psl -e predicted-time -e ':set machine=b' -e predicted-time
psl diff parts.psl --against first-level=b --against second-level=b --against third-level=b --against main-memory=b \
  --against floating-point=b | sed -n '/^  change/,/^$/p'
perl <<'END2'
# Loads take 1 ns each in the first level, 2 on b; of 100 lines from 64 KiB, 200 from 512 KiB, both larger than one level and
# not than two, 100 from 1 MiB and 200 never used before, which are memory's.
sub ns {
  my ($first, $second, $memory, $float) = @_;
  return 1000 * ($first ? 2 : 1) + ($second ? 100 * 3 + 200 * 6 : 100 * 2 + 200 * 4)
    + ($memory ? 100 * 30 + 200 * 40 : 100 * 10 + 200 * 20) + 600 / ($float ? 2 : 1);
}
my @parts = ('first-level', 'second-level', 'main-memory', 'floating-point');
printf "from %g ns to %g ns\n", ns(0, 0, 0, 0), ns(1, 1, 1, 1);
for my $k (0 .. 3) { my @set = (0) x 4; $set[$k] = 1; printf "%-15s %+.3f us\n", $parts[$k], (ns(@set) - ns(0, 0, 0, 0)) / 1000 }
END2
