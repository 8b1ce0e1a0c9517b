# What CSV files are refused for, with its place.
try() {
  printf "$1" > "$TMP/data.csv"
  shift
  (cd "$TMP" && psl fit data.csv "$@")
}
try ''
try '# nothing but a comment\n\n'
try 'n,time [s]\n'
try '1,2\n3,4\n'
try 'n,,time\n1,2,3\n'
try 'n,n\n1,2\n'
try 'n,time [s\n1,2\n'
try 'n,time []\n1,2\n'
try 'n,time [parsec]\n1,2\n'
try 'n,time [us/byte^x]\n1,2\n'
try 'n,time [s]\n1,2\n3\n'
try 'n,time [s]\n1,2\n3,4,5\n'
try 'n,time [s]\n1,2\n3,x\n' --terms '1,n'
try 'n,time [s]\n1,2\n3,\n' --terms '1,n'
try 'n,time [s]\n1,2\n3,1e999\n' --terms '1,n'
try 'n,time [s]\n1,2\n3,0x10\n' --terms '1,n'
try 'n,time [s]\n1,2\n"3,4\n' --terms '1,n'
try 'n,time [s]\n1,2\n"3"4,4\n' --terms '1,n'
try 'n,time [s]\n1,2\n3,4\000\n' --terms '1,n'
try 'in,time [s]\n1,2\n3,4\n'
try 'message size,time [s]\n1,2\n3,4\n'
try 'n,time [s]\n1,2\n3,4\n' --terms '1,m'
try 'n,time [s]\n1,2\n3,4\n' --terms '1,n' --column tme
try 'n,time [s]\n1,2\n3,4\n' --params nn
try 'n,time [s]\n1,2\n3,4\n' --params time
try 'n,time [s]\n1,2\n3,4\n' --terms '1,n' --unit ms
try 'n,time [s]\n1,2\n3,4\n' --terms '1,n' --name 'no name'
try 'n,time [s]\n1,2\n3,4\n' --region main
try 'n,time [s]\n1,2\n3,4\n'
try 'n,time [s]\n1,2\n3,4\n' --terms '1,n' --at m=3
try 'n,time [s]\n1,2\n3,4\n' --terms '1,n' --at n=3,n=4
try 'n,time [s]\n1,2\n3,4\n' --terms '1,n' --at n=3s
try 'n,time [s]\n1,2\n3,4\n' --terms '1,n' --at 'n=3+'
try 'n,time [s]\n1,2\n3,4\n' --terms '1,n +'
try 'n,time [s]\n1,2\n3,4\n' --terms '1,n,n^2'
try 'n,time [s]\n1,2\n3,-4\n' --terms '1,n' --log
psl fit nowhere.csv
psl fit cost.csv --folds 1
psl fit cost.csv --max-terms 9
psl fit cost.csv --confidence 100%
psl fit cost.csv --format yaml
psl fit
true
# Of what is so large or small that its powers are no numbers no terms are searched for, which would leave out those; with
# terms given the fit is t = 3 + 2 n 1e-200, as it was made.
try 'n,t\n1e200,5\n2e200,7\n3e200,9\n4e200,11\n5e200,13\n'
try 'n,t\n1e-200,5\n2e-200,7\n3e-200,9\n4e-200,11\n5e-200,13\n'
printf 'n,t\n1e200,5\n2e200,7\n3e200,9\n4e200,11\n5e200,13\n' | psl fit - --terms '1, n' | sed -n 4p
# Semicolons and tabs, where the first line has no comma; a decimal comma, and two that do not agree.
fitted() { printf "$1" | psl fit - --terms '1, n' | sed -n '1p; 4p'; }
fitted 'n;time [s]\n1;2.5\n2;4.5\n4;8.5\n'
fitted 'n\t"time" \n1\t2,5\n2\t4,5\n4\t8,5e0\n'
fitted 'n\t,time [s]\n1,\t2.5\n2,4.5\n4,8.5\n'
try 'n;time [s]\n1;2,5\n2;4.5\n' --terms '1,n'
try 'n;"time"x\n1;2,5\n'
try 'n\t"time"x\n1\t2,5\n'
try 'n;time\n1;1.000,5\n2;3\n' --terms '1,n'
# The condition has any column of numbers.
printf 'p,n,host,size [MB],time [s]\n1,8,a,2,10\n2,8,b,2,6\n4,8,c,2,4\n1,16,d,3,20\n2,16,e,,12\n' > "$TMP/where.csv"
try "$(cat "$TMP/where.csv")" --terms '1, 1 / p' --where 'n == 8' --format psl
try "$(cat "$TMP/where.csv")" --terms '1, 1 / p' --where 'p > 1 and time < 10 s and size < 3 MB'
try "$(cat "$TMP/where.csv")" --terms '1, 1 / p' --where 'size == 2'
try "$(cat "$TMP/where.csv")" --params p --where 'host == 2'
try "$(cat "$TMP/where.csv")" --params p --where 'hosts == 2'
true
