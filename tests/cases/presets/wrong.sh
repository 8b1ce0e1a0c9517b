# What cannot be given to a used file's params.
cp machine.txt "$TMP/machine.psl"; cd "$TMP" || exit
try() { printf '%s\n' "$@" > model.psl; psl check model.psl 2>&1; }
try 'use machine { param coers = 3; }'
try 'use machine { param cores = 3; param cores = 4; }'
try 'use machine { param cores = 3; }' 'use "machine.psl" { param cores = 4; }'
try 'use machine { param cores = 3 s; }'
try 'use machine { param cores = 65; }'
try 'use machine { param kind = slwo; }'
try 'use machine { param cores = unknown; }'
try 'use machine { param cores = cores + 1; }'
try 'use machine { param work = 1; }'
try 'use LogGP { param L = 1 us; }'
try 'use machine { cores = 1; }'
try 'use machine { param cores : int = 1; }'
try 'use machine { param cores = 1 }'
try 'use machines { param cores = 1; }'
