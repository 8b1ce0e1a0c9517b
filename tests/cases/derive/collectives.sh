# What calls of MPI keep a rank busy is what a run has, whatever the size, the number of ranks and the root: rows that
# differ are printed. Then the expressions where all is decided, and what is left out of a part of the ranks.
# tolerance: 1e-9
# Plain build alone: many runs of one model.
check() { # operation, and settings: ranks, message, root
  operation=$1
  shift
  for setting in "$@"; do
    printf '%s\n' "$setting" | { IFS=: read -r ranks message root
      psl derive -q collectives.psl --verify --set operation="$operation" --set ranks="$ranks" \
        --set message="$message byte" --set root="$root" | sed -n '/^beside the run/,$p' | grep '^  rank' |
        awk -v what="$operation $setting" '{ n++ } !/ equal .* equal$/ { print what ": " $0 } END { printf "%d ", n }'
    }
  done
  echo "ranks: $operation"
}
check waits 1:100:0 3:2000:0 4:5000:0
check all-waits 2:1:0 5:100000:0
check exchange 3:1000:0 4:4096:0
check bcast 5:12288:2 7:20000:6 8:20000:0 9:1000000:3
check reduce 1:100:0 6:2048:5 7:20000:1 13:1000000:4
check gather 5:1000:4 8:700:0
check scatter 6:3000:1 8:700:7
check allreduce 1:8:0 5:8:0 8:8:0 8:5000:0 7:100000:0
check allgather 4:100:0 5:3000:0 8:20000:0 8:100000:0 6:100000:0
check alltoall 4:100:0 11:100:0 5:30000:0 5:50000:0
check scan 6:100:0 7:5000:0
check gatherv 1:100:0 5:1000:4 9:20000:1
check scatterv 1:100:0 6:3000:1 8:700:7 9:20000:0
check allgatherv 1:100:0 4:100:0 5:3000:0 8:20000:0 8:100000:0 6:100000:0
check alltoallv 1:100:0 5:100:0 11:30000:0 40:5000:0
for operation in waits exchange allreduce allgather alltoall; do
  echo "== $operation"
  psl derive -q collectives.psl --set operation=$operation --decide | sed -n '/^  communication/,/^$/p'
done
sed 's/MPI-scan(size)/MPI-scan(size, 3)/' collectives.psl > "$TMP/part.psl"
psl derive -q "$TMP/part.psl" --set operation=scan | sed "s|$TMP/||" | sed -n '/left out/,/^$/p'
