#!/usr/bin/perl
# Traces of Paraver are read and written in memory that does not grow with their length: messages and records are sorted in
# temporary files. One of ten times as many messages takes no more than what may be gathered before they go there.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX ':sys_wait_h';
use Run;
use Time::HiRes 'sleep';

my $folder = scratch();
if ($sanitized) {
  skip('memory of large traces', 'a sanitizer takes memory of its own');
  finish();
  exit;
}

# Rank 0 computes for 1 us and sends 100 bytes, again and again.
sub trace {
  my ($name, $messages) = @_;
  my $end = 1000 + 3000 * $messages;
  open my $out, '>', "$folder/$name" or die;
  print $out '#Paraver (03/11/2026 at 12:30):', $end + 1000, "_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n";
  print $out "2:$_:1:$_:1:0:50000003:31\n" for 1, 2;
  print $out "2:$_:1:$_:1:1000:50000003:0\n" for 1, 2;
  for my $k (1 .. $messages) {
    my ($begin, $there) = (3000 * $k - 1000, 3000 * $k);
    print $out "2:1:1:1:1:$begin:50000001:1\n3:1:1:1:1:$begin:$begin:2:1:2:1:$begin:$there:100:1\n" .
      "2:2:1:2:1:$begin:50000001:2\n2:1:1:1:1:$there:50000001:0\n2:2:1:2:1:$there:50000001:0\n";
  }
  print $out "2:$_:1:$_:1:$end:50000003:32\n" for 1, 2;
  print $out "2:$_:1:$_:1:@{[$end + 1000]}:50000003:0\n" for 1, 2;
  close $out;
}

# MiB that the system has given it at most.
sub taken {
  my @words = @_;
  my ($peak, $pid) = (0, fork() // die "fork: $!\n");
  if (!$pid) {
    chdir $folder;
    open STDOUT, '>', 'out';
    exec { $psl } 'psl', @words or POSIX::_exit(127);
  }
  until (waitpid($pid, WNOHANG)) {
    my ($now) = (slurp("/proc/$pid/status") // '') =~ /^VmHWM:\s+(\d+)/m;
    $peak = $now if $now && $now > $peak;
    sleep 0.005;
  }
  return $peak / 1024;
}

my ($few, $many, $gathered) = (20_000, 200_000, 20);
trace('few.prv', $few);
trace('many.prv', $many);
my %peak = map { $_ => taken('trace', 'info', "$_.prv") } qw(few many);
my ($messages) = slurp("$folder/out") =~ /^messages +(\S+),/m;
ok($messages eq '200,000' || $messages eq $many, 'all messages of a large trace are read', $messages);
ok($peak{many} < $peak{few} + $gathered, 'reading a large trace', "$peak{few} MiB, $peak{many} MiB");
%peak = map { $_ => taken('trace', 'convert', "$_.prv", "$_-again.prv") } qw(few many);
ok($peak{many} < $peak{few} + $gathered, 'writing one', "$peak{few} MiB, $peak{many} MiB");
taken('trace', 'info', 'many.prv');
my $wanted = slurp("$folder/out") =~ s/^trace .*//mr;
taken('trace', 'info', 'many-again.prv');
ok((slurp("$folder/out") =~ s/^trace .*//mr) eq $wanted, 'which has all that was read');
my @times = map { /^[123](?::\d+){4}:(\d+)/ ? $1 : () } split /\n/, slurp("$folder/many-again.prv");
ok(@times > 5 * $many && !(grep { $times[$_] < $times[$_ - 1] } 1 .. $#times), 'in the order of time', scalar @times);
finish();
