# A schedule in GOAL; what it may not say, each with its line.
psl replay schedule.goal --by rank | sed -n '/^predicted/p; /^by process/,/^$/p'
try() {
  printf "$1" >"$TMP/wrong.goal"
  psl replay "$TMP/wrong.goal" 2>&1 >/dev/null | sed -n 's|.*error: ||p' | uniq
}
try 'num_ranks 1\nrank 0 {\nl1: calc x\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: jump 5\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: send 5 to 0\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: send 5b from 0\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: send 5b to 1\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: calc 5 cpu 1\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: calc 5 tag 1\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: calc 5\nl1: calc 6\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l2\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: calc 5\nl1 needs l1\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: calc 5\nl2: calc 5\nl1 requires l2\nl2 requires l1\n}\n'
try 'num_ranks 1\nrank 0 {\nl1: calc 5\n'
try 'num_ranks 2\nrank 0 {\nl1: calc 5\n}\n'
try 'num_ranks 1\nrank 1 {\nl1: calc 5\n}\n'
try 'num_ranks\nrank 1 {\nl1: calc 5\n}\n'
try 'num_ranks 1\nl1: calc 5\n'
