#!/usr/bin/perl
# MOL, whose grid adapts itself (examples/programs/mol.c): its fronts beside the waves that are known, and its grid beside one that is
# fine everywhere; the program under MPICH, on simulated ranks, and its model, which send the same; its dynamic task graph.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

unless (have('mpicc.mpich') && have('mpirun.mpich') && -f "$build/psl-mpich.so") {
  skip('mol', 'MPICH is not installed');
  finish();
  exit;
}
my $folder = scratch();
my $doubling = "--set 'allreduce-short=1 MB'"; # as the counter takes all reductions for
my $inside = $sanitized ? '' : '--ranks inside'; # a sanitizer does not load a program that has names of its own
compiled("$root/examples/programs/mol.c", 'mol', '-O2') or finish();
compiled("$root/tests/lib/message_counter.c", 'counter.so', '-shared', '-fPIC') or finish();

# ---- the points ----

# Steps of leaves, where u is 1, and how far it is off the waves.
sub summary { my ($run) = @_; return $run->{out} =~ /^(\d+) steps of leaves, .* u is 1 on (\S+) of \S+, off the waves by (\S+)$/m }

my ($adapted, $area, $off) = summary(command($folder, './mol 8 1 4 200'));
my ($everywhere, $shall) = summary(command($folder, './mol 8 1 4 200 0 1'));
ok($off < 1e-5, 'fronts run as the travelling wave does', $off);
ok(abs($area / $shall - 1) < 1e-5 && $adapted < 0.5 * $everywhere, 'with less than half of the points of a grid that is fine everywhere',
   "$area, $adapted steps of leaves; $shall, $everywhere");
($adapted, $area) = summary(command($folder, './mol 8 1 16 200 2'));
($everywhere, $shall) = summary(command($folder, './mol 8 1 16 200 2 1'));
ok(abs($area / $shall - 1) < 1e-4 && $adapted < 0.6 * $everywhere, 'and so do fronts that are bent',
   "$area, $adapted steps of leaves; $shall, $everywhere");

# ---- what is sent: really, on simulated ranks, and by the model; the last two where ranks have nothing to do ----

sub model { # the report of mol.psl
  my ($ranks, $arguments, @more) = @_;
  my ($roots, $seeds, $ny, $steps) = split ' ', $arguments;
  my $run = command($folder, 'psl', 'run', "$root/examples/programs/mol.psl", '--quiet', '-f', 'json', '-o', 'model.json',
                    map { ('--set', $_) } "ranks=$ranks", "roots=$roots", "seeds=$seeds", "ny=$ny", "steps=$steps", @more);
  return report(slurp("$folder/model.json"));
}

for my $case ([1, '8 1 4 60'], [2, '8 1 4 60'], [4, '8 1 4 100'], [7, '16 2 2 150'], [20, '4 1 2 60']) {
  my ($ranks, $arguments) = @$case;
  my $name = "MOL $arguments on $ranks ranks";
  my $simulated = command($folder, "psl mpirun -n $ranks $inside --costs none $doubling --format json --trace mol.tasks -o report.json ./mol $arguments");
  ok($simulated->{exit} eq '0', "$name runs", $simulated->{err});
  my $report = report(slurp("$folder/report.json"));
  my $sent = sprintf '%d messages, %d bytes', $report->{messages} // 0, $report->{bytes} // 0;
  if ($ranks <= 4) {
    my $real = command($folder, "MESSAGE_COUNT=count mpirun.mpich -n $ranks -genv LD_PRELOAD $folder/counter.so ./mol $arguments");
    equal($simulated->{out}, $real->{out}, "$name prints what it prints under MPICH");
    equal($sent, sprintf('%d messages, %d bytes', split ' ', slurp("$folder/count") || '0 0'), "$name sends as much as under MPICH");
  }
  my $model = model($ranks, $arguments, 'cell=0 s', 'moved=0 s', 'allreduce-short=1 MB');
  equal(sprintf('%d messages, %d bytes', $model->{messages} // 0, $model->{bytes} // 0), $sent, "$name sends as much in its model");
  my ($time, $is) = ($report->{makespan}{value}, $model->{makespan}{value});
  ok(abs($is - $time) <= 1e-6 * $time, "$name takes as long in its model, but for what it computes", "$is s, not $time s");

  # The longest path of the dynamic task graph, tasks in the order of time.
  my (@length, @begins, %before, $longest);
  for (split /\n/, slurp("$folder/mol.tasks")) {
    @length[$1] = ($3), $begins[$1] = $2 if /^task (\d+) \d+ (\S+) (\S+) /;
    push @{$before{$2}}, [$1, $3] if /^edge (\d+) (\d+) (\S+)/;
  }
  my @end;
  $longest = 0;
  for my $task (sort { $begins[$a] <=> $begins[$b] || $a <=> $b } 0 .. $#length) {
    my $begin = 0;
    for (@{$before{$task} // []}) {
      my $there = ($end[$_->[0]] // 0) + $_->[1];
      $begin = $there if $there > $begin;
    }
    $end[$task] = $begin + $length[$task];
    $longest = $end[$task] if $end[$task] > $longest;
  }
  ok(abs($longest - $time) <= 1e-6 + 0.01 * $time, "the longest path of its dynamic task graph is its time", "$longest s, not $time s");
}

# ---- what it computes, by instructions: a point's are counted on one rank ----

if (have('qemu-x86_64')) {
  my $seconds = sub {
    my ($ranks, $arguments) = @_;
    command($folder, "psl mpirun -n $ranks --costs instructions --quiet --format json -o report.json ./mol $arguments");
    return report(slurp("$folder/report.json"))->{makespan}{value};
  };
  my $points = sub { return (summary(command($folder, "./mol $_[0]")))[0] * 8 * 4 };
  my ($begun, $once) = map { $seconds->(1, "8 1 4 $_") } 1, 10;
  my ($point, $adapting) = map { $points->("8 1 4 $_") } 1, 10;
  my $cell = ($once - $begun) / ($adapting - $point) / 4;
  my $moved = ($seconds->(1, '8 1 4 21') - $begun - 4 * $cell * ($points->('8 1 4 21') - $point)) / (2 * $point);
  my $run = $seconds->(4, '12 2 4 31') - $seconds->(4, '12 2 4 1'); # what is done before the first step is no part of the model
  my @costs = (sprintf('cell=%.12g s', $cell), sprintf('moved=%.12g s', $moved));
  my $model = model(4, '12 2 4 31', @costs)->{makespan}{value} - model(4, '12 2 4 1', @costs)->{makespan}{value};
  ok(abs($model / $run - 1) < 0.07, 'MOL takes in its model what it takes within 7 %', "$model s, not $run s; $cell s, $moved s a point");
}
finish();
