# Code and data in one cache: its hit is a hit of both, whatever the latency of it is.
cat >"$TMP/count.c" <<'END_OF_CODE'
int main(void) {
  volatile int sum = 0;
  for (int i = 0; i < 2000; i++) sum += i;
  return sum != 1999000;
}
END_OF_CODE
cd "$TMP" || exit
riscv64-linux-gnu-gcc -O1 -static count.c -o count
for set in cache:il1=il1:512:32:1:l cache:il1=dl2 'cache:il1=dl1 --set cache:dl1lat=2'; do
  # shellcheck disable=SC2086
  timeout -s KILL 30 psl simulate --set $set -- ./count 2>report
  echo "exit $?"
  awk '$1 == "cycles" { gsub(",", ""); print ($2 > 10000 && $2 < 60000 ? "fine" : $0) }' report
done
