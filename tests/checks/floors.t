#!/usr/bin/perl
# The folders of C stand in the order that ARCHITECTURE.md lists: none includes, or calls, what stands below it, and one
# marked `only` knows what is named there alone. The list and the folders are the same.
# Plain build alone: it reads texts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

chdir $root;
my ($list) = slurp('ARCHITECTURE.md') =~ /^## Folders\n.*?^```\n(.*?)^```/ms or die "ARCHITECTURE.md lists no folders\n";
my (@folders, %floor, %only);
for my $line (split /\n/, $list) {
  my ($folder, $rest) = $line =~ m{^([\w/]+)/ (.*)} or next; # else the line above goes on
  $floor{$folder} = @folders;
  push @folders, $folder;
  $only{$folder} = { map { s{/$}{}r => 1 } $folder, split ' ', $1 } if $rest =~ /\(only ([^)]*)\)/;
}

# What stands in which folder.
my @sources = grep { -f } split /\n/, `find grammar interp evaluators -name '*.[chly]' -o -name '*.cc' -o -name '*.[ch]pp' -o -name '*.inc' -o -name '*.def'`;
my %generated = ('psl.tab.h' => 'grammar', 'psl.yy.h' => 'grammar', 'installed-paths.inc' => 'interp/library', 'protocols.psl.inc' => 'interp/check',
                 map({ m{.*/(.*)} ? ("$1.inc" => 'interp/cli') : () } glob 'interp/cli/completion.*sh'),
                 map({ m{.*/(.*)} ? ("$1.inc" => 'interp/report') : () } glob 'interp/report/*.{css,js}'),
                 map({ m{.*/(.*)} ? ("$1.inc" => 'interp/studio') : () } glob 'interp/studio/*.{html,svg,css,js}'),
                 'codemirror.js.inc' => 'interp/studio', 'prophet-toolbar.xml.inc' => 'interp/studio');
sub folder { return $_[0] =~ s{/[^/]*$}{}r }
my %there = map { folder($_) => 1 } @sources;
my @missing = grep { !defined $floor{$_} } sort keys %there;
ok(!@missing, 'each folder of C is in the list', join "\n", @missing);
my @gone = grep { !$there{$_} } @folders;
ok(!@gone, 'each folder in the list is there', join "\n", @gone);

sub allowed {
  my ($from, $to) = @_;
  return 1 if !defined $floor{$from} || !defined $floor{$to}; # said above
  return $only{$from} ? $only{$from}{$to} : $floor{$to} <= $floor{$from};
}

my %wrong;
for my $file (sort @sources) {
  my $n = 0;
  for my $line (split /\n/, slurp($file)) {
    $n++;
    my ($name) = $line =~ /^\s*#\s*include\s*"([^"]+)"/ or next;
    my $to = -f $name ? folder($name) : -f folder($file) . "/$name" ? folder($file) : $generated{$name};
    if (!defined $to) { push @{$wrong{folder($file)}}, "$file:$n: nobody knows $name"; next }
    push @{$wrong{folder($file)}}, "$file:$n: includes $name" unless allowed(folder($file), $to);
  }
}

# What the objects ask of each other; those of sources that are gone do not count.
my (%object_of, %asks);
my @objects = ('psl.tab.o', 'psl-plain.tab.o', 'psl.yy.o', map { s/\.c$/.o/r } grep { /\.c$/ && !m{/(?:mpi|memory|otf2|qemu|record|reflector|sliced|threads|timers)/} } @sources); # modules
my @unmade = grep { !-f "$build/$_" } @objects;
ok(!@unmade, 'each source has its object', join "\n", @unmade);
open my $nm, '-|', 'nm', '-A', map { "$build/$_" } grep { -f "$build/$_" } @objects or die "nm: $!\n";
while (<$nm>) {
  my ($object, $kind, $symbol) = m{^\Q$build\E/([^:]+):.*(\w) (\S+)$} or next;
  my $from = $object =~ m{/} ? $object : "grammar/$object";
  if ($kind eq 'U') { push @{$asks{$symbol}}, $from }
  elsif ($kind =~ /[TDBRC]/) { $object_of{$symbol} = $from }
}
close $nm or die "nm: status $?\n";
my %public = map { $_ => 1 } slurp('interp/include/psl.h') =~ /^PSL_API[^;]*?\b(psl_\w+)\(/mg;
for my $symbol (sort keys %asks) {
  my $to = $object_of{$symbol} or next;
  for my $from (@{$asks{$symbol}}) {
    next if allowed(folder($from), folder($to)) || $only{folder($from)} && $public{$symbol};
    push @{$wrong{folder($from)}}, "$from: needs $symbol of $to";
  }
}
ok(!$wrong{$_}, "$_/ knows only what is above it", join "\n", @{$wrong{$_} || []}) for @folders;
finish();
