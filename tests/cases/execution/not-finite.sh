# A value that becomes infinite is an error of the expression, one that is negative of the hold; the reference says the same.
for step in 0 1 2 3 4; do
  psl run infinite.psl --set step=$step --format csv >"$TMP/1.csv" 2>"$TMP/1.txt"
  psl run infinite.psl --set step=$step --format csv --reference >"$TMP/2.csv" 2>"$TMP/2.txt"
  cmp "$TMP/1.csv" "$TMP/2.csv" && cmp "$TMP/1.txt" "$TMP/2.txt" && grep -h -e error: -e ",sum," "$TMP/1.txt" "$TMP/1.csv"
done
