#!/usr/bin/perl
# Random models of values, of what hangs on params and of what causes what, and random programs of RISC-V: a few of those that make fuzz runs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;
$ENV{KEEP} = scratch() . '/kept';

for my $fuzzer ('values', 'studies') {
  my $out = `'$root/tests/fuzz/$fuzzer' '$psl' 1 10 2>&1`;
  ok($? == 0 && $out =~ /no findings/, "random models: $fuzzer", $out);
}
my $why = `'$root/tests/fuzz/why' '$psl' 1 40 2>&1`;
ok($? == 0 && $why =~ /no findings/, 'random models: why', $why);
my $out = `'$root/tests/fuzz/riscv' '$psl' 1 20 2>&1`;
ok($? == 0 && $out =~ /0 differ|not installed/, 'random programs of RISC-V', $out);
finish();
