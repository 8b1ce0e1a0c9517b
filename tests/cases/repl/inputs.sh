# Inputs of several lines, several on a line, comments, declarations that name those behind them.
psl <<'END'
/* a comment
   of two lines */
/// n!
function factorial(n : int) -> int =
  if n < 2 then 1
  else n * before(n);
function before(n : int) -> int = factorial(n - 1); // of the one before

factorial(10)
let a = 3 s   // a comment before the semicolon
;
a; a + 1 s
let b = 2 * a; b -> ms; let d = b / a; d

(1 +
 2) * 3
1 +
2
let list = [
  1 s,

  2 s
];
list
unit furlong = 660 s;
1 h -> furlong
END
echo "[exit $?]"
printf '1 + 2' | psl
printf 'let x = 3' | psl -
psl -e 'let x = 3' -e 'x + 1; x * 2' -e 'param y : int = x'  -e y
