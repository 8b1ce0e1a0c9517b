# A machine of one's own has figures of its own: L, os and G must be given, ol, Gl and g follow from them.
psl -e 'use mpi; component mine like computer { param L = 2 us; param os = 0.5 us; param G = 0.1 ns/byte; }' \
  -e 'use message-cost { param machine = mine; param L = mine.L; param os = mine.os; param G = mine.G; }' \
  -e 'total(512 byte) -> us' -e 'total(8 KiB) -> us' -e '[ol, g] -> us' -e Gl
psl run ../../../examples/sweep3d/sweep3d.psl --set machine=clustr --set L=2us 2>&1 | sed 's|/.*/stdlib/||'
