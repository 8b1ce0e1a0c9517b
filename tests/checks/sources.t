#!/usr/bin/perl
# Sources: no file of 1,500 lines or more, no line of more than 120 columns, no tabs, no blanks at a line's end; each
# opens with a comment; nothing left to be done. A file of C is found by its name alone: no two have the same.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
my %named;
for my $file (sort glob('{grammar,interp/*,interp/study/mpi,evaluators{,/queueing},tests/{unit,fuzz,bench},examples/*}/*.{c,h,def,y,l}'),
              grep { m{^(stdlib|coercions|examples)/} } psl_files()) {
  my $text = slurp($file);
  my @lines = split /\n/, $text, -1;
  my @wrong;
  my ($name) = $file =~ m{([^/]+)$};
  push @wrong, "has the name of $named{lc $name}" if $file =~ /^(grammar|interp|evaluators)/ && $named{lc $name};
  $named{lc $name} = $file if $file =~ /^(grammar|interp|evaluators)/;
  push @wrong, scalar(@lines) . ' lines' if @lines >= 1500;
  push @wrong, 'no line feed at the end' if $text !~ /\n\z/;
  push @wrong, 'does not open with a comment' if $file =~ /\.[chyl]$/ && $text !~ m{^(%\{\s*)?/\*};
  for my $n (1 .. @lines) {
    my $line = $lines[$n - 1];
    push @wrong, "line $n: a tab" if $line =~ /\t/;
    push @wrong, "line $n: blanks at the end" if $line =~ /\s$/;
    my $width = () = $line =~ /[^\x80-\xBF]/g; # bytes that begin a character
    push @wrong, "line $n: $width columns" if $width > 120;
    push @wrong, "line $n: $1" if $line =~ /\b(TODO|FIXME|XXX)\b/;
  }
  ok(!@wrong, $file, join "\n", @wrong);
}
finish();
