#!/usr/bin/perl
# All C is laid out by .clang-format; `make format` does it.
# Plain build alone: it reads texts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
if (!grep { -x "$_/clang-format" } split /:/, $ENV{PATH}) {
  skip('clang-format', 'not installed');
} else {
  my @files = sort split /\n/, `find grammar interp evaluators tests examples -name '*.[ch]'`;
  my $result = command($root, 'clang-format', '--dry-run', '-Werror', @files);
  my %wrong = map { $_ => 1 } $result->{err} =~ /^(\S+?):\d+:\d+: error/mg;
  ok($result->{exit} eq '0', 'all C is in the one layout', join "\n", 'make format lays out:', sort keys %wrong);
}
finish();
