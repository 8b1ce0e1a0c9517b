# What --set takes, and what it refuses.
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
t params small.psl
t params small.psl --set work=5ms --set tasks=3
t params small.psl --format json
t params small.psl --format csv
t run small.psl --set work=2s
t run small.psl --set tasks=0
t run small.psl --set tasks=1.5
t run small.psl --set work=3
t run small.psl --set wrok=3ms
t run small.psl --set 'work=3 ms +'
t run small.psl --set 'work=tasks * 1 ms'
t run small.psl --set small.work=1ms
t params small.psl --set 'work=tasks * 1 ms'
