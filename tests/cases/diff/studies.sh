# Two studies side by side: of two databases, of one, of other settings and models; what the two do not have alike, points
# that one has alone, points that failed, and what cannot be compared.
cd "$TMP" || exit 1
cat > farm.psl <<'END'
param workers : int = 4 in 1 .. 100;
param work : time = 40 s;
param device : term = disk in [disk, flash];
transaction solve(part : time);
component worker [w] : 0 <= w < workers {
  accepts:
    profile     = { domain = application[farm], node type = worker };
    transaction = solve(part);
    protocol    = call-return;
  body:
    hold part;
    if (device == disk) { hold 2 s; }
    assert workers != 10;
}
system farm {
  requests:
    every selector = { domain = application[farm], node type = worker };
    transaction    = solve(work / workers);
    protocol       = call-return;
}
END
sed 's/2 s/1 s/' farm.psl > faster.psl
psl study farm.psl --name slow --vary workers=2,4,5 --vary device=disk,flash --report 'makespan, cost = workers * makespan, wait' --db a.db -o a.txt
psl study faster.psl --name fast --vary workers=4..10 --vary device=disk,flash --report 'makespan, cost = workers * makespan' --set work=50s --db b.db -o b.txt -q
psl study farm.psl --name slow2 --vary workers=2,4,5 --vary device=flash --seed 7 --db a.db -o a.txt -q
psl diff a.db b.db -q slow
psl diff a.db b.db slow fast
psl diff a.db slow slow2
psl study farm.psl --name slow --vary workers=2,4,5 --vary device=disk,flash --report "makespan, cost = workers * makespan, wait" --db c.db -o a.txt
psl diff c.db b.db -f vertical | head -20
psl diff c.db b.db -f jsonl | head -2
psl study farm.psl --vary work=10s,20s --db d.db -o d.txt
psl diff c.db d.db
psl study farm.psl --vary workers=50 --vary device=disk,flash --db e.db -o e.txt
psl diff c.db e.db
psl diff c.db
psl diff c.db slow
psl diff c.db b.db --set work=3s
psl diff c.db farm.psl
psl diff c.db none.db
psl diff farm.psl faster.psl more.psl
# A param that one has set to what the other one has declared is the same in both.
psl study farm.psl --vary workers=2,4 --set work=40s --db set.db -o set.txt
psl study farm.psl --vary workers=2,4 --vary work=40s --db varied.db -o varied.txt
psl study farm.psl --vary workers=2,4 --db declared.db -o declared.txt
psl diff set.db declared.db
psl diff varied.db declared.db
