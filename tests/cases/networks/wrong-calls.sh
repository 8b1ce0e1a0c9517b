for mistake in early unsent twice nothing backwards gap nowhere undone; do
  psl run wrong-calls.psl --error-format short --quiet --set mistake=$mistake 2>&1 >/dev/null
done
