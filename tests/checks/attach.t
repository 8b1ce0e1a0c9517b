#!/usr/bin/perl
# psl attach: calls of a program that counts them itself, which goes on as it was whatever becomes of psl.
# Plain build alone: it compiles a program.
use strict;
use warnings;
use FindBin;
use IPC::Open2;
use JSON::PP;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

my $folder = scratch();
my $made = command($folder, 'gcc', '-g', '-O1', '-fno-optimize-sibling-calls', "$root/tests/lib/known_calls.c", '-o', 'known', '-pthread');
ok($made->{exit} eq '0', 'the program compiles', $made->{err});
$ENV{PATH} = "$build:$ENV{PATH}";
chdir $folder;

sub known {
  alarm 60; # of what waits for what does not come; a command sets its own
  my $pid = open2(my $out, my $in, './known', @_);
  $in->autoflush(1);
  readline $out; # it is ready
  return {pid => $pid, in => $in, out => $out};
}

# One phase: what the program has counted so far.
sub phase {
  my ($program, $line) = @_;
  print {$program->{in}} "$line\n";
  return readline $program->{out};
}

sub ended {
  my ($program) = @_;
  close $program->{in};
  waitpid $program->{pid}, 0;
  return $? == 5 << 8;
}

sub attached {
  my ($program, @options) = @_;
  my $pid = open2(my $out, my $in, 'psl', 'attach', $program->{pid}, @options);
  $in->autoflush(1);
  return {pid => $pid, in => $in, out => $out};
}

sub order { my ($psl, $line) = @_; print {$psl->{in}} "$line\n" }
# A report, when it has come: the counts, by function.
sub told {
  my ($psl) = @_;
  order($psl, 'report');
  my $line = readline $psl->{out};
  return $line ? decode_json($line) : {functions => []};
}
sub counts { my ($report) = @_; return join ' ', map { "$_->{name} $_->{calls}" } @{$report->{functions}} }
my @all = map { ('--function', $_) } qw(work outer factorial jumps_out);

my $program = known(1, 20);
my $probe = attached($program, '-f', 'json', @all);
my $first = told($probe);
if (!@{$first->{functions}}) {
  skip('psl attach', 'ptrace is not permitted here');
  finish();
  exit;
}
equal(counts($first), 'work 0 outer 0 factorial 0 jumps_out 0', 'nothing is counted before it is called');

my $said = phase($program, 'go');
my $counted = told($probe);
ok($said =~ /^\Q@{[counts($counted)]}\E children 0 code other$/, 'calls are those that the program counts itself',
   "$said" . counts($counted));
my %by = map { $_->{name} => $_ } @{$counted->{functions}};
my @text = split /\n/, slurp("$root/tests/lib/known_calls.c");
for my $name (qw(work outer factorial jumps_out)) {
  my ($line) = grep { $text[$_ - 1] =~ /\b\Q$name\E\(.*\{$/ } 1 .. @text;
  ok($by{$name}{place} =~ /^known_calls\.c:(\d+)$/ && ($1 == $line || $1 == $line + 1), "the place of $name", $by{$name}{place});
}
ok($by{jumps_out}{left} >= 19 && !$by{jumps_out}{ended}, 'what longjmp leads out of has not ended', encode_json($by{jumps_out}));
ok($by{outer}{ended} == 20 && $by{factorial}{ended} == 80 && $by{outer}{seconds} >= $by{work}{seconds}
     && $by{work}{least} > 0 && $by{work}{mean} >= $by{work}{least} && $by{work}{mean} <= $by{work}{greatest} && $by{work}{greatest} >= $by{work}{least},
   'times: outer holds work', encode_json($counted));

# Instruments are stopped and started while it runs.
order($probe, 'stop work');
order($probe, 'stop jumps_out');
told($probe);
phase($program, 'go');
equal(counts(told($probe)), 'work 40 outer 40 factorial 160 jumps_out 20', 'what is stopped keeps its count');
order($probe, 'start work');
told($probe);
$said = phase($program, 'go');
equal(counts(told($probe)), 'work 80 outer 60 factorial 240 jumps_out 20', 'and goes on when it is started');
order($probe, 'quit');
waitpid $probe->{pid}, 0;
equal($?, 0, 'psl ends');
ok(phase($program, 'go') =~ / code same$/, 'the code is what it was');
ok(ended($program), 'and the program ends as it does');

# Threads, with a process that is forked and one that is spawned meanwhile; psl is ended by a signal.
for my $signal (qw(TERM INT)) {
  $program = known(3, 30);
  $probe = attached($program, '-f', 'json', @all);
  told($probe);
  $said = phase($program, 'fork');
  equal(counts(told($probe)) . " children 2 code other\n", $said, 'calls in three threads');
  print {$program->{in}} "go\n";
  kill $signal, $probe->{pid};
  waitpid $probe->{pid}, 0;
  readline $program->{out};
  ok(phase($program, 'fork') =~ /^work 540 outer 270 factorial 1080 jumps_out 270 children 2 code same$/,
     "SIG$signal to psl leaves it as it was");
  ok(ended($program), 'and it ends as it does');
}

# A trace, and the end of the process.
$program = known(1, 5);
$probe = attached($program, '-f', 'json', '--function', 'outer', '--trace', 'calls.json');
told($probe);
phase($program, 'go');
ok(ended($program), 'it ends under psl');
my $last = join '', readline $probe->{out};
waitpid $probe->{pid}, 0;
my $trace = decode_json(slurp('calls.json'));
my ($line) = grep { $text[$_ - 1] =~ /\bouter\(.*\{$/ } 1 .. @text;
ok($? == 0 && @{$trace->{traceEvents}} == 5 && $trace->{traceEvents}[0]{args}{place} =~ /^known_calls\.c:(\d+)$/ && $1 - $line <= 1
     && $last =~ /"calls":5,/,
   'each call is in the trace, with its place', $last . slurp('calls.json'));

# What is refused.
sub refused {
  my ($said, @words) = @_;
  my $result = command($folder, 'psl', 'attach', @words);
  ok($result->{exit} ne '0' && $result->{err} =~ /^psl: error: $said$/m, $said, $result->{err});
}
refused("'seven' is no number of a process", 'seven');
refused("'attach' needs the number of a process");
refused('there is no process 99999999', 99999999);
refused("'0' is no number of a process", 0);
$program = known(1, 5);
refused("no function of process \\d+, or of its libraries, is called 'nothing'", $program->{pid}, '--function', 'nothing');
system('cp', 'known', 'bare');
system('strip', 'bare');
my $bare = open2(my $out, my $in, './bare');
refused("'work' is not found: the program has no symbols \\(it has been stripped\\), and no library exports it", $bare,
        '--function', 'work');
close $in;
waitpid $bare, 0;
ok($? == 5 << 8 && ended($program), 'and these go on');
finish();
