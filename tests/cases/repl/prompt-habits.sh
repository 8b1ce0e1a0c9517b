# What those write at the prompt who come from other prompts is told how it is written here; the last run in a few lines.
psl --no-rc --keep-going -c farm.psl <<'END' 2>&1
last
run > f
study > f
run | less
run;
run()
10 % 3
print workers
del workers
import farm
let x = 3 s -> ms;
let x = 3 s;
x to ms
x.ms
abs x
max [1, 2]
7 // 2
[1, 2].mean
std([1, 2])
median([1, 2])
var([1, 2])
sqrt(2 s)
log(x + x)
for i in 1 .. 3 { i }
list
worker.wait
x?
workers?
nothing?
:help time
:help int
END
psl --no-rc --keep-going -c farm.psl <<'END' 2>&1 | sed -n '/^makespan/,$p'
run -o /dev/null
last
last.makespan.ms
worker.wait
:last disk-drive
:last worker[3]
:last zork
last == 1
let before = last;
ans.makespan
vary workers in 4..5
redo
reset
results
workers := 5
:delete workers
:redo
x <- 3
clients <- 3
y<-3
z < -3
workers$x
:reset
:results
:vary workers=4
:let x = 1
:last
run ../repl/farm.psl
run ./farm.psl
study --vary work=5 s^-1
END
exit 0
