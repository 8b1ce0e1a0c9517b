# What is wrong is said.
psl sensitivity closed.psl --set fails=4
echo "[exit $?]"
psl sensitivity closed.psl --step 0%
echo "[exit $?]"
psl sensitivity closed.psl nothing
echo "[exit $?]"
psl sensitivity closed.psl --set most=0
echo "[exit $?]"
