#!/usr/bin/perl
# make bench reads the reports of psl: its smallest benches run here, so that a report that changes does not break it
# unseen. Speeds are not looked at.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

local $ENV{BENCH_RUNS} = 1;
my $result = command($root, "$root/tests/bench/run", $build, 'wavefront 1024', 'resolve');
my ($header, @lines) = split /\n/, $result->{out};
ok($result->{exit} eq '0', 'the benches run', $result->{err});
like_line(qr{^wavefront 1024 +2076672 +[\d.]+ [kMG]?/s +\d+ +\d+ MiB$}, 'a pattern of messages');
like_line(qr{^  the loop is [\d.]+ times as fast; predicted times agree$}, 'predicts what the same pattern in C does');
like_line(qr{^resolve +1000001 instances, 4000001 requests in [\d.]+ s, \d+ MiB$}, 'a graph of many requests');
finish();

sub like_line {
  my ($pattern, $name) = @_;
  ok(scalar(grep { /$pattern/ } @lines), $name, $result->{out});
}
