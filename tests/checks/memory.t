#!/usr/bin/perl
# With --max-memory psl takes no more than that of the system, besides what it is itself: whatever a model takes it for,
# the stack of calls that nest among it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX ':sys_wait_h';
use Run;
use Time::HiRes 'sleep';
$| = 1;

if ($sanitized) {
  skip('memory against its limit', 'a sanitizer takes memory of its own');
  finish();
}
my $folder = scratch();
my $limit = 48; # MiB

# What the system has given it at most, in MiB, and the words that it ends with.
sub taken {
  my @words = @_;
  my ($peak, $pid) = (0, fork() // die "fork: $!\n");
  if (!$pid) {
    chdir $folder;
    open STDOUT, '>', 'out';
    open STDERR, '>', 'err';
    exec { $psl } 'psl', @words or POSIX::_exit(127);
  }
  until (waitpid($pid, WNOHANG)) {
    my ($now) = (slurp("/proc/$pid/status") // '') =~ /^VmHWM:\s+(\d+)/m;
    $peak = $now if $now && $now > $peak;
    sleep 0.001;
  }
  return ($peak / 1024, slurp("$folder/err"));
}

sub model {
  my ($name, $before, $var, $body) = @_;
  spew("$folder/$name.psl", "transaction go();\n$before\ncomponent c { $var accepts: profile = { k = a };\n"
    . "transaction = go(); protocol = dataflow; body: $body }\n"
    . "system s { requests: every selector = { k = a }; transaction = go(); protocol = dataflow; }\n");
  return "$name.psl";
}

my ($itself) = taken('run', model('nothing', '', '', 'hold 1 s;'));
sub holds {
  my ($name, $says, @words) = @_;
  my ($peak, $said) = taken(@words, '--max-memory', "${limit}MiB");
  my $most = $itself + 1.1 * $limit;
  ok($peak < $most && $said =~ $says, "$name: the limit holds", sprintf("%.1f MiB, at most %.1f\n%s", $peak, $most, $said));
}

my $deep = qr/calls nest too deep for the memory: of the limit of 49152 KiB they hold [1-9]\d+ KiB, all else [1-9]\d* KiB/;
my $full = qr/out of memory: of the limit of 49152 KiB [1-9]\d* KiB were held when [1-9]\d* KiB were wanted/;
# The last of the memory is wanted by the stack, or by what a call computes with.
my $nested = qr/$deep|$full/;
my $calls = 'function f(n : int) -> real = if n == 0 then 0 else 1 + g(n - 1);'
  . ' function g(n : int) -> real = if n == 0 then 0 else 1 + f(n - 1);';
for my $engine ([], ['--reference']) {
  holds("a function of itself @$engine", $nested, 'run', model('itself',
    'function f(n : int) -> real = if n == 0 then 0 else 1 + f(n - 1);', '', 'hold f(1_000_000_000) * 1 s;'), @$engine);
  holds("two functions of each other @$engine", $nested, 'run', model('mutual', $calls, '', 'hold f(1_000_000_000) * 1 s;'), @$engine);
  holds("a list that grows @$engine", $full, 'run', model('grows', '', 'var t : [int] = [1];',
    'while true { t = [i in 0 .. 2 * length(t) - 1 : i]; hold 1 s; }'), @$engine);
}
holds('functions of lists', $nested, 'run', model('lists', 'function f(n : int) -> [real] = if n == 0 then [0] else [x in g(n - 1) : x + 1];'
  . ' function g(n : int) -> [real] = if n == 0 then [0] else [x in f(n - 1) : x + 2];', '', 'hold sum(f(1_000_000_000)) * 1 s;'));
holds('a let', $nested, 'check', model('let', "let x = f(1_000_000_000); $calls assert x > 0;", '', 'hold 1 s;'));
holds('what is kept of calls', $full, 'run', model('kept', 'function f(n : int) -> real = if n < 3 then 1 else f(n div 2) + f(n div 3);',
  'var t : real = 0;', 'for i in 1 .. 100_000_000 { t = f(i); hold t * 1 s; }'));
spew("$folder/many.psl", slurp("$folder/nothing.psl") =~ s/component c/component c [i] : 0 <= i < 100_000_000/r);
holds('instances', $full, 'run', 'many.psl');
spew("$folder/tokens.psl", <<'END');
transaction go();
transaction job();
component sink { accepts: profile = { k = b }; transaction = job(); protocol = dataflow; body: hold 1 s; }
component source {
  accepts: profile = { k = a }; transaction = go(); protocol = dataflow;
  body: while true { call send(); hold 1 us; }
  requests: send(): selector = { k = b }; transaction = job(); protocol = dataflow;
}
system s { requests: every selector = { k = a }; transaction = go(); protocol = dataflow; }
END
holds('tokens that wait', $full, 'run', 'tokens.psl');
spew("$folder/line.psl", <<'END');
transaction go();
transaction job();
component desk { accepts: profile = { k = c }; transaction = job(); protocol = call-return; servers = 1; body: hold 1 s; }
component customer {
  accepts: profile = { k = b }; transaction = job(); protocol = dataflow; servers = unlimited;
  body: call serve();
  requests: serve(): selector = { k = c }; transaction = job(); protocol = call-return;
}
component source {
  accepts: profile = { k = a }; transaction = go(); protocol = dataflow;
  body: while true { call send(); hold 1 us; }
  requests: send(): selector = { k = b }; transaction = job(); protocol = dataflow;
}
system s { requests: every selector = { k = a }; transaction = go(); protocol = dataflow; }
END
holds('processes in line', $full, 'run', 'line.psl');
my $study = model('study', 'param size : int = 1 in 1 .. 100;', 'var t : [int] = [1];',
  'hold size * 1 s; while size > 3 { t = [i in 0 .. 2 * length(t) - 1 : i]; hold 1 s; }');
for my $jobs (1, 2) {
  holds("a study on $jobs", $full, 'study', $study, '--vary', 'size=1..12', '--jobs', $jobs);
}
holds('a session', $full, '-e', 'sum([i in 1 .. 100_000_000 : i])', '--no-rc');
# What a text is laid out from, and what it becomes. perl holds little of it: its memory is that of who becomes psl.
sub long {
  my ($name, $before, $line, $after) = @_;
  my $lines = $line x 1000;
  open my $file, '>', "$folder/$name" or die "$name: $!\n";
  print $file $before, ($lines) x 4_000, $after;
  close $file;
}
long('long.psl', '', "let a = 1 + 2 * 3;\n", '');
holds("psl @$_", $full, @$_, 'long.psl') for ['fmt'], ['fmt', '--write'], ['ast'], ['check'];
long('long.uml', '<!--', ' a few words of text', '-->');
holds("psl @$_", $full, @$_, 'long.uml') for ['graph', '--activity'], ['check'];
long('long.csv', "n,t\n", "1234567,1234567890\n", '');
holds('psl fit', $full, 'fit', 'long.csv');
# Of a task graph only what waits is kept, and a few bytes a task to say where its edges lead: 280,000 more take less
# than 8 MiB.
my @sweep = ('run', "$FindBin::Bin/../../examples/sweep3d/sweep3d.psl", map { ('--set', $_) } 'comm=analysis[task-graph]',
  qw(px=3 py=3 I=18 J=18));
my ($few) = taken(@sweep, '--set', 'K=60');
my ($many, $said) = taken(@sweep, '--set', 'K=240');
ok($few > 0 && $many - $few < 8 && $said eq '', 'the tasks of a graph', sprintf("%.1f MiB, then %.1f\n%s", $few, $many, $said));
finish();
