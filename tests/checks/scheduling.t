#!/usr/bin/perl
# Schedules beside what else there is: the chunks that GCC's OpenMP hands out to threads that run here, by each of its
# schedules; random loops and task graphs beside tests/lib/Schedules.pm; the published schedules of a published graph; and
# that a loop of a million iterations and a graph of 100,000 tasks take seconds.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;
use Schedules;
use Time::HiRes 'time';

my $folder = scratch();

# ---- OpenMP ----

# What the compiler's code asks of libgomp for each schedule, asked by hand, so that each chunk is seen.
spew("$folder/chunks.c", <<'C');
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define KIND(NAME) \
  bool GOMP_loop_##NAME##_start(long, long, long, long, long *, long *); \
  bool GOMP_loop_##NAME##_next(long *, long *);
KIND(static) KIND(dynamic) KIND(guided)
void GOMP_loop_end(void);
static void take(long first, long end) {
#pragma omp critical
  printf("%ld %ld %d\n", first, end - first, omp_get_thread_num());
}
#define RUN(NAME) \
  if (!strcmp(kind, #NAME)) { \
    bool more = GOMP_loop_##NAME##_start(0, n, 1, chunk, &first, &end); \
    for (; more; more = GOMP_loop_##NAME##_next(&first, &end)) take(first, end); \
    GOMP_loop_end(); \
  }
int main(int count, char **words) {
  const char *kind = words[1];
  long n = atol(words[2]), chunk = atol(words[4]);
  omp_set_dynamic(0);
#pragma omp parallel num_threads(atoi(words[3]))
  {
    long first, end;
    RUN(static) RUN(dynamic) RUN(guided)
  }
  return count != 5;
}
C

spew("$folder/loop.psl", <<'M');
use scheduling;
param count : int = 100;
transaction go();
transaction note-chunk(first : int, count : int);
component each like iterations {
  profile loop = each;
  body:
    call note(first, count);
    hold count * 1 us;
  requests:
    note(first, count):
      selector    = { domain = runtime, node type = note };
      transaction = note-chunk(first, count);
      protocol    = call-return;
}
component note {
  accepts:
    profile     = { domain = runtime, node type = note };
    transaction = note-chunk(first, count);
    protocol    = call-return;
  body:
}
component program {
  accepts:
    profile     = { domain = application, node type = program };
    transaction = go();
    protocol    = dataflow;
  body:
    call run();
  requests:
    run:
      selector    = { domain = application, node type = team };
      transaction = parallel-for(each, count);
      protocol    = call-return;
}
system loop {
  requests:
    selector    = { domain = application, node type = program };
    transaction = go();
    protocol    = dataflow;
}
M

# A line for each chunk: its first iteration, how many it has and, where that is decided before, whose it is.
sub by_first { return join '', sort { ($a =~ /(\d+)/)[0] <=> ($b =~ /(\d+)/)[0] } @_ }

sub real_chunks {
  my ($kind, $n, $threads, $chunk) = @_;
  my $out = command($folder, './chunks', $kind, $n, $threads, $chunk)->{out};
  return by_first(map { $kind eq 'static' ? "$_\n" : s/ \d+$/\n/r } split /\n/, $out);
}

sub psl_chunks {
  my ($schedule, $n, $threads, $chunk) = @_;
  my $set = "--set count=$n --set threads=$threads --set schedule=$schedule --set chunk=$chunk";
  my $run = command($folder, "psl run -q loop.psl $set --set transfer-cost=1ns --trace trace.json");
  return "$run->{err}$run->{exit}" if $run->{exit} ne '0';
  my $whose = $schedule =~ /dynamic|guided/ ? 0 : 1;
  my $trace = slurp("$folder/trace.json");
  my %thread = $trace =~ /"name":"thread_name".*?"tid":(\d+),"args":\{"name":"thread\[(\d+)\]"/g;
  return by_first(map { /"name":"note-chunk".*"tid":(\d+).*"first":(\d+),"count":(\d+)/ ? "$2 $3" . ($whose ? " $thread{$1}" : '') . "\n" : () }
                  split /\n/, $trace);
}

if (command($folder, 'gcc -O1 -fopenmp chunks.c -o chunks')->{exit} eq '0') {
  for (['block', 'static', 0], ['cyclic', 'static', 1], ['chunked', 'static', 7], ['dynamic', 'dynamic', 1], ['dynamic', 'dynamic', 7],
       ['guided', 'guided', 1], ['guided', 'guided', 7]) {
    my ($schedule, $kind, $chunk) = @$_;
    for (map { my $n = $_; map { [$n, $_] } 1, 2, 3, 16 } 1, 16, 100, 1013) {
      my ($n, $threads) = @$_;
      next if $kind eq 'static' && $chunk && $threads == 1; # libgomp gives one thread all at once
      my $psl = psl_chunks($schedule, $n, $threads, $chunk || 1);
      my $real = real_chunks($kind, $n, $threads, $chunk);
      ok($psl ne '' && $psl eq $real, "$schedule, $chunk: the chunks of $n iterations and $threads threads are OpenMP's", "psl:\n${psl}OpenMP:\n$real");
    }
  }
} else {
  skip('OpenMP', 'GCC has none');
}

# ---- random ones ----

my $fuzz = command($root, "KEEP=$folder/kept tests/fuzz/scheduling $psl 1 " . ($sanitized ? 4 : 16));
ok($fuzz->{exit} eq '0', 'random loops and graphs', "$fuzz->{out}$fuzz->{err}");

# ---- how long it takes ----

spew("$folder/graph.psl", <<'M');
use task-scheduling;
use scheduling { param threads = 64; }
param tasks : int = 100_000;
transaction go();
component wide like task-graph {
  let works  = [t in 0 .. tasks - 1 : 1 ms * (1 + (t * 7919) mod 13)];
  let tails  = [k in 0 .. 3 * (tasks - 1000) - 1 : k div 3];
  let heads  = [k in 0 .. 3 * (tasks - 1000) - 1 : k div 3 + 1 + (k * 7907) mod 999];
  let delays = [k in 0 .. 3 * (tasks - 1000) - 1 : 5 ms];
  profile graph = wide;
}
component program {
  accepts:
    profile     = { domain = application, node type = program };
    transaction = go();
    protocol    = dataflow;
  body:
    call run();
  requests:
    run:
      selector    = { domain = application, node type = team };
      transaction = execute-graph(wide);
      protocol    = call-return;
}
system graph {
  requests:
    selector    = { domain = application, node type = program };
    transaction = go();
    protocol    = dataflow;
}
M
my $even = (100_000 * 7 - 4) / 64 * 1e-3; # s: all tasks, spread evenly, nearly
for my $schedule (qw(HEFT HLFET CPOP dynamic critical-path stealing)) {
  my $begin = time;
  my $run = command($folder, "psl run -q graph.psl --set schedule=$schedule");
  my $seconds = time - $begin;
  my ($makespan) = $run->{out} =~ /^predicted time +([\d.]+) s/;
  ok(defined $makespan && $makespan >= 0.999 * $even && $makespan < 2 * $even && $run->{out} =~ /^  tasks +100,000/m && ($sanitized || $seconds < 60),
     "100,000 tasks by $schedule", sprintf "%.1f s\n%s%s", $seconds, $run->{out}, $run->{err});
}
# 15,625 turns of 1 us and 10 ns at the counter, the last thread 63 x 10 ns behind the first.
if (!$sanitized) {
  my $begin = time;
  my $run = command($folder, 'psl run -q loop.psl --set count=1000000 --set threads=64 --set schedule=dynamic --set transfer-cost=10ns');
  ok($run->{out} =~ /^predicted time +15\.78 ms/ && time - $begin < 60, 'a million iterations on 64 threads', sprintf "%.1f s\n%s", time - $begin, $run->{out});
}
finish();
