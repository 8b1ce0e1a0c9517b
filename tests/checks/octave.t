#!/usr/bin/perl
# 20 random queueing networks, solved here and by octave's package queueing: closed ones of several classes and servers,
# exactly and by Schweitzer's approximation, open and mixed ones.
# Plain build alone: cases solve such networks.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $seed = 20261121;
sub uniform { $seed = ($seed * 1103515245 + 12345) % 2147483648; return $seed / 2147483648 }
sub whole { my ($low, $high) = @_; return $low + int(uniform() * ($high - $low + 1)) }
sub figure { my ($low, $high) = @_; return sprintf '%.3f', $low + uniform() * ($high - $low) }

# { solver, classes, stations, open (by class), N or rate, Z, S, V (class, station), m (0: delay) }
sub network {
  my ($solver, $kind) = @_;
  my %n = (solver => $solver, kind => $kind, stations => whole(2, 5));
  $n{classes} = $kind eq 'single' ? 1 : whole(2, 3);
  $n{stations} = $n{classes} if $kind eq 'mixed'; # qnmix wants it so, and takes no delays
  for my $c (0 .. $n{classes} - 1) {
    $n{open}[$c] = $kind eq 'open' || $kind eq 'mixed' && $c == 0;
    $n{N}[$c] = whole(1, 7);
    $n{rate}[$c] = figure(0.05, 0.2);
    $n{Z}[$c] = $n{open}[$c] || $kind eq 'mixed' ? 0 : figure(0, 5);
    for my $k (0 .. $n{stations} - 1) {
      $n{S}[$c][$k] = figure(0.1, 1);
      $n{V}[$c][$k] = $kind eq 'open' || $kind eq 'mixed' ? figure(0.2, 1.5) : figure(0.5, 4);
    }
  }
  my @servers = $kind eq 'mixed' ? 1 : $solver eq 'Schweitzer' || $kind eq 'open' ? (1, 1, 1, 0) : (1, 1, 2, 3, 0);
  for my $k (0 .. $n{stations} - 1) {
    $n{m}[$k] = $k ? $servers[whole(0, $#servers)] : 1;
    $n{S}[$_][$k] = $n{m}[$k] > 1 ? $n{S}[0][$k] : $n{S}[$_][$k] for 0 .. $n{classes} - 1; # all that octave takes
  }
  return \%n;
}

sub list { my ($unit, @items) = @_; return '[' . join(', ', map { "$_$unit" } @items) . ']' }

sub model {
  my ($n) = @_;
  my @k = 0 .. $n->{stations} - 1;
  my $text = "let service = " . list('', map { list(' s', @$_) } @{$n->{S}}) . ";\n" .
    "let visits = " . list('', map { list('', @$_) } @{$n->{V}}) . ";\n" .
    "transaction work(class : int);\ntransaction cycle();\ntransaction arrive();\n";
  for my $k (@k) {
    my $servers = $n->{m}[$k] ? "servers = $n->{m}[$k]; discipline = processor-sharing;" : '';
    $text .= "component station_$k {\n  accepts: profile = { domain = hardware[server], node type = station, number = $k };\n" .
      "    transaction = work(class); protocol = call-return; $servers\n  body: hold exponential(service[class][$k]);\n}\n";
  }
  my $start = '';
  for my $c (0 .. $n->{classes} - 1) {
    my $calls = join '', map { "    selector = { domain = hardware[server], node type = station, number = $_ };\n" .
      "    transaction = work($c); visits = visits[$c][$_]; protocol = call-return;\n" } @k;
    my $profile = "domain = application[queueing], evaluation mode = analysis[$n->{solver}], class = $c";
    my $loop = "    selector = { domain = application[queueing], class = $c, node type = %s, i = i };\n" .
      "    transaction = %s(); protocol = dataflow;\n";
    my $visits = $n->{open}[$c] ? 1 : $n->{N}[$c];
    $text .= "component class_$c [i] : 0 <= i < 1 {\n  accepts: profile = { $profile, node type = customer };\n" .
      "    transaction = cycle(); protocol = dataflow; servers = unlimited;\n  body: hold $n->{Z}[$c] s;\n  requests:\n$calls" .
      ($n->{open}[$c] ? '' : sprintf $loop, 'customer', 'cycle') . "}\n";
    $text .= "component source_$c [i] : 0 <= i < 1 {\n  accepts: profile = { $profile, node type = source };\n" .
      "    transaction = arrive(); protocol = dataflow;\n  body: hold exponential(1 s / $n->{rate}[$c]);\n  requests:\n" .
      "    selector = { domain = application[queueing], class = $c, node type = customer };\n" .
      "    transaction = cycle(); protocol = dataflow;\n" . sprintf($loop, 'source', 'arrive') . "}\n" if $n->{open}[$c];
    my ($node, $transaction) = $n->{open}[$c] ? ('source', 'arrive') : ('customer', 'cycle');
    $start .= "    selector = { domain = application[queueing], class = $c, node type = $node };\n" .
      "    transaction = $transaction(); visits = $visits; protocol = dataflow;\n";
  }
  return "${text}system net {\n  requests:\n$start}\n";
}

sub matrix { return '[' . join('; ', map { join ' ', @$_ } @_) . ']' }

sub question {
  my ($n) = @_;
  my ($S, $V) = (matrix(@{$n->{S}}), matrix(@{$n->{V}}));
  my $m = '[' . join(' ', map { $_ || -1 } @{$n->{m}}) . ']';
  my $Z = '[' . join(' ', @{$n->{Z}}) . ']';
  my $N = '[' . join(' ', map { $n->{open}[$_] ? 0 : $n->{N}[$_] } 0 .. $n->{classes} - 1) . ']';
  my $rate = '[' . join(' ', map { $n->{open}[$_] ? $n->{rate}[$_] : 0 } 0 .. $n->{classes} - 1) . ']';
  my $call = $n->{kind} eq 'single' ? "qncsmva($N, $S, $V, $m, $Z)"
           : $n->{solver} eq 'Schweitzer' ? "qncmmvabs($N, $S, $V, $m, $Z, 1e-13, 100000)"
           : $n->{kind} eq 'open' ? "qnom($rate, $S, $V .* ($rate' / sum($rate)), $m)"
           : $n->{kind} eq 'mixed' ? "qnmix($rate, $N, $S, $V, $m)" : "qncmmva($N, $S, $V, $m, $Z)";
  my $U = $n->{kind} eq 'mixed' ? "U = X .* $S;" : ''; # qnmix counts the visits of closed classes twice there
  return "[U R Q X] = $call; $U V = $V; for c = 1:rows(V) for k = 1:columns(V) " .
    "printf('%.15g %.15g %.15g %.15g\\n', X(c,k), R(c,k) * V(c,k), Q(c,k), U(c,k)); endfor endfor; printf('end\\n');\n";
}

my $octave = command($root, 'octave', '--norc', '--eval', 'pkg load queueing');
if ($octave->{exit}) {
  skip('random networks', 'octave with its package queueing is not installed');
  finish();
  exit;
}
my @networks = ((map { network('MVA', 'closed') } 1 .. 7), (map { network('MVA', 'single') } 1 .. 4),
                (map { network('Schweitzer', 'closed') } 1 .. 4), (map { network('open', 'open') } 1 .. 3),
                (map { network('MVA', 'mixed') } 1 .. 2));
spew(scratch() . '/questions.m', "warning('off', 'all'); pkg load queueing\n" . join '', map { question($_) } @networks);
my $answers = command($root, 'octave', '--norc', scratch() . '/questions.m');
my @answers = split /end\n/, $answers->{out};
for my $i (0 .. $#networks) {
  my $n = $networks[$i];
  my $file = scratch() . "/network$i.psl";
  my $name = "network $i, $n->{kind}, $n->{solver}";
  spew($file, model($n));
  my $run = command($root, 'psl', 'run', $file, '--format', 'csv');
  my (%own, $wrong);
  while ($run->{out} =~ /^classes_at_stations,station_(\d+)\.class_(\d+),(\w+),([^,]*),/mg) { $own{"$2 $1 $3"} = $4 }
  my @lines = split /\n/, $answers[$i] // '';
  $wrong = "psl: $run->{err}octave: $answers->{err}" if $run->{exit} || @lines != $n->{classes} * $n->{stations};
  for my $c (0 .. $n->{classes} - 1) {
    for my $k (0 .. $n->{stations} - 1) {
      last if $wrong;
      my @theirs = split / /, shift @lines;
      for my $what (qw(throughput response queue utilisation)) {
        my ($theirs, $ours) = (shift @theirs, $own{"$c $k $what"} // 'none');
        next if $what eq 'utilisation' && !$n->{m}[$k] && $ours eq 'none'; # a delay has no servers to be busy
        my $apart = $ours eq 'none' ? 1 : abs($ours - $theirs) / (abs($theirs) || 1);
        next if $apart < ($n->{solver} eq 'Schweitzer' ? 1e-8 : 1e-10);
        $wrong .= "$what of class $c at station $k: $ours, and octave says $theirs\n";
      }
    }
  }
  ok(!$wrong, $name, ($wrong // '') . ($wrong ? model($n) . question($n) : ''));
}
finish();
