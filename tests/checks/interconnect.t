#!/usr/bin/perl
# Some of the random networks of tests/fuzz/interconnect, in which messages meet, against witnesses that share nothing with
# the project.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
my $run = command($root, "$root/tests/fuzz/interconnect", $psl, 1, 15);
ok(!$run->{exit}, 'messages that meet', "$run->{out}$run->{err}");
finish();
