# Threads that change numbers in memory: 4 threads, each 10 times, 100 ns to have another thread's line, 10 ns to have one's
# own. In one line they are one after another, the first one behind what it computes: 50 ns + 40 x 100 ns. In lines of their
# own each has 10 x 50 ns + 100 ns + 9 x 10 ns. In a critical section the lock goes round, 20 ns + 100 ns + 50 ns each time.
for system in one own alone; do psl run lines.psl $system --by rank | sed -n '1p;/^  thread/p'; done
