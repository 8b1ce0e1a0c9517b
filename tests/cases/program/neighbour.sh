# Another process on the processor of a rank that waits in calls: traces of real runs say what of a call others had the
# processor in, and what of the time between two calls went into tests that found nothing. Here both are put into a
# predicted trace: 3 ms in every other receive of rank 1, and its waits spent on polling.
cd "$TMP" || exit
program() { # $1: seconds that rank 1 sleeps behind every other receive
  awk -v late="$1" 'function noise() { seed = seed * 16807 % 2147483647; return 1 + 0.1 * (seed / 2147483647 - 0.5) }
  BEGIN {
    seed = 7
    for (k = 0; k < 60; k++) {
      printf "0 compute %.0f\n0 send 1 1 1000\n0 recv 1 2 1000\n", 4e7 * noise()
      printf "1 compute %.0f\n1 irecv 0 1 1000\n1 compute %.0f\n1 wait 0 1 1\n", 4e6 * noise(), 4e5
      if (late > 0 && k % 2) printf "1 sleep %s\n", late
      printf "1 send 0 2 1000\n"
    }
  }'
}
for late in 0 0.003; do
  program $late >$late.tit
  psl replay $late.tit --set machine=cluster --record $late.trace >/dev/null
  psl trace convert $late.trace $late.json
done
cat >change.pl <<'END'
use JSON::PP;
my ($from, $to, $polls, $loses) = @ARGV;
open my $in, '<', $from or die;
my $trace = decode_json(do { local $/; <$in> });
my ($burst, $wait, @kept) = ();
for my $event (@{$trace->{traceEvents}}) {
  my $args = $event->{args};
  if ($event->{ph} eq 'X' && $event->{tid} == 3) {
    if ($event->{name} eq 'compute' && abs($args->{work} - 0.003) < 1e-9) {  # it is the neighbour
      my $late = $args->{took};
      $$wait{took} += $late;
      $$wait{lost} = $late if $loses;
      if ($polls) { $$wait{took} -= $late, delete $$wait{lost}, $$burst{took} += $late, $$burst{work} //= 0 }
      next;
    }
    $burst = $args if $event->{name} eq 'compute';
    if ($event->{name} eq 'wait') {
      $wait = $args;
      if ($polls) {
        my $part = int(0.9e9 * $$wait{took}) * 1e-9;
        $$burst{took} += $part, $$burst{polled} = $part, $$wait{took} -= $part;
      }
    }
  }
  push @kept, $event;
}
$trace->{traceEvents} = \@kept;
open my $out, '>', $to or die;
print $out encode_json($trace);
END
changed() { perl change.pl "$1.json" changed.json "$3" "$4" && psl trace convert changed.json "$2.trace"; }
changed 0.003 busy 0 1
changed 0 polls 1 0
changed 0.003 polls-busy 1 1
changed 0.003 unknown 0 0
spent() { psl trace info "$1" --by rank --format csv | perl -F, -lane 'print "$F[2] $F[3]" if $F[0] eq "ranks" && $F[1] == 1 && $F[2] =~ /wait|lost|transfer/'; }

echo '--- in calls: 30 times 3 ms on rank 1'
psl trace info busy.trace --by rank | sed -n '/^by rank/,/^$/p'
psl diff busy.trace 0.trace | sed '/^differences/,$d'
echo '--- polling is waiting, as in the replay: nothing differs'
psl trace info polls.trace --by rank | sed -n '/^by rank/,/^$/p'
psl diff polls.trace 0.trace | sed '/^differences/,$d'
echo '--- while it polls'
psl diff polls-busy.trace 0.trace | sed -n '/^what differs/,/^differences/p' | sed '/^differences/,$d'
echo '--- where nobody says why: messages that take long'
psl diff unknown.trace 0.trace | sed -n '/^what differs/,/^differences/p' | sed '/^differences/,$d'
echo '--- a replay has neither'
psl replay polls-busy.trace --set machine=cluster --record again.trace >/dev/null
psl trace info again.trace --by rank | sed -n '/^by rank/,/^$/p'
