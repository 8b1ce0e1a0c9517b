# A file is replaced when all is written: it keeps its mode, a link to it stays, and a failure leaves it as it was.
cp small.psl "$TMP" && cd "$TMP" || exit
mkdir folder && echo old > folder/report && chmod 640 folder/report && ln -s folder/report link
psl run small.psl -o link && head -n 1 folder/report && stat -c '%A %n' link folder/report
ln -s nothing dangling
psl run small.psl -o dangling
psl run small.psl -o folder
psl run small.psl -o none/report
psl run small.psl -o /dev/full
psl run small.psl -o /dev/stdout > report && head -n 1 report
# where no space is left
for i in $(seq 100); do echo "let   x$i = $i;  // a long line of text"; done > long.psl
cp long.psl before
(
  ulimit -f 1
  psl fmt --write long.psl
  psl ast long.psl -o report
)
cmp long.psl before && head -n 1 report
chmod 600 long.psl && ln -s long.psl link.psl
psl fmt --write link.psl && head -n 1 long.psl && stat -c '%A %n' long.psl link.psl
ls
# A file that may not be written is not replaced; by root any may.
somebody=
[ "$(id -u)" = 0 ] && somebody='setpriv --reuid=65534 --regid=65534 --clear-groups'
apart=$(mktemp -d) && cp "$(command -v psl)" small.psl "$apart" && cd "$apart" || exit
echo old > report && chmod 444 report && chmod 777 .
$somebody ./psl run small.psl -o report
cat report
rm -r "$apart"
