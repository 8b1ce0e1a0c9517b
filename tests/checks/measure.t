#!/usr/bin/perl
# psl measure messages: the figures of known machines come back from round trips that are made of them, and from the
# program that measures, run by psl mpirun on them; and its figures make the round trips that it has measured.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $folder = scratch();

# Equations (3a) and (3b) of figure 4.1, in us and us a byte.
sub total {
  my ($m, $size) = @_;
  my $o = $size < $m->{overhead} ? $m->{os} : $m->{ol};
  my $G = $size < $m->{gap} ? $m->{G} : $m->{Gl};
  my $request = $size < $m->{handshake} ? 0 : 3 * $m->{os} + 2 * $m->{L};
  return $request + 2 * $o + $m->{L} + $size * $G;
}
sub overhead { my ($m, $size) = @_; return $size < $m->{overhead} ? $m->{os} : $m->{ol} }

my $state = 1;
sub uniform { $state = ($state * 1103515245 + 12345) % 2147483648; return ($state + 0.5) / 2147483648 }
sub noise { my ($part) = @_; my $sum = -6; $sum += uniform() for 1 .. 12; return 1 + $part * $sum }

my @sizes = (0, 8, 16);
for (my $size = 32; $size <= 4 << 20; $size *= 2) { push @sizes, $size - 8, $size, $size * 1.25, $size * 1.5, $size * 1.75 }

sub write_table {
  my ($file, $m, %how) = @_;
  open my $out, '>', "$folder/$file" or die;
  print $out "test,bytes [byte],time [us]\n";
  print $out "rendezvous,$m->{handshake},0\n" unless $how{silent};
  for my $size (@sizes) {
    for (1 .. $how{samples}) {
      my $late = $how{noise} && uniform() < 0.05 ? 1 + 5 * uniform() : 1; # what is disturbed
      printf $out "round-trip,$size,%.9g\n", 2 * total($m, $size) * noise($how{noise}) * $late;
      next if $how{trips} || $size >= $m->{handshake};
      printf $out "$_,$size,%.9g\n", overhead($m, $size) * noise($how{noise}) for qw(send receive);
    }
  }
  close $out;
}

# What a machine of PSL says, in us and byte.
sub machine {
  my ($text) = @_;
  my %got = map { my ($name) = /param ([\w-]+) /; $name => [/([\d.e+-]+) (?:us|ns\/byte|byte)\b/g] }
            $text =~ /(param [\w-]+\s*=[^;]*;)/g;
  return \%got;
}

sub near { my ($got, $wanted) = @_; return defined $got && abs($got - $wanted) <= 0.01 * $wanted }

sub compare {
  my ($name, $text, $m) = @_;
  my $got = machine($text);
  my $begins = $got->{'segment-begins'} || [0];
  my @wrong;
  for my $size (@sizes) {
    my $k = -1;
    for (@$begins) { $k++ if $_ <= $size }
    my @wanted = ([overheads => overhead($m, $size)], [latencies => $m->{L}],
                  [gaps => 1000 * ($size < $m->{gap} ? $m->{G} : $m->{Gl})]);
    for (@wanted) {
      my ($what, $figure) = @$_;
      my $list = $got->{"segment-$what"} || $got->{{overheads => 'os', latencies => 'L', gaps => 'G'}->{$what}};
      push @wrong, "$size byte: $what $list->[$k], not $figure" unless near($list->[$k], $figure);
    }
  }
  ok(!@wrong, "$name: o, L and G of each size within 1 %", join "\n", @wrong);
  ok(near($got->{'handshake-threshold'}[0], $m->{handshake}), "$name: where rendezvous begins", $text);
}

my %sp2 = (L => 23, os => 23, ol => 47, G => 0.07, Gl => 0.03, overhead => 1024, handshake => 4096, gap => 4096);
my %cluster = (L => 0.8, os => 0.2, ol => 0.3, G => 0.00008, Gl => 0.00004, overhead => 1024, handshake => 16384, gap => 16384);
my %plain = (L => 5, os => 1, ol => 1, G => 0.001, Gl => 0.001, overhead => 1 << 30, handshake => 8192, gap => 1 << 30);

# ---- from tables ----

for (['SP2', \%sp2], ['a cluster', \%cluster], ['one overhead', \%plain]) {
  my ($name, $m) = @$_;
  write_table('exact.csv', $m, noise => 0, samples => 3);
  compare("$name, exact", command($folder, 'psl measure messages --from exact.csv')->{out}, $m);
  write_table('noisy.csv', $m, noise => 0.01, samples => 30);
  my $got = command($folder, 'psl measure messages --from noisy.csv');
  compare("$name, noise of 1 %", $got->{out}, $m);
  ok($got->{err} eq '', "$name, noise of 1 %: no warning", $got->{err});
}
for (['SP2', \%sp2], ['one overhead', \%plain]) { # as POEMS: three kinds of round trips give L, os and ol
  my ($name, $m) = @$_;
  write_table('trips.csv', $m, noise => 0.001, samples => 60, trips => 1);
  compare("$name, from round trips alone", command($folder, 'psl measure messages --from trips.csv')->{out}, $m);
}
write_table('silent.csv', \%sp2, noise => 0, samples => 3, silent => 1, trips => 1);
my $silent = command($folder, 'psl measure messages --from silent.csv');
compare('SP2, where nothing says where rendezvous begins', $silent->{out}, \%sp2);
ok($silent->{err} =~ /taken to be 4096 byte, where round trips grow most at once/, 'which is said', $silent->{err});

# The machine makes the round trips that it is made of.
write_table('noisy.csv', \%cluster, noise => 0.01, samples => 30);
command($folder, 'psl measure messages --from noisy.csv --name mine -o mine.psl');
open my $model, '>', "$folder/model.psl" or die;
print $model "use mpi;\nuse mine;\n";
close $model;
my @some = (0, 1016, 1024, 16376, 16384, 1 << 20);
my $totals = command($folder, "psl -c model.psl -e ':set machine=mine' " . join ' ', map { "-e 'message-cost.total($_ byte) / 1 us'" } @some);
my @totals = split /\n/, $totals->{out};
ok(!grep({ !near($totals[$_], total(\%cluster, $some[$_])) } 0 .. $#some), 'the machine makes its round trips', "$totals->{out}$totals->{err}");

# What is set moves all segments: L by as much, at one crossing or three, G by so many times.
my $set = command($folder, "psl -c model.psl -e ':set machine=mine' -e ':set message-cost.L=1.8us' -e 'message-cost.total(0 byte) / 1 us'"
  . " -e ':unset message-cost.L' -e ':set message-cost.G=0.02ns/byte' -e 'message-cost.total(1048576 byte) / 1 us'");
my ($later, $half) = split /\n/, $set->{out};
ok(near($later, total(\%cluster, 0) + 1), 'with L that is 1 us more', "$set->{out}$set->{err}");
ok(near($half, total(\%cluster, 1 << 20) - 0.5 * $cluster{Gl} * (1 << 20)), 'with half of G', "$set->{out}$set->{err}");

# ---- measured ----

if (-x "$build/psl-probe-mpich" && -f "$build/psl-mpich.so") {
  my $run = 'psl mpirun -n 2 --costs none';
  my $measure = "psl measure messages --repetitions 1";
  compare('SP2, measured', command($folder, "$measure --mpirun '$run' --table kept.csv")->{out}, \%sp2);
  compare('SP2, of the table that was kept', command($folder, "psl measure messages --from kept.csv")->{out}, \%sp2);
  my $set = '--set L="5 us" --set os="1 us" --set ol="1 us" --set G="1 ns/byte" --set Gl="1 ns/byte"'
    . ' --set message-cost.handshake-threshold="8 KiB"';
  my $got = command($folder, "$measure --mpirun '$run $set'");
  compare('a machine with one overhead, measured', $got->{out}, \%plain);
  ok($got->{out} =~ /param g += 1 us/, 'and its gap, which is its overhead', $got->{out});
  # The time from message to message is that of the interface, where there is one.
  my $nic = command($folder, "$measure --mpirun 'psl mpirun -n 2 --costs none --set \"network=simulation[NIC]\" --set g=\"60 us\"'");
  ok($nic->{out} =~ /param g += 60 us/, 'a gap of an interface is found', "$nic->{out}$nic->{err}");
  for (["psl mpirun -n 1 --costs none", "starts no two ranks\nhelp: as in --mpirun 'mpirun -n 2'"], ['true', "starts no two ranks\nhelp: as in --mpirun 'mpirun -n 2'"],
       ['false', 'fails'], ['yes', 'fails'], ['exit 127;', "cannot be started\nhelp: Debian: mpich or openmpi-bin"],
       ['echo psl-probe,ranks,0,2 #', 'ends before all is measured']) {
    my ($launcher, $wrong) = @$_;
    my $got = command($folder, "psl measure messages --mpirun '$launcher'");
    ok($got->{exit} eq '1' && $got->{out} eq '' && $got->{err} =~ /^psl: error: '\Q$launcher' $wrong\E$/m, "launcher $launcher", $got->{err});
  }
} else {
  skip('measured', 'MPICH is not installed');
}
finish();
