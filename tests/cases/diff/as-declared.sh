# A setting that has the value which is declared, in another unit, is no change; one of another value is.
psl diff one.psl --against work=40000ms --against result=50000000byte --against workers=8 | tail -3
psl diff one.psl --set work=40000ms --against workers=9 --against result=50MB | tail -5
