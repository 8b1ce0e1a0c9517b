# What all test scripts share: running a command with a time limit, comparing texts with a tolerance
# for figures, printing TAP.
package Run;
use strict;
use warnings;
use Exporter 'import';
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Temp 'tempdir';
my $number = qr/[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?)/;
our @EXPORT = qw($root $build $psl $sanitized command same ok skip finish slurp spew scratch psl_files difference crashed);

our $root = abs_path(dirname(__FILE__) . '/../..');
our $build = abs_path($ENV{PSL_BUILD} || "$root/build");
our $psl = "$build/psl";
our $sanitized = $ENV{PSL_SANITIZED};
my $limit = $ENV{PSL_TEST_SECONDS} || ($sanitized ? 900 : 300); # only what hangs takes as long
my $scratch;
my ($count, $failures) = (0, 0);

$ENV{PATH} = "$build:$ENV{PATH}";
$ENV{LC_ALL} = 'C';
$ENV{LD_LIBRARY_PATH} = "$build/native"; # the libraries of tests/cases/foreign
$ENV{PSL_PATH} //= $root; # the build folder may stand anywhere
delete @ENV{qw(MAKELEVEL MAKEFLAGS MFLAGS)}; # a make in a case is none within the make that runs tests
# As if memory were scarce; what is freed is kept from use for long enough, but not till each run has touched 256 MiB.
$ENV{ASAN_OPTIONS} = 'exitcode=99:handle_sigill=1:quarantine_size_mb=16:allocator_may_return_null=1:max_allocation_size_mb=2048';
$ENV{LSAN_OPTIONS} = 'print_suppressions=0:suppressions=' . $root . '/tests/leaks';
$ENV{UBSAN_OPTIONS} = 'exitcode=99:print_stacktrace=1';

# A folder that goes with the process.
sub scratch { return $scratch //= tempdir('psl-XXXXXX', TMPDIR => 1, CLEANUP => 1) }

# Open MPI: as root, with more ranks than processors, and what a run keeps in a folder of the test's own, since two that begin at
# once stumble over each other's.
@ENV{qw(OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe)} = (1, 1, 1);
$ENV{OMPI_MCA_orte_tmpdir_base} = scratch();

sub slurp {
  my ($path) = @_;
  open my $f, '<:raw', $path or return undef;
  local $/;
  my $text = <$f>;
  return defined $text ? $text : '';
}

sub spew {
  my ($path, $text) = @_;
  open my $f, '>:raw', $path or die "$path: $!\n";
  print $f $text;
  close $f or die "$path: $!\n";
}

# Runs a command (a list, or a text for sh, which plain words do without) in a folder: { out, err, exit } where exit is a number, or
# text for a signal or a time-out.
sub command {
  my ($folder, @words) = @_;
  @words = $words[0] =~ m{^[-\w./=,:%@+ ]+$} && $words[0] !~ /^\w+=|^exec / ? split(' ', $words[0]) : ('sh', '-c', $words[0]) if @words == 1;
  my ($out, $err) = (scratch() . '/out', scratch() . '/err');
  my $pid = fork() // die "fork: $!\n";
  if (!$pid) {
    setpgrp(0, 0);
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', $out;
    open STDERR, '>', $err;
    chdir $folder or die "$folder: $!\n";
    exec { $words[0] } @words or print STDERR "$words[0]: $!\n";
    require POSIX;
    POSIX::_exit(127);
  }
  my $late = 0;
  local $SIG{ALRM} = sub { $late = 1; kill 'KILL', -$pid };
  alarm $limit;
  waitpid $pid, 0;
  my $status = $?;
  alarm 0;
  my $exit = $late ? "no end after $limit s" : $status & 127 ? 'signal ' . ($status & 127) : $status >> 8;
  return { out => slurp($out), err => slurp($err), exit => $exit };
}

# Did the program go down, rather than end?  Statuses of its own are 0 to 2.
sub crashed { return $_[0]{exit} !~ /^\d+$/ || $_[0]{exit} >= 99 }

# Equal texts; with a tolerance, equal but for figures that differ by that part of the larger.
sub same {
  my ($got, $wanted, $tolerance) = @_;
  return 1 if $got eq $wanted;
  return 0 unless $tolerance;
  my @got = split /($number)/, $got;
  my @wanted = split /($number)/, $wanted;
  return 0 if @got != @wanted;
  for my $k (0 .. $#got) {
    next if $got[$k] eq $wanted[$k];
    return 0 if $k % 2 == 0;
    my ($a, $b) = (abs $got[$k], abs $wanted[$k]);
    return 0 if abs($got[$k] - $wanted[$k]) > $tolerance * ($a > $b ? $a : $b);
  }
  return 1;
}

sub difference {
  my ($wanted, $got) = @_;
  my ($a, $b) = (scratch() . '/wanted', scratch() . '/got');
  spew($a, $wanted);
  spew($b, $got);
  my $text = `diff -u --label wanted --label got $a $b`;
  return substr $text, 0, 8000;
}

# One result; the note, where it failed, is what a person needs to see. By the prototype, what does not match is false and
# no missing argument.
sub ok($$;$) {
  my ($good, $name, $note) = @_;
  $count++;
  $name =~ s/#/\\#/g;
  print $good ? "ok $count - $name\n" : "not ok $count - $name\n";
  return 1 if $good;
  $failures++;
  if (defined $note) {
    $note =~ s/^/#   /mg;
    $note .= "\n" unless $note =~ /\n\z/;
    print STDERR "# $name\n$note";
  }
  return 0;
}

sub skip($$) {
  my ($name, $why) = @_;
  $count++;
  print "ok $count - $name # SKIP $why\n";
}

sub finish {
  print "1..$count\n";
  exit($failures ? 1 : 0);
}

# Every .psl of the project, by path from the root.
sub psl_files {
  my @found;
  my @folders = ('');
  while (defined(my $folder = shift @folders)) {
    opendir my $d, "$root/$folder" or next;
    for my $entry (sort readdir $d) {
      next if $entry =~ /^\.|^build/;
      my $path = $folder eq '' ? $entry : "$folder/$entry";
      if (-d "$root/$path") { push @folders, $path }
      elsif ($entry =~ /\.psl$/) { push @found, $path }
    }
  }
  return sort @found;
}

1;
