# A limit on memory is kept: an error, no crash, whatever was going on.
for limit in 100KiB 1MiB 8MiB; do
  psl run recursion.psl --max-memory $limit 2>&1 | sed 's/[0-9]* KiB were held/N KiB were held/; /^[^p]/d'
done
