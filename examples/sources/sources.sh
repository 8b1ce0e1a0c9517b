# W of a wavefront on 28,000 processors by the convolver, with second-level caches of 256 and of 512 KiB; by a table; and
# measured on this computer, which takes what it takes.
ask() { psl run "$@" | sed -n 's/^predicted time */predicted /p; s/^evidence */evidence /p; s/^  W  wavefront */W /p'; }
for cells in 16 32; do
  for second in '256 KiB' '512 KiB'; do
    echo "$cells cells, $second"
    ask wavefront.psl --set cells=$cells --set second="$second"
  done
done
psl compare wavefront.psl --vary source='analysis[table],analysis[convolver]' | sed -n '3,5p'
psl explain wavefront.psl wavefront.work | sed -n '1,6p'
cp wavefront.psl signatures.psl "$TMP"
gcc -O2 -shared -fPIC ../processor/wavefront.c -o "$TMP/wavefront.so"
ask --allow-native "$TMP/wavefront.psl" --set 'source=measurement[timer]' | sed -n 's/^W [1-9].*s$/W was measured/p; /^evidence/p'
# By simulation, with 16 KiB behind the first caches and with 256.
riscv64-linux-gnu-gcc -O2 -static ../processor/wavefront.c -o "$TMP/wavefront"
for sets in 64 1024; do
  ask "$TMP/wavefront.psl" --set 'source=simulation[out-of-order]' --set cells=16 \
    --set out-of-order.cache-dl2="\"ul2:$sets:64:4:l\""
done | awk '/^evidence/ { print } /^W/ { W[++n] = $2 } END { print (W[1] > W[2] ? "a smaller cache takes longer" : W[1] " " W[2]) }'
psl run "$TMP/wavefront.psl" --set 'source=measurement[timer]' 2>&1 >/dev/null | sed "s|$TMP|TMP|"
