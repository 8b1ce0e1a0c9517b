#!/usr/bin/perl
# The sections of manuals that the help on other simulators' words names are there.
# Plain build alone: it reads texts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
my $habits = slurp('grammar/habits.c');
$habits =~ s/"\s*\n\s*"//g;
my %wanted;
while ($habits =~ /(psl[-a-z]*)\((\d)\)((?:, [A-Z][a-z ]+\b|, [A-Z]+\b)*)/g) {
  my ($page, $section, $places) = ($1, $2, $3);
  $wanted{"$page.$section"}{$_} = 1 for grep { $_ ne '' } split /, /, $places;
}
for my $page (sort keys %wanted) {
  my $text = slurp("man/$page");
  ok(defined $text, "man/$page is a manual");
  for my $place (sort keys %{$wanted{$page}}) {
    ok($text =~ /^\.S[hs] "?\Q$place\E"?$/m, "man/$page has a section $place");
  }
}
ok(keys %wanted > 2, 'manuals are named');
finish();
