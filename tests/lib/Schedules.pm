# Schedules of loops and task graphs, written apart from PSL: an event list for what threads do in time, the textbooks' list
# schedules over tables, and all schedules there are of a small graph. Times are whole numbers of ns.
package Schedules;
use strict;
use warnings;
use Exporter 'import';
use List::Util qw(max min sum0);
our @EXPORT = qw(loop_run graph_run list_schedule optimum);

# ---- an event list with lines that one thread has at a time ----

sub event { my ($s, $time, $do) = @_; push @{$s->{events}}, [$time, $s->{number}++, $do] }

sub run_events {
  my ($s) = @_;
  while (@{$s->{events}}) {
    my $k = 0;
    for (1 .. $#{$s->{events}}) {
      my ($x, $y) = ($s->{events}[$_], $s->{events}[$k]);
      $k = $_ if $x->[0] < $y->[0] || ($x->[0] == $y->[0] && $x->[1] < $y->[1]);
    }
    my ($time, undef, $do) = @{splice @{$s->{events}}, $k, 1};
    $s->{end} = $time if $time > $s->{end};
    $do->($time);
  }
  return $s->{end};
}

# A thread has the line for as long as `what` says, which is told the line when it has it; then `do`.
sub with_line {
  my ($s, $line, $time, $what, $do) = @_;
  push @{$line->{waiting}}, [$what, $do];
  serve($s, $line, $time) if !$line->{busy};
}

sub serve {
  my ($s, $line, $time) = @_;
  my $next = shift @{$line->{waiting}} or return;
  $line->{busy} = 1;
  event($s, $time + $next->[0]->($line), sub {
    my ($now) = @_;
    $line->{busy} = 0;
    $next->[1]->($now);
    serve($s, $line, $now) if !$line->{busy};
  });
}

sub change { # what it takes to change a number there
  my ($m, $thread, $line) = @_;
  my $cost = defined $line->{owner} && $line->{owner} == $thread ? $m->{own} : $m->{transfer};
  $line->{owner} = $thread;
  return $cost;
}

sub begins {
  my ($m, $thread) = @_;
  return $thread == 0 ? ($m->{threads} - 1) * $m->{creation} : $thread * $m->{creation} + $m->{start};
}

# ---- loops: $m->{costs} of iterations ----

sub blocks { # of all threads: where each begins
  my ($count, $threads) = @_;
  my @begin = (0);
  push @begin, $begin[-1] + int($count / $threads) + ($_ < $count % $threads ? 1 : 0) for 0 .. $threads - 1;
  return @begin;
}

# A function that says how many iterations the next chunk has, of so many that are left.
sub chunk_rule {
  my ($m) = @_;
  my ($T, $c, $n) = ($m->{threads}, $m->{chunk}, scalar @{$m->{costs}});
  my $up = sub { my ($a, $b) = @_; return int(($a + $b - 1) / $b) };
  my ($k, $size) = (0, 0);
  return sub { $c } if $m->{schedule} eq 'dynamic';
  return sub { max($c, $up->($_[0], $T)) } if $m->{schedule} eq 'guided';
  return sub { $size = max($c, $up->($_[0], 2 * $T)) if $k++ % $T == 0; $size } if $m->{schedule} eq 'factoring';
  my $first = max($c, $up->($n, 2 * $T));
  my $chunks = $up->(2 * $n, $first + $c);
  my $step = $chunks > 1 ? int(($first - $c) / ($chunks - 1)) : 0;
  return sub { max($c, $first - $step * $k++) };
}

# { end, busy: of each thread, chunks: [first, count] in the order in which they were taken }
sub loop_run {
  my ($m) = @_;
  my $s = {events => [], number => 0, end => 0};
  my ($T, $n) = ($m->{threads}, scalar @{$m->{costs}});
  my (@busy, @chunks) = (0) x $T;
  my $execute = sub { my ($t, $first, $count) = @_;
                      my $work = sum0(@{$m->{costs}}[$first .. $first + $count - 1]);
                      $busy[$t] += $work; push @chunks, [$first, $count]; return $work };
  my @begin = blocks($n, $T);
  my $take;
  if ($m->{schedule} =~ /^(block|cyclic|chunked)$/) {
    my $width = $m->{schedule} eq 'cyclic' ? 1 : $m->{chunk};
    for my $t (0 .. $T - 1) {
      my @mine = grep { $m->{schedule} eq 'block' ? $_ >= $begin[$t] && $_ < $begin[$t + 1] : int($_ / $width) % $T == $t } 0 .. $n - 1;
      $busy[$t] = sum0(@{$m->{costs}}[@mine]);
      event($s, begins($m, $t) + $busy[$t], sub { });
    }
  } elsif ($m->{schedule} eq 'stealing') {
    steal_loop($m, $s, $execute, @begin);
  } else {
    my ($next, $line, $rule) = (0, {}, chunk_rule($m));
    $take = sub {
      my ($t, $now) = @_;
      with_line($s, $line, $now, sub { change($m, $t, $line) }, sub {
        my ($now) = @_;
        my $count = min($rule->($n - $next), $n - $next);
        return if $count == 0;
        my $work = $execute->($t, $next, $count);
        $next += $count;
        event($s, $now + $work, sub { $take->($t, $_[0]) });
      });
    };
    for my $t (0 .. $T - 1) { event($s, begins($m, $t), sub { $take->($t, $_[0]) }) }
  }
  my $end = run_events($s) + ($T - 1) * $m->{join};
  return {end => $end, busy => \@busy, chunks => \@chunks};
}

sub steal_loop {
  my ($m, $s, $execute, @begin) = @_;
  my $T = $m->{threads};
  my @queue = map { {left => [$begin[$_], $begin[$_ + 1]], owner => $_} } 0 .. $T - 1;
  my ($own, $look);
  $own = sub {
    my ($t, $now) = @_;
    my $left;
    my $queue = $queue[$t];
    with_line($s, $queue, $now, sub { $left = $queue->{left}[1] - $queue->{left}[0]; change($m, $t, $queue) }, sub {
      my ($now) = @_;
      return $look->($t, 1, $now) if $left == 0;
      my $count = min($m->{chunk}, $left);
      my $work = $execute->($t, $queue->{left}[0], $count);
      $queue->{left}[0] += $count;
      event($s, $now + $work, sub { $own->($t, $_[0]) });
    });
  };
  $look = sub {
    my ($t, $distance, $now) = @_;
    return if $distance == $T;
    my $queue = $queue[($t + $distance) % $T];
    my $left;
    with_line($s, $queue, $now, sub {
      $left = $queue->{left}[1] - $queue->{left}[0];
      my $mine = $queue->{owner} == $t;
      my $cost = change($m, $t, $queue);
      return $left > 0 && !$mine ? $m->{steal} : $cost;
    }, sub {
      my ($now) = @_;
      return $look->($t, $distance + 1, $now) if $left == 0;
      my $count = int(($left + 1) / 2);
      $queue->{left}[1] -= $count;
      $queue[$t]{left} = [$queue->{left}[1], $queue->{left}[1] + $count];
      $queue[$t]{owner} = $t;
      $own->($t, $now);
    });
  };
  for my $t (0 .. $T - 1) { event($s, begins($m, $t), sub { $own->($t, $_[0]) }) }
}

# ---- task graphs: $g->{works}[task][thread], edges [tail, head, delay] ----

sub mean { my ($g, $task) = @_; return sum0(@{$g->{works}[$task]}) / @{$g->{works}[$task]} }

# The longest way from the task to the end, or from the beginning to it, over mean works.
sub longest {
  my ($g, $task, $back, $delays, $known) = @_;
  return $known->{$task} //= do {
    my $best = 0;
    for my $edge (@{$g->{edges}}) {
      my ($here, $there) = @$edge[$back ? (1, 0) : (0, 1)];
      next if $here != $task;
      my $way = longest($g, $there, $back, $delays, $known) + ($delays ? $edge->[2] : 0) + ($back ? mean($g, $there) : 0);
      $best = $way if $way > $best;
    }
    $best + ($back ? 0 : mean($g, $task));
  };
}

# What HEFT, CPOP, HLFET, block or cyclic say: { end, thread, start } of tasks. Works are more than 0.
sub list_schedule {
  my ($g, $kind) = @_;
  my ($n, $T) = (scalar @{$g->{works}}, $g->{threads});
  my (@thread, @start, @finish, %on, @priority);
  my (%up, %down);
  for my $t (0 .. $n - 1) {
    $priority[$t] = $kind =~ /^(block|cyclic)$/ ? 0 : longest($g, $t, 0, $kind ne 'HLFET', \%up);
    $priority[$t] += longest($g, $t, 1, 1, \%down) if $kind eq 'CPOP';
  }
  if ($kind eq 'CPOP') {
    my $length = max(@priority);
    my ($at) = grep { my $t = $_; $priority[$t] == max(map { my $k = $_; (grep { $_->[1] == $k } @{$g->{edges}}) ? 0 : $priority[$k] } 0 .. $n - 1)
                                  && !grep { $_->[1] == $t } @{$g->{edges}} } 0 .. $n - 1;
    my @path = ($at);
    while (1) {
      my @next = grep { $priority[$_] >= $length * (1 - 1e-12) } map { $_->[0] == $path[-1] ? $_->[1] : () } @{$g->{edges}};
      last if !@next;
      push @path, (sort { $up{$b} <=> $up{$a} } @next)[0];
    }
    my @sums = map { my $p = $_; sum0(map { $g->{works}[$_][$p] } @path) } 0 .. $T - 1;
    my ($best) = sort { $sums[$a] <=> $sums[$b] || $a <=> $b } 0 .. $T - 1;
    $on{$_} = $best for @path;
  }
  my @begin = blocks($n, $T);
  while (grep { !defined $finish[$_] } 0 .. $n - 1) {
    my @can = grep { my $t = $_; !defined $finish[$t] && !grep { $_->[1] == $t && !defined $finish[$_->[0]] } @{$g->{edges}} } 0 .. $n - 1;
    my ($task) = sort { $priority[$b] <=> $priority[$a] || $a <=> $b } @can;
    my ($p, $from, $least);
    for my $q (0 .. $T - 1) {
      next if defined $on{$task} && $on{$task} != $q;
      next if $kind eq 'cyclic' && $task % $T != $q;
      next if $kind eq 'block' && !($task >= $begin[$q] && $task < $begin[$q + 1]);
      my $ready = max(0, map { $_->[1] == $task ? $finish[$_->[0]] + ($thread[$_->[0]] == $q ? 0 : $_->[2]) : () } @{$g->{edges}});
      my @there = sort { $start[$a] <=> $start[$b] } grep { defined $thread[$_] && $thread[$_] == $q } 0 .. $n - 1;
      my $work = $g->{works}[$task][$q];
      my $at = max($ready, @there ? $finish[$there[-1]] : 0);
      if ($kind =~ /^(HEFT|CPOP)$/) { # the first slot between two tasks that is wide enough
        for my $k (0 .. $#there) {
          my $begin = max($ready, $k ? $finish[$there[$k - 1]] : 0);
          if ($begin + $work <= $start[$there[$k]]) { $at = $begin; last }
        }
      }
      my $measure = $kind eq 'HLFET' ? $at : $at + $work;
      ($p, $from, $least) = ($q, $at, $measure) if !defined $least || $measure < $least;
    }
    ($thread[$task], $start[$task], $finish[$task]) = ($p, $from, $from + $g->{works}[$task][$p]);
  }
  return {end => max(@finish), thread => \@thread, start => \@start};
}

# Threads that take tasks as they come: dynamic, critical-path, stealing. { end, busy }
sub graph_run {
  my ($g, $kind) = @_;
  my ($n, $T) = (scalar @{$g->{works}}, $g->{threads});
  my $s = {events => [], number => 0, end => 0};
  my @missing = map { my $t = $_; scalar grep { $_->[1] == $t } @{$g->{edges}} } 0 .. $n - 1;
  my @behind = map { my $t = $_; scalar grep { $_->[0] == $t } @{$g->{edges}} } 0 .. $n - 1;
  my (%level, @idle, @busy, @thread);
  @busy = (0) x $T;
  my @lines = map { {} } 1 .. $T;
  my @queues = map { [] } 1 .. $T;
  my $taken = 0;
  my $put = sub { my ($task, $t) = @_; push @{$queues[$kind eq 'stealing' ? $t : 0]}, $task };
  my $find = sub { # a task, whose queue it was in, at which distance
    my ($t) = @_;
    return (shift @{$queues[0]}, 0, 0) if $kind eq 'dynamic';
    if ($kind eq 'critical-path') {
      my @order = sort { longest($g, $b, 0, 0, \%level) <=> longest($g, $a, 0, 0, \%level) || $behind[$b] <=> $behind[$a] || $a <=> $b } @{$queues[0]};
      my $first = shift @order;
      $queues[0] = \@order;
      return ($first, 0, 0);
    }
    return (pop @{$queues[$t]}, $t, 0) if @{$queues[$t]};
    for my $d (1 .. $T - 1) { return (shift @{$queues[($t + $d) % $T]}, ($t + $d) % $T, $d) if @{$queues[($t + $d) % $T]} }
    return;
  };
  my ($next, $got, $finish);
  my $free = sub { # who waits, as they came
    my ($now) = @_;
    while (@idle) {
      my ($task, $queue, $distance) = $find->($idle[0]);
      return if !defined $task;
      $got->(shift @idle, $task, $queue, $distance, $now);
    }
  };
  $next = sub {
    my ($t, $now) = @_;
    my ($task, $queue, $distance) = $find->($t);
    return $got->($t, $task, $queue, $distance, $now) if defined $task;
    push @idle, $t if $taken < $n;
  };
  $got = sub {
    my ($t, $task, $queue, $distance, $now) = @_;
    $taken++;
    $thread[$task] = $t;
    my $data = max(0, map { $_->[1] == $task && $thread[$_->[0]] != $t ? $_->[2] : () } @{$g->{edges}});
    my @look = $distance > 1 ? map { ($t + $_) % $T } 1 .. $distance - 1 : ();
    my $visit;
    $visit = sub {
      my ($now) = @_;
      my $at = shift @look;
      my $last = !defined $at;
      my $line = $lines[$last ? $queue : $at];
      with_line($s, $line, $now, sub { my $cost = change($g, $t, $line); return $last && $distance > 0 ? $g->{steal} : $cost }, sub {
        my ($now) = @_;
        return $visit->($now) if !$last;
        $busy[$t] += $g->{works}[$task][$t];
        event($s, $now + $g->{works}[$task][$t], sub { $finish->($t, $task, $_[0]) });
      });
    };
    event($s, $now + $data, sub { $visit->($_[0]) });
  };
  $finish = sub {
    my ($t, $task, $now) = @_;
    my $line = $lines[$kind eq 'stealing' ? $t : 0];
    with_line($s, $line, $now, sub { change($g, $t, $line) }, sub {
      my ($now) = @_;
      for my $edge (sort { $a->[1] <=> $b->[1] } grep { $_->[0] == $task } @{$g->{edges}}) {
        $put->($edge->[1], $t) if --$missing[$edge->[1]] == 0;
      }
      $free->($now);
      $next->($t, $now);
    });
  };
  for my $task (0 .. $n - 1) { $put->($task, 0) if !$missing[$task] }
  for my $t (0 .. $T - 1) { event($s, begins($g, $t), sub { $next->($t, $_[0]) }) }
  my $end = run_events($s) + ($T - 1) * $g->{join};
  return {end => $end, busy => \@busy};
}

# The least time in which the graph can be done: all orders of its tasks, each on each thread, as early as it can be there.
sub optimum {
  my ($g) = @_;
  my ($n, $T) = (scalar @{$g->{works}}, $g->{threads});
  my $best = sum0(map { $_->[0] } @{$g->{works}}) + 1;
  my (@finish, @thread, $search);
  $search = sub {
    my ($count, $end, @free) = @_;
    return if $end >= $best;
    return $best = $end if $count == $n;
    for my $task (0 .. $n - 1) {
      next if defined $finish[$task] || grep { $_->[1] == $task && !defined $finish[$_->[0]] } @{$g->{edges}};
      for my $t (0 .. $T - 1) {
        my $from = max($free[$t], map { $_->[1] == $task ? $finish[$_->[0]] + ($thread[$_->[0]] == $t ? 0 : $_->[2]) : () } @{$g->{edges}});
        my @then = @free;
        $then[$t] = $finish[$task] = $from + $g->{works}[$task][$t];
        $thread[$task] = $t;
        $search->($count + 1, max($end, $then[$t]), @then);
        $finish[$task] = undef;
      }
    }
  };
  $search->(0, 0, (0) x $T);
  return $best;
}
1;
