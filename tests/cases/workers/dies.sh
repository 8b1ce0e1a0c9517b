# A worker that dies three times over the same point, as by kill -9, makes that point a failed one; another time it is
# run again.
cat > "$TMP/mortal.psl" <<'END'
extern "libc.so.6" {
  function access(path : string, mode : int32) -> int32;
  function raise(signal : int32) -> int32;
}
param work : time = 1 s;
transaction solve(part : time);
component stone {
  accepts:
    profile     = { domain = application[farm], node type = stone };
    transaction = solve(part);
    protocol    = call-return;
  body:
    hold part;
    if access("potion", 0) != 0 and part == 2 s { record pain = raise(9); }
}
system farm {
  requests:
    selector    = { domain = application[farm], node type = stone };
    transaction = solve(work);
    protocol    = call-return;
}
study stones of farm { vary work in [1 s, 2 s, 3 s]; report time = makespan; }
END
cd "$TMP"
study() {
  psl study mortal.psl --jobs 2 --db m.db --allow-native
  echo "exit $?, $(sqlite3 m.db 'SELECT count(*) FROM run') runs kept"
}
study
: > potion
study
