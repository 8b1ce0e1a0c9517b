# Measurements and terms as other tools write them: the help says how they are written here.
cd "$TMP" || exit
printf 'n,p,time\n100,1,1.5\n200,1,3.1\n400,1,6\n100,2,0.8\n200,2,1.6\n400,2,3\n' >table.csv
printf ',n,time\n0,100,1.5\n1,200,3.1\n' >pandas.csv
printf 'n,time\n100,1.5s\n200,3.1s\n400,6.0s\n' >cells.csv
printf 'PARAMETER n\nPARAMETER p\nPOINTS (1000,1) (2000,1)\nREGION r\nMETRIC time\nDATA 1\nDATA 2\n' >commas.txt
printf 'PARAMETER n\nPARAMETER p\nPOINTS (1000 1), (2000 1)\nREGION r\nMETRIC time\nDATA 1\nDATA 2\n' >parted.txt
psl fit table.csv --terms '1, n / p' --at 'n=3200 p=64'
psl fit table.csv --terms '1, p ^ -1' --where 'n == 100'
psl fit table.csv --terms '1, n / (p + 1) ^ -2'
psl fit table.csv --terms '1, n / p' --where 'time > 1 s'
psl fit pandas.csv
psl fit cells.csv
psl fit commas.txt
psl fit parted.txt
for item in 'terms = 1, n;' 'terms: 1, n;' 'relative; terms 1, n;'; do
  echo "fit cost(n : real, p : real) -> real from \"table.csv\" { $item }" >fitted.psl
  psl check fitted.psl
done
