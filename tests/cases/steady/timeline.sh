# The timeline of a simulated network goes as far as was simulated, not to the mean response of a cycle.
psl run one-server.psl --set 'solver=simulation[queueing]' --set longest=100s --timeline "$TMP/a.svg" > /dev/null 2>&1
grep -o 'class="title"[^/]*' "$TMP/a.svg"
