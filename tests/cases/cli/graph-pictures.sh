# A chain of 250 components stands in columns of 30; pictures are made by the name of the file.
chain() {
  echo 'transaction go();'
  for i in $(seq 0 249); do
    echo "component c$i { accepts: profile = { domain = application, node type = t$i }; transaction = go(); protocol = call-return;"
    [ $i = 249 ] && echo 'body: hold 1 s; }' && continue
    echo "body: call next(); requests: next(): selector = { domain = application, node type = t$((i + 1)) }; transaction = go(); protocol = call-return; }"
  done
  echo 'system s { requests: selector = { domain = application, node type = t0 }; transaction = go(); protocol = call-return; }'
}
chain >"$TMP/chain.psl"
psl graph "$TMP/chain.psl" | grep -c 'constraint=false'
psl graph "$TMP/chain.psl" -o "$TMP/chain.svg"
sed -n 's/^<svg width="\([0-9]*\)pt" height="\([0-9]*\)pt".*/\1 \2/p' "$TMP/chain.svg" | awk '{ print ($1 < 4000 && $2 < 4000) ? "fits" : $0 }'
for format in svg png pdf; do
  psl graph small.psl -o "$TMP/small.$format" && head -c 5 "$TMP/small.$format" | tr -d '\211' | head -c 4
  echo
done
psl graph small.psl -o "$TMP/small.jpg" 2>&1 | sed "s#$TMP/##"
