# What is put or got shares links with all else. The end of an epoch waits for the transfers as they would be alone, and
# by how much longer is contention: a plain simulator of a star, step by step, says when each is through.
for how in '' '--set gets=true' '--set twice=true'; do
  echo "put or got: ${how:-once}"
  for network in 'analysis[LogGP]' 'simulation[flows]'; do
    psl run one-sided.psl --set machine=cluster --set L=10us --set os=1us --set ol=1us --set G=1ns/byte \
      --set Gl=1ns/byte --set handshake-threshold=1GB --set 'bandwidths=[1GB/s]' --set network=$network $how \
      --quiet --by rank --format csv | sed "s/^/$network,/"
  done | HOW=$how perl -F, -ane '
    $figure{$F[0]}[$1]{$F[3]} = $F[4] if $F[1] eq "processes" && $F[2] =~ /(\d+)/;
    END {
      my ($L, $o, @all) = (10e-6, 1e-6);
      my %how = map { ($_ => scalar $ENV{HOW} =~ /$_/) } qw(gets twice);
      for my $r (1 .. 4) {
        my $begin = $how{gets} ? 2 * $o + $L + $o + $L : $o + $L;  # a request goes ahead of what is got
        my @nodes = $how{gets} ? (0, $r) : ($r, 0);
        push @all, {rank => $r, begin => $begin, links => ["up $nodes[0]", "down $nodes[1]"], left => (1 + $r * 7 % 5) * 3e5};
        push @all, {rank => $r, begin => 2 * $o + $L, links => ["up $r", "down " . ($r + 1)], left => 2e6} if $how{twice} && $r < 4;
      }
      $_->{alone} = $_->{begin} + $_->{left} / 1e9 for @all;
      for (my $now = 0; grep { $_->{left} > 1e-6 } @all;) {
        my @on = grep { $_->{left} > 1e-6 && $_->{begin} <= $now + 1e-15 } @all;
        my (%room, %share, %rate);
        $room{$_} = 1e9 for map { @{$_->{links}} } @on;
        for (my @open = @on; @open;) { # the fullest link first
          %share = ();
          for my $flow (@open) { $share{$_}++ for @{$flow->{links}} }
          my ($least) = sort { $room{$a} / $share{$a} <=> $room{$b} / $share{$b} } sort keys %share;
          my $rate = $room{$least} / $share{$least};
          for my $flow (grep { grep { $_ eq $least } @{$_->{links}} } @open) {
            $rate{$flow} = $rate;
            $room{$_} -= $rate for @{$flow->{links}};
          }
          @open = grep { !$rate{$_} } @open;
        }
        my ($next) = sort { $a <=> $b } (map { $now + $_->{left} / $rate{$_} } @on), grep { $_ > $now + 1e-15 } map { $_->{begin} } @all;
        $_->{left} -= $rate{$_} * ($next - $now) for @on;
        $_->{end} = $next for grep { $_->{left} <= 1e-6 } @on;
        $now = $next;
      }
      for my $r (1 .. 4) {
        my ($end, $alone) = (0, 0);
        for (grep { $_->{rank} == $r } @all) {
          $end = $_->{end} if $_->{end} > $end;
          $alone = $_->{alone} if $_->{alone} > $alone;
        }
        my $is = $figure{"simulation[flows]"}[$r];
        my @pairs = ([end => $end + $o], [contention => $end - $alone],
                     [transfer => $figure{"analysis[LogGP]"}[$r]{transfer}], [wait => $is->{transfer} + $is->{contention}]);
        for (@pairs) {
          my ($what, $should) = @$_;
          print "rank $r: $what is $is->{$what}, and should be $should\n" if abs($is->{$what} - $should) > 1e-11;
        }
        printf "rank %d: %.4f ms, contention %.4f ms\n", $r, 1000 * $is->{end}, 1000 * $is->{contention};
      }
    }'
done
