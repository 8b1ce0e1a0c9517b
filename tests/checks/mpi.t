#!/usr/bin/perl
# Studies on the ranks of an MPI job, by each MPI that psl was built for: the same bytes as in one process; what
# only rank 0 does is done once; a job that dies goes on from its database.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{ASAN_OPTIONS} .= ':detect_leaks=0'; # the MPI libraries leave some
my $folder = scratch();
my $farm = "$root/examples/farm/farm.psl";
my $words = "study $farm --vary workers=1..150 --vary result=50MB,60MB --format csv";
my $alone = command($folder, "psl $words");

# A model whose 600th point is the end of the rank that has it, once some runs are kept, until there is a file `potion`.
spew("$folder/wait", 'until [ "$(sqlite3 -readonly mortal.db "SELECT count(*) FROM run" 2>&1)" -gt 50 ] 2>/dev/null; do sleep 0.05; done');
spew("$folder/mortal.psl", <<'END');
extern "probe.so" { function crash(x : real) -> real; }
extern "libc.so.6" {
  function access(path : string, mode : int32) -> int32;
  function raise(signal : int32) -> int32;
  function shell(command : string) -> int32 = "system";
}
param n : int = 1;
param crashes : bool = false;
function end(n : int) -> real = if crashes then crash(1) else raise(9);
function fate(n : int) -> real = if n == 600 and access("potion", 0) != 0 then shell("sh wait") + end(n) else 0;
transaction go();
component stone {
  accepts:
    profile     = { domain = application, node type = stone };
    transaction = go();
    protocol    = call-return;
  body:
    record pain = fate(n);
    hold n * 1 s;
}
system quarry {
  requests:
    selector    = { domain = application, node type = stone };
    transaction = go();
    protocol    = call-return;
}
END
my $mortal = "study mortal.psl quarry --vary n=1..1200 --allow-native --format csv --db mortal.db";

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
  for my $crashes ('false', 'true') {
    unlink "$folder/potion", glob "$folder/mortal.db*";
    $result = command($folder, "$run -n 3 psl $mortal --set crashes=$crashes");
    my $kept = command($folder, "sqlite3 -cmd '.timeout 60000' mortal.db 'SELECT count(*) FROM run'")->{out};
    my $said = "rank \\d: the function 'crash' of C has crashed: segmentation fault\n" .
               "help: this ends the job; 'psl study --jobs N' without mpirun goes on beside such a point\n";
    ok($result->{exit} ne '0' && $result->{err} =~ ($crashes eq 'true' ? qr/^psl: error: $said/m : qr/^(?!.*of C has crashed)/s),
       "$mpi: a rank that dies ends the job, crashes = $crashes", "exit $result->{exit}\n$result->{err}");
    spew("$folder/potion", '');
    $result = command($folder, "psl $mortal --set crashes=$crashes >resumed && rm mortal.db* && psl $mortal --set crashes=$crashes | cmp - resumed");
    ok($kept > 50 && $kept < 1200 && $result->{exit} eq '0', "$mpi: which goes on from its database, crashes = $crashes",
       "$kept runs kept\n$result->{out}$result->{err}");
  }
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
