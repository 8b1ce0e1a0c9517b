# What is wrong is said.
psl diff one.psl
echo "[exit $?]"
psl diff one.psl - --against work=1s
echo "[exit $?]"
psl diff one.psl nothing.psl
echo "[exit $?]"
psl diff one.psl --against wrok=1s
echo "[exit $?]"
psl diff one.psl --against work
echo "[exit $?]"
psl diff one.psl --against workers=50
echo "[exit $?]"
psl diff one.psl --system other --against workers=5
echo "[exit $?]"
psl diff one.psl --max-firings 3 --against workers=5
echo "[exit $?]"
