# Units that are products: of columns, of --unit and of what comes out, which is read again as it is printed.
cd "$TMP" || exit
printf 'n,s,held [ms*kB],rate [flop/s*byte],slow [1/s/byte]\n1,2,2,1,2\n2,3,4,2,4\n4,1,8,4,8\n8,5,16,8,16\n' >held.csv
psl fit held.csv --column held --terms n --format csv | head -2
psl fit held.csv --column held --terms n | grep 'held ='
for column in held rate slow; do
  psl fit held.csv --column "$column" --terms 'n, s' --at n=3,s=0 | grep '^ *3 '
  psl fit held.csv --column "$column" --terms 'n' --format psl | grep function
done >found
cat found
sed 's/.*function/function/' found | grep function >again.psl
psl -c again.psl -e 'held(3)' -e 'rate(3)' -e 'slow(3)'
sed 1s/.ms.kB.// held.csv >bare.csv
psl fit bare.csv --column held --unit 'ms*kB' --terms n --format psl | grep function
echo 'fit again(n : int) -> time*data from "bare.csv" { column = "held"; scale = 1 ms*kB; terms n; }' >fit.psl
psl -c fit.psl -e 'again(3)'
psl fit bare.csv --column held --unit 'ms*kB*' --terms n
psl fit bare.csv --column held --unit 'ms*kilo' --terms n
