#!/usr/bin/perl
# What psl predicts and what the program in C++ predicts that it writes is the same, though the runtime of these shares no
# code with psl: of diagrams, of models with messages by every protocol, collective operations by every algorithm, threads,
# loops by every schedule, locks and nodes that are shared, with several params each; for the whole and for each element.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $runtime = "$root/interp/uml/runtime";
my $folder = scratch();
my @cxx = ($ENV{CXX} || 'c++', qw(-std=c++17 -O0));

if (command($folder, $cxx[0], '--version')->{exit} ne '0') {
  skip('programs in C++', "there is no compiler of C++: $cxx[0]");
  finish();
}
my $built = command($folder, @cxx, qw(-Wall -Wextra -Werror -c), "$runtime/psl-prophet.cpp", '-o', 'runtime.o');
ok($built->{exit} eq '0', 'the runtime is built without a warning', $built->{err});

# Messages of each size, in each way; collective operations from each root.
spew("$folder/messages.psl", <<'M');
use prophet;
param ranks : int  = 4 in 2 .. 100;
param amount : data = 100 byte;
param root  : int  = 0;
param cost  : time = 1 ms;
component program like Process {
  param processes = ranks;
  param per-node  = 1;
  body:
    call ActionPlus("ahead", pid * cost / 7);
    if pid mod 2 == 0 and pid + 1 < ranks { call Send("to the odd", pid + 1, amount); }
    else if pid mod 2 == 1 { call BRecv("from the even", pid - 1); }
    let request = call NBSend("round", (pid + 1) mod ranks, amount, tag = 5);
    call ActionPlus("beside", cost * (1 + pid mod 3));
    call BRecv("from before", (pid + ranks - 1) mod ranks, 5);
    call Wait("sent", request);
    if pid == root mod ranks {
      for k in 2 .. ranks { call BRecv("from any", tag = 9); }
    } else {
      call ActionPlus("work", cost * ((pid * 7) mod 5) / 11);
      call Send("to one", root mod ranks, amount / (1 + pid mod 2), tag = 9);
    }
    call Barrier("all");
    call Broadcast("parameters", amount, root mod ranks);
    call ActionPlus("skew", cost * pid / 3);
    call Reduce("sum", amount, root mod ranks);
}
component host like Node { param nodes = ranks; param processors = 1; }
M
# Names that are macros in C++.
spew("$folder/named.psl", <<'M');
use prophet;
param NULL : int = 4 in 2 .. 100;
param errno : time = 1 ms;
param M_PI : time = 2 ms;
param EIO : int = 1;
component program like Process {
  param processes = NULL;
  body: call ActionPlus("stdin", pid * errno / 7 + M_PI * EIO);
}
component EOF like Node { param nodes = 1; }
M
# Processors that go round.
spew("$folder/shared.psl", <<'M');
use prophet;
param slice : time = 0.3 ms;
param own : int = 1;
component program like Process {
  param processes = 7;
  param per-node  = 4;
  body:
    for k in 1 .. 3 { call ActionPlus("work", 1 ms + pid * 0.7137 ms / k); }
}
component host like RoundRobinNode { param nodes = 2; param processors = own; param quantum = slice; }
M
# Threads, and no two that come to a processor at one time: who is first then neither says.
spew("$folder/threads.psl", <<'M');
use prophet;
param ranks : int = 2;
param team : int = 3 in 1 .. 20;
param rows : int = 17;
param piece : int = 0;
param own : int = 2;
let costs = [row in 1 .. rows : (1 + row mod 4) * 1 ms + row * 0.0137 ms];
component program like Process {
  param processes = ranks;
  param per-node  = ranks;
  param threads   = team;
  body:
    call ActionPlus("skew", pid * 0.0031 ms);
    call ParallelDo("static", costs, chunk = piece);
    call ParallelDo("dynamic", costs, dynamic, piece);
    call ParallelDo("guided", costs, guided, piece);
    for step in 1 .. 3 { call ParallelRegion("region", "region", step); }
    one of { 1 { call ActionPlus("always", 1 ms); } 0 { call ActionPlus("never", 1 h); } }
}
component region like Thread {
  param processes = ranks;
  param threads   = team;
  profile region  = "region";
  body:
    call ActionPlus("part", (1 + tid) * iteration * 0.1 ms + pid * 0.0071 ms + tid * 0.0013 ms);
    call Critical("add", 0.2 ms, tid mod 2);
    call Barrier("together");
    if tid == 0 { call ActionPlus("last", max(1 ms, 0.3 ms * length(costs))); }
}
component host like Node { param nodes = 1; param processors = own; }
M

my $number = qr/[-+0-9.eE]+/;

# By psl: the predicted time, and of each element how often it was executed and for how long.
sub predicted {
  my ($model, @settings) = @_;
  my $run = command($root, $psl, qw(run --format csv), (map { ('--set', $_) } @settings), $model);
  my ($time) = $run->{out} =~ /^[^\n]*,makespan,($number),s$/m;
  my (%elements, $key);
  for my $line (split /\n/, $run->{out}) {
    next unless $line =~ /^elements,(.*),(kind|executions|time),([^,]*),s?$/;
    $key = "$1 $3" if $2 eq 'kind';
    push @{$elements{$key}}, $3 if $2 ne 'kind';
  }
  return ($time, \%elements, $run->{err});
}

sub close_to { my ($a, $b) = @_; return abs($a - $b) <= 1e-9 * (abs $a) + 1e-12 }

sub compare {
  my ($name, $model, @points) = @_;
  my $written = command($root, $psl, qw(graph --activity --format c++), $model);
  spew("$folder/$name.cpp", $written->{out});
  my $made = $written->{exit} eq '0' ? command($folder, @cxx, qw(-Wall -Wextra -Werror), "-I$runtime", "$name.cpp", 'runtime.o', '-o', $name) : $written;
  ok($made->{exit} eq '0', "$name: a program in C++ is written and built without a warning", $made->{err}) or return;
  for my $point (@points) {
    my @settings = @$point;
    my ($time, $elements, $why) = predicted($model, @settings);
    my $run = command($folder, "./$name", @settings);
    my ($own) = $run->{out} =~ /^predicted time\s+($number)/m;
    my @wrong;
    push @wrong, "psl: " . ($time // $why) . ", C++: " . ($own // $run->{err}) if !defined $time || !defined $own || !close_to($time, $own);
    for my $line ($run->{out} =~ /^([^\t\n]+\t[^\t\n]+\t\d+\t.*)$/mg) {
      my ($element, $kind, $executions, $spent) = split /\t/, $line;
      my $there = delete $elements->{"$element $kind"};
      $spent =~ s/ s$//;
      push @wrong, "$element $kind: C++ $executions, $spent; psl " . ($there ? "@$there" : 'has none')
        if !$there || $there->[0] != $executions || !close_to($there->[1], $spent);
    }
    push @wrong, "C++ has no @{[sort keys %$elements]}" if %$elements;
    ok(!@wrong, "$name @settings: the same time, and the same for each element", join "\n", @wrong);
  }
}

compare('lapw0', 'examples/lapw0/lapw0.uml', [], ['nodes=1'], ['nodes=4', 'nat=63']);
compare('jacobi', 'examples/prophet/jacobi.psl', [], ['ppn=3', 'hosts=5', 'steps=2'], ['ppn=1', 'team=4', 'n=500']);
command($folder, 'sh', '-c', "TMP=$folder; psl() { :; }; . $root/tests/cases/uml/requests.sh; model 'request=\"first-one\"' 'request=\"first-one\"'; cp model.uml $folder/requests.uml");
compare('requests', "$folder/requests.uml", []);
compare('papyrus', 'tests/cases/uml/papyrus.psl', []);
compare('messages', "$folder/messages.psl", map { my $ranks = $_; map { ["ranks=$ranks", "amount=$_", "root=" . ($ranks + 1) % 5] } qw(100byte 3000byte 5000byte 20000byte 700000byte) } 2, 5, 8, 12, 13);
compare('named', "$folder/named.psl", [], ['NULL=7', 'errno=3ms', 'M_PI=1ms', 'EIO=3']);
compare('shared', "$folder/shared.psl", [], ['slice=0.05ms'], ['slice=10ms'], ['own=3']);
compare('threads', "$folder/threads.psl", [], map { [$_] } 'piece=2', 'piece=5', 'team=1', 'team=7', 'own=1', 'own=9', 'rows=2', 'ranks=4');

# Traces are of a form that psl shows without a run of its own.
command($folder, './jacobi', 'steps=2', '--trace', 'run.prv');
my $info = command($folder, $psl, qw(trace info run.prv));
ok($info->{out} =~ /^format\s+trace of Paraver/m && $info->{out} =~ /^complete\s+yes/m, 'psl trace info reads a trace of a program in C++', $info->{out} . $info->{err});
my $page = command($folder, $psl, qw(report run.prv -o run.html));
ok($page->{exit} eq '0' && slurp("$folder/run.html") =~ /relax/, 'psl report shows it', $page->{err});

# What it does not know it says.
for (['nowhere=3', "there is no param 'nowhere'"], ['ppn=a', "the param ppn cannot be 'a'"], ['ppn', 'what is said is NAME=VALUE']) {
  my $run = command($folder, './jacobi', $_->[0]);
  ok($run->{exit} eq '1' && $run->{err} =~ /\Q$_->[1]\E/, "$_->[0] is refused", $run->{err});
}
spew("$folder/stuck.psl", qq{use prophet;\ncomponent p like Process { param processes = 2; body: call BRecv("never", 1 - pid); }\ncomponent h like Node { param nodes = 1; param processors = 2; }\n});
spew("$folder/stuck.cpp", command($root, $psl, qw(graph --activity --format c++), "$folder/stuck.psl")->{out});
command($folder, @cxx, "-I$runtime", 'stuck.cpp', 'runtime.o', '-o', 'stuck');
my $stuck = command($folder, './stuck');
ok($stuck->{exit} eq '1' && $stuck->{err} =~ /^error: p\[0\] waits for a message, which does not come; p\[1\] waits for a message, which does not come$/, 'a deadlock is said, of all that wait', $stuck->{err});
for (['record end = clock;', "no statement 'record'"], ['call ActionPlus("x", exponential(1 s));', 'has no'], ['call Send("x", 0, 1 byte);', "but that of analysis[LogGP]", 'network=simulation[NIC]']) {
  spew("$folder/refused.psl", qq{use prophet;\ncomponent p like Process { param processes = 1; body: $_->[0] }\ncomponent h like Node { param nodes = 1; }\n});
  my $refused = command($root, $psl, qw(graph --activity --format c++), ($_->[2] ? ('--set', $_->[2]) : ()), "$folder/refused.psl");
  ok($refused->{exit} eq '1' && $refused->{err} =~ /\Q$_->[1]\E/ && $refused->{out} eq '', "$_->[0]: it is said that C++ cannot", $refused->{err});
}
finish();
