#!/usr/bin/perl
# make bench reads the reports of psl: its smallest benches run here, so that a report that changes does not break it
# unseen. Speeds are not looked at.
use strict;
use warnings;
use FindBin;
use JSON::PP;
use lib "$FindBin::Bin/../lib";
use Run;

local ($ENV{BENCH_RUNS}, $ENV{BENCH_SHORT}) = (1, 1);
my @work = ('wavefront 1024', 'resolve', 'M/M/1', 'network', 'disk');
my $result = command($root, "$root/tests/bench/run", $build, @work);
my ($header, @lines) = split /\n/, $result->{out};
ok($result->{exit} eq '0', 'the benches run', $result->{err});
my $speed = qr{[\d.]+ [kMG]?};
my $memory = qr{\d+ bytes/rank};
like_line(qr{^wavefront 1024 +${speed}events/s +$speed +[\d.]+ +2  $memory, results agree}, 'a pattern of messages');
like_line(qr{^wavefront 1024 as a loop +${speed}events/s .*, results agree}, 'predicts what the same loop in C does');
like_line(qr{^M/M/1 +${speed}customers/s +$speed .*results agree}, 'a queue is as the same in C');
like_line(qr{^queueing network 1000 +${speed}customers/s +$speed .*results agree}, 'and so is a network of queues');
like_line(qr{^disk, SSTF +${speed}accesses/s +$speed .*results agree}, 'and a disk');
like_line(qr{^resolve +${speed}requests/s +1000001 instances, \d+ MiB$}, 'a graph of many requests');
my ($written) = grep { $_->{name} eq 'M/M/1' } @{decode_json(slurp("$build/bench.json"))->{rows}};
ok(abs($written->{ratio} - $written->{mark} / $written->{value}) < 1e-9 && $written->{gate} == 2 && $written->{agree},
  'the same for machines', encode_json($written));

# Two runs are compared by their ratios: a tenth of the smaller one is the most, and both have to have each.
sub compared {
  my (@runs) = @_;
  my $folder = scratch();
  for my $k (0, 1) {
    my $ratios = $runs[$k];
    spew("$folder/$k.json", encode_json({rows => [map { {name => $_, ratio => $ratios->{$_}} } sort keys %$ratios]}));
  }
  return command($folder, "$root/tests/bench/compare", '0.json', '1.json');
}
my $alike = compared({a => 1, b => 2.0, c => undef}, {a => 1.09, b => 1.83, c => undef});
ok($alike->{exit} eq '0' && $alike->{out} =~ /^a +1\.000 +1\.090 +9\.0 %\n.*^2 ratios, 0 beyond 10 %$/ms, 'two runs that say the same', $alike->{out});
my $apart = compared({a => 1, b => 2.0}, {a => 1.12, b => 2.0});
ok($apart->{exit} eq '1' && $apart->{out} =~ /^a .* 12\.0 %  BEYOND 10 %\n.*^2 ratios, 1 beyond 10 %$/ms, 'two runs that do not', $apart->{out});
my $missing = compared({a => 1, b => 2.0}, {a => 1});
ok($missing->{exit} eq '1' && $missing->{out} =~ /^b .* ONLY ONE HAS IT$/m, 'a ratio that one of them lacks', $missing->{out});
finish();

sub like_line {
  my ($pattern, $name) = @_;
  ok(scalar(grep { /$pattern/ } @lines), $name, $result->{out});
}
