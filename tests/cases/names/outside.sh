# A model reads what stands in the folder of the file that was named, not what is elsewhere or hidden.
mkdir "$TMP/models" "$TMP/models/parts" "$TMP/models/.hidden" "$TMP/other" && cp ../../../examples/farm/farm.psl "$TMP" && cd "$TMP/models" || exit
echo 'root:secret:1::::::' > ../other/shadow
echo 'let y = 1;' | tee parts/part.psl ../other/lib.psl > .hidden/lib.psl
printf 'n,time [s]\n1,2\n2,4\n3,6\n' > ../other/cost.csv
ln -s ../other/shadow link.psl && ln -s ../other/lib.psl lib.psl
try() { echo "$1" > m.psl && shift && psl check m.psl "$@"; }
try 'use "parts/part.psl"; use "parts/../parts/part.psl";'
try 'use "../other/shadow";'
try "use \"$TMP/other/shadow\";" --error-format short
try 'use "link.psl";'
try 'use link;'
try 'use ".hidden/lib.psl";'
try 'fit cost(n : int) -> time from "../other/cost.csv" { terms 1, n; }'
mkfifo pipe && try 'use "pipe";' 2>&1 | head -n 1
# What the command line names may be read; a folder that is searched may hold links.
try 'use "../other/lib.psl";' --allow-read ../other
try 'use lib;' --allow-read ..
try 'use ".hidden/lib.psl";' --allow-read .hidden
try 'use ".hidden/lib.psl";' --allow-read .
mkdir ../library && ln -s ../other/lib.psl ../library/linked.psl
try 'use linked;' -I ../library
try 'use "../library/linked.psl";' -I ../library
# Beside a file that is named by a link stand what is beside the link and what is beside the file.
echo 'use lib; use near;' > ../other/named.psl && ln -s ../other/named.psl named.psl && echo 'let z = 1;' > near.psl
psl check named.psl
# In a session the current folder counts, and what is loaded.
psl --keep-going --error-format short <<'S'
use "../other/lib.psl";
:allow read ../other
use "../other/lib.psl";
y
:allow read
S
cd .. && echo 'use "parts/part.psl";' > models/m.psl && psl -c models/m.psl -e y
# The page of a database shows no line of a file that is not the model that was studied.
cp farm.psl models/m.psl
psl study models/m.psl --vary workers=1,2 --db a.db > table && cp other/shadow models/m.psl
psl report a.db | grep -o 'the model cannot be loaded'
