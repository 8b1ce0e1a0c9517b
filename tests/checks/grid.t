#!/usr/bin/perl
# Wide-area links and remote invocations: some of the cases of tests/fuzz/grid; streams with loss beside TCP packet by packet; others'
# flows, and streams of the model that share a link; invocations by datagrams beside the formula for time-outs and retries.
use strict;
use warnings;
use FindBin;
use JSON::PP;
use lib "$FindBin::Bin/../lib";
use Run;
use Reno qw(reno generator);

$ENV{KEEP} = scratch();
my $fuzz = command($root, "$root/tests/fuzz/grid", $psl, 1, 15);
ok(!$fuzz->{exit}, 'links and invocations, as the papers have them', "$fuzz->{out}$fuzz->{err}");

spew(scratch() . '/link.psl', <<'END');
use remote-invocation;
param streams : int = 1;
param count : int = 1;
param amount : data = 1 MB;
param lost : real = 0;
param load : real = 0;
param window : data = 64 KiB;
param invocations : int = 0;
component mine [way] : 0 <= way < 2 like wide-area-link {
  param loss = lost;
  param background = load;
  param window-size = window;
  profile link = mine;
}
transaction go();
component source [i] : 0 <= i < streams {
  accepts:
    profile     = { domain = application, node type = source };
    transaction = go();
    protocol    = dataflow;
  body:
    for k in 1 .. count {
      let began = clock;
      call send(amount);
      record took = clock - began;
    }
    for k in 1 .. invocations {
      let began = clock;
      let answered = call invoke(k);
      record invoked = clock - began;
      record answered = if answered then 1 else 0;
    }
  requests:
    send(amount):
      selector    = { domain = hardware[network], node type = wide-area-link, link = mine, way = 0,
                      evaluation mode = grid-by };
      transaction = carry-stream(amount);
      protocol    = call-return;
    invoke(k):
      selector    = { domain = runtime, node type = remote-invocation, evaluation mode = invocation-mode };
      transaction = invoke-remote(0, k, 200 byte, 400 byte, mine);
      protocol    = call-return;
}
component servant {
  accepts:
    profile     = { domain = application, node type = servant, object = 0 };
    transaction = perform(operation, request, reply);
    protocol    = call-return;
    servers     = 1;
  body:
    hold 5 ms;
}
system links {
  requests:
    every selector = { domain = application, node type = source };
    transaction    = go();
    protocol       = dataflow;
}
END

sub value { my ($figure) = @_; return ref $figure ? $figure->{value} : $figure }

# By record its mean; and the predicted time as `time`.
sub figures {
  my ($by, @settings) = @_;
  my $made = command(scratch(), $psl, 'run', 'link.psl', '--format', 'json', '--set', "grid-by=$by", map { ('--set', $_) } @settings);
  my $report = eval { decode_json($made->{out}) } or return { wrong => $made->{err} };
  return { wrong => $made->{err}, time => value($report->{makespan}),
           map { $_->{name} => value($_->{mean}) } @{$report->{records}} };
}

sub near {
  my ($what, $is, $shall, $part) = @_;
  ok(defined $is && abs($is / $shall - 1) <= $part, $what, sprintf('%s, and not %g', $is // 'nothing', $shall));
}

# ---- loss: a round trip is 40 ms and a packet's time on the link, and time-outs are 1 s ----

for my $case ([0.001, 10], [0.003, 10], [0.01, 10], [0.03, 10], [0.1, 20]) {
  my ($p, $percent) = @$case;
  my $packets = $p < 0.05 ? 60000 : 5000;
  my $time = reno(packets => $packets, p => $p, trip => 0.04012, timeout => 1, window => 44, b => 2, first => 2, random => generator(7));
  my @settings = ("lost=$p", 'amount=' . $packets * 1460 . ' byte');
  near("a stream that loses $p, round by round", figures('simulation[rounds]', @settings)->{took}, $time, $percent / 100);
  near("and by equations", figures('analysis[TCP]', @settings)->{took}, $time, 0.3);
}

# ---- others' flows: of 12.5 MB/s, by 1460 of 1500 bytes ----

for my $load (0.3, 0.6) {
  my @settings = ("load=$load", 'amount=200 MB', 'window=4 MB', 'count=2');
  my $time = 200e6 / (12.5e6 * 1460 / 1500 * (1 - $load));
  near("beside others' flows, load $load, by equations", figures('analysis[TCP]', @settings, 'count=1')->{took}, $time, 0.1);
  near("beside others' flows, load $load, round by round", figures('simulation[rounds]', @settings)->{took}, $time, 0.15);
}

# ---- streams of the model: none can have more than its window in a round trip, all together no more than the link ----

my $four = figures('simulation[rounds]', 'streams=4', 'amount=10 MB', 'window=4 MB');
near('four streams share a link', $four->{time}, 40e6 * 1500 / 1460 / 12.5e6 + 0.3, 0.05);
my $narrow = figures('simulation[rounds]', 'streams=2', 'amount=10 MB', 'window=29200 byte');
near('and two that are held by their windows do not meet', $narrow->{time}, 10e6 / (29200 / 0.04012), 0.02);

# ---- datagrams: each of two is lost by p, four tries after 1, 2 and 4 s ----

for my $p (0.02, 0.2) {
  my ($s, $way) = ((1 - $p) ** 2, 0.045 + (0.3e3 + 0.5e3 + 80) / 12.5e6 + 2 * 0.8e-6);
  my ($mean, $open, $sent) = (0, 1, 0);
  for my $patience (1, 2, 4, 8) {
    $mean += $open * $s * ($sent + $way);
    $open *= 1 - $s;
    $sent += $patience;
  }
  $mean += $open * $sent;
  my @settings = ('count=0', 'invocations=4000', 'transport=UDP', "lost=$p");
  my ($simulated, $analysed) = map { figures($_, @settings) } 'simulation[rounds]', 'analysis[TCP]';
  near("datagrams that are lost by $p, by the formula", $analysed->{invoked}, $mean, 1e-3);
  near("and as they are simulated", $simulated->{invoked}, $mean, 0.06);
  ok(abs($simulated->{answered} - (1 - $open)) < 0.004, "of which so many are answered", "$simulated->{answered}, and not " . (1 - $open));
}
finish();
