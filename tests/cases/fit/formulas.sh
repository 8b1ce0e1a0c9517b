# Terms as formulas of R and Python, and what is said to write in their place.
cd "$TMP" || exit
cat >times.csv <<'END'
n,p,time [ms]
1,1,3
2,1,5
2,2,4
4,2,6
8,1,17
8,4,9
END
for terms in 'time ~ n + p' 'time ~ 1 + n' 'time ~ n + I(n^2) + n:p' '1, I(n^2)' 'n:p' 1; do
  echo "--terms '$terms'" >&2
  psl fit times.csv --terms "$terms" >/dev/null
done
# What is said to write is taken.
psl fit times.csv --terms '1, n, n^2, n * p' >/dev/null && echo "it is taken"
