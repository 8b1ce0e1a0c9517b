#!/usr/bin/perl
# The page of a trace beside what is known of the run that it was made from: ranks that compute, send to the next one
# and receive from the one before, at times of chance. What the page draws and lists is added up here from the times.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

use JSON::PP;
use POSIX qw(floor ceil);
my $folder = scratch();
my ($ranks, $rounds, $seed) = (6, 40, 7);
sub chance { $seed = ($seed * 1103515245 + 12345) % 2147483648; return floor($seed / 2147483648 * $_[0]) }

# All in ns. Of each rank bursts [begin, end], the call before which each stands, and messages.
my (@records, @bursts, @messages, @now);
@now = (0) x $ranks;
sub burst {
  my ($rank) = @_;
  my $length = 1000 + chance(5) ** 6 * 100 + chance(900);
  push @bursts, { rank => $rank, begin => $now[$rank], end => $now[$rank] + $length };
  $now[$rank] += $length;
  return $length;
}
sub call {
  my ($rank, $value, $length) = @_;
  my $place = sprintf '2:%d:1:%d:1', $rank + 1, $rank + 1;
  push @records, [$now[$rank], "$place:$now[$rank]:50000001:$value"];
  $now[$rank] += $length;
  push @records, [$now[$rank], "$place:$now[$rank]:50000001:0"];
}
for my $round (1 .. $rounds) {
  my @sent;
  for my $rank (0 .. $ranks - 1) {
    my $length = burst($rank);
    $sent[$rank] = { from => $rank, begin => $now[$rank], bytes => 2 ** chance(20) + chance(100), burst => $length };
    call($rank, 1, 100 + chance(2000));
  }
  for my $rank (0 .. $ranks - 1) {
    my $message = $sent[($rank + $ranks - 1) % $ranks];
    burst($rank);
    my $begin = $now[$rank];
    my $end = ($begin > $message->{begin} ? $begin : $message->{begin}) + 200 + chance(30000);
    call($rank, 2, $end - $begin);
    push @messages, { %$message, to => $rank, end => $end };
    push @records, [$message->{begin}, join ':', 3, $message->{from} + 1, 1, $message->{from} + 1, 1,
      ($message->{begin}) x 2, $rank + 1, 1, $rank + 1, 1, $begin, $end, $message->{bytes}, 5];
  }
}
my ($last) = sort { $b <=> $a } @now;
spew("$folder/ring.prv", "#Paraver (03/11/2026 at 12:30):${last}_ns:1($ranks):1:$ranks("
    . join(',', ('1:1') x $ranks) . ")\n" . join '', map { "$_->[1]\n" } sort { $a->[0] <=> $b->[0] } @records);
my $result = command($folder, $psl, 'report', 'ring.prv', '-o', 'ring.html');
ok($result->{exit} eq '0' && $result->{err} eq '', 'the page is made', $result->{err});
my $page = slurp("$folder/ring.html") // '';

# ---- what is known ----

my $width = 2 ** -40;
$width *= 2 while 512 * $width < $last * 1e-9;
my $columns = ceil($last * 1e-9 / $width);
sub overlap {
  my ($begin, $end, $column) = @_;
  my ($from, $to) = ($column * $width, ($column + 1) * $width);
  $from = $begin if $begin > $from;
  $to = $end if $end < $to;
  return $to > $from ? $to - $from : 0;
}
sub near { return abs($_[0] - $_[1]) <= ($_[2] // 1e-9) * (abs($_[0]) + abs($_[1])) + 1e-30 }

my ($table) = $page =~ /id="table-moments">(.*?)<\/table>/s;
my @rows = map { [/data-v="([^"]*)"/g] } ($table // '') =~ /<tr>(<td.*?)<\/tr>/gs;
ok(@rows == $columns, 'time is divided into columns of a power of two seconds', scalar(@rows) . " and not $columns");
my @wrong;
for my $c (0 .. $#rows) {
  my $seconds = $last * 1e-9 - $c * $width;
  $seconds = $width if $seconds > $width;
  my ($computed, $carried, $flight) = (0, 0, 0);
  $computed += overlap($_->{begin} * 1e-9, $_->{end} * 1e-9, $c) for @bursts;
  for (@messages) {
    my $part = overlap($_->{begin} * 1e-9, $_->{end} * 1e-9, $c);
    $flight += $_->{bytes} * $part;
    $carried += $_->{bytes} * $part / (($_->{end} - $_->{begin}) * 1e-9);
  }
  my @known = ($c * $width, $computed / $seconds / $ranks, $carried / $seconds, $flight / $seconds);
  push @wrong, "column $c: @{$rows[$c]} and not @known" if grep { !near($rows[$c][$_], $known[$_], 1e-6) } 0 .. 3;
}
ok(@rows && !@wrong, 'efficiency, bandwidth and bytes in flight at each time', join "\n", @wrong);

my @computed = (0) x $ranks;
$computed[$_->{rank}] += $_->{end} - $_->{begin} for @bursts;
my ($sum, $most) = (0, 0);
for (@computed) { $sum += $_; $most = $_ if $_ > $most }
my %card = $page =~ /<dt>([^<]*)<\/dt>\s*<dd class="value">([^<]*)</g;
my %known = ('Parallel efficiency' => $sum / $ranks / $last, 'Load balance' => $sum / $ranks / $most,
  'Communication efficiency' => $most / $last);
ok(($card{$_} // '') eq sprintf('%.1f %%', 100 * $known{$_}), $_, $card{$_}) for sort keys %known;
ok(($card{Messages} // '') eq @messages, 'messages', $card{Messages});

# ---- pictures ----

# The compute strips are as long as there was computing, but for a column a row.
my ($strips) = $page =~ /<path stroke="#2f6299" d="([^"]*)"/;
my $drawn = 0;
$drawn += $_ for ($strips // '') =~ /h(\d+)/g;
ok(abs($drawn - $sum * 1e-9 / $width) <= $ranks, 'as much is drawn as computing as there was', $drawn);

# Rows of time and the plots below them have one scale: what both say of time stands at the same pixel.
my ($over) = $page =~ /<div class="plot across".*?<div class="large">(.*?)<\/svg>/s;
my %mark = reverse $page =~ /<text class="mark" x="([\d.]+)"[^>]*>([\d.]+) \w+</g;
my %tick = reverse(($over // '') =~ /translate\(([\d.]+),[\d.]+\)[^>]*text-anchor="middle">\s*<text>([\d.]+)</g);
my @both = grep { exists $tick{$_} } keys %mark;
ok(@both >= 3 && !(grep { abs($mark{$_} - $tick{$_}) > 0.1 } @both), 'time has one scale in all pictures of it',
  join ', ', map { "$_: $mark{$_} and " . ($tick{$_} // 'none') } sort keys %mark);
ok($over && $over =~ /viewBox="0 0 (\d+)/ && $page =~ /class="times" viewBox="0 0 $1 /, 'which are of one width');

my %unit = (s => 1, ms => 1e-3, us => 1e-6, ns => 1e-9, byte => 1, kB => 1e3, MB => 1e6, GB => 1e9, TB => 1e12, KiB => 2 ** 10, MiB => 2 ** 20, GiB => 2 ** 30);
sub edge { # of bytes labels have three digits, and steps are quarters of a power of two
  my ($number, $unit, $rate) = $_[0] =~ /^([\d.e]+) (\w+)(\/s)?/ or return -1;
  return $number * $unit{$unit} if $rate || $unit =~ /s$/;
  return 2 ** (floor(4 * log($number * $unit{$unit}) / log(2) + 0.5) / 4);
}
sub histogram {
  my ($title) = @_;
  my ($svg) = $page =~ /<h3>\Q$title\E<\/h3>.*?<svg(.*?)<\/svg>/s or return ();
  return map { [/^\w+ (.*?) to (.*?), \w+ (.*?)(?: to (.*?))?: (.*)$/] } $svg =~ /<title>(.*?)<\/title>/g;
}
sub inside { return $_[0] >= $_[1] * (1 - 1e-12) && $_[0] < $_[2] * (1 - 1e-12) }

my @cells = histogram('How long ranks compute without a break, by time');
@wrong = ();
my $found = 0;
for my $cell (@cells) {
  my ($from, $to, $rank, undef, $time) = @$cell;
  my ($known, $n) = (0, 0);
  for (grep { $_->{rank} == $rank } @bursts) {
    my $seconds = ($_->{end} - $_->{begin}) * 1e-9;
    next unless inside($seconds, edge($from), edge($to));
    $known += $seconds;
    $n++;
  }
  $found += $n;
  my ($number, $unit) = split / /, $time;
  push @wrong, "@$cell[0 .. 2]: $time and not $known" unless near($number * $unit{$unit}, $known, 5e-4);
}
ok($found == @bursts && !@wrong, 'bursts by length and rank', "$found bursts\n@wrong");

for (['Bandwidth against size, messages', sub { $_[0]{bytes} }],
  ['Bandwidth against the burst before a message is sent, messages', sub { $_[0]{burst} * 1e-9 }]) {
  my ($title, $x) = @$_;
  ($found, @wrong) = (0);
  for my $cell (histogram($title)) {
    my ($from, $to, $low, $high, $count) = @$cell;
    my $n = grep {
      inside($x->($_), edge($from), edge($to))
        && inside($_->{bytes} / (($_->{end} - $_->{begin}) * 1e-9), edge($low), edge($high))
    } @messages;
    push @wrong, "$from $low: $count and not $n" if $n != $count;
    $found += $n;
  }
  ok($found == @messages && !@wrong, $title, "$found messages\n@wrong");
}
# Collective operations over time: what each rank sends from, spread over the time that its call takes by its trace.
spew("$folder/meet.tit", join '', map { "$_ init\n$_ compute " . ($_ + 1) . "e6\n$_ alltoall 1000 1000\n$_ bcast 5000 1\n$_ compute 2e6\n$_ allreduce 800 0\n$_ finalize\n" } 0 .. 3);
command($folder, "$psl replay meet.tit --record meet.trace; $psl trace convert meet.trace meet.json");
my @meetings = map { my $e = $_; my %bytes = (alltoall => 4 * $e->{args}{bytes}, bcast => $e->{tid} - 2 == ($e->{args}{root} // -1) ? $e->{args}{bytes} : 0, allreduce => $e->{args}{bytes});
  [$e->{ts} * 1e-6, ($e->{ts} + $e->{dur}) * 1e-6, $bytes{$e->{name}}] }
  grep { ($_->{ph} // '') eq 'X' && $_->{name} =~ /^(alltoall|bcast|allreduce)$/ } @{(eval { decode_json(slurp("$folder/meet.json")) } || {})->{traceEvents} || []};
command($folder, $psl, 'report', 'meet.trace', '-o', 'meet.html');
my ($moments) = (slurp("$folder/meet.html") // '') =~ /id="table-moments">(.*?)<\/table>/s;
@rows = map { [/data-v="([^"]*)"/g] } ($moments // '') =~ /<tr>(<td.*?)<\/tr>/gs;
$width = @rows > 1 ? $rows[1][0] - $rows[0][0] : 0;
my ($all, @astray) = (0);
for my $c (0 .. $#rows - 1) { # the last one ends with the run
  my $known = 0;
  $known += $_->[2] * overlap(@$_[0, 1], $c) / ($_->[1] - $_->[0]) / $width for grep { $_->[1] > $_->[0] } @meetings;
  push @astray, "column $c: " . ($rows[$c][4] // '') . " and not $known" unless near($rows[$c][4] // -1, $known, 1e-3);
  $all += $known * $width;
}
ok(@meetings == 12 && $all > 0.9 * 4 * (4000 + 800) && !@astray, 'bandwidth of collective operations at each time', join "\n", "$all bytes", @astray);
# A column that no row has is left out, one that some row has is there.
spew("$folder/plain.tit", "0 init\n0 send 1 7 1000\n0 finalize\n1 init\n1 recv 0 7 1000\n1 finalize\n");
command($folder, "$psl report plain.tit -o plain.html; $psl replay plain.tit --record plain.trace; $psl report plain.trace -o timed.html");
my %sizes = map { $_ => (slurp("$folder/$_.html") // '') =~ /id="table-sizes">(.*?)<\/thead>/s ? $1 : '' } qw(plain timed);
ok($sizes{plain} =~ /number/ && $sizes{plain} !~ /mean time/ && $sizes{timed} =~ /mean time/, 'columns without any value');
finish();
