# Columns that cannot be told apart are named, a sum as a term and terms without a constant are noted, each with what to
# write in its place. The coefficients are those of least squares that share nothing with PSL: normal equations in perl.
cd "$TMP" || exit
cat >both.csv <<'END_OF_TABLE'
n,p,q [ms],c [KiB],time [s]
1,2,1005,2,3
2,4,1010,2,5.1
3,6,1015,2,7
4,8,1020,2,9
5,10,1025,2,11.2
END_OF_TABLE
cat >free.csv <<'END_OF_TABLE'
n,p,time [s]
1,7,3
2,4,5.1
3,9,7.4
4,3,8.8
5,8,11.2
6,1,12.3
END_OF_TABLE
# design FILE 'COLUMNS OF THE DESIGN, IN PERL': coefficients, and by how much a constant more makes sigma less
cat >squares.pl <<'END_OF_PERL'
my ($file, $terms) = @ARGV;
open my $in, '<', $file or die;
my @names = map { s/ \[.*//r } split /,/, <$in> =~ s/\n//r;
my (@rows, @y);
while (<$in>) {
  chomp;
  my @cells = split /,/;
  my %v;
  @v{@names} = @cells;
  push @y, $v{time};
  push @rows, [map { eval s/\b([np])\b/\$v{$1}/gr } split /\s*,\s*/, $terms];
}
sub sigma {
  my ($x, $out) = @_;
  my $k = @{$x->[0]};
  my @a = map { my $i = $_; [(map { my $j = $_; my $s = 0; $s += $_->[$i] * $_->[$j] for @$x; $s } 0 .. $k - 1),
                             do { my $s = 0; $s += $x->[$_][$i] * $y[$_] for 0 .. $#y; $s }] } 0 .. $k - 1;
  for my $i (0 .. $k - 1) {
    for my $r (0 .. $k - 1) {
      next if $r == $i;
      my $factor = $a[$r][$i] / $a[$i][$i];
      $a[$r][$_] -= $factor * $a[$i][$_] for $i .. $k;
    }
  }
  my @c = map { $a[$_][$k] / $a[$_][$_] } 0 .. $k - 1;
  my $rss = 0;
  for my $i (0 .. $#y) {
    my $fitted = 0;
    $fitted += $c[$_] * $x->[$i][$_] for 0 .. $k - 1;
    $rss += ($y[$i] - $fitted)**2;
  }
  @$out = @c if $out;
  sqrt($rss / (@y - $k));
}
my @c;
my $sigma = sigma(\@rows, \@c);
printf "coefficients %s\n", join ' ', map { sprintf '%.6f', $_ } @c;
printf "a constant more: %.0f %% less\n", 100 * (1 - sigma([map { [@$_, 1] } @rows]) / $sigma) if $terms !~ /^1\b/;
END_OF_PERL
both() {
  echo "psl fit $1 --terms '$2'"
  psl fit "$1" --terms "$2" --format csv --table terms 2>said | perl -F, -ne 'push @c, sprintf "%.6f", $F[3] if $. > 1; END { print "coefficients @c\n" }'
  cat said
  perl squares.pl "$1" "$3"
}
both free.csv 'n + p' 'n+p'
both free.csv 'n, p' 'n, p'
both free.csv '1, n + p' '1, n+p'
both free.csv '1, n, p' '1, n, p'
both free.csv 'log(n)' 'log(n)'
both free.csv 'log2(n), p' 'log(n) / log(2), p'
both both.csv 'n' 'n'
psl fit both.csv --terms '1 + n' >/dev/null
# A fit that leaves nothing but rounding wants no constant, and so does one that is hardly better with it.
printf 'n,time [s]\n1,2\n2,4\n3,6\n4,8\n' | psl fit - --terms n >/dev/null
printf 'n,time [s]\n1,2.1\n2,3.9\n3,6.1\n4,7.9\n' | psl fit - --terms n >/dev/null
for terms in '1, n, p' '1, n, q' '1, c, n' 'n * p, n ^ 2' 'n - n, n'; do psl fit both.csv --terms "$terms"; done
psl fit both.csv --params n,p
psl fit both.csv --params n,c
psl fit both.csv --params c
psl fit both.csv
psl fit free.csv --where 'p > 6' --params n,p --terms '1, n, p'
cat >alike.psl <<'END_OF_MODEL'
fit time(n : int, p : int) -> time { at 1, 3: 3 s; at 2, 6: 5 s; at 3, 9: 8 s; at 4, 12: 9 s; at 5, 15: 11 s; }
fit one(n : int, p : data) -> time { terms 1, n, p * 1 s / 1 byte; at 1, 3 KiB: 3 s; at 2, 3 KiB: 5 s; at 3, 3 KiB: 8 s; at 4, 3 KiB: 9 s; }
END_OF_MODEL
psl check alike.psl
