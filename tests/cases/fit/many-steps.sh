# More measurements than a step function takes.
perl -e 'print "t [s],x\n"; print "$_,$_\n" for 1 .. 10001' > $TMP/many.csv
printf 'fit x(t : time) -> real from "many.csv" { steps = true; }\n' > $TMP/many.psl
cd $TMP && psl check many.psl
sed -i '$d' many.csv
printf 'assert x(77.5 s) == 77 and x(10000 s) == 10000;\n' >> many.psl
psl check many.psl
