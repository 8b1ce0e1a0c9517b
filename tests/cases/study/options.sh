# Options of --vary and --set that contradict each other, and what is no axis.
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
t study farm.psl --set workers=3 --vary workers=2,4
t study farm.psl --set farm.workers=3 --vary workers=2,4
t compare farm.psl --set workers=3 --vary workers=2,4
t study farm.psl --vary workers=1..16*2,20
t study farm.psl --vary workers=20,1..4
t study farm.psl --vary 'rate=50MB/s..100MB/s+25MB/s,200MB/s'
t compare farm.psl --vary workers=1..4
t compare farm.psl --vary workers=many
