# Ranks whose next operations LogGOPS has at hand before they begin: what a run that stops says is as it would be without
# that. Rank 0 waits in its third operation; rank 1 has an operation that is none.
schedule() {
  printf 'num_ranks 2\nrank 0 {\n'
  printf 'l1: calc 100\nl2: send 8b to 1 tag 1\nl3: recv 8b from 1 tag %d\n' "$1"
  for k in 4 5 6 7; do printf 'l%d: calc 100\n' $k; done
  for k in 2 3 4 5 6 7; do printf 'l%d requires l%d\n' $k $((k - 1)); done
  printf '}\nrank 1 {\nl1: recv 8b from 0 tag 1\nl2: calc %s\nl2 requires l1\n' "$2"
  printf 'l3: send 8b to 0 tag 2\nl3 requires l2\n}\n'
}
run() {
  schedule "$@" >"$TMP/ahead.goal"
  echo "tag $1, calc $2"
  psl replay "$TMP/ahead.goal" --set 'costs=analysis[LogGOPS]' --set L=1us --set o=1us --set G=1ns/byte 2>&1 |
    sed -n 's|.*\(ahead.goal:\)|\1|p; /^[a-z].*error: /p; /^predicted/p; /^firings/p; /^  [a-zA-Z-]*  *[0-9]/p'
}
run 2 100
run 3 100
run 2 x
