# psl fmt: to standard output, in place, as a test, from standard input.
cp messy.txt "$TMP/messy.psl"
psl fmt "$TMP/messy.psl"
psl fmt --check "$TMP/messy.psl" small.psl
echo "[exit $?]"
psl fmt --write "$TMP/messy.psl"
echo "[exit $?]"
psl fmt --check "$TMP/messy.psl"
echo "[exit $?]"
printf 'let   a=1;' | psl fmt -
psl fmt wrong-syntax.txt
echo "[exit $?]"
printf 'component a {\n  accepts: profile = { domain = x }; transaction = t(); protocol = dataflow;\n  body:\n    if 1 < 2 { hold 1 s; }\n    // why not\n    else { hold 2 s; }\n    if 1 < 2 {\n      hold 1 s;\n    } // beside it\n    else if 2 < 3 {\n      hold 3 s;\n    } /* within */ else { hold 2 s; }\n}\n' >"$TMP/else.psl"
psl fmt "$TMP/else.psl"
