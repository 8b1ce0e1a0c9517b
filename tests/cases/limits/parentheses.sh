# Parentheses nest as deep as brackets do, 999 around a number, and what is deeper is one error wherever the parser meets it.
deep() {
  perl -e 'print "let x = ", $ARGV[1] x $ARGV[0], 1, $ARGV[2] x $ARGV[0], ";\n"' "$1" "$2" "$3" > "$TMP/deep.psl"
  psl check --error-format short "$TMP/deep.psl" 2>&1
}
for n in 999 1000 12000 30000; do
  deep $n '(' ')'
  deep $n '[' ']'
done
perl -e 'print "let x = ", "(1 + " x 999, 1, ")" x 999, ";\nassert x == 1000;\n"' > "$TMP/deep.psl"
psl check "$TMP/deep.psl"
