# A report goes to a file, which stays as it was where the run fails.
psl run small.psl --output "$TMP/report.txt"
echo "[exit $?]"
cmp "$TMP/report.txt" - <<END && echo same
$(psl run small.psl)
END
cp "$TMP/report.txt" "$TMP/before.txt"
psl run wrong.psl --output "$TMP/report.txt" --error-format short
echo "[exit $?]"
cmp "$TMP/report.txt" "$TMP/before.txt" && echo kept
ls "$TMP"
