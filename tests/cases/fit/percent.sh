# A column in % is of real numbers, whole as its figures may look: the times are 2 s + 5 s * load, to the last digit.
cd "$TMP" || exit
awk 'BEGIN { print "load [%],time [s]"; for (k = 10; k <= 90; k += 10) printf "%d,%.17g\n", k, 2 + 5 * k / 100 }' > below.csv
awk 'BEGIN { print "load [%],time [s]"; for (k = 100; k <= 400; k += 50) printf "%d,%.17g\n", k, 2 + 5 * k / 100 }' > above.csv
for data in below above; do
  psl fit $data.csv | grep -E '^ *time ='
  psl fit $data.csv --terms '1, load' --format psl | grep function
done
# An int has no part of a whole.
cat > whole.psl <<'END'
fit c(load : int) -> time from "above.csv" { terms 1, load; column = "time"; }
END
psl check whole.psl
