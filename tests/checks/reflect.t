#!/usr/bin/perl
# libpsl-reflector in programs of C, C++ and Fortran: what it measures beside what the programs themselves measure around
# the same work, and the clock of a hybrid execution.
# Plain build alone: it compiles programs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

my $folder = scratch();
my $include = "$root/evaluators/programs/reflector";
my @link = ("$build/libpsl-reflector.a", '-pthread', '-lm');

# Sleeps ten times in each of three uses, and measures these itself, from outside.
spew("$folder/sleep.c", <<'END');
#define _GNU_SOURCE
#include "psl-reflector.h"
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long switches(void) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

int main(void) {
  const struct timespec pause = {0, 100000};
  double seconds = 0;
  long waits = 0;
  for (int use = 0; use < 3; use++) {
    double begin = now();
    long before = switches();
    PSL_RESOURCE("sleep", 10, 1e-4) {
      for (int k = 0; k < 10; k++)
        nanosleep(&pause, NULL);
    }
    waits += switches() - before;
    seconds += now() - begin;
  }
  double answer = psl_figure("clock", "", 0, 0, 0, &answer), clock = psl_clock();
  printf("%.9g %ld %.9g %g\n", seconds, waits, clock, answer);
  return 0;
}
END
my @strict = qw(-std=c11 -pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror);
my $made = command($folder, 'gcc', @strict, "-I$include", 'sleep.c', '-o', 'sleep', @link);
ok($made->{exit} eq '0', 'a program in C compiles, in strict C11', $made->{err});

my $ran = command($folder, 'PSL_REFLECT=measure:used.csv ./sleep');
my ($seconds, $switches) = split ' ', $ran->{out};
my ($names, $row) = map { [split /,/] } split /\n/, slurp("$folder/used.csv") // "\n";
my %used;
@used{@$names} = @$row;
equal("$used{resource} $used{file} $used{uses}", 'sleep "sleep.c" 3', 'what is used is counted');
ok($used{'time [s]'} >= 3e-3 && $used{'time [s]'} <= $seconds, 'its time lies inside of what the program measures',
   "$used{'time [s]'} of $seconds");
ok($used{'context switches'} >= 30 && $used{'context switches'} <= $switches,
   'and so do context switches', "$used{'context switches'} of $switches");
ok($used{'least [s]'} >= 1e-3 && $used{'greatest [s]'} <= $seconds && $used{'processor time [s]'} < $used{'time [s]'},
   'least, greatest and processor time', slurp("$folder/used.csv"));
$ran = command($folder, 'PSL_REFLECT=measure ./sleep');
ok($ran->{err} =~ /^sleep +sleep\.c:\d+ +3 /m, 'a table goes to standard error', $ran->{err});
equal(command($folder, './sleep')->{err}, '', 'and nothing where nothing is wanted');

# Measured: the program's clock is all of its time, and psl's ends not before it.
sub predicted {
  my ($report) = @_;
  return $report->{out} =~ /^result,\w+,makespan,([^,]+),s$/m ? $1 : -1;
}
$ran = command($folder, 'psl reflect -f csv ./sleep');
my ($own, undef, $clock) = $ran->{out} =~ /^([\d.e-]+) (\d+) ([\d.e-]+) 0$/m;
my ($used) = $ran->{out} =~ /^elements,[^,]*,time,([^,]+),s$/m;
ok($ran->{exit} eq '0' && $used <= $own && $used <= $clock && $clock <= predicted($ran) + 1e-6, 'the clock of a program that is measured',
   $ran->{out} . $ran->{err});

# Hybrid: three answers of 10 * 0.1 ms + 100 s each, and little else.
spew("$folder/answer.psl", <<'END');
use reflector;
component sleeper {
  accepts:
    profile     = { domain = hardware[clock], resource = sleep };
    transaction = reflect(amounts);
    protocol    = call-return;
  body:
    hold 100 s;
    return amounts[0] * amounts[1] * 1 s;
}
component clocks {
  accepts:
    profile     = { domain = hardware[clock], resource = clock };
    transaction = figure(amounts);
    protocol    = call-return;
  body:
    return clock / 1 s;
}
END
$ran = command($folder, 'psl reflect -f csv --model answer.psl ./sleep');
($own, undef, $clock, my $model) = $ran->{out} =~ /^([\d.e-]+) (\d+) ([\d.e-]+) ([\d.e-]+)$/m;
my ($beside) = $ran->{out} =~ /measured beside",value,([^,]+),s/;
ok($clock >= 300.003 && $clock < 300.003 + $own && $model >= 300.003 && $model <= $clock + 1e-3 && predicted($ran) >= $clock,
   'the clock of a hybrid execution is the answers and what is measured between them', $ran->{out} . $ran->{err});
ok($beside && $beside >= 3e-3 && $beside <= $own, 'what it takes here stands beside', $ran->{out});
$ran = command($folder, 'psl reflect -f csv --costs none --model answer.psl ./sleep');
ok(abs(predicted($ran) - 300.003) < 1e-9, 'without measured times it is the answers', $ran->{out});

# A program that somebody else starts; and one whose psl has ended.
$ran = command($folder, 'psl reflect -f csv --costs none --model answer.psl --listen here & '
             . 'while [ ! -S here ]; do sleep 0.02; done; PSL_REFLECT=model:here ./sleep; wait');
ok($ran->{exit} eq '0' && abs(predicted($ran) - 300.003) < 1e-9 && !-e "$folder/here", 'a program finds psl by a socket',
   $ran->{out} . $ran->{err});
spew("$folder/wrong.psl", (slurp("$folder/answer.psl") =~ s/hold 100 s/hold log(0) * 1 s/r));
$ran = command($folder, 'psl reflect -q --model wrong.psl --listen here >report 2>error & '
             . 'while [ ! -S here ]; do sleep 0.02; done; PSL_REFLECT=model:here ./sleep; wait');
ok($ran->{out} =~ /^\S+ \d+ \S+ 0$/m && $ran->{err} eq "psl-reflector: psl has ended; the program goes on without it\n",
   'it goes on without a psl that has ended', $ran->{out} . $ran->{err});

# Other languages.
spew("$folder/uses.cc", <<'END');
#include "psl-reflector.h"
#include <cstdio>
int main() {
  int done = 0, n = 3;
  for (int k = 0; k < 4; k++)
    PSL_RESOURCE_OR_SKIP("sleep", n, 0.5) ++done;
  std::printf("%d %g\n", done, psl_clock());
}
END
$made = command($folder, 'g++', '-Wall', '-Wextra', '-Wshadow', '-Werror', "-I$include", 'uses.cc', '-o', 'uses', @link);
ok($made->{exit} eq '0', 'a program in C++ compiles', $made->{err});
$ran = command($folder, 'psl reflect --costs none --model answer.psl ./uses');
ok($ran->{out} =~ /^0 406$/m, 'and asks', $ran->{out} . $ran->{err});
if (have('gfortran')) {
  spew("$folder/uses.f90", <<'END');
program uses
  use psl_reflector
  implicit none
  integer :: k, done
  integer(c_int) :: unused
  done = 0
  do k = 1, 4
    if (psl_reflect_begin('sleep'//C_NULL_CHAR, 'uses.f90'//C_NULL_CHAR, 9, 0, 2, [3.0_c_double, 0.5_c_double]) /= 0) then
      done = done + 1
      unused = psl_reflect_end()
    end if
  end do
  print '(i0, 1x, f0.3)', done, psl_clock()
end program
END
  $made = command($folder, 'gfortran', "$include/psl_reflector.f90", 'uses.f90', '-o', 'fuses', @link);
  ok($made->{exit} eq '0', 'a program in Fortran compiles', $made->{err});
  $ran = command($folder, 'psl reflect --costs none --model answer.psl ./fuses');
  ok($ran->{out} =~ /^4 406\.000$/m && $ran->{out} =~ /^ *sleep uses\.f90:9 +predicted +4 /m, 'and asks', $ran->{out} . $ran->{err});
} else {
  skip('a program in Fortran', 'gfortran is not installed');
}
finish();
