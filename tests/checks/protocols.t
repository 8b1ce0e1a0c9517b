#!/usr/bin/perl
# Conversations and the fit of protocols: some of the random models of tests/fuzz/protocols, beside derivatives of regular
# expressions; and firing rules over vars of others, of tests/fuzz/rules, beside a simulation that tests all of them always.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
for (['protocols', 'conversations in order, and out of it'], ['rules', 'firing rules over vars of others']) {
  my ($name, $what) = @$_;
  my $run = command($root, "$root/tests/fuzz/$name", $psl, 1, 60);
  ok(!$run->{exit}, $what, "$run->{out}$run->{err}");
}
finish();
