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
