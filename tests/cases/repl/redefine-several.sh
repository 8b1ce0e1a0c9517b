# Declarations that give several names: a fit with named terms, functions of C. A name of theirs is declared once, as in a file.
psl --keep-going 2>&1 <<'END'
fit first(n : int) -> time { terms other = 1, more = n; at 1: 2 s; at 2: 3 s; at 3: 4 s; }
other(1); more(2)
param other : int = 3;
other(1)
fit first(n : int) -> time { terms rest = 1, more = n; at 1: 3 s; at 2: 5 s; at 3: 7 s; }
param other : int = 3;
other
more(2)
fit second(n : int) -> time { terms more = 1; at 1: 3 s; at 2: 3 s; }
fit second(n : int) -> time { terms other = 1; at 1: 3 s; at 2: 3 s; }
other(1)
END
echo "[exit $?]"
psl --allow-native --keep-going 2>&1 <<'END'
extern "libm.so.6" { function ceil(x : real) -> real; function floor(x : real) -> real; }
floor(2.5)
function floor(x : real) -> real = 7.0;
floor(2.5)
extern "libm.so.6" { function ceil(x : real) -> real; function floor(x : real) -> real; function trunc(x : real) -> real; }
floor(3.5) + trunc(1.5)
END
echo "[exit $?]"
