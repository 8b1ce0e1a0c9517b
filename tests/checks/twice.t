#!/usr/bin/perl
# What psl writes depends on the model, its params and the seed alone: each command in two folders, one after another,
# gives the same bytes on its outputs and in its files. No date, time of computing, process, temporary name or folder
# stands there.
# Plain build alone: cases run the same commands.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;
use File::Find;

my @reports = qw(text vertical json jsonl csv html markdown latex);
my $grid = '--vary workers=2,3 --vary work=10s,20s';
my @lines = (
  (map { ("psl run farm.psl -f $_", "psl params farm.psl -f $_", "psl compare farm.psl --vary workers=2,3 -f $_",
          "psl diff farm.psl farm.psl --set workers=3 --against workers=4 -f $_", "psl sensitivity farm.psl -f $_",
          "psl study farm.psl $grid -f $_", "psl fit cost.csv --terms '1, n' -f $_",
          "psl replay ring.tit -f $_", "psl trace info ring.tit -f $_") } @reports),
  'psl fit cost.csv --terms "1, n" -f psl', 'psl fit cost.csv',
  'psl check farm.psl', 'psl check wrong.psl', 'psl run wrong.psl', 'psl explain farm.psl', 'psl ast farm.psl',
  'psl fmt - < farm.psl', 'psl run farm.psl --by rank --trace trace.json --timeline t.svg',
  'psl run farm.psl --trace trace.prv', 
  'psl run farm.psl --seed 7 -o run.html',
  (map { "psl graph farm.psl -f $_ -o graph.$_" } qw(dot svg png pdf)),
  (map { "psl plot farm.psl 'makespan against workers' --vary workers=2..4 --plot-file plot.$_" } qw(svg png)),
  'psl plot farm.psl "makespan against workers" --vary workers=2..4',
  "psl study farm.psl $grid -j 2 --db farm.db -o study.csv", 'psl report farm.db -o study.html', 'psl report farm.db',
  "psl study farm.psl $grid --db farm.db",
  "psl study farm.psl --vary workers=2..9 --minimize makespan -f json", 'psl study farm.psl --vary workers=2,x',
  "psl study farm.psl $grid --plot-file plots-%.svg", 'psl study farm.psl --vary workers=1..9 --repetitions 2 --seed 3',
  'psl report ring.tit -o ring.html', 'psl replay ring.tit --record ring.trace', 'psl trace info ring.trace',
  'psl report ring.trace', (map { "psl trace convert ring.trace converted.$_" } qw(prv tit goal)),
  "psl -e 'param x : int = 3;' -e 'x * 2' -e ':params'", 'psl none', 'psl run none.psl', 'psl help run',
  'psl help hold',   'psl completion bash', 'psl --version',
);

my %inputs = (
  'farm.psl' => slurp("$root/examples/farm/farm.psl"),
  'wrong.psl' => "param x : int = 1 s;\nuse farm2;\n",
  'cost.csv' => "n,time [ms]\n1,3.1\n2,6.9\n4,18.8\n4,19.1\n8,51\n16,131\n",
  'ring.tit' => join('', map { my ($to, $from) = (($_ + 1) % 3, ($_ + 2) % 3);
    "$_ init\n$_ compute 1e9\n$_ isend $to 0 1000\n$_ recv $from 0 1000\n$_ wait $_ $to 0\n$_ finalize\n" } 0 .. 2),
);
my @folders = map { scratch() . "/$_" } 'one', 'the second of them/further down';
for my $folder (@folders) {
  command(scratch(), 'mkdir', '-p', $folder);
  spew("$folder/$_", $inputs{$_}) for keys %inputs;
}

# Every file of a folder, by its name there.
sub files_of {
  my ($folder) = @_;
  my %files;
  find({no_chdir => 1, wanted => sub { $files{substr $_, length $folder} = slurp($_) if -f $_ }}, $folder);
  return \%files;
}

# A database has the time that runs have taken, which is why they are kept.
sub is_database { return $_[0] =~ /\.db(-wal|-shm)?$/ }

my (@results, @files);
for my $k (0 .. 1) {
  local $ENV{TZ} = $k ? 'Asia/Tokyo' : 'UTC';
  for my $line (@lines) {
    my $result = command($folders[$k], "$line ");
    push @{$results[$k]}, join "\n", "exit $result->{exit}", $result->{out}, '[stderr]', $result->{err};
  }
  push @files, files_of($folders[$k]);
}
for my $line (0 .. $#lines) {
  my ($first, $second) = map { $_->[$line] } @results;
  ok($first =~ /^exit [0-2]\n/ && $first eq $second, $lines[$line],
    $first eq $second ? $first : difference($first, $second));
}
for my $file (grep { !is_database($_) } sort keys %{{map { %$_ } @files}}) {
  my ($first, $second) = map { $_->{$file} // "there is none\n" } @files;
  ok($first eq $second, "the file $file", difference($first, $second));
}
finish();
