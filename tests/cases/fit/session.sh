# A fit is declared at the prompt as in a file; `fit FILE` is the command.
psl --no-rc <<'S'
fit cost(n : int) -> time {
  terms 1, n;
  at 1: 3 s; at 2: 5 s; at 4: 9.1 s;
}
cost(3)
:help cost
let fit = 3;
fit + 1
cost(9)
fit cost(n : int) -> time { terms n; at 1: 3 s; at 2: 5 s; }
cost(2)
explain cost
fit cost.csv --column time --terms 1,n --format psl --name time
S
true
