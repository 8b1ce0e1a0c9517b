# Collective operations on networks in which messages meet are the messages of their algorithms: an alltoall takes as long
# as the same exchanges one by one. What a rank waits for contention is just by how much later it ends than where
# messages do not meet, in whichever of the operation's messages that was.
figures='--set machine=cluster --set G=1ns/byte --set Gl=1ns/byte --by rank --format csv'
for topology in 'bus' 'torus --set dimensions=[8]'; do
  contended="--set network=simulation[flows] --set bandwidths=[1GB/s] --set topology=$topology"
  for how in bcast ibcast scatter reduce allgather 'gather --set ranks=7 --set message=4kB' \
    'allreduce --set ranks=7 --set apart=300us' 'bcast --set apart=300us' 'ibcast --set apart=300us'; do
    psl run collectives.psl --set operation=$how $figures --set 'network=analysis[LogGP]' >"$TMP/alone"
    psl run collectives.psl --set operation=$how $figures $contended >"$TMP/contended"
    awk -F, -v name="${topology%% *}, $how" '
      $1 != "processes" { next }
      FILENAME ~ /alone$/ && $3 == "end" { alone[$2] = $4 }
      FILENAME !~ /alone$/ && $3 == "end" { later[$2] = $4 - alone[$2] }
      FILENAME !~ /alone$/ && $3 == "contention" { contention[$2] = $4 }
      END {
        for (rank in later) {
          far = later[rank] - contention[rank]
          if (far > 1e-9 || far < -1e-9) print name, rank, "ends later by", later[rank], "and has waited", contention[rank]
          if (later[rank] > most) most = later[rank]
        }
        printf "%s: at most %.3f ms\n", name, 1000 * most
      }' "$TMP/alone" "$TMP/contended"
  done
  for operation in alltoall alltoall-one-by-one; do
    psl run collectives.psl --set operation=$operation $figures $contended | sed -n 's/^result,[^,]*,makespan/makespan/p'
  done
done
