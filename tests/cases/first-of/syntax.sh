# Heads are waits without a ';', and 'first' is a name elsewhere.
try() { # STATEMENT
  printf '%s\n' 'component c {' 'accepts:' 'profile = { domain = application };' 'transaction = go();' 'protocol = dataflow;' \
    'body:' "$1" '}' 'transaction go();' > $TMP/model.psl
  echo "-- $1"
  (cd $TMP && psl check model.psl 2>&1 | sed 's/^/  /')
}
try 'let first = first([3, 4]); first of { hold 1 s { assert first == 3; } }'
try 'first of { hold 1 s; }'
try 'first of { return { } }'
try 'first of { let x = 3 { } }'
try 'first of { }'
try 'first of { hold 1 s { } 3 s { } }'
