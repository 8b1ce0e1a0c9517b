# A unit in parentheses is part of the column's name, which is said; other words there are a name's own.
cd "$TMP" || exit 1
printf 'n,time (ms)\n1,2\n2,4\n3,6.1\n4,8.02\n5,9.99\n' > times.csv
psl fit times.csv --terms n | grep =
sed 's/(ms)/[ms]/' times.csv > brackets.csv
psl fit brackets.csv --terms n | grep =
sed 's/(ms)/(mean)/' times.csv > word.csv
psl fit word.csv --terms n | grep =
