#!/usr/bin/perl
# Every .psl of the project: formatting twice changes nothing more, the formatted text has the same tree.
# What is not a test is in that layout and passes the check, the library without a word.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

for my $file (psl_files()) {
  my $case = $file =~ m{^tests/};
  my $copy = scratch() . '/' . $file =~ s{.*/}{}r; # an un-named component is named after its file
  my $once = command($root, 'psl', 'fmt', $file);
  if (crashed($once)) { ok(0, $file, "psl fmt: $once->{exit}\n$once->{err}"); next }
  if ($once->{exit}) {
    ok(0, $file, $once->{err}) unless $case;
    next;
  }
  spew($copy, $once->{out});
  my $twice = command($root, 'psl', 'fmt', $copy);
  my $wrong = '';
  $wrong .= "formatted twice:\n" . difference($once->{out}, $twice->{out} . $twice->{err}) if $twice->{out} ne $once->{out};
  my ($before, $after) = map { command($root, 'psl', 'ast', $_) } $file, $copy;
  $wrong .= "another tree:\n" . difference($before->{out}, $after->{out} . $after->{err})
    if $before->{exit} || $after->{exit} || $before->{out} ne $after->{out};
  if (!$case) {
    my $layout = command($root, 'psl', 'fmt', '--check', $file);
    $wrong .= "not in the one layout:\n" . difference($once->{out}, slurp("$root/$file"))
      if $layout->{exit} && $file !~ m{/fig3[56]\.psl$}; # those stand as printed in the paper
    my $check = command($root, 'psl', 'check', $file);
    my $native = $check->{err} =~ /allow-native/; # an evaluator of its own, which its script makes
    $wrong .= "psl check: $check->{exit}\n$check->{err}" if $check->{exit} && !$native || $file !~ m{^examples/} && $check->{err} ne '';
  }
  ok($wrong eq '', $file, $wrong);
}
finish();
