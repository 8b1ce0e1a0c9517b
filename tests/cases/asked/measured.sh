# A function of C takes what it takes of the processor, measured once; with arguments of both kinds; and what goes wrong.
gcc -O1 -shared -fPIC measured.c -o "$TMP/block.so"
run() {
  cat > "$TMP/m.psl" <<END
use Timer;
transaction go();
component a {
  param W : time = call Timer.time($1);
  accepts: profile = { domain = application, evaluation mode = measurement[timer] }; transaction = go(); protocol = dataflow;
  body:
    let again = call Timer.time($1);
    assert again == W;
    record right = if W in 1 ms .. 2 ms then 1 else 0;
}
system s { requests: selector = { domain = application }; transaction = go(); protocol = dataflow; }
END
  shift
  psl run "$TMP/m.psl" "$@" 2>&1 | sed -n "s|$TMP/||g; /^evidence/p; /^  right/p; s/measured blocks  */measured blocks  /p; /error/p"
}
run '"block.so", "spin", [2000], [0.5]' --allow-native
run '"block.so", "spin", [1000], [1]' --allow-native --reference
run '"block.so", "spin", [2000], [0.5]'
run '"block.so", "turn"' --allow-native
run '"m.psl", "spin"' --allow-native | sed 's/loaded: .*/loaded/'
run '"", "spin"' --allow-native
run '"block.so", "spin", [k in 1 .. 65 : k]' --allow-native
run '"nothing.so", "spin"' --allow-native
# Who is asked, of what evidence the answer is, and that a run which ends before it has none.
run '"block.so", "spin", [1000], [1]' --allow-native >"$TMP/out"
psl explain --allow-native "$TMP/m.psl" a.W | sed "s|$TMP/||; s/: [1-9][0-9.]* ms,/: some time,/"
psl explain "$TMP/m.psl" a.W 2>&1 | sed "s|$TMP/||"
psl run --allow-native "$TMP/m.psl" --format json | sed -n '/"asked"/,/]/p' | sed 's/: 0.00[0-9]*/: some/g'
