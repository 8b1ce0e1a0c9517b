# Random platforms of SimGrid, zones in zones, and the ways in them: each zone knows its own routes by the names of what it
# holds, as they were drawn, so that nothing is read back from the file.
package Platform;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(random_platform platform_text platform_way);

my @RATES = (['Bps', 1], ['kBps', 1e3], ['MBps', 1e6], ['KiBps', 1024], ['bps', 0.125], ['kbps', 125], ['', 1]);
my @TIMES = (['s', 1], ['ms', 1e-3], ['us', 1e-6], ['', 1]);

# A platform has `hosts`, names in the order of the file, `zones` by the names of what lies in them, and `top`.
sub random_platform {
  my ($uniform) = @_;
  my $p = {draw => $uniform, hosts => [], home => {}, links => 0, zones => 0};
  $p->{top} = random_zone($p, undef, 3);
  return $p;
}

sub whole { my ($p, $low, $high) = @_; return $low + int($p->{draw}->() * ($high - $low + 1)) }
sub pick { my ($p, @items) = @_; return $items[int($p->{draw}->() * @items)] }

sub random_link {
  my ($p, $latency_least) = @_;
  my ($rate, $time) = (pick($p, @RATES), pick($p, @TIMES));
  my ($bandwidth, $latency) = (whole($p, 5, 40) * 1e4 / $rate->[1], whole($p, $latency_least // 0, 9) * 1e-4 / $time->[1]);
  return {bandwidth => sprintf('%.17g', $bandwidth) * $rate->[1], latency => sprintf('%.17g', $latency) * $time->[1],
    rate => sprintf('%.17g%s', $bandwidth, $rate->[0]), time => sprintf('%.17g%s', $latency, $time->[0]), split => whole($p, 0, 1)};
}

# Members are [name, zone or nothing], all zones or none; a zone's own points lie in `points`.
sub random_zone {
  my ($p, $outer, $depth) = @_;
  my $zone = {name => 'z' . $p->{zones}++, outer => $outer, points => [], members => [], text => [], route => {}};
  if ($outer && $p->{draw}->() < 0.4) { random_cluster($p, $zone) } else { random_routes($p, $zone, $depth) }
  return $zone;
}

sub point {
  my ($p, $zone, $name, $is_host) = @_;
  push @{$p->{hosts}}, $name if $is_host;
  push @{$zone->{points}}, $name;
  $p->{home}{$name} = $zone;
  return $name;
}

sub random_cluster {
  my ($p, $zone) = @_;
  my ($first, $count) = (whole($p, 0, 9), whole($p, 1, 4));
  my ($own, $backbone) = (random_link($p), random_link($p));
  $zone->{backbone} = $backbone if whole($p, 0, 1);
  for my $i ($first .. $first + $count - 1) {
    my $name = point($p, $zone, "$zone->{name}h$i.c", 1);
    $zone->{own}{$name} = {%$own, number => $p->{links}++};
  }
  if ($zone->{backbone}) { $backbone->{split} = 0; $backbone->{number} = $p->{links}++ }
  my $router = whole($p, 0, 1) ? sprintf ' router_id="%s"', point($p, $zone, "$zone->{name}r", 0) : '';
  push @{$zone->{text}}, sprintf qq(<cluster id="%s" prefix="%sh" suffix=".c" radical="%s" speed="1Gf" bw="%s" lat="%s" sharing_policy="%s"%s%s/>),
    $zone->{name}, $zone->{name}, $count == 1 ? $first : "$first-" . ($first + $count - 1), $own->{rate}, $own->{time},
    $own->{split} ? 'SPLITDUPLEX' : 'SHARED', $zone->{backbone} ? qq( bb_bw="$backbone->{rate}" bb_lat="$backbone->{time}") : '', $router;
}

sub inside { my ($zone) = @_; return (@{$zone->{points}}, map { $_->[1] ? inside($_->[1]) : () } @{$zone->{members}}) }

sub random_routes {
  my ($p, $zone, $depth) = @_;
  my (@head, @links, @routes);
  my $of_zones = $depth > 1 && whole($p, 0, 1);
  for (1 .. whole($p, 2, 3)) {
    if ($of_zones) {
      my $inner = random_zone($p, $zone, $depth - 1);
      push @{$zone->{members}}, [$inner->{name}, $inner];
      push @head, @{$inner->{text}};
    } else {
      my $is_host = whole($p, 0, 3) > 0 || @{$p->{hosts}} == 0;
      my $name = point($p, $zone, ($is_host ? 'h' : 'r') . keys(%{$p->{home}}), $is_host);
      push @{$zone->{members}}, [$name];
      push @head, sprintf '<%s id="%s"%s/>', $is_host ? 'host' : 'router', $name, $is_host ? ' speed="1Gf"' : '';
    }
  }
  for (1 .. whole($p, 1, 5)) {
    my $link = {%{random_link($p)}, number => $p->{links}, name => 'l' . $p->{links}};
    $p->{links}++;
    push @links, $link;
    push @head, sprintf '<link id="%s" bandwidth="%s" latency="%s"%s/>', @{$link}{qw(name rate time)},
      $link->{split} ? ' sharing_policy="SPLITDUPLEX"' : '';
  }
  my @members = @{$zone->{members}};
  for my $a (0 .. $#members) {
    for my $b ($a + 1 .. $#members) {
      my $both = whole($p, 0, 1);
      push @routes, random_route($p, $zone, $both, $members[$a], $members[$b], @links);
      push @routes, random_route($p, $zone, 0, $members[$b], $members[$a], @links) if !$both;
    }
  }
  $zone->{text} = [qq(<zone id="$zone->{name}" routing="Full">), map({ "  $_" } @head, @routes), '</zone>'];
}

# Steps are [link, down]. Ends that are zones have gateways.
sub random_route {
  my ($p, $zone, $both, $from, $to, @links) = @_;
  my @steps = map { my $link = pick($p, @links); [$link, $link->{split} && whole($p, 0, 1)] } 1 .. whole($p, 1, 4);
  my @gates = map { $_->[1] ? pick($p, inside($_->[1])) : $_->[0] } $from, $to;
  $zone->{route}{$from->[0]}{$to->[0]} = [$gates[0], [@steps], $gates[1]];
  $zone->{route}{$to->[0]}{$from->[0]} = [$gates[1], [map { [$_->[0], $_->[0]{split} && !$_->[1]] } reverse @steps], $gates[0]] if $both;
  my $zones = $from->[1];
  return ($zones ? sprintf('<zoneRoute src="%s" dst="%s" gw_src="%s" gw_dst="%s"', $from->[0], $to->[0], @gates)
      : sprintf('<route src="%s" dst="%s"', $from->[0], $to->[0])) . ($both ? '>' : ' symmetrical="NO">'),
    map({ sprintf '  <link_ctn id="%s"%s/>', $_->[0]{name}, $_->[1] ? ' direction="DOWN"' : $_->[0]{split} ? ' direction="UP"' : '' } @steps),
    $zones ? '</zoneRoute>' : '</route>';
}

sub platform_text {
  my ($p) = @_;
  return join "\n", '<?xml version="1.0"?>', '<platform version="4.1">', @{$p->{top}{text}}, "</platform>\n";
}

# The zones around a point, the outermost first.
sub around { my ($zone) = @_; return $zone ? (around($zone->{outer}), $zone) : () }

# Steps from point to point.
sub platform_way {
  my ($p, $from, $to) = @_;
  return () if $from eq $to;
  my @a = (around($p->{home}{$from}), {name => $from});
  my @b = (around($p->{home}{$to}), {name => $to});
  my $common;
  while ($a[0]{name} eq $b[0]{name}) { $common = shift @a; shift @b }
  if ($common->{own}) {
    return (map({ [$_, 0] } grep { defined } $common->{own}{$from}, $common->{backbone}), map { [$_, $_->{split}] } grep { defined } $common->{own}{$to});
  }
  my ($out, $steps, $in) = @{$common->{route}{$a[0]{name}}{$b[0]{name}}};
  return (platform_way($p, $from, $out), @$steps, platform_way($p, $in, $to));
}
1;
