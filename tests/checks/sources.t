#!/usr/bin/perl
# Sources: no file of 1,500 lines or more, no line of more than 120 columns, no tabs, no blanks at a line's end; each
# opens with a comment; nothing left to be done. A file of the interpreter is found by its name alone: no two have the
# same; one of evaluators by its folder and its name. What a comment or a page calls a file of C is one, and functions
# stand in the files under whose names a header has them.
# Plain build alone: it reads texts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
my %named;
my %there = map { m{([^/]+)$} => 1 } split /\n/, `find . -name .git -prune -o -name 'build*' -prune -o -type f -print`;
my %headers = map { $_ => 1 } qw(avcall.h); # of others
sub missing { # of the files that a text names
  my ($text, $ends) = @_;
  return sort grep { !$there{$_} && $_ ne 'NAME.psl' } map { m{([^/]+)$} } $text =~ m{(?<![\w.*%\$-])((?:[\w-]+/)*[\w-]+\.(?:$ends))\b}g;
}
for my $file (sort glob('{grammar,interp/*,interp/*/*,evaluators,evaluators/*,evaluators/*/*,tests/{unit,fuzz,bench},examples/*}/*.{c,h,def,y,l}'),
              grep { m{^(stdlib|coercions|examples)/} } psl_files()) {
  my $text = slurp($file);
  my @lines = split /\n/, $text, -1;
  my @wrong;
  my ($name) = $file =~ m{([^/]+)$};
  push @wrong, "has the name of $named{lc $name}" if $file =~ m{^(grammar|interp/\w+)/\w+\.} && $named{lc $name};
  $named{lc $name} = $file if $file =~ m{^(grammar|interp/\w+)/\w+\.};
  push @wrong, scalar(@lines) . ' lines' if @lines >= 1500;
  push @wrong, 'no line feed at the end' if $text !~ /\n\z/;
  push @wrong, 'does not open with a comment' if $file =~ /\.[chyl]$/ && $text !~ m{^(%\{\s*)?/\*};
  for my $n (1 .. @lines) {
    my $line = $lines[$n - 1];
    push @wrong, "line $n: a tab" if $line =~ /\t/;
    push @wrong, "line $n: blanks at the end" if $line =~ /\s$/;
    my $width = () = $line =~ /[^\x80-\xBF]/g; # bytes that begin a character
    push @wrong, "line $n: $width columns" if $width > 120;
    push @wrong, map { "line $n: there is no $_" } missing($1, 'c|h|def|inc|y|l')
      if $file =~ /^(grammar|interp|evaluators)/ && $line =~ m{(?:^\s*/?\*\s|//|/\*)(.*)};
    push @wrong, "line $n: $1" if $line =~ /\b(TODO|FIXME|XXX)\b/;
  }
  ok(!@wrong, $file, join "\n", @wrong);
}
# A header says by headings where the functions that it declares are: /* ---- clock.c, queue.c: what they do ---- */
for my $header (sort grep { slurp($_) =~ m{^/\* ---- .*?\.c}m } glob('{grammar,interp/*,evaluators,evaluators/*,evaluators/*/*}/*.h')) {
  my ($folder) = $header =~ m{(.*)/};
  my (%defined, @wrong, $places);
  for my $file (glob("$folder/*.c")) {
    $defined{$_}{$file} = 1 for slurp($file) =~ /^(?!static)[a-z][\w *]*?\b(\w+)\(/mg;
  }
  for my $line (split /\n/, slurp($header)) {
    $places = $1 if $line =~ m{^/\* ---- (.*?) ----};
    next unless $places && $places =~ /\.c/ && $line =~ m{^(?!static|typedef|extern)[a-z][\w *]*?\b(\w+)\(} && $defined{$1};
    my $function = $1;
    push @wrong, "$function is not in $places" if !grep { $defined{$function}{"$folder/$_"} } $places =~ /\w+\.c/g;
  }
  ok(!@wrong, "headings of $header", join "\n", @wrong);
}
for my $page ('ARCHITECTURE.md', 'README.md', 'tests/README.md', 'examples/README.md') {
  my @wrong = map { "there is no $_" } map { missing($_, 'c|h|def|inc|y|l|psl|t|css|js') } slurp($page) =~ /`([^`\n]+)`/g;
  ok(!@wrong, "files that $page names", join "\n", @wrong);
}
finish();
