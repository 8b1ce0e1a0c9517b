# What studies a database has, for people and for programs, and what --list is not for.
cd "$TMP" && cp "$OLDPWD/../../../examples/farm/devices.psl" farm.psl || exit 1
psl study farm.psl --vary workers=2,4 --db farm.db --name sizes -q -o out.txt
psl study farm.psl --vary device=disk,flash --db farm.db --seed 5 --repetitions 2 --max-time 90s -q -o out.txt
try() { echo "$ psl report $*"; psl report "$@" 2>&1; echo "[exit $?]"; }
try farm.db --list
try farm.db --list --format json
try farm.db --list -o studies.json
cat studies.json
try farm.db sizes --list
try farm.db --list --point 1
try farm.db --list -o page.html
try farm.db --format json
try none.db --list
