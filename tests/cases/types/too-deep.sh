# Lists of lists, one let about another, and so deep that a type cannot be.
{ echo 'let a1 = [1];'; seq 2 1001 | awk '{ print "let a" $1 " = [a" $1 - 1 "];" }'; } >"$TMP/deep.psl"
sed '$d' "$TMP/deep.psl" >"$TMP/less.psl"
cd "$TMP" && psl check less.psl; psl check deep.psl
