# Text that nests without an end: an error, not a full stack.
deep() {
  awk -v open="$1" -v inner="$2" -v shut="$3" 'BEGIN {
    printf "let x = "
    for (i = 0; i < 30000; i++) printf "%s", open
    printf "%s", inner
    for (i = 0; i < 30000; i++) printf "%s", shut
    print ";" }' > "$TMP/deep.psl"
  psl check --error-format short "$TMP/deep.psl" 2>&1
}
deep '(' 1 ')'
deep '[' 1 ']'
deep '- ' 1 ''
deep 'if true then 1 else ' 1 ''
deep '2 ^ ' 1 ''
deep 'not ' true ''
deep '1 + ' 1 ''
deep '{ a = ' 1 ' }'
deep 'f(' 1 ')'
