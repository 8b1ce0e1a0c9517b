# What collective operations send from: all blocks of it together, a broadcast and what is scattered at the root alone.
cd "$TMP"
for rank in 0 1 2 3; do
  for call in init 'alltoall 1000 1000' 'bcast 500 0' 'scatter 10 10 1' 'gather 20 20 0' 'allreduce 8 1' 'allgather 30 30' finalize; do
    echo "$rank $call"
  done
done >four.tit
psl trace info four.tit --format csv
