# Collective operations with a size for each rank move those sizes, not equal parts: 2 messages of 7 + 9 bytes to gather and
# to scatter, each part twice round a ring to gather for all, 6 messages of 10 to 60 bytes from all to all.
trace() { # NAME, then the operation's words for ranks 0, 1 and 2
  for rank in 0 1 2; do
    eval "words=\$$((rank + 2))"
    printf '%s init\n%s %s %s\n%s finalize\n' $rank $rank "$1" "$words" $rank
  done >"$TMP/$1.tit"
  echo "$1 $(psl replay "$TMP/$1.tit" | grep ^messages)"
}
trace gatherv '5 5 7 9 0' '7 5 7 9 0' '9 5 7 9 0'
trace scatterv '5 7 9 5 0' '5 7 9 7 0' '5 7 9 9 0'
trace allgatherv '5 5 7 9' '7 5 7 9' '9 5 7 9'
trace alltoallv '30 0 10 20 80 0 30 50' '70 30 0 40 70 10 0 60' '110 50 60 0 60 20 40 0'

# One that is started goes on while its ranks compute: the last of them starts it at 0.3 s, the others compute until 0.4 s.
{
  printf '#DIMEMAS:"started":0:3(1,1,1),1\nd:1:1:3:0:1:2\n'
  for task in 0 1 2; do
    first=0.1 then=0.3
    [ $task = 1 ] && first=0.3 then=0.05
    printf '1:%s:0:%s\n10:%s:0:27:1:0:0:8:8:0\n1:%s:0:%s\n10:%s:0:27:1:0:0:8:8:2\n' $task $first $task $task $then $task
  done
} >"$TMP/started.dim"
psl replay "$TMP/started.dim" --by rank | grep -E '^predicted|^messages|^  program-rank.[0-9]'
