# What is said of a setting of each param of reads.psl, and whether the result is another one. Nothing that is said to
# have no effect has one.
psl run reads.psl --format csv --by rank >"$TMP/as-it-is"
psl params reads.psl --format csv | sed 1d | while IFS=, read -r name type value unit rest; do
  value="$value $unit"
  case $type in
  int | real) value="2 * ($value) + 1" ;;
  time) value="2 * ($value) + 1 s" ;;
  time/data) value="2 * ($value)" ;;
  bool) value="not ($value)" ;;
  term) [ "$name" = mode ] && value=slow || value=fast ;;
  esac
  psl run reads.psl --set "$name=$value" --format csv --by rank >"$TMP/set" 2>"$TMP/said"
  status=$?
  grep -v '^params_set,' "$TMP/set" | cmp -s - "$TMP/as-it-is" && changed='the same result' || changed='another result'
  case $(cat "$TMP/said") in
  *'nothing that it runs'*) said='no effect' ;;
  *'only assertions'*) said='only checks' ;;
  '') said='an effect' ;;
  *) said=$(sed 's/^[^ ]* //;q' "$TMP/said") ;;
  esac
  echo "$name: $said, $changed, exit $status"
done
