# A declaration takes the place of the one before; what is wrong leaves all as it was.
psl --keep-going 2>&1 <<'END'
let a = 3;
function f(x : int) -> int = x + a;
f(1)
let a = 4;
f(1)
let a = 2 s;
f(1)
param p : int = 1 in 1 .. 9;
:set p = 5
f(p)
param p : int = 2;
f(p)
let p = 7;
f(p)
let p = "text";
f(1); f(p)
unit lap = 90 s;
3 lap
unit lap = 60 s;
3 lap
let x = 1; let x = 2;
END
echo "[exit $?]"
# Components, systems and params of the file that was loaded, too.
psl -c farm.psl <<'END'
param workers : int = 2;
component disk-drive {
  accepts:
    profile     = { domain = hardware[storage] };
    transaction = write(amount);
    protocol    = call-return;
    servers     = 1;
  body:
    hold 1 s;
}
run
last.makespan
END
# in a script, too, a later line replaces an earlier one; what is between may name what follows
printf 'let a = 1;\nlet b = 2 * a + c;\nlet a = 3;\nlet c = 10;\nb\nlet a = 5;\nb\nlet d = 1; let d = 2;\n' | psl 2>&1
