# The processor of the other side calls a function that is only there, which reads a param that is only there: the three
# hold only together, and are one change. By hand: n / 2 s + 0; n x 1.5 / 2 s + n x 1 s on the other side.
#   4 / 2 = 2 s; n: 3; system: 3; group: 2 + 4 = 6; n and system: 4.5; n and group: 3 + 6 = 9; system and group: 7;
#   all: 4.5 + 6 = 10.5 s
# group: 4/3 + (9 - 3)/6 + (7 - 3)/6 + (10.5 - 4.5)/3 = 5; n: 1/3 + (4.5 - 3)/6 + (9 - 6)/6 + (10.5 - 7)/3 = 2.25;
# system: 1/3 + (4.5 - 3)/6 + (7 - 6)/6 + (10.5 - 9)/3 = 1.25
psl diff needs.psl needed.psl
psl diff needed.psl needs.psl --format csv
# A setting of a param that is only on the other side.
psl diff needs.psl needed.psl --against more=2s --format csv
# A coercion that is not alike: 24 million flop take 60 ms, twice as many 120 ms. The file that both use is alike.
mkdir "$TMP/other" && cp ../../../examples/coercions/machine.psl "$TMP/other"
sed 's/4800 flop/9600 flop/' ../../../examples/coercions/solver.psl >"$TMP/other/solver.psl"
psl diff ../../../examples/coercions/solver.psl "$TMP/other/solver.psl" | sed "s|$TMP|TMP|; s|  *|  |g"
