# Networks in which messages meet, by other means than PSL's: ways from the definitions of psl-networks(7), max-min fair
# rates by progressive filling of all messages at each event, packets by a plain list of events. Slow and short.
package Interconnect;
use strict;
use warnings;
use Exporter 'import';
use List::Util qw(max min product sum0);
use Platform;
our @EXPORT = qw(random_network way_of fluid_ends packet_ends);

# ---- ways: lists of [link, section, position]; sections and positions are for virtual channels ----

sub ring_way { # coordinates of one dimension: the nodes passed, and whether up
  my ($size, $a, $b, $round) = @_;
  my ($up, $down) = (($b - $a) % $size, ($a - $b) % $size);
  my $forward = $round ? $up <= $down : $b > $a;
  my $steps = $forward ? $up : $down;
  return ($forward, map { ($a + ($forward ? $_ : -$_)) % $size } 0 .. $steps - 1);
}

sub grid_way { # through nodes in between, perhaps
  my ($net, $from, @by) = @_;
  my $dimensions = @{$net->{dimensions}};
  my ($first, $last) = (2 * $dimensions * product(@{$net->{dimensions}}), $by[-1]);
  my @way = $net->{classes} > $dimensions ? [$first + 2 * $from, 0, 0] : ();
  for my $to (@by) {
    push @way, grid_cross($net, $from, $to);
    $from = $to;
  }
  return (@way, $net->{classes} > $dimensions ? [$first + 2 * $last + 1, 99, 0] : ());
}

sub grid_cross {
  my ($net, $from, $to) = @_;
  my @size = @{$net->{dimensions}};
  my (@way, @at, @goal);
  my ($f, $t) = ($from, $to);
  for my $size (@size) {
    push @at, $f % $size;
    push @goal, $t % $size;
    $f = int($f / $size);
    $t = int($t / $size);
  }
  for my $k (0 .. $#size) {
    my ($up, @passed) = ring_way($size[$k], $at[$k], $goal[$k], $net->{topology} eq 'torus');
    for my $x (@passed) {
      $at[$k] = $x;
      my $node = 0;
      $node = $node * $size[$_] + $at[$_] for reverse 0 .. $#size;
      push @way, [2 * @size * $node + 2 * $k + ($up ? 0 : 1), 1 + 2 * $k + ($up ? 0 : 1), $up ? $x : $size[$k] - 1 - $x];
    }
    $at[$k] = $goal[$k];
  }
  return @way;
}

sub tree_way { # up to the lowest common subtree by the parents of a number, and down through the same b
  my ($net, $from, $to, $number) = @_;
  my ($m, $w) = ($net->{dimensions}, $net->{parents});
  my $width = sub { product(1, @{$w}[0 .. $_[0] - 1]) };
  my $under = sub { product(1, @{$m}[0 .. $_[0] - 1]) };
  my $base = sub { sum0(map { 2 * product(@{$m}[$_ .. $#$m]) * $width->($_ + 1) } 0 .. $_[0] - 1) };
  my $link = sub {
    my ($level, $host, $b, $p, $down) = @_;
    my $index = int($host / $under->($level)) * $width->($level) + $b % $width->($level);
    return [$base->($level) + 2 * ($index * $w->[$level] + $p) + $down, $down ? 99 - $level : $level, 0];
  };
  my ($top, $b) = (0, 0);
  $top++ while int($from / $under->($top)) != int($to / $under->($top));
  my (@up, @down);
  for my $level (0 .. $top - 1) {
    my $p = ($number - $number % $width->($level)) / $width->($level) % $w->[$level];
    push @up, $link->($level, $from, $b, $p, 0);
    unshift @down, $link->($level, $to, $b, $p, 1);
    $b += $p * $width->($level);
  }
  return (@up, @down);
}

sub dragonfly_way { # through a group in between, perhaps
  my ($net, $from, $to, @groups) = @_;
  my ($p, $a, $h, $g) = @{$net->{dimensions}};
  my $hosts = $p * $a * $g;
  my ($here, $there) = (int($from / $p), int($to / $p));
  my ($i, $j) = (int($here / $a), int($there / $a));
  my $local = sub { [2 * $hosts + $_[0] * $a + $_[1] % $a, 1, 0] };
  my $door = sub { my ($x, $y) = @_; $x * $a + int(($y < $x ? $y : $y - 1) / $h) };
  my @way = [2 * $from, 0, 0];
  for my $next ($i == $j ? () : (@groups, $j)) {
    next if $i == $next;
    push @way, $local->($here, $door->($i, $next)) if $here != $door->($i, $next);
    my $link = 2 * $hosts + $a * $a * $g + $i * $g + $next;
    push @way, [$link, 2, $link];
    $here = $door->($next, $i);
    $i = $next;
  }
  push @way, $local->($here, $there) if $here != $there;
  return (@way, [2 * $to + 1, 3, 0]);
}

sub platform_steps {
  my ($platform, $from, $to) = @_;
  return map {
    my ($link, $down) = @$_;
    my $number = 2 * $link->{number} + ($down ? 1 : 0);
    [$number, 0, $number, @{$link}{qw(bandwidth latency)}]
  } platform_way($platform, map { $platform->{hosts}[$_] } $from, $to);
}

sub class_of {
  my ($net, $link) = @_;
  my @d = @{$net->{dimensions}};
  return 0 if $net->{classes} == 1;
  return $link == 2 * $d[0] ? 1 : 0 if $net->{topology} eq 'star';
  if ($net->{topology} eq 'dragonfly') {
    my $hosts = $d[0] * $d[1] * $d[3];
    return $link < 2 * $hosts ? 0 : $link < 2 * $hosts + $d[3] * $d[1] ** 2 ? 1 : 2;
  }
  if ($net->{topology} eq 'fat-tree') {
    for my $level (0 .. $#d) {
      my $links = 2 * product(@d[$level .. $#d]) * product(@{$net->{parents}}[0 .. $level]);
      return $level if $link < $links;
      $link -= $links;
    }
  }
  return $link >= 2 * @d * product(@d) ? scalar @d : int($link / 2) % @d;
}

# The link between the same two places in the other direction.
sub reverse_of {
  my ($net, $link) = @_;
  my ($t, @d) = ($net->{topology}, @{$net->{dimensions}});
  return $link if $t eq 'bus' || $t eq 'star' && $link == 2 * $d[0];
  if ($t eq 'dragonfly') {
    my ($p, $a, $g) = @d[0, 1, 3];
    my ($local, $global) = (2 * $p * $a * $g, 2 * $p * $a * $g + $a * $a * $g);
    my ($first, $across) = $link < $local ? (0, 0) : $link < $global ? ($local, $a) : ($global, $g);
    return $link ^ 1 if !$across;
    my ($from, $to) = (int(($link - $first) / $across), ($link - $first) % $across);
    return $first + ($link < $global ? ($from - $from % $a + $to) * $a + $from % $a : $to * $g + $from);
  }
  return $link ^ 1 if $t !~ /torus|mesh/ || $link >= 2 * @d * product(@d);
  my ($node, $k, $down) = (int($link / (2 * @d)), int($link / 2) % @d, $link % 2);
  my $stride = product(1, @d[0 .. $k - 1]);
  my $at = int($node / $stride) % $d[$k];
  return 2 * @d * ($node + ((($at + ($down ? -1 : 1)) % $d[$k]) - $at) * $stride) + 2 * $k + 1 - $down;
}

# What is random follows from a message: splitmix64 of its source, its destination, and the bits of its size and start.
sub scramble {
  no warnings 'portable';
  use integer;
  my ($x) = @_;
  $x += unpack('q', pack('Q', 0x9e3779b97f4a7c15));
  $x = ($x ^ ($x >> 30 & (1 << 34) - 1)) * unpack('q', pack('Q', 0xbf58476d1ce4e5b9));
  $x = ($x ^ ($x >> 27 & (1 << 37) - 1)) * unpack('q', pack('Q', 0x94d049bb133111eb));
  return $x ^ ($x >> 31 & (1 << 33) - 1);
}
sub chosen {
  use integer;
  my $x = 0;
  $x = scramble($x ^ $_) for @_;
  return $x;
}
sub number_of { my ($from, $to, $bytes, $start) = @_; return chosen($from, $to, map { unpack 'q', pack 'd', $_ } $bytes, $start) }

# [capacity, channel, bandwidth, latency, link] of each link on the way; with a number, of that by what the number chooses.
sub way_of {
  my ($net, $from, $to, $number) = @_;
  return () if $from == $to;
  $number = unpack 'Q', pack 'q', $number if defined $number;
  my @by = !defined $number ? () : $number % ($net->{topology} eq 'dragonfly' ? $net->{dimensions}[3] : $net->{nodes});
  my @way = $net->{topology} eq 'bus'  ? [0, 0, 0]
    : $net->{platform}                 ? platform_steps($net->{platform}, $from, $to)
    : $net->{topology} eq 'star'       ? ([2 * $from, 0, 0], $net->{classes} > 1 ? [2 * $net->{nodes}, 1, 0] : (), [2 * $to + 1, 2, 0])
    : $net->{topology} eq 'fat-tree'   ? tree_way($net, $from, $to, $number // $to)
    : $net->{topology} eq 'dragonfly'  ? dragonfly_way($net, $from, $to, @by)
    :                                    grid_way($net, $from, @by, $to);
  my ($phase, $round, $last) = (0, 0);
  for my $step (@way) {
    if ($last) {
      my $same = $step->[1] == $last->[1];
      my $back = $same && $step->[2] <= $last->[2];
      $phase++ if $step->[1] < $last->[1] || $back && $round;
      $round = ($back ? !$round : $same && $round) ? 1 : 0;
    }
    $last = [@$step];
    my @figures = @$step > 3 ? @{$step}[3, 4] : do { my $class = class_of($net, $step->[0]); ($net->{bandwidths}[$class], $net->{latencies}[$class]) };
    @$step = ($net->{shared} ? min($step->[0], reverse_of($net, $step->[0])) : $step->[0], 2 * $phase + $round, @figures, $step->[0]);
  }
  return @way;
}

# ---- ranks on nodes ----

# `each` ranks of a node: some that follow each other; or they go round; or tiles of a grid of ranks.
sub node_of {
  my ($net, $rank) = @_;
  my ($each, $columns) = @{$net}{qw(each columns)};
  return $rank if $each == 1;
  return int($rank / $each) if $net->{mapping} eq 'block';
  return $rank % $net->{nodes} if $net->{mapping} eq 'cyclic';
  my $wide = $each / $net->{tile_rows};
  my ($row, $column) = (int($rank / $columns), $rank % $columns);
  return int($row / $net->{tile_rows}) * int(($columns + $wide - 1) / $wide) + int($column / $wide);
}

# A message between ranks as one between nodes: [from, to, bytes, start, latency, gap].
sub placed {
  my ($net, $message) = @_;
  my ($from, $to, $bytes, $start) = @$message;
  my ($a, $b) = map { node_of($net, $_) } $from, $to;
  return ($a, $b, $bytes, $start, $net->{each} > 1 && $a == $b ? @{$net}{qw(L_inside gap_inside)} : @{$net}{qw(L gap)});
}

# ---- max-min fair ----

# Rates of messages by progressive filling: all rise together; who is on a link that is full, or at his cap, stays.
sub rates {
  my @flows = @_;
  my (%left, %on);
  for my $f (@flows) {
    my %once = map { $_->[0] => $_->[2] } @{$f->{way}};
    $left{$_} = $once{$_} for keys %once;
    push @{$on{$_}}, $f for keys %once;
    $f->{links} = [keys %once];
    $f->{rate} = -1;
  }
  while (my @open = grep { $_->{rate} < 0 } @flows) {
    my %share;
    for my $link (keys %on) {
      my $count = grep { $_->{rate} < 0 } @{$on{$link}};
      $share{$link} = $left{$link} / $count if $count;
    }
    my $level = min(values %share, map { $_->{cap} } @open);
    my %full = map { $_ => 1 } grep { $share{$_} <= $level * (1 + 1e-12) } keys %share;
    my @settled = grep { $_->{cap} <= $level * (1 + 1e-12) || grep { $full{$_} } @{$_->{links}} } @open;
    for my $f (@settled) {
      $f->{rate} = $level;
      $left{$_} -= $level for @{$f->{links}};
    }
  }
}

# When messages [from, to, bytes, start] between ranks are there.
sub fluid_ends {
  my ($net, @messages) = @_;
  my (@ends, @coming, @moving);
  for my $i (0 .. $#messages) {
    my ($from, $to, $bytes, $start, $L, $gap) = placed($net, $messages[$i]);
    my @way = way_of($net, $from, $to, $net->{routing} eq 'valiant' ? number_of($from, $to, $bytes, $start + $L) : ());
    my $least = max($gap, map { 1 / $_->[2] } @way);
    $start += $L + sum0(map { $_->[3] } @way);
    $ends[$i] = $start + $bytes * $gap if !@way;
    $ends[$i] = $start if @way && !$bytes;
    push @coming, {number => $i, way => \@way, left => $bytes, start => $start, cap => 1 / $least} if !defined $ends[$i];
  }
  my $now = 0;
  while (@coming || @moving) {
    rates(@moving);
    my $next = min(map({ $_->{start} } @coming), map { $now + $_->{left} / $_->{rate} } @moving);
    $_->{left} -= $_->{rate} * ($next - $now) for @moving;
    $now = $next;
    $ends[$_->{number}] = $now for grep { $_->{left} <= 1e-9 * $_->{rate} * $now } @moving;
    @moving = grep { !defined $ends[$_->{number}] } @moving;
    push @moving, grep { $_->{start} <= $now } @coming;
    @coming = grep { $_->{start} > $now } @coming;
  }
  return @ends;
}

# ---- packets ----

# Messages of a network with packets of $net->{packet} bytes and $net->{buffers} behind each link and channel.
sub packet_ends {
  my ($net, @between_ranks) = @_;
  my @messages = map { [placed($net, $_)] } @between_ranks;
  my (@ends, @left, @events, %busy, %line, %used, $came);
  my %rank = (done => 0, there => 1, ready => 2, begin => 3);
  my $push = sub { my ($time, $what, $packet, $hop) = @_; push @events, {time => $time, what => $what, p => $packet, hop => $hop} };
  my $choose = sub { # a packet's way, by what stands on the two that there are
    my ($i, $k) = @_;
    my ($from, $to, $bytes, $start) = @{$messages[$i]};
    my @minimal = way_of($net, $from, $to);
    return \@minimal if $net->{routing} eq 'minimal' || $net->{topology} =~ /bus|star|platform/;
    my @other = way_of($net, $from, $to, chosen(number_of($from, $to, $bytes, $start + $messages[$i][4]), $k, 0, 0));
    return \@other if $net->{routing} eq 'valiant';
    my ($here, $there) = map { my $way = $_; @$way + sum0(map { @{$line{$_->[0]} || []} + ($busy{$_->[0]} ? 1 : 0) } @$way) } \@minimal, \@other;
    return $here <= $there ? \@minimal : \@other;
  };
  my $packet = sub {
    my ($i, $k, $time) = @_;
    my $bytes = min($net->{packet}, $messages[$i][2] - $k * $net->{packet});
    $push->($time, 'ready', {message => $i, k => $k, bytes => $bytes, tail => $time, way => $choose->($i, $k)}, 0) if $bytes > 0;
  };
  my $serve = sub {
    my ($link, $now) = @_;
    return if $busy{$link};
    # only the first of a channel, and only where there is a buffer for it
    my %seen;
    for my $waiting (@{$line{$link} || []}) {
      my ($p, $hop) = @$waiting;
      my ($key, $last) = ("$p->{way}[$hop][4]/$p->{way}[$hop][1]", $hop == $#{$p->{way}});
      next if $seen{$key}++ || (!$last && ($used{$key} || 0) >= $net->{buffers});
      @{$line{$link}} = grep { $_ != $waiting } @{$line{$link}};
      $busy{$link} = 1;
      $used{$key}++ if !$last;
      my ($bandwidth, $latency) = @{$p->{way}[$hop]}[2, 3];
      my $done = max($now + $p->{bytes} / $bandwidth, $p->{tail});
      $p->{tail} = $done + $latency;
      $push->($done, 'done', $p, $hop);
      $push->($last ? ($done + $latency, 'there') : (($net->{stored} ? $done : $now) + $latency, 'ready'), $p, $hop + !$last);
      $packet->($p->{message}, $p->{k} + 1, $now + $p->{bytes} * $messages[$p->{message}][5]) if $hop == 0;
      return;
    }
  };
  for my $i (0 .. $#messages) {
    my ($from, $to, $bytes, $start, $L, $gap) = @{$messages[$i]};
    my @way = way_of($net, $from, $to);
    my $least = max($gap, map { 1 / $_->[2] } @way);
    $ends[$i] = $start + $L + sum0(map { $_->[3] } @way) + $bytes * $least;
    $left[$i] = @way && $bytes ? -int(-$bytes / $net->{packet}) + ($bytes / $net->{packet} > int($bytes / $net->{packet})) : 0;
    $ends[$i] = max($ends[$i], packet_ends({%$net, routing => 'minimal', buffers => 1e9}, $between_ranks[$i])) if $net->{stored} && $net->{routing} ne 'minimal';
    $push->($start + $L, 'begin', {message => $i, k => 0}, 0) if $left[$i];
  }
  while (@events) {
    @events = sort {
      $a->{time} <=> $b->{time} || $rank{$a->{what}} <=> $rank{$b->{what}}
        || $messages[$a->{p}{message}][0] <=> $messages[$b->{p}{message}][0]
        || $messages[$a->{p}{message}][1] <=> $messages[$b->{p}{message}][1]
        || $messages[$a->{p}{message}][2] <=> $messages[$b->{p}{message}][2]
        || $messages[$a->{p}{message}][3] <=> $messages[$b->{p}{message}][3]
        || $a->{p}{k} <=> $b->{p}{k} || $a->{hop} <=> $b->{hop}
    } @events;
    my $event = shift @events;
    my ($p, $hop, $now) = @{$event}{qw(p hop time)};
    if ($event->{what} eq 'begin') { $packet->($p->{message}, 0, $now); next }
    my $link = $p->{way}[$hop][0];
    if ($event->{what} eq 'ready') {
      push @{$line{$link}}, [$p, $hop];
      $serve->($link, $now);
    } elsif ($event->{what} eq 'done') {
      $busy{$link} = 0;
      if ($hop > 0) {
        my $before = $p->{way}[$hop - 1];
        $used{"$before->[4]/$before->[1]"}--;
        $serve->($before->[0], $now);
      }
      $serve->($link, $now);
    } elsif (--$left[$p->{message}] == 0) {
      $ends[$p->{message}] = max($ends[$p->{message}], $now);
    }
  }
  return @ends;
}

# ---- random networks ----

# $uniform gives numbers of 0 .. 1. Bandwidths in byte/s, latencies in s.
sub random_network {
  my ($uniform) = @_;
  my $pick = sub { $_[int($uniform->() * @_)] };
  my $whole = sub { my ($low, $high) = @_; $low + int($uniform->() * ($high - $low + 1)) };
  my $net = {topology => $pick->(qw(bus star torus torus mesh fat-tree dragonfly platform)), parents => [], dimensions => []};
  if ($net->{topology} eq 'platform') {
    $net->{platform} = random_platform($uniform);
    $net->{nodes} = @{$net->{platform}{hosts}};
    @{$net}{qw(bandwidths latencies)} = ([1], [0]);
  } else {
    random_dimensions($net, $pick, $whole);
    $net->{shared} = $whole->(0, 3) == 0;
  }
  $net->{L} = $whole->(0, 3) * 1e-3;
  $net->{routing} = $pick->(qw(minimal valiant adaptive));
  $net->{gap} = $whole->(0, 2) ? 0 : $whole->(1, 30) * 1e-6;
  random_places($net, $pick, $whole);
  return $net;
}

sub random_dimensions {
  my ($net, $pick, $whole) = @_;
  my $t = $net->{topology};
  my @d = $t eq 'torus' || $t eq 'mesh' ? map { $whole->(1, 5) } 1 .. $whole->(1, 3)
    : $t eq 'fat-tree' ? map { $whole->(1, 4) } 1 .. $whole->(1, 3)
    : $t eq 'dragonfly' ? ($whole->(1, 2), $whole->(1, 3), $whole->(1, 2))
    :                     $whole->(2, 9);
  push @d, $whole->(1, min(5, $d[1] * $d[2] + 1)) if $t eq 'dragonfly';
  $d[0] = 2 if product(@d) == 1;
  $net->{dimensions} = \@d;
  $net->{nodes} = $t eq 'dragonfly' ? $d[0] * $d[1] * $d[3] : product(@d);
  $net->{parents} = [map { $whole->(1, 3) } @d] if $t eq 'fat-tree';
  my $most = $t eq 'dragonfly' ? 3 : $t eq 'bus' ? 1 : $t eq 'star' ? 2 : $t eq 'fat-tree' ? @d : @d + $whole->(0, 1);
  $net->{classes} = $pick->(1, $most, $most);
  for my $what (qw(bandwidths latencies)) {
    my @figures = map { $what eq 'latencies' ? $whole->(0, 9) * 1e-4 : $whole->(5, 40) * 1e4 } 1 .. $net->{classes};
    $net->{$what} = \@figures;
  }
}

# How many ranks there are, and where.
sub random_places {
  my ($net, $pick, $whole) = @_;
  my $each = $whole->(1, 3) == 1 ? $whole->(2, 4) : 1;
  my $rows = $pick->(grep { $each % $_ == 0 } 1 .. $each);
  my $wide = $whole->(1, $net->{nodes});                            # tiles side by side
  my $columns = $wide * $each / $rows - $whole->(0, $each / $rows - 1); # the last of which may be narrower
  @{$net}{qw(each mapping tile_rows columns)} = ($each, $pick->(qw(block cyclic tile)), $rows, $columns);
  @{$net}{qw(L_inside gap_inside)} = ($whole->(0, 3) * 1e-4, $whole->(0, 9) * 1e-7);
  $net->{ranks} = $each == 1 || $net->{mapping} ne 'tile' ? $net->{nodes} * $each : int($net->{nodes} / $wide) * $rows * $columns;
}
1;
