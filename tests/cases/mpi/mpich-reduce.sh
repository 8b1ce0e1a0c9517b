# A reduction of 4,096 doubles, or 1,000, as MPICH 4.0.2 does it on ranks that each have a node of their own: of each rank the
# bytes of the messages that it sends and the ranks that it receives from, in that order, as its network (UCX) was seen to be
# asked for them. Behind the halving the rank farthest away gets the smallest part; a root that has folded takes rank 0's.
cat > "$TMP/reduce.psl" <<'PSL'
use mpi;
param n    : int  = 8 in 2 .. 100;
param m    : data = 32768 byte;
param root : int  = 0 in 0 .. n - 1;
transaction go();
component rank [r] : 0 <= r < n {
  accepts:
    profile     = { domain = application, node type = process, rank = r, size = n };
    transaction = go();
    protocol    = dataflow;
  body:
    call reduce();
  requests:
    reduce(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
              transaction = MPI-reduce(m, root);
              protocol    = call-return;
}
system reduction {
  requests:
    every selector = { domain = application, node type = process };
    transaction    = go();
    protocol       = dataflow;
}
PSL
reduce() { # ranks, elements, root; the messages that were seen, a line for each rank
  psl run "$TMP/reduce.psl" --set n="$1" --set m="$(($2 * 8)) byte" --set root="$3" --trace "$TMP/trace.json" --quiet >"$TMP/report"
  perl -ne '
    next unless my ($way, $id, $rank, $time) = /"ph":"([sf])",.*"id":(\d+),"pid":\d+,"tid":(\d+),"ts":([\d.]+)/;
    $rank -= 2; # the first thread of a trace
    if ($way eq "s") { $from[$id] = $rank; push @{$sent[$rank]}, [$time, /"bytes":(\d+)/] } else { push @{$got[$rank]}, [$time, $id] }
    sub in_order { return map { $_->[1] } sort { $a->[0] <=> $b->[0] } @_ }
    END {
      for my $rank (0 .. $#sent) {
        my @sources = map { $from[$_] } in_order(@{$got[$rank] // []});
        print "$rank: sends @{[in_order(@{$sent[$rank]})]} from @{[@sources ? @sources : q(none)]}\n";
      }
    }
  ' "$TMP/trace.json" >"$TMP/messages"
  cat >"$TMP/seen"
  if cmp -s "$TMP/messages" "$TMP/seen"; then echo "$*: as MPICH"; else echo "$*:"; diff "$TMP/seen" "$TMP/messages"; fi
}
reduce 8 4096 0 <<'SEEN'
0: sends 16384 8192 4096 from 1 2 4 4 2 1
1: sends 16384 8192 4096 16384 from 0 3 5 5 3
2: sends 16384 8192 4096 8192 from 3 0 6 6
3: sends 16384 8192 4096 8192 from 2 1 7 7
4: sends 16384 8192 4096 4096 from 5 6 0
5: sends 16384 8192 4096 4096 from 4 7 1
6: sends 16384 8192 4096 4096 from 7 4 2
7: sends 16384 8192 4096 4096 from 6 5 3
SEEN
reduce 8 4096 5 <<'SEEN'
0: sends 16384 8192 4096 4096 from 1 2 4
1: sends 16384 8192 4096 4096 from 0 3 5
2: sends 16384 8192 4096 4096 from 3 0 6
3: sends 16384 8192 4096 4096 from 2 1 7
4: sends 16384 8192 4096 16384 from 5 6 0 0 6
5: sends 16384 8192 4096 from 4 7 1 1 7 4
6: sends 16384 8192 4096 8192 from 7 4 2 2
7: sends 16384 8192 4096 8192 from 6 5 3 3
SEEN
reduce 7 4096 0 <<'SEEN'
0: sends 16384 8192 from 1 2 4 4 2
1: sends 32768 from none
2: sends 16384 8192 16384 from 3 0 6 6
3: sends 32768 from none
4: sends 16384 8192 8192 from 5 6 0
5: sends 32768 from none
6: sends 16384 8192 8192 from 4 2
SEEN
reduce 7 4096 3 <<'SEEN'
0: sends 16384 8192 8192 from 1 2 4
1: sends 32768 from none
2: sends 16384 8192 16384 from 3 0 6 6
3: sends 32768 from 0 4 2
4: sends 16384 8192 8192 from 5 6 0
5: sends 32768 from none
6: sends 16384 8192 8192 from 4 2
SEEN
reduce 5 1000 1 <<'SEEN'
0: sends 4000 2000 2000 from 1 2 3
1: sends 8000 from 0 3 2
2: sends 4000 2000 4000 from 0 4 4
3: sends 4000 2000 2000 from 4 0
4: sends 4000 2000 2000 from 3 2
SEEN
