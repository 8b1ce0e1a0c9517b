# What people write for the columns, the terms and the points of a fit, and what is said to write in its place.
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
fit() {
  echo "psl fit $*" >&2
  psl fit "$@" >/dev/null
}
sed 's/,/ /g' times.csv >blanks.txt
fit blanks.txt
fit blanks.txt --terms '1, n'
fit times.csv --terms '1, N'
fit times.csv --terms '1, n, P'
fit times.csv --terms '1, log2(size)'
fit times.csv --terms 'a * n + b'
fit times.csv --terms '1; n; p'
fit times.csv --terms '1 + n + p'
fit times.csv --terms '1, n, p' --at size=1e9
fit times.csv --terms '1, n, p' --at N=16,p=2
fit times.csv --terms '1, n, p' --at n=16
fit times.csv --terms '1, n, p' --at 16
fit times.csv --terms '1, n, p' --at n=16,p=1.5
psl fit times.csv --terms 'fixed = 1, each = if p > 1 then n / p else n' --at n=1e3,p=1 | tail -2
