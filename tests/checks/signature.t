#!/usr/bin/perl
# psl trace --memory: counts of programs that can be counted by hand, stack distances beside those of a list of lines
# in the order of their use, chains of instructions that say what waits for what, cache misses beside cachegrind's.
use strict;
use warnings;
use POSIX 'ceil';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

unless (have('qemu-x86_64')) {
  skip('psl trace --memory', 'qemu-x86_64 is not installed');
  finish();
  exit;
}
my $folder = scratch();

sub compiled_plain {
  my ($name, $text) = @_;
  spew("$folder/$name.c", $text);
  my $made = command($folder, 'gcc', '-g', '-O1', '-fno-tree-vectorize', "$name.c", '-o', $name, '-lm');
  return ok($made->{exit} eq '0', "$name compiles", $made->{err});
}

sub trace {
  my ($name, @options) = @_;
  unlink "$folder/signature.psl";
  my $traced = command($folder, 'psl', 'trace', '--memory', @options, "./$name");
  ok($traced->{exit} eq '0' && $traced->{err} eq '', "$name is traced", $traced->{err});
  return slurp("$folder/signature.psl") // '';
}

sub lists { my ($text) = @_; return map { [split /, /] } $text =~ /^ {4}\[([\d, ]+)\]/mg }

# Distances by block, of all kinds of accesses together.
sub distances {
  my ($signature) = @_;
  my @sums;
  for my $row (($signature =~ /param distances = \[(.*?)\n  \];/s)[0] =~ /^ {4}\[(.+)\],?$/mg) {
    my @sum;
    for my $kind ($row =~ /\[([\d, ]+)\]/g) {
      my @counts = split /, /, $kind;
      $sum[$_] += $counts[$_] for 0 .. $#counts;
    }
    push @sums, \@sum;
  }
  return @sums;
}

# The row of the block at the line that a comment marks, of those the one that is executed most; and its number.
sub block {
  my ($name, $signature, $mark) = @_;
  my @text = split /\n/, slurp("$folder/$name.c");
  my ($line) = grep { $text[$_ - 1] =~ m{// $mark$} } 1 .. @text;
  my @places = ($signature =~ /param places = \[(.*?)\];/s)[0] =~ /"([^"]*)"/g;
  my @rows = lists(($signature =~ /param blocks = \[(.*?)\n  \];/s)[0]);
  my @here = sort { $rows[$b][0] <=> $rows[$a][0] } grep { $places[$_] =~ / \Q$name\E\.c:$line$/ } 0 .. $#places;
  return @here ? ($rows[$here[0]], $here[0]) : ([], 0);
}

# Executions, loads, stores, floating-point operations.
sub counts {
  my ($name, $mark, @wanted) = @_;
  my ($row) = block($name, trace($name), $mark);
  equal(join(' ', map { $_ // '-' } @$row[0, 2, 3, 5]), "@wanted", "$name: executions, loads, stores, operations");
}

compiled_plain('multiply', <<'END');
enum { N = 100 };
double a[N][N], b[N][N], c[N][N];
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = c[i][j];
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j]; // here
      c[i][j] = sum;
    }
  return c[1][1] > 0;
}
END
counts('multiply', 'here', 100**3, 2 * 100**3, 0, 2 * 100**3);

# The same, compiled for other processors: the loop has the same accesses, whatever the instructions are.
for my $processor ('aarch64', 'riscv64') {
  my $compiler = "$processor-linux-gnu-gcc";
  unless (have($compiler) && have("qemu-$processor")) {
    skip("psl trace --memory of a program for $processor", "$compiler or qemu-$processor is not installed");
    next;
  }
  for my $how ('-static', '-rdynamic') {
    my $made = command($folder, $compiler, '-g', '-O1', $how, 'multiply.c', '-o', 'multiply');
    ok($made->{exit} eq '0', "multiply compiles for $processor, $how", $made->{err});
    counts('multiply', 'here', 100**3, 2 * 100**3, 0, 2 * 100**3);
  }
  my $refused = command($folder, 'psl', 'trace', '--memory', '--chains', './multiply');
  equal($refused->{err}, "psl: error: chains are found of programs for x86-64 alone: trace this one without --chains\n", 'no chains');
}
compiled_plain('multiply', slurp("$folder/multiply.c"));

compiled_plain('stencil', <<'END');
enum { N = 50, SWEEPS = 10 };
static double old[N][N], new[N][N];
int main(void) {
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double (*from)[N] = sweep % 2 ? new : old, (*to)[N] = sweep % 2 ? old : new;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]); // here
  }
  return old[1][1] > 0;
}
END
counts('stencil', 'here', 10 * 48**2, 4 * 10 * 48**2, 10 * 48**2, 4 * 10 * 48**2);

compiled_plain('lu', <<'END');
enum { N = 30 };
static double a[N][N];
int main(void) {
  for (int i = 0; i < N; i++) a[i][i] = 2;
  for (int k = 0; k < N; k++)
    for (int i = k + 1; i < N; i++) {
      double factor = a[i][k] /= a[k][k];
      for (int j = k + 1; j < N; j++)
        a[i][j] -= factor * a[k][j]; // here
    }
  return a[1][1] > 3;
}
END
my $updates = 0;
$updates += (29 - $_)**2 for 0 .. 29;
counts('lu', 'here', $updates, 2 * $updates, $updates, 2 * $updates);

# ---- stack distances ----

my ($lines, $uses) = (700, 20000);
compiled_plain('random', <<END);
static struct { char byte[64]; } line[$lines] __attribute__((aligned(64)));
int main(void) {
  unsigned state = 1, sum = 0;
  for (int k = 0; k < $uses; k++) {
    state = state * 1103515245u + 12345u;
    unsigned square = (state >> 16) % $lines;
    sum += *(volatile char *)line[square * square % $lines].byte; // here
  }
  return sum > 0;
}
END
my ($state, @stack, @distances) = 1;
for (1 .. $uses) {
  $state = ($state * 1103515245 + 12345) % 2**32;
  my $line = (($state >> 16) % $lines)**2 % $lines;
  my $at = 0;
  $at++ while $at < @stack && $stack[$at] != $line;
  push @distances, $at < @stack ? $at : 'never';
  splice @stack, $at, 1;
  unshift @stack, $line;
}
my $signature = trace('random', '--distances', '--caches', 'full=8KiB/128,32KiB/512');
my ($row, $number) = block('random', $signature, 'here');
my @ends = ($signature =~ /param distance-ends = \[(.*?)\]/)[0] =~ /(\d+) byte/g;
my $found = (distances($signature))[$number] // [];
my ($hits, @wrong) = 0;
for my $k (0 .. $#ends) {
  $hits += $found->[$k];
  my $wanted = grep { $_ ne 'never' && $_ < $ends[$k] / 64 } @distances;
  push @wrong, "$ends[$k] bytes: $hits hits, not $wanted" if $hits != $wanted;
}
ok(@ends > 50 && !@wrong, 'hits of caches of every size', join "\n", scalar(@ends) . ' sizes', @wrong);
equal($found->[-1], scalar(grep { $_ eq 'never' } @distances), 'lines that were not used before');

# What the convolver has each level serve by these is what simulated caches of the same kind have served.
spew("$folder/full.psl", $signature . <<'END');
component full-memory like memory-profile { param levels = [8 KiB, 32 KiB];  profile machine = full; }
component full-processor like convolved { profile machine = full; }
END
my @served = command($folder, 'psl', '-c', 'full.psl', '-e', ":set program=random", '-e', ':set traced=full', '-e', ':set machine=full',
                     '-e', "what-served[0][$number]", '-e', "served-by-distances(there-levels, what-ends, what-distances[$number])");
my ($simulated, $computed) = split /\n/, $served[0]{out};
ok($simulated =~ /^\[0, / && ($computed // '') eq $simulated, 'what levels serve by stack distances', "$served[0]{out}$served[0]{err}");

# A counter that is used as often as all lines together, and lines of which some are used more often than others.
compiled_plain('spread', <<END);
static struct { char byte[64]; } line[8192] __attribute__((aligned(64)));
static volatile unsigned often;
int main(void) {
  unsigned state = 1, sum = 0;
  for (int k = 0; k < 100000; k++) {
    state = state * 1103515245u + 12345u;
    unsigned one = (state >> 16) % 8192;
    often++;
    sum += *(volatile char *)line[one * one / 8192].byte;
  }
  return sum > 0;
}
END

# By size: the part of all accesses that hits.
sub hit_ratios {
  my ($text) = @_;
  my @sizes = ($text =~ /param distance-ends = \[(.*?)\]/)[0] =~ /(\d+) byte/g;
  my @counts;
  for my $row (distances($text)) { $counts[$_] += $row->[$_] for 0 .. $#$row }
  my ($all, $below, %ratios) = (0, 0);
  $all += $_ for @counts;
  $ratios{$sizes[$_]} = ($below += $counts[$_]) / $all for 0 .. $#sizes;
  return ($all, %ratios);
}
my ($all, %exactly) = hit_ratios(trace('spread', '--distances'));
my ($sampled, %about) = hit_ratios(trace('spread', '--distances=10'));
my @far = grep { $_ > 640 && exists $exactly{$_} && abs($about{$_} - $exactly{$_}) > 0.02 } sort { $a <=> $b } keys %about;
ok(abs($sampled - $all) < 0.001 * $all, 'sampled lines stand for all accesses', "$sampled of $all");
ok(!@far, 'hits of caches by one line in ten', join "\n", map { "$_ bytes: $about{$_}, not $exactly{$_}" } @far);

# The bound of the error that the comment says holds, where few lines are used often, and is narrow where all are used alike.
compiled_plain('uneven', <<'END');
static struct { char byte[64]; } line[16384] __attribute__((aligned(64)));
int main(void) {
  unsigned state = 1, sum = 0;
  for (int k = 0; k < 200000; k++) {
    state = state * 1103515245u + 12345u;
    unsigned one = state >> 31 ? state >> 12 & 255 : state >> 8 & 16383;
    sum += *(volatile char *)line[one].byte;
  }
  return sum > 0;
}
END
for my $case (['uneven', 10, 0.1, 0.4], ['spread', 10, 0.01, 0.1]) {
  my ($name, $one_of, $least, $most) = @$case;
  my (undef, %true) = hit_ratios(trace($name, '--distances'));
  my $text = trace($name, "--distances=$one_of");
  my (undef, %estimated) = hit_ratios($text);
  my ($bound) = $text =~ /are right within ([\d.e-]+), for a size/;
  my @sizes = sort { $a <=> $b } keys %true;
  my $hits = sub { my ($size) = @_; my @within = grep { $_ <= $size } @sizes; return @within ? $true{$within[-1]} : 0 };
  my @outside = grep {
    my $apart = 2 * sqrt($one_of * 64 / $_);
    my ($low, $high) = ($hits->($_ * (1 - $apart)) - $bound, $hits->($_ * (1 + $apart) + 64) + $bound);
    $estimated{$_} < $low || $estimated{$_} > $high
  } grep { $_ >= 64 * $one_of } keys %estimated;
  ok($bound > $least && $bound < $most && !@outside, "the bound of the error of $name", "$bound; not @outside");
}

# ---- chains ----

# What waits for what is written in instructions, so that the compiler has no part in it: 100,000 times each.
compiled_plain('chains', <<'END');
static double row[100002];
static void *ring[1000];
static char pages[64 * 8192];
static void *circle[2500][8];
int main(void) {
  double x = 1, a = 0, b = 0, c = 0, d = 0, y = 1, z;
  long n, sum = 0;
  for (n = 0; n < 1000; n++) ring[n] = &ring[(n + 7) % 1000];
  for (n = 0; n < 2500; n++) circle[n][1] = circle[(n + 7) % 2500];
  for (n = 0; n < 100000; n++)
    __asm__ volatile("addsd %1, %0\n\tmulsd %1, %0" : "+x"(x) : "x"(y)); // both
  for (n = 0; n < 100000; n++)
    __asm__ volatile("addsd %4, %0\n\taddsd %4, %1\n\taddsd %4, %2\n\taddsd %4, %3" : "+x"(a), "+x"(b), "+x"(c), "+x"(d) : "x"(y)); // four
  for (n = 0; n < 100000; n++)
    __asm__ volatile("movsd (%1), %0\n\tdivsd %2, %0\n\tmovsd %0, 8(%1)" : "=&x"(z) : "r"(row + n), "x"(y) : "memory"); // stored
  void *at = ring;
  for (n = 0; n < 100000; n++)
    __asm__ volatile("movq (%0), %0" : "+r"(at)); // chased
  at = circle;
  for (n = 0; n < 100000; n++)
    __asm__ volatile("movq (%0), %1\n\tmovq 8(%0), %0" : "+r"(at), "=r"(sum)); // around
  for (n = 0; n < 100000; n++)
    __asm__ volatile("pxor %0, %0\n\tsqrtsd %1, %0\n\tvfmadd231sd %1, %1, %0" : "=x"(z) : "x"(y)); // apart
  for (n = 0; n < 100000; n++)
    __asm__ volatile("imulq $3, %0, %0\n\tcmpq $7, %0\n\tsbbq %1, %0" : "+r"(sum) : "r"(n) : "cc"); // whole
  for (int times = 0; times < 100; times++)
    for (n = 0; n < 64; n++) ((volatile char *)pages)[n * 8192]; // pages
  unsigned long drawn = 1;
  for (n = 0; n < 100000; n++, drawn = drawn * 6364136223846793005u + 1442695040888963407u)
    __asm__ volatile("btq $40, %0\n\tjc 1f\n\tnop\n1:" : : "r"(drawn) : "cc"); // either
  for (n = 0; n < 100000; n++)
    __asm__ volatile("btq $1, %0\n\tjc 1f\n\tnop\n1:" : : "r"(n) : "cc"); // alternately
  volatile long whole = sum;
  return whole * 0;
}
END
my $chained = trace('chains', '--chains', '--distances', '-o', "$folder/signature.psl");
my @chains = lists(($chained =~ /param chains = \[(.*?)\n  \];/s)[0]);
my %chain = (
  # integers, additions, products, fused ones, quotients, roots, loads of what was just stored, other loads
  both   => [0, 1, 1, 0, 0, 0, 0, 0],
  four   => [0, 1, 0, 0, 0, 0, 0, 0],
  stored => [0, 0, 0, 0, 1, 0, 1, 0],
  chased => [0, 0, 0, 0, 0, 0, 0, 1],
  around => [0, 0, 0, 0, 0, 0, 0, 1],
  whole  => [5, 0, 0, 0, 0, 0, 0, 0],
);
for my $mark (sort keys %chain) {
  my ($row, $number) = block('chains', $chained, $mark);
  my @wrong = grep { abs($chains[$number][$_] - 1e5 * $chain{$mark}[$_]) > 1000 } 0 .. 7;
  ok(!@wrong, "the chain of $mark", "@{$chains[$number]}");
}
# A line that is got by another load comes from where that got it: here 2,499 lines were used since, but for the first circle.
my @chain_ends = ($chained =~ /param chain-ends = \[(.*)\];/)[0] =~ /(\d+) byte/g;
my @loads = map { [split /, /] } ($chained =~ /param chain-loads = \[(.*?)\n  \];/s)[0] =~ /^ {4}\[([\d, ]*)\]/mg;
for (['chased', 8192], ['around', 3072 * 64]) {
  my ($mark, $size) = @$_;
  ($row, $number) = block('chains', $chained, $mark);
  my ($bin) = grep { $chain_ends[$_] == $size } 0 .. $#chain_ends;
  ok(defined $bin && abs(($loads[$number][$bin] // 0) - 1e5) < 3000, "where loads of the chain of $mark come from", "@chain_ends: @{$loads[$number]}");
}
my @branches = lists(($chained =~ /param branches = \[(.*?)\n  \];/s)[0]);
for (['either', 49000, 51000], ['alternately', 0, 100]) {
  my ($mark, $least, $most) = @$_;
  ($row, $number) = block('chains', $chained, $mark);
  my ($executed, $mispredicted) = @{$branches[$number]};
  ok($executed == 1e5 && $least <= $mispredicted && $mispredicted <= $most, "branches of $mark", "$mispredicted of $executed");
}
($row, $number) = block('chains', $chained, 'apart');
ok($chains[$number][5] < 5000, 'in a window other iterations begin before one has ended', "@{$chains[$number]}");
($row, $number) = block('chains', trace('chains', '--chains=2', '-o', "$folder/signature.psl"), 'apart');
@chains = lists((slurp("$folder/signature.psl") =~ /param chains = \[(.*?)\n  \];/s)[0]);
ok(abs($chains[$number][5] - 1e5) < 1000, 'but in one of two instructions', "@{$chains[$number]}");
($row, $number) = block('chains', $chained, 'pages');
my ($paged) = ($chained =~ /param distances = \[(.*?)\n  \];/s)[0] =~ /(?:^ {4}\[.*\n){$number} {4}\[(.*)\],?$/m;
my @kinds = $paged =~ /\[([\d, ]*)\]/g;
my $far = 0;
$far += $_ for split /, /, $kinds[6] // '';
ok(@kinds == 8 && $far >= 6000, 'loads of another page each time are a kind of their own', $paged);

# Loads from anywhere in 64 MiB, none of which waits for another: each waits for the one that a window does not reach, so
# that of 100,000 the chain has one in so many as iterations are begun in a window; by caches, by distances, and by one line in ten.
compiled_plain('misses', <<'END_OF_C');
static char room[64 << 20];
int main(void) {
  unsigned long drawn = 1, at;
  for (long n = 0; n < 100000; n++, drawn = drawn * 6364136223846793005u + 1442695040888963407u)
    __asm__ volatile("movq %1, %0\n\tshrq $38, %0\n\tmovq (%2,%0), %0" : "=&r"(at) : "r"(drawn), "r"(room)); // far
  return 0;
}
END_OF_C
for (['--caches', 'a=32KiB,1MiB'], ['--distances'], ['--distances=10']) {
  my $missed = trace('misses', '--chains=64', @$_, '-o', "$folder/signature.psl");
  ($row, $number) = block('misses', $missed, 'far');
  my @blocks = lists(($missed =~ /param blocks = \[(.*?)\n  \];/s)[0]);
  my ($plain, $far) = map { [lists(($missed =~ /param $_ = \[(.*?)\n  \];/s)[0])]->[$number][7] } 'chains', 'far-chains';
  my $begun = ceil(64 / ($blocks[$number][1] / $blocks[$number][0]));
  ok(abs($far - 1e5 / $begun) < 1e3 && $plain < 1e3, "@$_: loads that a window does not overlap", "$far, not 1e5 / $begun; $plain");
}

# ---- caches ----

# Loads that lie on two pages each, of which the TLB has none: both are misses; and lines replaced first in, first out, where one
# that is used again and again goes all the same.
compiled_plain('crossing', <<'END_OF_C');
static char room[100 * 4096] __attribute__((aligned(4096)));
int main(void) {
  long sum = 0;
  for (int k = 0; k < 1000; k++)
    __asm__ volatile("addq (%1), %0" : "+r"(sum) : "r"(room + k % 40 * 8192 + 4092) : "cc"); // pages
  for (int k = 0; k < 1000; k++)
    __asm__ volatile("addq (%1), %0\n\taddq (%2), %0" : "+r"(sum) : "r"(room), "r"(room + k % 40 * 64) : "cc"); // lines
  return sum != 0;
}
END_OF_C
my $crossed = trace('crossing', '--caches', 'a=512byte/8/fifo,tlb:4', '--caches', 'b=512byte/8');
my ($of_a, $of_b) = $crossed =~ /param served = \[\[(.*?)\n  \], \[(.*?)\n  \]\]/s;
($row, $number) = block('crossing', $crossed, 'pages');
equal((lists($of_a))[$number][0], 2000, 'both pages of an access are looked for in the TLB');
($row, $number) = block('crossing', $crossed, 'lines');
my @missed = map { my $served = (lists($_))[$number]; my $sum = 0; $sum += $_ for @$served[7 .. 12]; $sum } $of_a, $of_b;
my (@queue, $fifo);
for my $line (map { (0, $_ % 40) } 0 .. 999) {
  next if grep { $_ == $line } @queue;
  push @queue, $line;
  shift @queue if @queue > 8;
  $fifo++;
}
equal("@missed", "$fifo 976", 'lines go first in, first out, or by their use');

if (have('valgrind')) {
  my $simulated = trace('multiply', '--caches', 'tiny=8KiB/4/64,32KiB/8');
  my ($rows) = $simulated =~ /param served = \[\[(.*?)\n  \]\]/s;
  my $first = 0;
  for my $row (lists($rows)) { $first += $$row[$_] for 7 .. 18 }
  my $witness = command($folder, 'valgrind', '--tool=cachegrind', '--cache-sim=yes', '--I1=8192,4,64', '--D1=8192,4,64',
                        '--LL=32768,8,64', '--cachegrind-out-file=/dev/null', './multiply');
  my ($misses) = map { s/,//gr } $witness->{err} =~ /D1  misses: *([\d,]+)/;
  ok($misses && abs($first - $misses) <= 0.02 * $misses, 'misses of the first level within 2 % of cachegrind\'s',
     "$first, not " . ($misses // $witness->{err}));
}
else {
  skip('cache misses', 'valgrind is not installed');
}
finish();
