# Studies of one name, of two files, stand in one database under names of their own, by which each is reported.
cp ../../../examples/farm/farm.psl "$TMP/a.psl" && cd "$TMP" || exit 1
sed 's/50 MB/10 MB/' a.psl > b.psl
study() { psl study "$@" --vary workers=4,8 --db a.db -o table 2>&1; }
report() {
  echo "$ psl report a.db $*"
  psl report a.db "$@" -o page.html 2>&1
  echo "[exit $?]"
  [ -f page.html ] && grep -om1 'Model [ab].psl' page.html && rm page.html
}
study a.psl --name buy
report
study b.psl --name buy
study b.psl --name buy
study a.psl --name run
report
report buy
report buy_2
report run
report buy_3
report other
study a.psl --name buy_2
report
report buy_2
report buy_2_2
