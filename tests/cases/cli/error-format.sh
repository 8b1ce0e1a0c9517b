# One diagnostic in each format; colours only where asked for.
for format in full short json; do
  psl check wrong.psl --error-format $format 2>&1
  echo "[exit $?]"
done
psl check wrong.psl --color always 2>&1 | cat -v
