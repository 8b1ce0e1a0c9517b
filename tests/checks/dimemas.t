#!/usr/bin/perl
# Some of the random programs of tests/fuzz/dimemas, by Dimemas' model of machines, beside rules that share nothing with it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
my $run = command($root, "$root/tests/fuzz/dimemas", $psl, 1, 20);
ok(!$run->{exit}, 'programs on machines of Dimemas', "$run->{out}$run->{err}");
finish();
