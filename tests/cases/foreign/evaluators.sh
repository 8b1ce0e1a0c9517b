# Shared objects that are no evaluator, and evaluators that are not sound; by path and by name.
native="$(dirname "$(command -v psl)")/native"
for name in old unrevised uncalled builtin-name second-counter unnamed function-unnamed signatures unreadable probe nowhere; do
  printf 'use "counter.so";\nuse "%s.so";\nlet x = counter.twice(3 s);\n' "$name" >"$TMP/m.psl"
  psl check --allow-native "$TMP/m.psl" 2>&1
done
echo 'use counter; let x = counter.twice(3 s); assert x == 6 s;' >"$TMP/m.psl"
psl check "$TMP/m.psl" 2>&1
psl check --allow-native "$TMP/m.psl" 2>&1
psl check --allow-native -I "$native" "$TMP/m.psl" 2>&1
echo 'use builtin; use uncounted;' >"$TMP/m.psl"
cp "$native/counter.so" "$TMP/builtin.so"
psl check --allow-native "$TMP/m.psl" 2>&1
echo 'use "counter.so"; use "./counter.so"; assert counter.twice(1 s) == 2 s;' >"$TMP/m.psl"
cp "$native/counter.so" "$TMP/counter.so"
psl check --allow-native "$TMP/m.psl" 2>&1
