# Tables that are wrong, options that do not go together, launchers that start nothing.
table() { printf "$1" | psl measure messages --from - ${2:+--name "$2"} 2>&1; echo "[$?]"; }
few='test,bytes,time\nrendezvous,4096,0\nround-trip,0,1\nround-trip,8,1\n'
table ''
table 'n,time\n1,2\n'
table 'test,bytes [m],time\nround-trip,0,1\n'
table 'test,bytes,time [kg]\nround-trip,0,1\n'
table "$few"
table 'test,bytes,time\nround trip,0,1\n'
table 'test,bytes,time\nround-trip,-1,1\n'
table 'test,bytes,time\nround-trip,0,0\n'
table 'test,bytes,time\nsend,0,x\n'
table "$few" 'no name'
table "test,bytes,time\n$(seq 1001 | sed 's/.*/round-trip,&,1/')\n"
table "$few" use
echo 'round trips alone, all eager:'
table 'bytes,time [us]\n0,10\n0,11\n0,10\n8,10.1\n16,10.2\n1e3,20\n'
echo 'overheads that are more than the round trip:'
table 'test,bytes,time [ns]\nrendezvous,1e9,0\nround-trip,0,100\nround-trip,8,100\nround-trip,16,100\nsend,0,40\nreceive,0,40\n'
echo 'a noisy host:'
table 'test,bytes,time [ns]\nrendezvous,1e9,0\nround-trip,0,100\nround-trip,0,150\nround-trip,8,100\nround-trip,16,100\nsend,0,4\nreceive,0,4\n'
try() { psl measure "$@" > "$TMP/out" 2>&1; echo "[$?]"; cat "$TMP/out"; }
try memory --from x
try messages
try messages --from x --mpirun y
try messages --from x --table y.csv
try messages --from nowhere.csv
