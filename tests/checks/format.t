#!/usr/bin/perl
# Every .psl of the project that is not a test is in the one layout and passes the check, the library without a word.
# (Of all, tests/unit/layout.c lays out twice.)
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

for my $file (grep { !m{^tests/} } psl_files()) {
  my $wrong = '';
  my $layout = command($root, 'psl', 'fmt', '--check', $file);
  $wrong .= "not in the one layout:\n" . difference(command($root, 'psl', 'fmt', $file)->{out}, slurp("$root/$file")) . $layout->{err}
    if $layout->{exit} && $file !~ m{/fig3[56]\.psl$}; # those stand as printed in the paper
  my $check = command($root, 'psl', 'check', $file);
  my $native = $check->{err} =~ /allow-native/; # an evaluator of its own, which its script makes
  $wrong .= "psl check: $check->{exit}\n$check->{err}" if $check->{exit} && !$native && $check->{err} !~ /completed from a database/ || $file !~ m{^examples/} && $check->{err} ne '';
  ok($wrong eq '', $file, $wrong);
}
finish();
