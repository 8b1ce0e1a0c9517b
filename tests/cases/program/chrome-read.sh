# Traces for Chrome are read back, with all that they were made of; what is none, or is wrong, is refused at its line.
cd $TMP
cat >w.tit <<'END'
0 init
1 init
0 compute 1e9
0 sleep 0.5
0 isend 1 7 4000
0 recv 1 7 4000
0 wait 0 1 7
1 isend 0 7 4000
1 recv 0 7 4000
1 wait 1 0 7
0 allreduce 1000 0
1 allreduce 1000 0
0 finalize
1 finalize
END
psl replay w.tit --record w.trace >/dev/null
psl trace convert w.trace w.json
psl trace convert w.json again.trace
psl trace convert again.trace again.json
cmp w.json again.json && psl trace info w.json | head -5
psl replay w.trace | head -1
psl replay w.json | head -1

wrong() {
  { echo '{"traceEvents":[' && echo '{"name":"thread_name","ph":"M","tid":0,"args":{"name":"rank 0"}}'"$1"; } >wrong.json
  psl trace info wrong.json 2>&1 | head -1
}
wrong ''
wrong ']}'
wrong ',{"ph":"X","name":"barrier","tid":0,"args":{"communicator":0x}}]}'
wrong ',{"ph":"X","name":"barrier","tid":0,"args":{"communicator":"\u0000"}}]}'
wrong ',{"ph":"X","name":"barrier","tid":0,"args":{"communicator":-1}}]}'
wrong ',{"ph":"X","name":"barrier","tid":0,"args":{"at":["a.c","f",1]}}]}'
wrong ',{"ph":"X","name":"waitall","tid":0,"args":{"requests":[1,true]}}]}'
wrong ',{"ph":"X","name":"barrier","tid":1}]}'
wrong ',{"ph":"X","name":"dance","tid":0}]}'
wrong ',{"ph":"X","name":"send","tid":0,"args":{"destination":1}}]}'
wrong ',{"ph":"M","name":"thread_name","tid":2}]}'
wrong ',{"x":'"$(printf '%70s' '' | tr ' ' '[')"
wrong ',{"x":"'"$(head -c 1100000 /dev/zero | tr '\0' 'x')"'"}]}'
echo '{"traceEvents":[{"ph":"X","name":"barrier","tid":0,"args":{"of":"rank 0", "odd":"rank 0"}}]}' | sed 's/rank 0", "/x", "/' >wrong.json
psl trace info wrong.json 2>&1 | head -1
