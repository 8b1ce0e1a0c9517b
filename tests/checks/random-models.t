#!/usr/bin/perl
# Random models of values, and of what hangs on params: a few of those that make fuzz runs.
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
finish();
