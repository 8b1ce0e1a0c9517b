# Whether errors count as they are or as parts of what was measured: of measurements that are off by a tenth each, the
# large ones say most of all, or each as much as another.
printf 'n,time [s]\n1,11\n1,9\n10,110\n10,90\n100,1100\n100,1100\n' > "$TMP/parts.csv"
for how in '' --absolute --relative; do
  psl fit "$TMP/parts.csv" --terms n $how | sed -n '4,8p'
done
# A search tells it by what measurements of one point differ by.
printf 'n,time [s]\n1,14.2\n1,12\n2,25\n2,21.2\n4,47\n4,38.7\n8,91\n8,74\n16,179\n16,147\n' | psl fit - | sed -n '4,8p'
printf 'n,time [s]\n1,14.2\n1,12\n2,24\n2,22.1\n4,44\n4,42\n8,84.2\n8,82\n16,163.9\n16,162\n' | psl fit - | sed -n '4,8p'
psl fit "$TMP/parts.csv" --terms n --relative --absolute
psl fit "$TMP/parts.csv" --terms n --log --relative
printf 'n,time [s]\n1,0\n2,3\n' | psl fit - --terms n --relative
# Of several lists of terms the one that predicts best what is left out; those within its standard error fit as well.
psl fit cost.csv --params n --column time --terms '1, n' --terms '1, n * log2(n)' --terms '1, n^1.1' --at n=64
psl fit cost.csv --params n --column time --terms '1, n' --terms 'n, wrong(n)'
