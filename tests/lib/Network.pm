# Queueing networks made at random: as a model of PSL, and solved by means that share nothing with the project.
#
# product_form: the stationary distribution of Baskett, Chandy, Muntz and Palacios (1975), summed over all states.
# markov: the chain of a closed network with exponential services, its states found by walking through it, solved by
# iteration; of any discipline that it knows, product form or not.
# served_first: two open classes with exponential services at one station of several servers, of which one is served first:
# the chain of those in service and those who wait, cut off where hardly anybody is.
#
# A network is { stations => [{ discipline, servers, rates }], classes => [{ N or rate, Z, V, S, priority, law }] }:
# V visits and S mean services by station, in s; servers 0: a delay; rate: an open class; law: of services, by station.
package Network;
use strict;
use warnings;
use Exporter 'import';
use List::Util qw(sum0 max min);
our @EXPORT = qw(stream network model figures product_form markov served_first);

# Numbers at random that are the same everywhere: those of Park and Miller.
sub stream {
  my ($seed) = @_;
  my $state = ($seed * 7919 + 12345) % 2147483646 + 1;
  my $uniform = sub { $state = $state * 16807 % 2147483647; return $state / 2147483647 };
  $uniform->() for 1 .. 10;
  return $uniform;
}

# ---- models ----

my %law = (
  exponential => sub { "exponential($_[0] s)" },
  constant    => sub { "constant($_[0] s)" },
  erlang      => sub { "erlang(3, $_[0] s)" },
  uniform     => sub { 'uniform(0 s, ' . 2 * $_[0] . ' s)' },
);

sub list { return '[' . join(', ', @_) . ']' }

sub model {
  my ($net, $solver) = @_;
  my ($stations, $classes) = ($net->{stations}, $net->{classes});
  my $text = "use queueing { param solver = $solver; }\ntransaction serve(class : int, priority : real);\n";
  for my $k (0 .. $#$stations) {
    my $station = $stations->[$k];
    my $facility = !$station->{servers} ? '' : "    servers = $station->{servers};\n    discipline = $station->{discipline}" .
      ($station->{rates} ? '(' . list(@{$station->{rates}}) . ')' : '') . ";\n";
    $text .= "component station_$k {\n  accepts:\n    profile = { node type = station, number = $k, evaluation mode = solver };\n" .
      "    transaction = serve(class, priority);\n    protocol = call-return;\n$facility  body:\n" .
      join('', map { my $law = $law{$classes->[$_]{law}[$k] // 'exponential'};
                     "    if class == $_ { hold " . $law->($classes->[$_]{S}[$k]) . "; }\n" } 0 .. $#$classes) . "}\n";
  }
  my $start = '';
  for my $c (0 .. $#$classes) {
    my $class = $classes->[$c];
    my $open = exists $class->{rate};
    my $profile = "evaluation mode = solver, kind = $c";
    my $back = sub { my ($type, $transaction) = @_;
      return "    selector = { node type = $type, kind = $c, i = i };\n    transaction = $transaction();\n    protocol = dataflow;\n" };
    my $visits = join '', map { "    selector = { node type = station, number = $_ };\n    transaction = serve($c, $class->{priority});\n" .
      "    visits = $class->{V}[$_];\n    protocol = call-return;\n" } grep { $class->{V}[$_] > 0 } 0 .. $#$stations;
    my $think = $class->{Z} > 0 ? "  body:\n    hold exponential($class->{Z} s);\n" : '';
    $text .= "component class_$c [i] : 0 <= i < 1 {\n  accepts:\n    profile = { node type = customer, $profile };\n" .
      "    transaction = cycle();\n    protocol = dataflow;\n    servers = unlimited;\n$think  requests:\n$visits" .
      ($open ? '' : $back->('customer', 'cycle')) . "}\n";
    $text .= "component source_$c [i] : 0 <= i < 1 {\n  accepts:\n    profile = { node type = source, $profile };\n" .
      "    transaction = arrive();\n    protocol = dataflow;\n  body:\n    hold exponential(1 s / $class->{rate});\n  requests:\n" .
      "    selector = { node type = customer, kind = $c };\n    transaction = cycle();\n    protocol = dataflow;\n" .
      $back->('source', 'arrive') . "}\n" if $open;
    my ($type, $transaction, $number) = $open ? ('source', 'arrive', 1) : ('customer', 'cycle', $class->{N});
    $start .= "    selector = { node type = $type, kind = $c };\n    transaction = $transaction();\n    visits = $number;\n" .
      "    protocol = dataflow;\n";
  }
  return "${text}system net {\n  requests:\n$start}\n";
}

# Figures of psl's CSV: X, R, Q and U of classes, stations, and classes at stations, "Q station_0 class_1", and percentiles of
# single cycles, "p95 class_0"; of an interval with _low and _high behind.
sub figures {
  my ($csv) = @_;
  my %letter = (throughput => 'X', response => 'R', queue => 'Q', utilisation => 'U');
  my %figures;
  for my $line (split /\n/, $csv) {
    $figures{"$2 $1" . ($3 // '')} = $4 if $line =~ /^responses,(\w+)\.cycle,(p\d+)(_low|_high)?,([^,]*),/;
    my ($name, $quantity, $end, $value) =
      $line =~ /^(?:classes|stations|classes_at_stations),([\w.]+),(throughput|response|queue|utilisation)(_low|_high)?,([^,]*),/ or next;
    $figures{"$letter{$quantity} " . ($name =~ s/\./ /r) . ($end // '')} = $value;
  }
  return \%figures;
}

# ---- product form ----

sub rate_of {
  my ($station, $customers) = @_;
  return $customers if !$station->{servers};
  my $rates = $station->{rates} or return $customers < $station->{servers} ? $customers : $station->{servers};
  return $rates->[$customers <= @$rates ? $customers - 1 : -1];
}

# All ways of putting so many customers at so many places.
sub placed {
  my ($customers, $places) = @_;
  return [$customers] if $places == 1;
  return map { my $first = $_; map { [$first, @$_] } placed($customers - $first, $places - 1) } 0 .. $customers;
}

# The weight of n closed customers at a station beside any number of open ones, whose mean number comes with it.
sub open_weight {
  my ($station, $n, $load) = @_;
  my ($term, $sum, $mean) = (1, 1, 0);
  $term /= rate_of($station, $_) for 1 .. $n;
  $sum = $term;
  for (my $l = 1; $load > 0 && ($term > 1e-17 * $sum || $l < 100); $l++) {
    $term *= $load * ($n + $l) / $l / rate_of($station, $n + $l);
    $sum += $term;
    $mean += $l * $term;
  }
  return ($sum, $mean / $sum);
}

sub product_form {
  my ($net) = @_;
  my @stations = @{$net->{stations}};
  my @classes = @{$net->{classes}};
  my @closed = grep { !exists $classes[$_]{rate} } 0 .. $#classes;
  my @load = map { my $k = $_; sum0 map { $_->{rate} * $_->{V}[$k] * $_->{S}[$k] } grep { exists $_->{rate} } @classes } 0 .. $#stations;
  my (%figures, @weights);
  my $all = 0;
  my $visit = sub {
    my ($weight, @at) = @_; # by closed class: customers by station, then those who think
    my (@others, @there);
    for my $k (0 .. $#stations) {
      my $n = $there[$k] = sum0 map { $_->[$k] } @at;
      my ($beside, $others) = @{$weights[$k][$n] //= [open_weight($stations[$k], $n, $load[$k])]};
      $weight *= $beside;
      $weight *= $_ for 1 .. $n;
      push @others, $others;
    }
    $all += $weight;
    for my $k (0 .. $#stations) {
      $figures{"Q station_$k class_$closed[$_]"} += $weight * $at[$_][$k] for 0 .. $#closed;
      $figures{"others $k"} += $weight * $others[$k];
      next if $load[$k] > 0 || !$there[$k];
      $figures{"done $k $_"} += $weight * $at[$_][$k] / $there[$k] * rate_of($stations[$k], $there[$k]) for 0 .. $#closed;
    }
    $figures{"thinking $_"} += $weight * $at[$_][-1] for 0 .. $#closed;
  };
  my $walk;
  $walk = sub {
    my ($weight, @at) = @_;
    return $visit->($weight, @at) if @at == @closed;
    my $class = $classes[$closed[@at]];
    for my $place (placed($class->{N}, @stations + 1)) {
      my $own = $weight * ($place->[-1] && !$class->{Z} ? 0 : $class->{Z} ** $place->[-1]);
      $own /= $_ for 1 .. $place->[-1];
      for my $k (0 .. $#stations) {
        $own *= ($class->{V}[$k] * $class->{S}[$k]) ** $place->[$k];
        $own /= $_ for 1 .. $place->[$k];
      }
      $walk->($own, @at, $place) if $own > 0;
    }
  };
  $walk->(1);
  $figures{$_} /= $all for keys %figures;
  for my $i (0 .. $#closed) {
    my ($c, $class) = ($closed[$i], $classes[$closed[$i]]);
    my ($from) = grep { $load[$_] == 0 && $class->{V}[$_] * $class->{S}[$_] > 0 } 0 .. $#stations;
    $figures{"X class_$c"} = $class->{Z} > 0 ? $figures{"thinking $i"} / $class->{Z}
                           : $figures{"done $from $i"} / ($class->{V}[$from] * $class->{S}[$from]);
    $figures{"R class_$c"} = $class->{N} / $figures{"X class_$c"} - $class->{Z};
  }
  for my $c (grep { exists $classes[$_]{rate} } 0 .. $#classes) {
    $figures{"X class_$c"} = $classes[$c]{rate};
    $figures{"Q station_$_ class_$c"} = $load[$_] > 0
      ? $figures{"others $_"} * $classes[$c]{rate} * $classes[$c]{V}[$_] * $classes[$c]{S}[$_] / $load[$_] : 0 for 0 .. $#stations;
    $figures{"R class_$c"} = sum0(map { $figures{"Q station_$_ class_$c"} } 0 .. $#stations) / $classes[$c]{rate};
  }
  delete $figures{$_} for grep { !/^[XRQ] / } keys %figures;
  return \%figures;
}

# ---- chains ----

# A state: by class those who think; by station the customers there, as classes in the order of coming, the one in service
# first where one is served at a time. Each class goes to the stations that it visits, each once, in their order.
sub markov {
  my ($net) = @_;
  my @stations = @{$net->{stations}};
  my @classes = @{$net->{classes}};
  my $enter = sub { # a station's line with one more customer
    my ($k, $line, $c) = @_;
    my $discipline = $stations[$k]{discipline};
    my @line = split //, $line;
    if ($discipline =~ /^priority/ && $stations[$k]{servers}) {
      my $from = $discipline eq 'priority' ? min(scalar @line, $stations[$k]{servers}) : 0; # nobody in service is behind
      my $at = $from;
      $at++ while $at < @line && $classes[$line[$at]]{priority} >= $classes[$c]{priority};
      splice @line, $at, 0, $c;
      return join '', @line;
    }
    return $line . $c if $discipline eq 'fcfs' && $stations[$k]{servers};
    return join '', sort @line, $c;
  };
  my $next = sub {
    my ($state, $c, $k) = @_;
    $k++ while $k < @stations && !$classes[$c]{V}[$k];
    my @next = @$state;
    if ($k < @stations) { $next[1 + $k] = $enter->($k, $next[1 + $k], $c) }
    else { $next[0] = join '', sort split(//, $next[0]), $c }
    return \@next;
  };
  my $without = sub { my ($state, $place, $at) = @_; my @next = @$state; substr($next[$place], $at, 1) = ''; return \@next };
  my $begin = [join('', map { $_ x $classes[$_]{N} } 0 .. $#classes), ('') x @stations];
  my @states = $begin;
  my %number = (join('|', @$begin) => 0);
  my (@in, @out);
  for (my $i = 0; $i < @states; $i++) {
    my $state = $states[$i];
    my $go = sub {
      my ($rate, $to) = @_;
      my $key = join '|', @$to;
      my $j = $number{$key} //= do { push @states, $to; $#states };
      return if $j == $i;
      push @{$in[$j]}, [$i, $rate];
      $out[$i] += $rate;
    };
    my %thinking = map { $_ => 1 } split //, $state->[0];
    for my $c (sort keys %thinking) {
      my $count = () = $state->[0] =~ /$c/g;
      $go->($count / $classes[$c]{Z}, $next->($without->($state, 0, index $state->[0], $c), $c, 0));
    }
    for my $k (0 .. $#stations) {
      my $line = $state->[1 + $k];
      my $n = length $line or next;
      my ($servers, $discipline) = @{$stations[$k]}{qw(servers discipline)};
      my $single = $servers && $discipline ne 'processor-sharing';
      for my $at (0 .. ($single ? ($servers < $n ? $servers : $n) - 1 : $n - 1)) {
        my $c = substr $line, $at, 1;
        my $rate = ($single ? 1 : rate_of($stations[$k], $n) / $n) / $classes[$c]{S}[$k];
        $go->($rate, $next->($without->($state, 1 + $k, $at), $c, $k + 1));
      }
    }
  }
  my @p = (1 / @states) x @states;
  for (1 .. 5000) {
    my $change = 0;
    for my $i (0 .. $#states) {
      my $flow = 0;
      $flow += $p[$_->[0]] * $_->[1] for @{$in[$i]};
      $flow /= $out[$i];
      my $apart = abs($flow - $p[$i]);
      $change = $apart if $apart > $change;
      $p[$i] = $flow;
    }
    my $all = sum0 @p;
    $_ /= $all for @p;
    last if $change < 1e-13;
  }
  my %figures = (states => scalar @states);
  for my $c (0 .. $#classes) {
    for my $k (0 .. $#stations) { $figures{"Q station_$k class_$c"} = 0 }
    for my $i (0 .. $#states) {
      for my $k (0 .. $#stations) {
        my $count = () = $states[$i][1 + $k] =~ /$c/g;
        $figures{"Q station_$k class_$c"} += $p[$i] * $count;
      }
      my $count = () = $states[$i][0] =~ /$c/g;
      $figures{"X class_$c"} += $p[$i] * $count / $classes[$c]{Z};
    }
    $figures{"R class_$c"} = $classes[$c]{N} / $figures{"X class_$c"} - $classes[$c]{Z};
  }
  return \%figures;
}

# Gauss and Seidel's iteration over the states at a station, to and fro: `p` by how many of the first class (class 1) and of
# the other are there; without interruptions also by how many of those in service are of the first class, where all servers
# are busy. Returns figures as `figures` does.
sub served_first {
  my ($net) = @_;
  my ($other, $first) = @{$net->{classes}};
  my ($servers, $interrupts) = ($net->{stations}[0]{servers}, $net->{stations}[0]{discipline} eq 'priority-preemptive');
  my ($l1, $l2, $m1, $m2) = ($first->{rate}, $other->{rate}, 1 / $first->{S}[0], 1 / $other->{S}[0]);
  my $load = ($l1 / $m1 + $l2 / $m2) / $servers;
  my ($most1, $most2) = (12 + int(16 / -log($l1 / $m1 / $servers)), 12 + int(16 / -log($load) * max(1, $first->{S}[0] / $other->{S}[0])));
  my (%number, @state, @in, @out);
  my $number = sub {
    my ($s1, $s2, $q1, $q2) = @_; # in service and waiting
    return $number{"$s1 $s2 $q1 $q2"} //= do { push @state, [@_]; $#state };
  };
  my $fill = sub { # from those there, who is served: all who are, and then who waits, the first class first
    my ($s1, $s2, $q1, $q2) = @_;
    ($s1, $s2, $q1, $q2) = (0, 0, $s1 + $q1, $s2 + $q2) if $interrupts;
    my $more = min($q1, $servers - $s1 - $s2);
    ($s1, $q1) = ($s1 + $more, $q1 - $more);
    $more = min($q2, $servers - $s1 - $s2);
    return $number->($s1, $s2 + $more, $q1, $q2 - $more);
  };
  $number->(0, 0, 0, 0);
  for (my $i = 0; $i < @state; $i++) {
    my ($s1, $s2, $q1, $q2) = @{$state[$i]};
    my @to = ([$s1 * $m1, $s1 - 1, $s2, $q1, $q2], [$s2 * $m2, $s1, $s2 - 1, $q1, $q2]);
    push @to, [$l1, $s1, $s2, $q1 + 1, $q2] if $s1 + $q1 < $most1;
    push @to, [$l2, $s1, $s2, $q1, $q2 + 1] if $s2 + $q2 < $most2;
    for my $to (grep { $_->[0] > 0 } @to) {
      my ($rate, @there) = @$to;
      push @{$in[$fill->(@there)]}, $i, $rate;
      $out[$i] += $rate;
    }
  }
  my @p = map { (0.9 * $load) ** sum0(@$_) } @state;
  my @order = sort { $state[$a][1] + $state[$a][3] <=> $state[$b][1] + $state[$b][3] || $state[$a][0] + $state[$a][2] <=> $state[$b][0] + $state[$b][2] } 0 .. $#state;
  for my $round (1 .. 2000) {
    my $change = 0;
    for my $i ($round % 2 ? @order : reverse @order) {
      my ($in, $sum) = ($in[$i], 0);
      for (my $k = 0; $k < @$in; $k += 2) { $sum += $p[$in->[$k]] * $in->[$k + 1] }
      $sum /= $out[$i];
      $change += abs($sum - $p[$i]);
      $p[$i] = $sum;
    }
    my $all = sum0(@p);
    last if $change < 1e-10 * $all;
    $_ /= $all for @p;
  }
  my ($all, $n1, $n2) = (0, 0, 0);
  for my $i (0 .. $#state) {
    my ($s1, $s2, $q1, $q2) = @{$state[$i]};
    ($all, $n1, $n2) = ($all + $p[$i], $n1 + $p[$i] * ($s1 + $q1), $n2 + $p[$i] * ($s2 + $q2));
  }
  return { 'R class_1' => $n1 / $all / $l1, 'R class_0' => $n2 / $all / $l2 };
}

1;
