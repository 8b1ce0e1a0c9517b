# What is stored as JSON is read back: the same JSON, text and picture. What is no static task graph is refused.
psl graph --static parts.psl -f json > "$TMP/parts.json" 2> /dev/null || echo failed
for format in json text dot; do
  psl graph --static parts.psl -f $format > "$TMP/made"
  psl graph --static "$TMP/parts.json" -f $format > "$TMP/read"
  cmp "$TMP/made" "$TMP/read" && echo "same $format"
done
cd "$TMP"
echo '{"system": "x"}' > none.json
psl graph --static none.json
sed 's/"kind": "loop"/"kind": "noose"/' parts.json > kind.json
psl graph --static kind.json
sed 's/"iterations": "3"/"iterations": "3 +"/' parts.json > expression.json
psl graph --static expression.json
sed 's/"id": 2,/"id": "two",/' parts.json > id.json
psl graph --static id.json
head -c 900 parts.json > half.json
psl graph --static half.json -f json
psl graph parts.json
psl graph --static --dynamic none.json
