# A setting that has the value which is declared, or that the other side sets, in another unit or as an expression, is no
# change; one of another value is.
psl diff one.psl --against work=40000ms --against result=50000000byte --against workers=8 | tail -3
psl diff one.psl --against 'work=2 * 20 s' --against 'result=100 MB - 50 MB' --against 'workers=2 ^ 3' | tail -3
psl diff one.psl --set work=40000ms --against workers=9 --against result=50MB | tail -5
psl diff one.psl --set workers=10 --against 'workers=9 + 1' | tail -3
psl diff one.psl --set workers=10 --against 'workers=11' | grep setting
