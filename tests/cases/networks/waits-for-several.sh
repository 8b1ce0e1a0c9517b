# A call that waits for several messages is one wait: contention is by how much it ends later than in a network without,
# whatever the order in which the requests are named. Rank 0 waits for messages of four ranks, which wait for nobody, so
# that this is the difference of two runs.
# Plain build alone: long simulations.
cat >"$TMP/traces.pl" <<'END'
my ($seed, $folder) = @ARGV;
my $next = sub { $seed = ($seed * 1103515245 + 12345) % 2**31; int($seed / 65536) % $_[0] };
for my $case (0 .. 3) {
  my @messages = map { [1 + $next->(4), 1 + $_, 1000 * (1 + $next->(3000))] } 0 .. 2 + $case;
  for my $order (0 .. 1) {
    open my $out, '>', "$folder/$case-$order.tit" or die;
    print $out "$_ init\n" for 0 .. 4;
    my @named = $order ? reverse @messages : @messages;
    print $out "0 irecv $$_[0] $$_[1] $$_[2]\n" for @named;
    print $out "0 waitall\n";
    for my $rank (1 .. 4) {
      print $out "$rank isend 0 $$_[1] $$_[2]\n" for grep { $$_[0] == $rank } @messages;
      print $out "$rank waitall\n";
    }
    print $out "$_ finalize\n" for 0 .. 4;
  }
}
END
perl "$TMP/traces.pl" 7 "$TMP"
figures() { # of rank 0: its end, and contention
  psl replay "$@" --set machine=cluster --set L=10us --set os=1us --set ol=2us --set g=0us --set G=1ns/byte --set Gl=1ns/byte \
    --set 'bandwidths=[1 GB/s]' --set packet-size=10kB -q --by rank --format csv |
    perl -F, -lane '$of{$F[2]} = $F[3] if $F[1] =~ /rank\[0\]/; END { print "$of{end} $of{contention}" }'
}
for threshold in 1GB 100kB; do
  for trace in "$TMP"/*.tit; do
    for network in 'analysis[LogGP]' 'simulation[flows]' 'simulation[NIC]' 'simulation[packets]'; do
      echo "$network $(figures "$trace" --set handshake-threshold=$threshold --set "network=$network")"
    done | perl -ane '
      $alone //= $F[1];
      my $should = $F[1] - $alone;
      push @parts, sprintf "%.1f %%", 100 * $should / $F[1];
      print "$F[0]: contention is $F[2], and should be $should\n" if abs($F[2] - $should) > 1e-11;
      END { print "contention: @parts\n" }' | sed "s/^/$(basename "$trace" .tit), handshakes from $threshold: /"
  done
done
