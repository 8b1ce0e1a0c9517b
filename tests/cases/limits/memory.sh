# A limit on memory is kept: an error at its place and the report so far, no crash, whatever was going on.
for limit in 100KiB 1MiB 8MiB; do
  psl run recursion.psl --max-memory $limit 2>&1 >"$TMP/report.txt" | sed '1!d; s/[0-9]* KiB were held when [0-9]* KiB were wanted/N KiB were held when N KiB were wanted/'
  sed -n 's/[0-9]* KiB were held when [0-9]* KiB were wanted/N KiB were held when N KiB were wanted/; /^time so far\|^ended/p' "$TMP/report.txt"
done
