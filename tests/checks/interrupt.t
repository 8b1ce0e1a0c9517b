#!/usr/bin/perl
# One SIGINT or SIGTERM ends whatever psl does: soon, with a word of why, and psl dies of the signal. Each is begun and
# is sent the signal when it is where it is meant to be: it has had so much of a processor, or waits for a file.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX ();
use Run;
use Terminal;
use Time::HiRes qw(time sleep);
$| = 1;

my $patience = $sanitized ? 20 : 5; # s; a busy computer takes more than the second that is meant
my $folder = scratch();
my ($turn, %signals) = (0, (INT => 2, TERM => 15));

sub seconds_of { # of a processor
  my ($pid) = @_;
  my @fields = split ' ', (slurp("/proc/$pid/stat") // '') =~ s/.*\) //sr;
  return @fields ? ($fields[11] + $fields[12]) / POSIX::sysconf(POSIX::_SC_CLK_TCK()) : 0;
}

# Ticks of a processor are counted for whoever runs when the clock ticks: what they say alone may come before psl does.
sub catches { # SIGTERM
  my ($pid) = @_;
  return (slurp("/proc/$pid/status") // '') =~ /^SigCgt:\s*([[:xdigit:]]+)$/m && hex(substr $1, -4) >> POSIX::SIGTERM() - 1 & 1;
}

sub works { my ($least) = @_; return sub { seconds_of($_[0]) >= $least && catches($_[0]) } }
sub opens { my ($file) = @_; return sub { grep { (readlink($_) // '') eq $file } glob "/proc/$_[0]/fd/*" } }
sub nameless { return grep { (readlink($_) // '') =~ /^$folder.* \(deleted\)$/ } glob "/proc/$_[0]/fd/*" }
sub asleep { # psl itself, and each time that it is looked at
  my $seen = 0;
  return sub {
    my @states = map { (slurp($_) // '') =~ /^State:\s+(\w)/m ? $1 : 'R' } glob "/proc/$_[0]/task/*/status";
    my $sleeps = (readlink("/proc/$_[0]/exe") // '') eq $psl && !grep { $_ ne 'S' } @states;
    return ($seen = $sleeps ? $seen + 1 : 0) >= 10;
  };
}

# Runs `words` with these files as its descriptors; one signal when it is ready; how it ended.
sub end_by {
  my ($signal, $ready, $words, %files) = @_;
  unlink "$folder/out", "$folder/err";
  my $pid = fork() // die "fork: $!\n";
  if (!$pid) {
    setpgrp(0, 0);
    chdir $folder;
    $SIG{INT} = $SIG{TERM} = 'DEFAULT';
    open STDIN, $files{in} // '</dev/null';
    open STDOUT, $files{out} // '>out';
    open STDERR, '>', 'err';
    exec { $words->[0] } @$words or POSIX::_exit(127);
  }
  my $limit = time + 60;
  my $ended = 0;
  sleep 0.005 until $ready->($pid) || time > $limit || ($ended = waitpid($pid, POSIX::WNOHANG()));
  return ('it has ended by itself, ' . ($? >> 8), 0) if $ended;
  return ('it was never ready', kill 'KILL', $pid) if time > $limit;
  my $begin = time;
  kill $signal, $pid;
  sleep 0.005 until waitpid($pid, POSIX::WNOHANG()) || time > $begin + $patience;
  my $took = time - $begin;
  return ($?, $took) if $took <= $patience;
  kill 'KILL', $pid;
  waitpid $pid, 0;
  return ('it goes on', $took);
}

sub ends {
  my ($name, $ready, $words, %how) = @_;
  my @wanted = $how{signals} ? @{ $how{signals} } : ($turn++ % 2 ? 'TERM' : 'INT');
  for my $signal (@wanted) {
    my ($status, $took) = end_by($signal, $ready, $words, %how);
    my $said = slurp("$folder/err") // '';
    my $good = $status eq $signals{$signal} && $said =~ ($how{says} // qr/interrupted/i);
    ok($good, "$name ends by SIG$signal", "status $status after $took s\n$said");
  }
}

sub model { spew("$folder/$_[0].psl", $_[1]); return "$_[0].psl" }
my $loads = works($sanitized ? 0.4 : 0.08);
POSIX::mkfifo("$folder/pipe", 0600) or die "mkfifo: $!\n";

# ---- files that nobody writes ----
my $waits_for_text = opens("$folder/pipe");
ends('a model that is a pipe', $waits_for_text, [$psl, 'check', 'pipe'], signals => ['INT', 'TERM']);
ends('a file to lay out', asleep(), [$psl, 'fmt', 'pipe']);
ends('measurements that are a pipe', $waits_for_text, [$psl, 'fit', 'pipe']);

sub costs { return model($_[0], "transaction go();\ncomponent c { var n : int = 0; accepts: profile = { k = a }; transaction = go(); protocol = dataflow; body: $_[1] }\n"
  . "system s { requests: every selector = { k = a }; transaction = go(); protocol = dataflow; }\n" . ($_[2] // '')) }

ends('a model from standard input', asleep(), [$psl, 'check', '-'], in => '+<pipe');
ends('measurements from standard input', asleep(), [$psl, 'fit', '-'], in => '+<pipe');
ends('a text to lay out from standard input', asleep(), [$psl, 'fmt', '-'], in => '+<pipe');
ends('a script from a pipe', asleep(), [$psl], in => '+<pipe', signals => ['INT', 'TERM']);
spew("$folder/answers.psl", "1 + 1\nsum(i in 1 .. 100_000_000 : sum(j in 1 .. 10_000 : (i * j) mod 7))\n");
ends('a script that has answered', $loads, [$psl], in => "<$folder/answers.psl", signals => ['INT', 'TERM']);
ok((slurp("$folder/out") // '') eq "2\n", 'leaves what it has answered', slurp("$folder/out"));
ends('a file that is a session\'s input', asleep(), [$psl, '-e', ':load pipe']);
ends('a library that is a pipe', asleep(), [$psl, 'check', '--allow-native', model('native', 'extern "pipe" { function f(x : real) -> real; }')]);
ends('a report to a pipe that nobody reads', asleep(), [$psl, 'run', costs('short', 'hold 1 s;'), '-o', 'pipe']);

# ---- work before a run ----
my $head = "transaction go();\n";
my $accepts = 'accepts: profile = { k = a }; transaction = go(); protocol = dataflow; body: hold 1 s;';
my $system = "system s { requests: every selector = { k = a }; transaction = go(); protocol = dataflow; }\n";
for my $command ('check', 'run', 'graph', 'explain') {
  ends("$command of an index set with many points", $loads, [$psl, $command, model('points',
    "${head}component c [i, j] : 0 <= i < 9999 and 0 <= j < 9999 and i * j == 7 { $accepts }\n$system")]);
}
ends('routing of many stations', $loads, [$psl, 'check', model('routing',
  "let n = 2001;\nlet to = [i in 0 .. n - 1 : [j in 0 .. n - 1 : if i == j then 0 else 1 / n]];\n"
  . "let v = visit-ratios(to, [i in 0 .. n - 1 : if i == 0 then 1 else 0]);\nassert v[0] > 0;\n")]);

my $parts = join '', map { "component c$_ like c" . ($_ - 1) . " { }\n" } 1 .. 100_000;
ends('a chain of likes', $loads, [$psl, 'check', model('likes', "${head}component c0 { $accepts }\n$parts$system")]);
my $long = model('long', "param p0 : int = 1;\n" . join '', map { "param p$_ : int = p" . ($_ - 1) . " + 1 in 0 .. 1_000_000_000; /// one of many\n" } 1 .. 100_000);
for my $command ('check', 'fmt', 'ast', 'params') {
  ends("$command of a long model", works($sanitized ? 0.2 : 0.02), [$psl, $command, $long], out => '>/dev/null');
}

# ---- values ----
model('values', <<'END');
let a = [i in 1 .. 3000 : [j in 1 .. 3000 : i * j]];
let b = [i in 1 .. 3000 : [j in 1 .. 3000 : i * j]];
function fib(n : int) -> int = if n < 2 then n else fib(n - 1) + fib(n - 2) + 0 * length(a[n]);
END
ends('many comparisons', $loads, [$psl, '-c', 'values.psl', '-e', 'sum(i in 1 .. 1000 : if a == b then 1 else 0)']);
ends('a sort of many', $loads, [$psl, '-c', 'values.psl', '-e', 'sum(i in 1 .. 1000 : length(sort([j in 1 .. 1_000_000 : (j * i) mod 1000])))']);

# ---- runs ----
my $turns = costs('turns', 'hold 1 s; for k in 1 .. 1_000_000_000_000 { n = sum(i in 1 .. 1_000_000 : (i * k) mod 7); }');
my $events = costs('events', 'for k in 1 .. 1_000_000_000_000 { hold 1 us; }');
for my $model ($turns, $events) {
  for my $engine ([], ['--reference']) {
    ends("run of $model @$engine", $loads, [$psl, 'run', $model, @$engine], signals => ['INT', 'TERM']);
    ok(slurp("$folder/out") =~ /ended by +interrupted/, "$model @$engine: with the report of what there is", slurp("$folder/out"));
  }
}
ends('a run that recurs', $loads, [$psl, 'run', costs('recurs', 'hold slow(90, 1) * 1 s;',
  'function slow(n : int, x : real) -> real = if n == 0 then x else slow(n - 1, 2 * x) + slow(n - 1, 2 * x + 1);')]);
ends('a run of one long value', $loads, [$psl, 'run', costs('value', 'let b = [j in 1 .. 3000 : [i in 1 .. 3000 : i * j]]; while true { if b == [j in 1 .. 3000 : [i in 1 .. 3000 : i * j]] { hold 1 s; } }')]);

# ---- queueing ----
my @classes = ('a' .. 'e');
my $network = "use queueing;\ntransaction job();\ntransaction round();\n"
  . "component server [k] : 0 <= k < 6 { accepts: profile = { node type = station }; transaction = job(); protocol = call-return; servers = 2; body: hold exponential(1 s); }\n"
  . join('', map { "component $_ [n] : 0 <= n < 12 { accepts: profile = { node type = $_, evaluation mode = solver }; transaction = round(); protocol = dataflow;\n"
  . "  body: hold exponential(2 s); for j in 0 .. 5 { call visit(j); }\n"
  . "  requests: visit(j): selector = { node type = station, k = j }; transaction = job(); protocol = call-return;\n"
  . "  selector = { node type = $_, n = n }; transaction = round(); protocol = dataflow; }\n" } @classes)
  . "system s { requests:\n" . join('', map { "every selector = { node type = $_ }; transaction = round(); protocol = dataflow;\n" } @classes) . "}\n";
ends('exact mean values', $loads, [$psl, 'run', model('network', $network)]);
ends('a simulated network', $loads, [$psl, 'run', 'network.psl', '--set', 'solver=simulation[queueing]', '--set', 'half-width=0.01 %']);

# ---- many runs ----
my $many = costs('many', 'for k in 1 .. 1000 * size { hold 1 us * size; }', <<'END');
param size : int = 1 in 1 .. 1_000_000_000;
param other : int = 1 in 1 .. 9;
study chosen of s { problem size in 1 .. 1_000_000; choice other in 1 .. 9; minimize makespan; }
study each of s { vary size in 1 .. 1_000_000; report time = makespan; }
study least of s { vary size in 100 .. 100_000_000; report time = makespan; minimize low = (1 s - time)^2 / 1 s; }
END
my $study = [$psl, 'study', $many, 'each', '--format', 'csv'];
for my $jobs (1, 3) {
  my @words = (@$study, '--jobs', $jobs);
  my $writes = sub { -s "$folder/out" // 0 > 100 };
  ends("a study on $jobs", $writes, \@words, says => qr/interrupted: \d+ points? (?:is|are) there of 1000000/, signals => ['INT', 'TERM']);
  spew("$folder/kept.csv", "whole\n");
  ends("a study on $jobs to a file", sub { grep { -s } nameless($_[0]) }, [@words, '-o', 'kept.csv'], says => qr/interrupted/);
  ok(slurp("$folder/kept.csv") eq "whole\n", 'leaves the file', '');
  ok((slurp("$folder/kept.csv.partial") // '') =~ /^1,/m, 'and has what there is beside it', '');
  ends("a study on $jobs with a database", $writes, [@words, '--db', 'kept.db']);
}
ends('a search', $loads, [$psl, 'study', $many, 'least', '--search', 'always', '--evaluations', '1000000']);
ends('a recommendation', $loads, [$psl, 'recommend', $many, 'chosen'], says => qr/interrupted: \d+ runs are there of at most 1000/);
ends('a comparison', $loads, [$psl, 'compare', $many, '--vary', 'size=1,2,1000000000'], says => qr/interrupted/);
ends('a sensitivity analysis', $loads, [$psl, 'sensitivity', $many, '--set', 'size=1000000']);
model('many2', slurp("$folder/many.psl") =~ s/1 us/2 us/r);
ends('a difference', $loads, [$psl, 'diff', 'many.psl', 'many2.psl', '--set', 'size=1000000000', '--system', 's']);

# ---- fits ----
srand 1;
spew("$folder/costs.csv", "a,b,c,t [s]\n" . join '', map { my ($a, $b, $c) = map { 1 + int rand 1000 } 1 .. 3; "$a,$b,$c," . ($a + $b * $c + rand) . "\n" } 1 .. 100_000);
ends('a fit of given terms', $loads, [$psl, 'fit', 'costs.csv', '--terms', '1, a, b * c, a * b * c, log2(a), log2(b) * c']);

# ---- output that nobody reads ----
spew("$folder/shorter.psl", join '', (split /^/, slurp("$folder/$long"))[0 .. 5000]);
for my $command ('ast', 'params', 'fmt') {
  pipe my $from, my $to or die;
  ends("$command to a pipe that nobody reads", asleep(), [$psl, $command, 'shorter.psl'], out => '>&' . fileno($to), says => qr/interrupted|standard output cannot be written/);
}

# ---- a session at a terminal ----
if (!terminals()) {
  skip('a session at a terminal', 'IO::Pty is missing (libio-pty-perl)');
  finish();
}
my $prompt = qr/psl> $/;
sub session { # at its prompt
  my $s = start({ TERM => 'dumb' }, $folder, $psl, '--no-rc');
  ok(wait_for($s, $prompt), 'a session asks', $s->{text});
  return $s;
}
my $s = session();
kill 'TERM', $s->{pid};
my $status = ended($s);
ok($status == $signals{TERM}, 'SIGTERM ends a session that waits', "status $status\n$s->{text}");
$s = session();
my $before = seconds_of($s->{pid}); # of the session's start, which takes longer under sanitizers
type($s, "sum(i in 1 .. 100_000_000 : sum(j in 1 .. 10_000 : (i * j) mod 7))\n");
sleep 0.005 until seconds_of($s->{pid}) > $before + 0.2;
type($s, "\x03");
ok(wait_for($s, qr/interrupted.*psl> $/s), 'Ctrl-C ends what a session does', $s->{text});
type($s, "sum(i in 1 .. 100_000_000 : sum(j in 1 .. 10_000 : (i * j) mod 7))\n");
my $so_far = seconds_of($s->{pid});
sleep 0.005 until seconds_of($s->{pid}) > $so_far + 0.2;
kill 'TERM', $s->{pid};
$status = ended($s);
ok($status == $signals{TERM}, 'SIGTERM ends a session that works', "status $status\n$s->{text}");
finish();
