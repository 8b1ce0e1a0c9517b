#!/usr/bin/perl
# No source compares text with a name that a table holds: words, known names, built-in functions, disciplines, types,
# attributes of the library. The table says what the name is; grammar/known.def makes names numbers.
# Plain build alone: it reads texts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
my %table = (
  'grammar/words.c'               => qr/^ {4}\{"([^"]+)", TOKEN_/m,
  'grammar/known.def'             => qr/^KNOWN\(\w+, "([^"]+)"/m,
  'interp/evaluate/builtin.c'     => qr/^ {4}(?:\{|[A-Z0-9_]+\()"([^"]+)", "\(|WHOLE\("([^"]+)"/m,
  'interp/model/disciplines.def'  => qr/^DISCIPLINE\(\w+, "([^"]+)"/m,
  'interp/model/type.c'           => qr/\{"([a-z]+)", TYPE_/,
  map { $_ => qr/^ *attribute ([\w -]+?) *:/m } glob('stdlib/*.psl'),
);
my %held;
for my $file (sort keys %table) {
  my $n = 0;
  for my $name (grep { defined } slurp($file) =~ /$table{$file}/g) {
    $held{$name =~ s/ /-/gr} //= $file;
    $n++;
  }
  ok($n > 0, "$file holds names") if $file !~ m{^stdlib/};
}

delete @held{qw(true false)}; # JSON has them, too

# The command line, UML and the rows of databases have vocabularies of their own.
for my $folder (grep { !m{^interp/(cli|uml|database|repository)$} } 'grammar', glob('interp/*')) {
  my @wrong;
  for my $file (glob("$folder/*.[chyl]")) {
    my $n = 0;
    for my $line (split /\n/, slurp($file)) {
      $n++;
      next unless $line =~ /\bstr(?:n?case|n)?cmp\(/;
      for my $name ($line =~ /"([^"]+)"/g) {
        push @wrong, "$file:$n: \"$name\" is in $held{$name}" if $held{$name} && $line =~ /cmp\([^;]*?"\Q$name\E"/;
      }
    }
  }
  ok(!@wrong, "$folder/ compares no text with a name of a table", join "\n", @wrong);
}
finish();
