# Definitions that use each other in a long line.
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "let x%d = x%d + 1;\n", i, i + 1; print "let x3000 = 1;" }' > "$TMP/deep.psl"
psl check --error-format short "$TMP/deep.psl" 2>&1
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "function f%d(n : int) = f%d(n) + 1;\n", i, i + 1; print "function f3000(n : int) = 1;" }' > "$TMP/functions.psl"
psl check --error-format short "$TMP/functions.psl" 2>&1
