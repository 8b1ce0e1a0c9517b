# Figure 6.1 of POEMS: a program beside its slice, a line for each number of ranks; what each has taken, and what is
# predicted. Memory is the most of psl and all its ranks at one time (the sum of Pss, ten times a second at most).
#
#   perl ranks.pl PROGRAM SLICE MODEL.psl FILE.params 'ARGUMENTS' RANKS...
use strict;
use warnings;
use JSON::PP;
use POSIX ':sys_wait_h';
use Time::HiRes qw(sleep time);

my ($program, $slice, $model, $params, $arguments, @counts) = @ARGV;
die "usage: perl ranks.pl PROGRAM SLICE MODEL.psl FILE.params 'ARGUMENTS' RANKS...\n" unless @counts;

# kB of the processes of a group.
sub memory_of {
  my ($group) = @_;
  my $all = 0;
  for my $process (map { m{(\d+)$} } glob '/proc/[0-9]*') {
    next if getpgrp($process) != $group;
    open my $file, '<', "/proc/$process/smaps_rollup" or next;
    /^Pss:\s+(\d+)/ and $all += $1 while <$file>;
  }
  return $all;
}

# Its report, with the seconds that it has taken and the most of its memory.
sub ran {
  my ($ranks, @words) = @_;
  my ($begin, $most) = (time, 0);
  my $child = fork // die "fork: $!\n";
  if (!$child) {
    setpgrp;
    open STDOUT, '>', '/dev/null';
    exec qw(psl mpirun -q -f json -o ranks.json -n), $ranks, @words, split ' ', $arguments;
  }
  while (waitpid($child, WNOHANG) == 0) {
    my ($before, $now) = (time, memory_of($child));
    $most = $now if $now > $most;
    sleep 0.1 + 4 * (time - $before);
  }
  die "psl mpirun @words has failed\n" if $?;
  my $took = time - $begin;
  open my $file, '<', 'ranks.json' or die "ranks.json: $!\n";
  return {%{decode_json(do { local $/; <$file> })}, took => $took, most => $most / 1024};
}

$| = 1;
print "| ranks | messages | program: memory | time | predicted | slice: memory | time | predicted | error |\n",
  '| --- ' x 9 . "|\n";
for my $ranks (@counts) {
  my $whole = ran($ranks, "./$program");
  my $reduced = ran($ranks, '--costs', 'none', '--model', $model, '--params', $params, "./$slice");
  die "the slice sends something else\n" if grep { $whole->{$_} != $reduced->{$_} } qw(messages bytes);
  my @times = map { 1e3 * $_->{makespan}{value} } $whole, $reduced;
  printf "| %d | %d | %.0f MB | %.1f s | %.1f ms | %.0f MB | %.1f s | %.1f ms | %+.1f %% |\n", $ranks,
    $whole->{messages}, $whole->{most}, $whole->{took}, $times[0], $reduced->{most}, $reduced->{took}, $times[1],
    100 * ($times[1] / $times[0] - 1);
}
