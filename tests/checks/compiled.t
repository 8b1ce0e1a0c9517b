#!/usr/bin/perl
# What runs as often as there are operations of a trace or messages of a model is compiled, not walked: without
# --reference it takes less than half of the processor's time than with it, less what a short one takes; a twentieth for
# equations whose functions fit in line. A busy machine makes a run longer than it needs, so the shortest of several counts.
# Plain build alone: it compares speeds.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $folder = scratch();
my $most_runs = 6; # before it counts as walked

# A wavefront that goes over a square of ranks so many times, in the time-independent format.
sub wavefront {
  my ($path, $side, $times) = @_;
  my $text = '';
  for my $rank (0 .. $side * $side - 1) {
    my ($row, $column) = (int($rank / $side), $rank % $side);
    my @from = ($row ? $rank - $side : (), $column ? $rank - 1 : ());
    my @to = ($row < $side - 1 ? $rank + $side : (), $column < $side - 1 ? $rank + 1 : ());
    my $turn = join '', (map { "$rank recv $_ 0 2880\n" } @from), "$rank compute 4536000\n", map { "$rank send $_ 0 2880\n" } @to;
    $text .= "$rank init\n" . $turn x $times . "$rank finalize\n";
  }
  spew($path, $text);
}
wavefront("$folder/long.tit", 16, 40);
wavefront("$folder/short.tit", 16, 1);

# A branch that this run never takes, of what is walked.
spew("$folder/branch.psl", <<'PSL');
param turns : int = 1;
param given-up : bool = false;
transaction go();
component a {
  accepts: profile = { domain = d, node type = a }; transaction = go(); protocol = call-return;
  body:
    for k in 1 .. turns {
      if given-up {
        first of { hold 1 s { } hold 2 s { } }
      }
      hold k * 1 us;
    }
}
system s { requests: selector = { domain = d, node type = a }; transaction = go(); protocol = call-return; }
PSL

my $equations = "study $root/examples/sweep3d/sweep3d.psl --set 'comm=analysis[LogGP]' --vary px=44,46,48 --vary py";
# name => psl's arguments for much and for little of it, and how many times as long the walk takes at least; none: twice
my %kind = (
  (map { my ($name, $options) = @$_; ("replay, $name" => ["replay long.tit $options", "replay short.tit $options"]) }
    ['MPI-Sim', ''],
    ['LogGOPS', "--set 'costs=analysis[LogGOPS]' --set L=23us --set o=47us --set G=0.07us/byte"],
    ['flows', "--set 'network=simulation[flows]' --set topology=torus --set 'dimensions=[16, 16]'"],
    ['ratios by burst', "--model $root/examples/perc/phases.psl"]),
  'points of equations' => ["$equations=2..64", "$equations=2..3", 20],
  'a branch that is not taken' => ['run branch.psl --set turns=500000', 'run branch.psl'],
  (map { my ($model, $much, $little) = @$_; ($model => ["run $root/$model --set $much", "run $root/$model --set $little"]) }
    ['examples/sweep3d/sweep3d.psl', 'px=12 --set py=12', 'px=1 --set py=1'],
    ['tests/bench/halo.psl', 'p=16 --set steps=100', 'p=16 --set steps=1'],
    ['tests/bench/master.psl', 'workers=32 --set rounds=100', 'workers=32 --set rounds=1'],
    ['tests/bench/mm1.psl', 'customers=40000', 'customers=1000']),
);

sub seconds {
  my ($arguments) = @_;
  my @before = times;
  my $run = command($folder, "exec $psl $arguments");
  my @after = times;
  return ($after[2] + $after[3] - $before[2] - $before[3], $run);
}

sub least { my ($x, $y) = @_; return defined $x && $x < $y ? $x : $y }

for my $name (sort keys %kind) {
  my %least;
  my ($fast, $walked, $failed);
  my $times = $kind{$name}[2] // 2;
  for (1 .. $most_runs) {
    for my $mode ('', ' --reference') {
      for my $size (0, 1) {
        my ($took, $run) = seconds("$kind{$name}[$size]$mode");
        $failed //= $run->{err} if $run->{exit} ne '0';
        $least{$mode}[$size] = least($least{$mode}[$size], $took);
      }
    }
    ($fast, $walked) = map { $least{$_}[0] - $least{$_}[1] } '', ' --reference';
    last if defined $failed || $times * $fast < $walked;
  }
  ok(!defined $failed && $times * $fast < $walked, $name, $failed // "$fast s compiled, $walked s walked");
  printf "# %-30s %.2f s %.2f s\n", $name, $fast, $walked if $ENV{PSL_COMPILED};
}
finish();
