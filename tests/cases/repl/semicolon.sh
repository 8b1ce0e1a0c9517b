# A declaration without its semicolon is wrong where that is missing, and the next line is not part of it.
psl --keep-going 2>&1 <<'END'
let a = 5
let b = 6;
b
let c = 7
  + 2;
c
param x : int = 5

// a remark
b + 1
let d = 6; let e = 7
let g =
END
printf 'let a = 5\nlet b = 6;\nb\n' | psl
echo "[exit $?]"
printf 'let b = 6;\nb\nlet a = 5\n' | psl
echo "[exit $?]"
