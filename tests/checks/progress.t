#!/usr/bin/perl
# A study at a terminal, and others that run many times: the line that says how far it has come, and Ctrl-C during it.
# Plain build alone: it waits for lines of long runs, which checks/interrupt breaks off under sanitizers, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;
use Terminal;
$| = 1;

if (!terminals()) {
  skip('a study at a terminal', 'IO::Pty is missing (libio-pty-perl)');
  finish();
}

my $folder = scratch();
my $farm = "$root/examples/farm/farm.psl";
my @axes = ('--vary', 'workers=1..10', '--vary', 'work=1s..100_000s+1s');
my $line = qr/\r(?:\e\[K)?\d+ of 1000000 runs, [\d.e+]+\/s, time left: [\d.]+ (s|min|h)\r/;

sub expect {
  my ($s, $pattern, $name) = @_;
  my $seen = wait_for($s, $pattern);
  ok(defined $seen, $name, substr($s->{text}, $s->{from}) =~ s/\e/ESC/gr);
  return $seen // '';
}

for my $jobs ([], ['--jobs', '2']) {
  my $name = @$jobs ? 'with two workers' : 'alone';
  my $s = start({ NO_COLOR => 1 }, $folder, $psl, 'study', $farm, @axes, @$jobs, '-o', 'out.csv', '--format', 'csv');
  expect($s, $line, "$name: runs, rate and time left are said");
  expect($s, $line, "$name: again and again");
  type($s, "\x03");
  my $interrupted = qr/\r\e\[Kpsl: error: interrupted: \d+ points are there of 1000000\r\n/;
  my $seen = expect($s, qr/${interrupted}note: out\.csv\.partial has what there is\r\n/,
                    "$name: Ctrl-C ends it with what there is, on a line of its own");
  my $status = ended($s);
  ok($status == 2, "$name: and psl dies by it", $status);
  my ($said) = $seen =~ /(\d+) points are there/;
  my $lines = command($folder, 'wc -l <out.csv.partial')->{out} - 2; # the head, and one that says so
  ok(($said // -1) == $lines, "$name: as many lines as it says", "$lines lines\n$seen");
}

my $sweep = "$root/examples/sweep3d/sweep3d.psl";
for my $command (['diff', $sweep, '--against', 'machine=cluster'],
                 ['sensitivity', $sweep, '--set', 'mk=1', '--repetitions', 12],
                 ['diff', $sweep, '--against', 'machine=cluster', '--quiet']) {
  my ($name, $quiet) = ($command->[0], $command->[-1] eq '--quiet');
  my $s = start({ NO_COLOR => 1 }, $folder, $psl, @$command, '-o', 'out.txt');
  expect($s, qr/\r\e\[K\d+ of \d+ runs, [\d.e+]+\/s, time left: \d+ (s|min)\r/, "$name: how far it has come is said")
    if !$quiet;
  my $status = ended($s);
  ok($status eq '0' && -s "$folder/out.txt", "$name: and it ends well", "$status: $s->{text}");
  my $line_gone = $quiet ? $s->{text} !~ /runs/ : $s->{text} =~ /\r\e\[K$/;
  ok($line_gone, "$name: " . ($quiet ? 'not with --quiet' : 'the line is gone'), $s->{text} =~ s/\e/ESC/gr);
}

# The program that measures operations, as that of memory, says how many tests there are, and then of each that it has
# ended: what the line counts, and no table has.
{
  my @said = split /\n/, command($folder, "$build/psl-probe-memory", 5, 'compute')->{out};
  my ($all) = map { /^psl-probe,tests,0,(\d+)$/ ? $1 : () } @said;
  my $ended = grep { /^psl-probe,tested,/ } @said;
  ok($ended > 1 && $ended == ($all // 0), 'measure compute: as many tests end as there are', "$ended, not " . ($all // 'any'));
  my $measured = command($folder, $psl, qw(measure compute --repetitions 5 -o measured.psl --table measured.csv));
  ok($measured->{exit} eq '0' && slurp("$folder/measured.csv") !~ /^test(?:s|ed),/m, 'measure compute: no table has them', $measured->{err});
}

# Messages that are measured.
{
  my $s = start({ NO_COLOR => 1, PATH => "$build:$ENV{PATH}" }, $folder, $psl, 'measure', 'messages', '--mpirun', 'psl mpirun -n 2 --costs none',
    '--repetitions', 15, '-o', 'measured.psl', '--table', 'measured.csv');
  expect($s, qr/\r\e\[K\d+ of (\d+) samples, [\d.e+]+\/s, time left: \d+ (s|min)\r/, 'measure: how many samples there are is said');
  my ($all) = $s->{text} =~ / of (\d+) samples/;
  my $status = ended($s);
  ok($status eq '0' && $s->{text} =~ /\r\e\[K$/, 'measure: and the line is gone in the end', "$status: " . substr($s->{text}, -200) =~ s/\e/ESC/gr);
  my $samples = grep { !/^#|^test,|^rendezvous,/ } split /\n/, slurp("$folder/measured.csv");
  ok($samples == ($all // 0), 'measure: as many as are measured then', "$samples, not " . ($all // 'any'));
}

# A run that nothing ends: who waits at a terminal is told how one ends, and nobody else.
my $clock = "$folder/clock.psl";
spew($clock, <<'PSL');
transaction tick();
component ticker [t] : 0 <= t < 1 {
  accepts: profile = { domain = d, node type = ticker }; transaction = tick(); protocol = dataflow;
  body: hold 1 s;
  requests: selector = { domain = d, node type = ticker, t = t }; transaction = tick(); protocol = dataflow;
}
system endless { requests: every selector = { domain = d, node type = ticker }; transaction = tick(); protocol = dataflow; }
PSL
for my $limited (0, 1) {
  my $s = start({ NO_COLOR => 1 }, $folder, $psl, 'run', $clock, $limited ? ('--max-time', '1e9s') : ());
  my $told = qr/psl: at work for 5 s; --max-time TIME ends a run that has no end of its own, Ctrl-C this one\r\n/;
  my $limit = $limited ? qr/ of 1e\+09 s \(\d %\)/ : qr//;
  my $come = qr/\r\e\[K[\d.e+]+ s simulated$limit, \d+ events, [\d.e+]+\/s; time: ticker 100 %\r/;
  expect($s, $come, 'a run ' . ($limited ? 'with' : 'without') . ' an end: how far it has come is said');
  expect($s, $told, 'a run without an end: how it ends is said') if !$limited;
  expect($s, $come, 'and again');
  sleep 4 if $limited;
  type($s, "\x03");
  my $status = ended($s);
  ok($status == 2 && (!$limited || $s->{text} !~ /at work/), 'a run ' . ($limited ? 'with' : 'without') . ' an end: Ctrl-C ends it',
    "$status: $s->{text}");
}

my $s = start({ TERM => 'dumb' }, $folder, $psl, 'study', $farm, @axes, '--format', 'csv');
expect($s, qr{\n1,9,}, 'where lines come on the same terminal');
type($s, "\x03");
expect($s, qr/interrupted: \d+ points are there/, 'Ctrl-C ends it');
ended($s);
ok($s->{text} !~ /left\r/, 'nothing else says how far it is');

$s = start({ NO_COLOR => 1 }, $folder, $psl, '--no-rc', '-c', $farm);
wait_for($s, qr/psl> $/);
type($s, "study farm " . join(' ', @axes) . " -o out.csv --format csv\n");
expect($s, $line, 'in a session: the same line');
type($s, "\x03");
expect($s, qr/interrupted: \d+ points are there.*psl> $/s, 'Ctrl-C ends the study');
type($s, "1 + 1\n");
expect($s, qr/2\r?\n(\e\[\?2004h)?psl> $/, 'not the session');
type($s, "\x04");
ok(ended($s) eq '0', 'which ends well');
finish();
