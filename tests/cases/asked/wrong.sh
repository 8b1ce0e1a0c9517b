# What cannot be asked for, who cannot know it, and an answer out of its range.
of() { # what the component declares, its body, its set, its accept's settings, what its request asks with
  cat > "$TMP/m.psl" <<END
transaction go();
transaction work(cells : int) -> time;
component known {
  accepts: profile = { domain = costs }; transaction = work(cells); protocol = call-return;
  body: return cells * 1 s;
}
component r $3 { $1
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow; $4
  body: $2
  requests: ask(n): selector = { domain = costs }; transaction = work(${5-n}); protocol = call-return;
}
system s { requests: every selector = { domain = application }; transaction = go(); protocol = dataflow; }
END
  psl run "$TMP/m.psl" 2>&1 | sed -n "/error/,/^time so far/p" | sed "s|$TMP/||g; /^time so far/d"
  echo
}
of 'param W : time = call ask(2);' 'W = 3 s;'
of 'param W : string = call ask(2);' 'hold 1 s;'
of 'param W : int = call ask(2);' 'hold 1 s;'
of 'param W : time = call ask(2) in 0 s .. 1 s;' 'hold W;'
of 'param W : time = call ask(2); let x = W * 2;' 'hold x;'
of 'param W : time = call ask(2);' 'hold W;' '[i] : 0 <= i < W / 1 s'
of 'param W : time = call ask(2);' 'hold W;' '' 'firing rule = W > 1 s;'
of 'param W : time = call ask(n); param n : int = call ask(1);' 'hold W;'
of 'param W : int = call ask(W);' 'hold 1 s;'
of 'param W : time = call ask(2) in 0 s .. n; param n : time = call ask(1);' 'hold W;'
of 'param W : time = call ask(2); param pause : time = call ask(1);' 'hold W;' '' '' 'n); delay = max(pause, 1 s'
of 'param W : time = call ask(2); param pause : time = 1 s;' 'hold W; } component waits like r { param pause = call ask(1);' '' '' 'if pause > 1 s then n else 2'
of 'param W : time = call ask(2); param pause : time = call ask(1);' 'hold W;' '' 'servers = round(pause / 1 s);'
of 'param W : time = call nothing();' 'hold W;'
of 'let W : time = call ask(2);' 'hold W;'
of 'param W : time = call ask(2);' 'hold W; } component other { param x : time = r.W; accepts: profile = { domain = other }; transaction = go(); protocol = dataflow; body: hold x;'
of 'param W : time = 1 s;' 'hold W; } component asks like r { param W = call ask(2); body: W = 1 s;'
of 'param W : time = 1 s;' 'hold W; } component asks like r { param W = call ask(2); let x = W;'
# Whose answer wants to know it: both wait.
cat > "$TMP/m.psl" <<END
transaction go() -> time;
component r {
  param W : time = call ask();
  accepts: profile = { domain = application, node type = r }; transaction = go(); protocol = call-return;
  body: return W;
  requests: ask(): selector = { node type = other }; transaction = go(); protocol = call-return;
}
component other {
  accepts: profile = { domain = application, node type = other }; transaction = go(); protocol = call-return;
  body: let a = call ask(); return a;
  requests: ask(): selector = { node type = r }; transaction = go(); protocol = call-return;
}
system s { requests: selector = { node type = r }; transaction = go(); protocol = call-return; }
END
psl run "$TMP/m.psl" 2>&1 | sed "s|$TMP/||g"
