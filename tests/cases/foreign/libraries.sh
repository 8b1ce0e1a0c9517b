# Libraries and functions that are not there.
check() {
  cat >"$TMP/m.psl"
  psl check --allow-native "$TMP/m.psl" 2>&1 | sed 's,/lib/[^/]*/,LIB/,'
}
check <<'END'
extern "libnowhere-at-all.so" { function half(x : float) -> float; }
END
check <<'END'
extern "prob.so" { function half(x : float) -> float; }
END
check <<'END'
extern "libm.so" { function hypot(x : real, y : real) -> real; }
END
check <<'END'
extern "./m.psl" { function hypot(x : real, y : real) -> real; }
END
check <<'END'
extern "" { function hypot(x : real, y : real) -> real; }
END
check <<'END'
extern "probe.so" {
  function halve(x : float) -> float;
  function integrall(f : function(x : real) -> real) -> real;
  function variable(x : float) -> float;
  function quite-else(x : real) -> real = "nothing_like_it";
}
extern "nowhere.so" { function f(x : real) -> real; function g(x : real) -> real; }
END
cp "$(dirname "$(command -v psl)")/native/probe.so" "$TMP/beside.so"
check <<'END'
extern "beside.so" { function half(x : float) -> float; }
extern "./beside.so" { function same(x : int) -> int = "same_int64"; }
assert half(3) == 1.5 and same(3) == 3;
END
