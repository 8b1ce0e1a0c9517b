#!/usr/bin/perl
# Virtual time is causal: random models beside a plain list of events (tests/fuzz/causality). In the sanitizer build those
# that may run ahead are taken by chance, with three seeds in turn, and no report of a case may depend on that.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
for my $shuffle ($sanitized ? (0, 1) : 0) {
  local $ENV{PSL_SHUFFLE} = $shuffle if $shuffle;
  my $fuzz = command($root, 'tests/fuzz/causality', $psl, 161 + 1000 * $shuffle, $sanitized ? 30 : 60);
  ok($fuzz->{exit} eq '0', 'random models beside a list of events' . ($shuffle ? ', shuffled' : ''), "$fuzz->{out}$fuzz->{err}");
}
finish() unless $sanitized;

# Nor may what is waited for messages, and how many helpers start.
for my $shuffle (1, 2) {
  local $ENV{PSL_SHUFFLE} = $shuffle;
  my $fuzz = command($root, 'tests/fuzz/mpi', $psl, 10 * $shuffle, 10, 'none');
  ok($fuzz->{exit} eq '0', 'programs that pass messages, shuffled', "$fuzz->{out}$fuzz->{err}");
}

# A report without how many firings and events the run has taken: where a limit of time ends it, some have run ahead.
sub without_work {
  my ($report) = @_;
  return $report if $report !~ /^ended by +limit of virtual time|"stop": "limit of virtual time"/m;
  return $report =~ s/^(firings +|  "(?:firings|events)": )\d+/$1N/gmr;
}

# Streams of random numbers are drawn from in the order in which processes run: models that draw differ. Of the others
# each third is taken.
my ($turn, $found) = (0, 0);
for my $file (grep { slurp("$root/$_") !~ /\b(draw|exponential|uniform|erlang|normal|visits)\b/ } psl_files()) {
  my ($folder, $name) = "$root/$file" =~ m{^(.*)/(.*)$} or next;
  next unless $file =~ m{^tests/cases/} && -e ("$root/$file" =~ s/psl$/expected/r);
  next if $found++ % 3;
  for my $options (slurp("$root/$file") =~ m{^// psl: run\b(.*)$}mg) {
    my $line = "psl run $name$options";
    my $plain = command($folder, $line);
    next if $plain->{exit} ne '0';
    local $ENV{PSL_SHUFFLE} = 1 + $turn++ % 3;
    my ($wanted, $got) = map { without_work($_->{out}) } $plain, command($folder, $line);
    ok(same($got, $wanted, 1e-9), "$file$options, seed $ENV{PSL_SHUFFLE}", difference($wanted, $got));
  }
}
finish();
