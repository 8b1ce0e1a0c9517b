# What LoPC cannot solve.
e() { echo "-- $1"; printf 'use LoPC;\n' > "$TMP/lopc.psl"; psl -c "$TMP/lopc.psl" -e "$1"; }
e 'LoPC.cycle(3, [0 s], [1], 0 s, 1 s)' 2>&1
e 'LoPC.cycle(0, [i in 1 .. 300 : 0 s], [1], 0 s, 1 s)' 2>&1
e 'LoPC.cycle(0, [0 s], [], 0 s, 1 s)' 2>&1
e 'LoPC.cycle(0, [0 s], [1], 0 s, 0 s)' 2>&1
e 'LoPC.cycle(0, [0 s], [1], -1 s, 1 s)' 2>&1
e 'LoPC.cycle(0, [0 s], [1], 0 s, 1 s, -1)' 2>&1
e 'LoPC.cycle(0, [-1 s], [1], 0 s, 1 s)' 2>&1
e 'LoPC.cycle(0, [1 s], [-1], 0 s, 1 s)' 2>&1
e 'LoPC.cycle(0, [0 s], [0], 0 s, 1 s)' 2>&1
e 'LoPC.cycle(0, [0 s .. 1 s], [1], 0 s, 1 s)' 2>&1
e 'LoPC.cycle(0, 3, [1], 0 s, 1 s)' 2>&1
e 'LoPC.cycle(1, [0 s, 0 s, 0 s], [0, 1, 0,  0, 0, 0,  0, 1, 0], 0 s, 1 s)' 2>&1
