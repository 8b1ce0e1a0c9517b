# A command that ends with 1 does not make its target, in whatever way it fails, so that make tries it again; what was there
# before stays, and what is whole removes what was partial.
cp ../../../examples/farm/farm.psl "$TMP" && cd "$TMP" || exit 1
cat > gated.psl <<'END'
use "farm.psl";
study fast of farm { vary workers in [4, 8]; report time = makespan; assert time < 10 s; plot time against workers; }
END
t() {
  echo "$ psl $* -o x.csv"
  psl "$@" -o x.csv 2>&1
  echo "[exit $?] $(ls x* | xargs)"
}
t compare farm.psl --vary workers=4,8 --tolerance 1%
t compare farm.psl --vary workers=4,8 --tolerance 40%
t compare farm.psl --vary workers=4,8 --tolerance 1%
rm x*
t study farm.psl --vary workers=0,4
t sensitivity farm.psl --step 100%
t study gated.psl fast --plot-file x.svg
grep -c '</svg>' x.svg.partial
t study gated.psl fast --vary workers=7,8 --plot-file x.svg
printf 'x.txt: farm.psl\n\tpsl compare farm.psl -q --vary workers=4,8 $(GATE) -o $@\n' > Makefile
make -s GATE='--tolerance 1%' 2> said
make -s GATE='--tolerance 40%' && make -q && ls x.txt*
