#!/usr/bin/perl
# Disks, arrays and caches: some of the cases of tests/fuzz/storage; a disk's response to random reads beside Pollaczek and Khinchin's
# formula over all pairs of cylinders; and loads of files by simulation and by analysis, which differ by less than 10 % below 80 % load.
use strict;
use warnings;
use FindBin;
use JSON::PP;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
my $run = command($root, "$root/tests/fuzz/storage", $psl, 1, 90);
ok(!$run->{exit}, 'caches and arms, as lists have them', "$run->{out}$run->{err}");

# What a record of the load comes to.
sub load {
  my ($by, @settings) = @_;
  my $made = command($root, $psl, 'run', "$root/stdlib/file-load.psl", '--quiet', '--format', 'json', '--set', "load-by=$by",
                     map { ('--set', $_) } @settings);
  my $report = eval { decode_json($made->{out}) } or return ({}, $made->{err});
  return ({map { $_->{name} => ref $_->{mean} ? $_->{mean}{value} : $_->{mean} } @{$report->{records}}}, $made->{err});
}

# ---- the HP 97560, of which 16 sectors are read in 1,000,000,000 bytes: 1,428 cylinders ----

my ($cylinders, $turn, $sectors) = (1428, 60 / 4002, 72);
my ($count, $sum, $squares) = (0, 0, 0);
for my $from (0 .. $cylinders - 1) {
  for my $to (0 .. $cylinders - 1) {
    my $way = abs($from - $to);
    my $seek = $way == 0 ? 0 : $way < 383 ? 3.24e-3 + 0.4e-3 * sqrt $way : 8e-3 + 8e-6 * $way;
    $count++;
    $sum += $seek;
    $squares += $seek * $seek;
  }
}
# Of 9 places of 16 sectors that begin on 2 tracks one lies across the end of the first, and behind 19 tracks of a cylinder 18, not 8.
my $transfer = (16 + 8 / 9 + 10 * 8 / (72 * 19)) * $turn / $sectors;
my $mean = 2.2e-3 + $sum / $count + $turn / 2 + $transfer;
my $variance = $squares / $count - ($sum / $count) ** 2 + $turn ** 2 / 12;
my @disk = ('file-servers=1', 'file-device=blocks', 'storage-device=HP97560', 'request-size=8 KiB', 'access-latency=0 s',
            'server-overhead=0 s', 'stripe=1 GiB');
for my $busy ($sanitized ? 0.3 : (0.3, 0.6)) {
  my $rate = $busy / $mean;
  my $wait = $rate * ($variance + $mean ** 2) / (2 * (1 - $busy));
  my ($analysed) = load('analysis[queueing]', @disk, "request-rate=$rate s^-1");
  my ($simulated, $err) = load('simulation[storage]', @disk, "request-rate=$rate s^-1");
  my $text = sprintf 'formula %.6f s, analysis %.6f s, simulation %.6f s', $wait + $mean, $analysed->{response} // 'nan',
    $simulated->{response} // 'nan';
  ok(abs(($analysed->{response} // 0) / ($wait + $mean) - 1) < 2e-3, "M/G/1 with a disk, busy $busy, by analysis", $text);
  ok(abs(($simulated->{response} // 0) / ($wait + $mean) - 1) < 0.03, "M/G/1 with a disk, busy $busy, by simulation", "$text $err");
}

# ---- both ways ----

my @old = ('file-device=blocks', 'storage-device=HP97560');
my @loads = (
  ['request-rate=300 s^-1', 'request-size=4 MiB', 'client-rate=100 GB/s'],
  [@old, 'request-rate=60 s^-1'],
  [@old, 'request-rate=15 s^-1', 'stripe=64 KiB', 'request-size=256 KiB'],
  [@old, 'request-rate=15 s^-1', 'stripe=64 KiB', 'request-size=256 KiB', 'access-pattern=sequential'],
  [@old, 'request-rate=30 s^-1', 'stripe=64 KiB', 'request-size=128 KiB', 'access-pattern=sequential'],
  [@old, 'request-rate=60 s^-1', 'request-size=8 KiB', 'array=RAID[5]', 'file-servers=1', 'write-part=0.3'],
  [@old, 'request-rate=15 s^-1', 'request-size=192 KiB', 'array=RAID[5]', 'file-servers=1'],
  [@old, 'request-rate=80 s^-1', 'request-size=8 KiB', 'array=RAID[1]', 'write-part=0.5', 'file-servers=1'],
  [@old, 'request-rate=120 s^-1', 'request-size=128 KiB', 'array=RAID[0]'],
  ['file-device=blocks', 'request-rate=400 s^-1', 'request-size=1 MiB', 'region=100 GB', 'array=RAID[0]', 'write-part=0.3'],
  ['file-device=blocks', 'storage-device=solid-state', 'request-rate=150000 s^-1', 'request-size=4 KiB', 'server-overhead=5 us',
   'write-part=0.2'],
);
for my $load ($sanitized ? @loads[0, 5] : @loads) { # they are long
  my ($analysed, $wrong) = load('analysis[queueing]', @$load);
  my ($simulated, $err) = load('simulation[storage]', @$load, 'load-precision=0.04');
  my ($a, $s) = ($analysed->{response} // 0, $simulated->{response} // 1);
  ok($a && abs($a / $s - 1) < 0.1, "by analysis as simulated: @$load", sprintf("busy %.3f, analysis %g s, simulation %g s %s%s",
    $analysed->{busiest} // 0, $a, $s, $wrong, $err));
}
finish();
