# A request meets an accept whose sequences hold all that it may send, and answer nothing that it does not expect.
try() {
  sed -e "s/protocol    = rendezvous;/protocol    = $1;/" -e '1d' parts.psl >"$TMP/one.psl"
  sed -i "0,/protocol    = $1;/s//protocol    = rendezvous;/" "$TMP/one.psl"
  cat >>"$TMP/one.psl" <<'D'
transaction late(delay : time);
protocol answers-more {
  -> announce;
  one of {
    { <- ready; repeat { -> deliver; } }
    { <- refuse; }
    { <- late; }
  }
}
protocol takes-less {
  -> announce;
  one of {
    { <- ready; -> deliver; }
    { <- refuse; }
  }
}
protocol answers-less { -> announce; <- ready; repeat { -> deliver; } }
protocol goes-on { -> announce; <- ready; -> deliver; repeat { -> deliver; } }
protocol says-so {
  -> announce;
  one of {
    { <- ready; repeat { -> deliver; } <- refuse; }
    { <- refuse; }
  }
}
protocol takes-nothing { -> transaction; }
D
  echo "== $1"
  psl check "$TMP/one.psl" 2>&1 | grep -v '^ *|' | sed "s|$TMP/||"
}
try answers-more
try takes-less
try goes-on
try says-so
try takes-nothing
try answers-less
