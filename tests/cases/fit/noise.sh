# One term and noise of 5 %: no second term is taken, and what fits as well is said with what it predicts.
# Plain build alone: many fits like those of the other cases.
psl fit one-term.txt --at x=512 --at x=1024
# A constant and noise.
sed 's/^DATA.*/DATA 10.2 9.7/; n; s/^DATA.*/DATA 9.9 10.4/' one-term.txt | psl fit - | sed -n 4p
# Without a constant: it would be below 0, and nothing that was measured is.
printf 'n,time [s]\n4,31.1\n8,127\n16,513\n32,2043\n64,8190\n' | psl fit - | sed -n 4p
# What was measured is below 0 in part: so may terms be.
printf 'n,y\n1,90\n2,80\n4,60.5\n8,20\n16,-59.5\n32,-220.5\n' | psl fit - | sed -n 4p
# What falls takes negative powers, which are searched without being asked for.
printf 'p,time [s]\n1,101\n2,51.5\n4,26\n8,13.4\n16,7.3\n32,4.1\n' > "$TMP/falling.csv"
psl fit "$TMP/falling.csv" | sed -n '4p; 8,9p'
# Noise alone falls here and there.
printf 'p,time [s]\n1,10.1\n2,10.3\n4,9.9\n8,10.2\n16,10\n32,10.4\n' | psl fit - | sed -n '4p; 8,9p'
# Terms that were given may be below 0 where nothing is that was measured.
psl fit "$TMP/falling.csv" --terms '1, log2(p)' --at p=64 --at p=1024 | sed -n '4p; $p'
# Three parameters, in two of three terms each.
awk 'BEGIN { seed = 4711; print "n,p,q,time [s]"
  for (n = 4; n <= 64; n *= 2) for (p = 4; p <= 64; p *= 2) for (q = 4; q <= 64; q *= 2) {
    seed = (seed * 16807) % 2147483647
    printf "%d,%d,%d,%.9g\n", n, p, q, (3 + 0.1 * n * log(p) / log(2) + 0.02 * q ^ 1.5) * (1 + 0.04 * (2 * seed / 2147483647 - 1))
  } }' | psl fit - | sed -n 4p
# The law of most parallel programs, n^2 / p and log2(p): found, by one measurement a point as well.
awk 'BEGIN { seed = 4711; print "n,p,time [ms]"
  for (n = 1000; n <= 8000; n *= 2) for (p = 1; p <= 16; p *= 2) for (k = 0; k < 3; k++) {
    seed = (seed * 16807) % 2147483647
    printf "%d,%d,%.9g\n", n, p, (5 + 2e-6 * n * n / p + 3 * log(p) / log(2)) * (1 + 0.04 * (2 * seed / 2147483647 - 1))
  } }' >"$TMP/strong.csv"
psl fit "$TMP/strong.csv" | sed -n '4p; 7,9p'
awk 'NR % 3 == 1 || NR == 1' "$TMP/strong.csv" | psl fit - | sed -n '4p; 7,9p'
# A fit that lacks something says so where it is written out for a model, too.
psl fit "$TMP/strong.csv" --terms '1, n * p, n * n' --format psl
