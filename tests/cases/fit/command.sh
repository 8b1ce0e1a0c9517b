# tolerance: 1e-9
psl fit cost.csv --terms '1, n, size' --column time --at 'n=12,size=5 MB' --confidence 90%
psl fit cost.csv --terms '1, n, size' --column time --format csv
psl fit cost.csv --terms '1, n, size' --column time --format json
psl fit cost.csv --terms '1, n, size' --column time --format psl --name cost > "$TMP/cost.psl"
cat "$TMP/cost.psl"
# What is printed is a model, and laid out as psl fmt does it.
psl fmt --check "$TMP/cost.psl" && psl -c "$TMP/cost.psl" -e 'cost(12, 5 MB)'
psl fit cost.csv --terms '1, log(n)' --column time --log
psl fit cost.csv --params n --column time --folds 3
psl fit cost.csv --terms "fixed = 1, each = n" --where "size < 4 MB" --column time
# Each region and metric of Extra-P's file.
psl fit kernels.txt --unit ms --terms '1, p'
psl fit kernels.txt --unit ms --terms '1, p' --region 'main->sort' --metric time --format psl
# Names that need quotes, a study's columns, standard input, an exact fit.
printf '"n","time, ""wall"" [s]"\r\n1,2\r\n2,4\r\n4,8\r\n' | psl fit - --terms n --format psl
printf 'rate\n1\n' | psl fit -
true
