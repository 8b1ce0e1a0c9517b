#!/usr/bin/perl
# Every header compiles alone by gcc, and by clang, which make lint has compile all of C, those of each folder together; the
# public ones in strict C11, too.
# Plain build alone: it compiles headers.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
my @flags = qw(-std=c11 -D_GNU_SOURCE -I. -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror -fsyntax-only);
my @packages = split ' ', `pkg-config --cflags gsl isl`;
for my $compiler ('gcc', 'clang') {
  if (!grep { -x "$_/$compiler" } split /:/, $ENV{PATH}) {
    skip("$compiler", 'not installed');
    next;
  }
  for my $header (sort glob($compiler eq 'gcc' ? '{grammar,interp/*,evaluators,evaluators/*,coercions}/*.h' : 'interp/include/*.h')) {
    my $unit = scratch() . '/header.c';
    spew($unit, "#include \"$header\"\n#include \"$header\"\ntypedef int not_empty;\n");
    my $result = command($root, $compiler, @flags, "-I$build", @packages, $unit);
    ok($result->{exit} eq '0', "$compiler $header", $result->{err});
  }
  for my $header ('interp/include/psl.h', 'interp/include/evaluator.h') {
    my $result = command($root, $compiler, qw(-std=c11 -pedantic-errors -Wall -Wextra -Wno-unused-function -Werror -fsyntax-only -x c), $header);
    ok($result->{exit} eq '0', "$compiler, ISO C: $header", $result->{err});
  }
}
finish();
