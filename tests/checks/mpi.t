#!/usr/bin/perl
# Studies on the ranks of an MPI job, by each MPI that psl was built for: the same bytes as in one process; what
# only rank 0 does is done once; a job that dies goes on from its database.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{ASAN_OPTIONS} .= ':detect_leaks=0'; # the MPI libraries leave some
$ENV{OMPI_MCA_rmaps_base_oversubscribe} = 1;
$ENV{OMPI_ALLOW_RUN_AS_ROOT} = $ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} = 1;
my $folder = scratch();
my $farm = "$root/examples/farm/farm.psl";
my $words = "study $farm --vary workers=1..150 --vary result=50MB,60MB --format csv";
my $alone = command($folder, "psl $words");

# kill -9 of a rank as soon as some runs are kept.
sub kill_a_rank {
  my ($run) = @_;
  my $pid = fork() // die "fork: $!\n";
  if (!$pid) {
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', '/dev/null';
    chdir $folder;
    exec "exec $run -n 3 psl $words --vary 'work=10s..40s+10s' --db killed.db";
  }
  for (1 .. 500) {
    select undef, undef, undef, 0.02;
    next if (command($folder, "sqlite3 -readonly killed.db 'SELECT count(*) > 50 FROM run'")->{out} // '') !~ /^1/;
    for my $file (glob '/proc/[0-9]*/environ') {
      my $environment = slurp($file) // next;
      my ($rank) = $file =~ /(\d+)/;
      next if $environment !~ /(OMPI_COMM_WORLD_RANK|PMI_RANK)=1\0/;
      next if (readlink("/proc/$rank/cwd") // '') ne $folder || (readlink("/proc/$rank/exe") // '') ne $psl;
      kill 'KILL', $rank;
    }
    last;
  }
  waitpid $pid, 0;
  return $?;
}

for my $mpi ('openmpi', 'mpich') {
  my $run = "mpirun.$mpi";
  if (!-e "$build/psl-mpi-$mpi.so" || !grep { -x "$_/$run" } split /:/, $ENV{PATH}) {
    skip("studies under $mpi", "$run is not installed, or psl was built without it");
    next;
  }
  my $result = command($folder, "$run -n 4 psl $words");
  ok($result->{exit} eq '0' && $result->{out} eq $alone->{out} && $result->{err} eq '', "$mpi: the bytes of one process",
     difference($alone->{out}, $result->{out}) . $result->{err});
  $result = command($folder, "$run -n 3 psl params $farm");
  ok($result->{exit} eq '0' && $result->{out} eq command($folder, "psl params $farm")->{out} && $result->{err} eq '',
     "$mpi: rank 0 alone does other commands", $result->{out} . $result->{err});
  $result = command($folder, "$run -n 3 psl study none.psl 2>&1 | grep -c 'cannot read none.psl'");
  ok($result->{out} eq "1\n", "$mpi: an error is said once", $result->{out} . $result->{err});
  $result = command($folder, "$run -n 3 psl study - --vary workers=1..150 --vary result=50MB,60MB --format csv <$farm");
  ok($result->{exit} eq '0' && $result->{out} eq $alone->{out} && $result->{err} =~ /^psl: warning: rank \d has done nothing: /,
     "$mpi: ranks that cannot read the model are missed", $result->{out} . $result->{err});
  unlink glob "$folder/killed.db*";
  my $status = kill_a_rank($run);
  my $kept = command($folder, "sqlite3 killed.db 'SELECT count(*) FROM run'")->{out};
  $result = command($folder, "psl $words --vary 'work=10s..40s+10s' --db killed.db >resumed && psl $words --vary 'work=10s..40s+10s' | cmp - resumed");
  ok($status && $kept > 50 && $kept < 1200 && $result->{exit} eq '0', "$mpi: a job that died goes on from its database",
     "status $status, $kept runs kept\n$result->{out}$result->{err}");
  last if $sanitized; # one of them will do: it is slow
}

# Started by an MPI that it has no module for.
mkdir "$folder/alone";
command($folder, "cp $psl alone/copy");
$ENV{PMI_SIZE} = 2;
$ENV{PMI_RANK} = 0;
my $result = command($folder, "alone/copy $words");
ok($result->{exit} eq '1' && $result->{out} eq '' && $result->{err} =~
     m{^psl: error: psl was started by the mpirun of MPICH, but the module for it, psl-mpi-mpich.so, stands neither beside psl nor in \S+\nhelp: 'make MPI=openmpi' or 'make MPI=mpich' builds it where that MPI's compiler is installed\n$},
   'a missing module is named', $result->{out} . $result->{err});
spew("$folder/alone/psl-mpi-mpich.so", "no module\n");
$result = command($folder, "alone/copy $words");
ok($result->{exit} eq '1' && $result->{out} eq '' && $result->{err} =~ m{^psl: error: psl-mpi-mpich.so cannot be used: },
   'a broken module is refused', $result->{out} . $result->{err});
$ENV{PMI_SIZE} = 1;
$result = command($folder, "alone/copy $words");
ok($result->{out} eq $alone->{out}, 'a job of one rank needs no module', $result->{err});
finish();
