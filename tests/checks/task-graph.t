#!/usr/bin/perl
# Static task graphs against enumerations that know nothing of symbolic sets: for small grids, all pairs of instances
# that a mapping joins, as `psl graph --static` prints it, are those that loops in this file find.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX 'floor';
use Run;

chdir $root;

# ---- mappings and sets as isl prints them ----

# An affine expression of isl as one of Perl: 8iterations, 4*floor((o)/4), (1 + octant) mod 2.
sub as_perl {
  my ($text) = @_;
  $text =~ s/(\d)([A-Za-z_])/$1*$2/g;
  $text =~ s/\)\s*mod\s*(\d+)/) % $1/g;
  $text =~ s/([A-Za-z_]\w*'*)/$1 eq 'floor' ? 'floor' : "\$v->{\"$1\"}"/ge;
  return $text;
}

# 0 <= i < px is two comparisons, joined by `and` and `or`, of which some stand in parentheses.
sub as_condition {
  my ($text) = @_;
  my $result = '';
  for my $part (split /\b(and|or)\b/, $text) {
    if ($part eq 'and' || $part eq 'or') {
      $result .= $part eq 'and' ? ' && ' : ' || ';
      next;
    }
    $part =~ s/^\s+|\s+$//g;
    my ($before, $behind) = ('', '');
    my $depth = ($part =~ tr/(//) - ($part =~ tr/)//);
    $part =~ s/^\(\s*//, $before .= '(', $depth-- while $depth > 0;
    $part =~ s/\s*\)$//, $behind .= ')', $depth++ while $depth < 0;
    my @parts = split /\s*(<=|>=|!=|<|>|=)\s*/, $part;
    my @sides = map { '(' . as_perl($_) . ')' } @parts[grep { $_ % 2 == 0 } 0 .. $#parts];
    my @tests = map { "$sides[$_] " . $parts[2 * $_ + 1] =~ s/^=$/==/r . " $sides[$_ + 1]" } 0 .. $#sides - 1;
    $result .= $before . join(' && ', @tests) . $behind;
  }
  return $result;
}

# { a[i, j] -> b[i' = 1 + i, j' = j] : … ; … }: for each piece its tuples and its condition.
sub pieces {
  my ($text) = @_;
  my ($body) = $text =~ /^(?:\[.*?\] -> )?\{(.*)\}$/s or die "no set: $text\n";
  my @pieces;
  for my $piece (split /;/, $body) {
    my ($tuples, $condition) = $piece =~ /^\s*(.*?\])\s*(?::\s*(.*?))?\s*$/s;
    my @sides;
    for my $side ($tuples =~ /\w*\[(.*?)\](?=\s*(?:->|$))/g) {
      my @dims = map { /^(\S+?)(?:\s*=\s*(.*))?$/ ? [$1, $2] : die "no dimension: $_\n" } split /,\s*/, $side;
      push @sides, \@dims;
    }
    push @pieces, { sides => \@sides, condition => $condition // '' };
  }
  return \@pieces;
}

# The pairs in a box: for each of the first tuple all of the second that the pieces join it with.
sub instances {
  my ($text, $values, @widths) = @_;
  my %found;
  for my $piece (@{ pieces($text) }) {
    my @dims = map { @$_ } @{ $piece->{sides} };
    my $test = eval 'sub { my ($v) = @_; ' . ($piece->{condition} eq '' ? 1 : as_condition($piece->{condition})) . ' }'
      or die "$piece->{condition}: $@";
    my @given = map { defined $_->[1] ? eval 'sub { my ($v) = @_; ' . as_perl($_->[1]) . ' }' : undef } @dims;
    my $walk;
    $walk = sub {
      my ($at, $v, @point) = @_;
      if ($at == @dims) {
        $found{ join ',', @point } = 1 if $test->($v);
        return;
      }
      for my $x ($given[$at] ? $given[$at]->($v) : (-1 .. $widths[$at])) {
        $walk->($at + 1, { %$v, $dims[$at][0] => $x }, @point, $x);
      }
    };
    $walk->(0, $values);
  }
  return \%found;
}

sub same_pairs {
  my ($what, $found, $wanted) = @_;
  my @extra = grep { !$wanted->{$_} } sort keys %$found;
  my @missing = grep { !$found->{$_} } sort keys %$wanted;
  for my $list (\@extra, \@missing) { splice @$list, 10 if @$list > 10 }
  ok(!@extra && !@missing && %$wanted, $what, "too much: @extra\nmissing: @missing");
}

sub by_number { return $a =~ s/ .*//r <=> $b =~ s/ .*//r }

sub edges {
  my (@command) = @_;
  my $result = command($root, $psl, 'graph', '--static', @command, '--format', 'text');
  my ($list) = $result->{out} =~ /\nedges\n(.*)/s or die "no edges: $result->{err}\n";
  my %edges;
  while ($list =~ /^ *(\S+) -> (\S+)  (\w+)\n +(.*)$/mg) { push @{ $edges{"$1 $2"} }, $4 }
  return \%edges;
}

# ---- Sweep3D's wavefront, figure 3.3: 3 x 3 processors, as messages between neighbours ----
{
  my ($px, $py, $octants) = (3, 3, 4);
  my $edges = edges('examples/sweep3d/sweep3d.psl');
  my ($east, $south) = map { $edges->{$_}[0] } sort by_number grep { /^\d+ \d+$/ } keys %$edges;
  my (%wanted_i, %wanted_j);
  for my $i (0 .. $px - 1) {
    for my $j (0 .. $py - 1) {
      for my $o (0 .. 7) {
        my $di = $o < 4 ? -1 : 1;
        my $dj = $o == 0 || $o == 1 || $o == 4 || $o == 5 ? -1 : 1;
        my ($ti, $tj) = ($i + $di, $j + $dj);
        $wanted_i{"$i,$j,$o,0,0,$ti,$j,$o,0,0"} = 1 if $ti >= 0 && $ti < $px;
        $wanted_j{"$i,$j,$o,0,0,$i,$tj,$o,0,0"} = 1 if $tj >= 0 && $tj < $py;
      }
    }
  }
  my %values = (px => $px, py => $py, iterations => 1, groups => 1, blocks => 1);
  same_pairs('messages of a sweep along I', instances($east, \%values, $px, $py, 8, 1, 1), \%wanted_i);
  same_pairs('messages of a sweep along J', instances($south, \%values, $px, $py, 8, 1, 1), \%wanted_j);
}

# The same of the wavefront of examples/programs, whose ranks come by x * py + y from a function of two cases.
{
  my ($px, $py) = (3, 4);
  my $edges = edges('examples/programs/wavefront.psl');
  my ($x_edge, $y_edge) = map { $edges->{$_}[0] } sort by_number grep { /^\d+ \d+$/ } keys %$edges;
  my (%wanted_x, %wanted_y);
  for my $x (0 .. $px - 1) {
    for my $y (0 .. $py - 1) {
      for my $o (0 .. 7) {
        my $dx = $o % 2 ? 1 : -1;
        my $dy = int($o / 2) % 2 ? 1 : -1;
        for my $b (1 .. 2) {
          my ($tx, $ty) = ($x + $dx, $y + $dy);
          $wanted_x{"$x,$y,$o,$b,$tx,$y,$o,$b"} = 1 if $tx >= 0 && $tx < $px;
          $wanted_y{"$x,$y,$o,$b,$x,$ty,$o,$b"} = 1 if $ty >= 0 && $ty < $py;
        }
      }
    }
  }
  my %values = (px => $px, py => $py, nz_div_planes => 2);
  same_pairs('messages of the wavefront along x', instances($x_edge, \%values, $px, $py, 8, 3), \%wanted_x);
  same_pairs('messages of the wavefront along y', instances($y_edge, \%values, $px, $py, 8, 3), \%wanted_y);
}

# A grid without ends: (i + px) mod px * py + (j + py) mod py.
{
  my ($px, $py, $steps) = (4, 3, 2);
  my $edges = edges('examples/mpi/halo2d.psl');
  my @messages = map { $edges->{$_}[0] } sort by_number grep { /^\d+ \d+$/ } keys %$edges;
  my @shifts = ([1, 0], [-1, 0], [0, 1], [0, -1]);
  for my $k (0 .. 3) {
    my %wanted;
    for my $i (0 .. $px - 1) {
      for my $j (0 .. $py - 1) {
        for my $s (1 .. $steps) {
          my ($ti, $tj) = (($i + $shifts[$k][0]) % $px, ($j + $shifts[$k][1]) % $py);
          $wanted{"$i,$j,$s,$ti,$tj,$s"} = 1;
        }
      }
    }
    my %values = (px => $px, py => $py, steps => $steps);
    same_pairs("messages of the halo, way $k", instances($messages[$k], \%values, $px, $py, 3), \%wanted);
  }
}
# ---- dynamic task graphs ----

# The longest path through what `psl graph --dynamic` writes, each processor doing its tasks in their order.
sub longest_path {
  my ($text) = @_;
  my (%at, %free, %before, @tasks, @wrong);
  my $end = 0;
  for (split /\n/, $text) {
    if (/^task (\d+) (\d+) (\S+) (\S+) (.*)$/) { push @tasks, [$1, $2, $3, $4, $5] }
    elsif (/^edge (\d+) (\d+) (\S+)$/) { push @{ $before{$2} }, [$1, $3] }
  }
  for my $task (@tasks[sort { $tasks[$a][2] <=> $tasks[$b][2] || $a <=> $b } 0 .. $#tasks]) {
    my ($id, $processor, $start, $duration) = @$task;
    my $ready = $free{$processor} // 0;
    for my $edge (@{ $before{$id} // [] }) {
      push @wrong, "task $id comes before $edge->[0]" unless defined $at{ $edge->[0] };
      my $arrival = ($at{ $edge->[0] } // 0) + $edge->[1];
      $ready = $arrival if $arrival > $ready;
    }
    $at{$id} = $free{$processor} = $ready + $duration;
    $end = $at{$id} if $at{$id} > $end;
  }
  return ($end, \@tasks, \%before, \@wrong);
}

sub dynamic {
  my (@command) = @_;
  my $result = command($root, $psl, 'graph', '--dynamic', '--format', 'text', '--quiet', @command);
  my $run = command($root, $psl, 'run', '--format', 'json', '--quiet', @command);
  my ($makespan) = $run->{out} =~ /"makespan": \{"value": ([^,]+)/;
  return ($makespan, longest_path($result->{out}));
}

# Figure 3.3: on 3 x 3 processors, tasks and edges of the first four octants, counted by loops, and the time of all.
{
  my ($px, $py, $steps) = (3, 3, 10);
  my @command = ('examples/sweep3d/sweep3d.psl', map { ('--set', $_) } 'comm=analysis[task-graph]', 'iterations=1',
    "px=$px", "py=$py");
  my ($makespan, $end, $tasks, $before, $wrong) = dynamic(@command);
  ok(!@$wrong && abs($end - $makespan) < 1e-9 * $makespan, 'the longest path of the sweep is its time',
    join "\n", "$end, $makespan", @$wrong);
  my (%wanted, %edges_wanted);
  for my $o (0 .. 3) {
    my ($di, $dj) = (-1, $o < 2 ? -1 : 1);
    for my $i (0 .. $px - 1) {
      for my $j (0 .. $py - 1) {
        for my $b (0 .. $steps - 1) {
          $wanted{"k-block[$i, $j, $o, $b]"} = 1;
          $edges_wanted{"k-block[$i, $j, $o, $b] send[$i, $j, $o, $b, 0]"} = 1;
          for my $d (0, 1) {
            $wanted{"$_\[$i, $j, $o, $b, $d]"} = 1 for qw(recv data send sent);
            my ($ti, $tj) = ($i + ($d ? 0 : $di), $j + ($d ? $dj : 0));
            next if $ti < 0 || $ti >= $px || $tj < 0 || $tj >= $py;
            $edges_wanted{"send[$i, $j, $o, $b, $d] recv[$ti, $tj, $o, $b, $d]"} = 1;
          }
        }
      }
    }
  }
  my %name = map { $_->[0] => $_->[4] } @$tasks;
  my %there = map { $_ => 1 } grep { /^[\w-]+\[\d+, \d+, [0-3],/ } values %name;
  same_pairs('tasks of four octants', \%there, \%wanted);
  my %edges;
  for my $head (keys %$before) {
    for my $edge (@{ $before->{$head} }) {
      my $pair = "$name{$edge->[0]} $name{$head}";
      $edges{$pair} = 1 if $pair =~ /^(?:send|k-block)\[\d+, \d+, [0-3],/ && $pair !~ / sent/;
    }
  }
  same_pairs('edges from tasks to those beside them, of four octants', \%edges, \%edges_wanted);
}

# What processes have done in a run, and sent: its longest path is the run.
for my $model (['examples/programs/wavefront.psl', 'px=3', 'py=2'],
  ['examples/programs/jacobi.psl', 'ranks=5', 'iterations=3'], ['examples/mpi/halo2d.psl']) {
  my ($file, @settings) = @$model;
  my ($makespan, $end, $tasks, $before, $wrong) = dynamic($file, map { ('--set', $_) } @settings);
  ok(@$tasks && !@$wrong && abs($end - $makespan) < 1e-9 * $makespan, "the longest path of $file is its time",
    join "\n", "$end, $makespan, " . @$tasks . ' tasks', splice @$wrong, 0, 5);
}
# Condensed programs, beside the longest path of what they were: the first few of tests/fuzz/condensing.
{
  local $ENV{KEEP} = scratch();
  my $fuzz = command($root, 'tests/fuzz/condensing', $psl, 1, $sanitized ? 5 : 20);
  ok($fuzz->{exit} eq '0', 'condensed programs take as long', "$fuzz->{out}$fuzz->{err}");
}
# Tasks that are graphs, beside longest paths and the same graphs written flat: the first few of tests/fuzz/hierarchy.
{
  local $ENV{KEEP} = scratch();
  my $fuzz = command($root, 'tests/fuzz/hierarchy', $psl, 1, $sanitized ? 5 : 15);
  ok($fuzz->{exit} eq '0', 'tasks that are graphs take as long as these', "$fuzz->{out}$fuzz->{err}");
}
finish();
