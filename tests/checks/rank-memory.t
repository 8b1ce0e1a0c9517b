#!/usr/bin/perl
# What a simulated rank takes of memory, everything counted: by how much the most that the system has given grows from a
# few ranks to many, over these. The limits are a tenth above what it is now, so that who makes it more notices.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX ':sys_wait_h';
use Run;
use Time::HiRes 'sleep';

if ($sanitized) {
  skip('memory of a rank', 'a sanitizer takes memory of its own');
  finish();
}
my $bench = "$FindBin::Bin/../bench";

# What the system has given one run at most, bytes.
sub once {
  my ($model, @words) = @_;
  my ($peak, $pid) = (0, fork() // die "fork: $!\n");
  if (!$pid) {
    open STDOUT, '>', '/dev/null';
    exec { $psl } 'psl', 'run', "$bench/$model.psl", '--quiet', @words or POSIX::_exit(127);
  }
  until (waitpid($pid, WNOHANG)) {
    my ($now) = (slurp("/proc/$pid/status") // '') =~ /^VmHWM:\s+(\d+)/m;
    $peak = $now if $now && $now > $peak;
    sleep 0.001;
  }
  return $? ? undef : $peak * 1024;
}

# A look may come too early to see the most: that of several runs counts.
sub taken {
  my $most = 0;
  for (1 .. 5) {
    my $taken = once(@_) // return undef;
    $most = $taken if $taken > $most;
  }
  return $most;
}

sub set { return map { ('--set', $_) } @_ }

for (['wavefront', 1024, [qw(px=32 py=32)], 16384, [qw(px=128 py=128)], 'blocks=4', 480],
     ['halo', 1024, ['p=32'], 16384, ['p=128'], 'steps=2', 960],
     ['allreduce', 1024, ['p=1024'], 16384, ['p=16384'], 'times=2', 1760]) {
  my ($model, $few, $small, $many, $large, $length, $most) = @$_;
  my ($least, $taken) = map { taken($model, set(@$_, $length)) } $small, $large;
  my $each = defined $least && defined $taken ? ($taken - $least) / ($many - $few) : 'inf';
  ok($each <= $most, "$model: memory of a rank", sprintf('%.0f bytes, at most %d', $each, $most));
}
finish();
