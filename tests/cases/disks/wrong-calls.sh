for mistake in discipline cylinder gone unturned both turned policy none many other blocks long number cached parts negative; do
  echo "$mistake"
  psl run wrong-calls.psl --error-format short --quiet --set mistake=$mistake 2>&1 >/dev/null
done
for mistake in kept unfetched; do
  psl run wrong-calls.psl --set mistake=$mistake 2>&1 | grep 'waits for\|deadlock'
done
exit 0
