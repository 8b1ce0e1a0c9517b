# The value of the last expression, in expressions, settings and declarations, which keep that of their moment.
psl --keep-going -c farm.psl 2>&1 <<'END'
ans
3 s + 4 s
ans / 2
let half = ans / 2;
half
ans -> ms
:type 1 byte
ans + 1 s
ans + 1
ans == half
2 s
:set work = 2 * ans
work
0.1 + 0.2
ans == 0.1 + 0.2
-5
ans ^ 2
[1 s, 2 s]
ans[1]
1 s .. 3 s
ans
true
"a\"b"
ans
:help ans
let broken = zz;
ans
run -o /dev/null
last
let r = ans.worker;
r.compute
let ans = 3;
7
ans
END
