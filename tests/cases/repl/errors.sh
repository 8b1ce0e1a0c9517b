# An error ends a script with 1, a script that keeps going at its end.
printf '1 +* 2\n3\n' | psl
echo "[exit $?]"
printf '1 +* 2\n3\n' | psl --keep-going
echo "[exit $?]"
printf 'let x = y;\nlet z = 1;\nz\n' | psl
echo "[exit $?]"
printf 'component c {\n  accepts:\n' | psl
echo "[exit $?]"
psl -e 1 -e '1 s + 1' -e 2
echo "[exit $?]"
psl --keep-going -e 1 -e '1 s + 1' -e 2
echo "[exit $?]"
psl -c nothing.psl -e 1
echo "[exit $?]"
psl -c farm.psl --set workrs=1 -e 1
echo "[exit $?]"
psl -e '3 us -> byte' --error-format short
psl -e '"text" -> s' --error-format short
psl -e '3 us -> 4 + 5' --error-format short
psl -e 'exponential(3 s) -> s' --error-format short
psl -e 'exponential(3 s) + 1 s' --error-format short
psl -e foo -e bar --error-format json
psl -e '' -e '// nothing' < /dev/null
echo "[exit $?]"
psl run farm.psl -e 3
psl run farm.psl --keep-going
psl --frobnicate
psl --set
