# A library that is compiled anew while a session has it: a copy of it was loaded, so that nothing crashes, :reload has
# the new one, and what a database keeps is of the code that ran. One that looks beside itself is refused then.
cd "$TMP" || exit
cat >m.psl <<'END_OF_MODEL'
extern "./scale.so" { function f(x : real) -> real; }
transaction go();
component user {
  accepts: profile = { node type = user }; transaction = go(); protocol = dataflow;
  body: hold f(1) * 1 s;
}
system s { requests: selector = { node type = user }; transaction = go(); protocol = dataflow; }
END_OF_MODEL
compile() { # by how much; what else is in it; how the new file comes to its place
  echo "$2 double f(double x) { return $1 * x; }" >scale.c
  gcc -O1 -shared -fPIC scale.c -o new.so && $3 new.so scale.so
}
wait_for() { # the session has said this often what it was asked
  for turn in $(seq 200); do
    [ "$(wc -l <said)" -ge "$1" ] && return
    sleep 0.05
  done
}
session() {
  : >said
  compile 1 "$@"
  { echo 'f(2)'; wait_for 1; compile 10 "$@"; echo 'f(3)'; echo ':reload'; echo 'f(2)'
    echo 'study --report makespan --db s.db --format csv'; } | timeout -s KILL 30 psl --allow-native -c m.psl >said 2>&1
  echo "exit $?"
  cat said
}
session '' cp
psl study --allow-native m.psl --report makespan --db s.db --format csv
sqlite3 s.db 'SELECT count(*) FROM run'
session 'extern int dladdr(const void *, void *); void *beside = (void *)dladdr;' mv | head -8
