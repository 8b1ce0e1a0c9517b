# Thousands of declarations, each done at once, and constructs of thousands of lines; what is added to a model stands
# as if all of it had been made anew.
perl -e 'for (1 .. 4000) { print "let a$_ = $_ * 1 s;\nfunction f$_(n : int) -> int = n + $_;\nparam p$_ : int = $_;\n" }
  print "a4000; f3999(p3998)\n"' | psl --keep-going
perl -e 'for (1 .. 2000) { print "let b$_ = $_;\nb$_\n" }' | psl --keep-going | tail -n 1
perl -e '$list = join ",\n", 1 .. 10000; print "let x = [\n$list];\nsum(x)\nsum([\n$list\n])\n"; print "1 +\n" x 900, "1\n"' |
  psl --keep-going
psl --keep-going -c farm.psl 2>&1 <<'END'
let mean = work / workers;
mean
let disk = 3;
let unit-time = 1 s; let unit-time = 2 s;
let twice = 2 * later;
let later = 2;
twice
let twice = 2 * later;
let later = 3;
twice
function even(n : int) -> bool = if n == 0 then true else odd(n - 1);
function even(n : int) -> bool = if n == 0 then true else not even(n - 1);
even(7)
param load : int = 3 in 1 .. 2;
load
:set load = 2
load
transaction solve(part : data);
run --format csv
let kept = last.makespan;
kept
let s = 3;
END
