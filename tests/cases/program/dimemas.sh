# A trace of Dimemas: the same program as the time-independent trace beside it, and as long; then what only this format
# says: who is a root, communicators, operations that are started, regions, offsets or none.
cat >"$TMP/ring.dim" <<'END'
#DIMEMAS:"ring":0:3(1,1,1),1
d:1:1:3:0:1:2
1:0:0:0.25
3:0:0:2:4000:5:1:1
2:0:0:1:-1:4000:5:1:2
1:0:0:0.125
3:0:0:2:4000:5:1:2
10:0:0:11:1:0:0:8:8:1
1:1:0:0.5
3:1:0:0:4000:5:1:0
2:1:0:2:80000:5:1:0
10:1:0:11:1:0:0:8:8:1
0:2:0
3:2:0:1:-1:80000:5:1:0
2:2:0:0:4000:5:1:0
10:2:0:11:1:0:0:8:8
END
cat >"$TMP/ring.tit" <<'END'
0 init
0 sleep 0.25
0 irecv 2 5 4000
0 isend 1 5 4000
0 sleep 0.125
0 wait 2 0 5
0 allreduce 8 0
0 finalize
1 init
1 sleep 0.5
1 recv 0 5 4000
1 send 2 5 80000
1 allreduce 8 0
1 finalize
2 init
2 recv 1 5 80000
2 send 0 5 4000
2 allreduce 8 0
2 finalize
END
sed -i 's/sleep \(.*\)/compute \1e9/' "$TMP/ring.tit"
cat >"$TMP/ring.psl" <<'END'
use program;
component plain like computer {
  param L = 1 us; param os = 1 us; param G = 1 ns/byte;
  profile machine = plain;
  profile float rate = 1 Gflop/s;
}
END
for format in dim tit; do
  psl replay --model "$TMP/ring.psl" --set machine=plain "$TMP/ring.$format" --by rank |
    grep -E '^predicted|^messages|^  program-rank.[0-9]'
done

# A broadcast of each rank in turn, to those of a communicator that leaves out task 1; then one that is started.
cat >"$TMP/roots.dim" <<'END'
#DIMEMAS:"roots":1,402:3(1,1,1),2
d:1:7:3:0:1:2
d:1:9:2:2:0
1:0:0:0.1
20:0:0:60000019:4
10:0:0:1:9:0:0:0:100:1
10:0:0:1:9:1:0:100:0:1
20:0:0:60000019:0
10:0:0:17:9:1:0:100:0:0
1:0:0:0.2
10:0:0:17:9:1:0:0:0:2
10:0:0:0:7:0:0:0:0:1
1:1:0:0.3
20:1:0:42000050:1234
10:1:0:0:7:0:0:0:0:1
1:2:0:1
10:2:0:1:9:1:0:100:0:1
10:2:0:1:9:0:0:0:100:1
10:2:0:17:9:0:0:0:100:0
10:2:0:17:9:0:0:0:0:2
10:2:0:0:7:0:0:0:0:1
s:0:60
s:1:229
s:2:281
END
psl replay --model "$TMP/ring.psl" --set machine=plain "$TMP/roots.dim" --by rank |
  grep -E '^predicted|^messages|^  program-rank.[0-9]. *[0-9]|^  function'

# Messages on a communicator that nothing defines, as prv2dim writes them: one of all tasks, apart from the others.
cat >"$TMP/undefined.dim" <<'END'
#DIMEMAS:"undefined":0:2(1,1),1,0,0
d:1:1:2:0:1
1:0:0:0.1
2:0:0:1:-1:100:0:3:2
1:0:0:0.1
2:0:0:1:-1:100:0:1:2
1:1:0:0
3:1:0:0:-1:100:0:1:0
1:1:0:0.1
3:1:0:0:-1:100:0:3:0
END
psl replay --model "$TMP/ring.psl" --set machine=plain "$TMP/undefined.dim" --by rank |
  grep -E '^predicted|^messages|^  program-rank.[0-9]. *[0-9]'
