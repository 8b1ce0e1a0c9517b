# All names of a folder are known, however many there are: 400 of 63 letters.
cd "$TMP" || exit
name=$(printf '%056d' 0 | tr 0 n)
i=100
while [ $i -lt 500 ]; do echo "param p$i = 1;" > "$name$i.psl"; i=$((i + 1)); done
echo "param last = 1;" > zebra-crossing.psl
echo "use zebra-crosing;" > m.psl
psl check m.psl 2>&1 | grep help
for n in 100 299 499; do
  echo "use x$name$n;" > m.psl
  psl check m.psl 2>&1 | grep -c "did you mean '$name$n'"
done
