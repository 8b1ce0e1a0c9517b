# W of a wavefront on 28,000 processors: by a table, by the convolver, measured on this computer and on a simulated
# processor, with a second-level cache of 256 KiB and with twice that. What is measured takes what it takes, and what a
# compiler makes of the kernel decides what is simulated: it is shown that these two answer, and which way it goes.
cp wavefront.psl signatures.psl "$TMP"
gcc -O2 -shared -fPIC ../processor/wavefront.c -o "$TMP/wavefront.so"
riscv64-linux-gnu-gcc -O2 -static ../processor/wavefront.c -o "$TMP/wavefront"
psl compare --allow-native "$TMP/wavefront.psl" --vary source --format csv |
  awk -F, '$1 == "runs" && $3 == "makespan" {
      time = $2 ~ /^analysis/ ? sprintf("%.4g ms", 1000 * $4) : $4 > 0 ? "some time" : "none" }
    $1 == "runs" && $3 == "evidence" { printf "%-26s  %-9s  %s\n", $2, time, $4 }'
for cells in 16 32; do
  for source in 'analysis[convolver]' 'simulation[out-of-order]'; do
    echo "$cells cells by $source, with twice the second-level cache:"
    psl study "$TMP/wavefront.psl" --vary 'second=256 KiB,512 KiB' --report W --set cells=$cells \
      --set "source=$source" --format csv | awk -F, 'NR > 1 { W[++n] = $2 }
        END { 
          faster = 100 * (1 - W[2] / W[1])
          much = faster < 20 ? "2 to 20 % faster" : "more than 20 % faster"
          print "  " (faster < 0.01 ? "as fast" : faster < 2 ? "0.01 to 2 % faster" : much) }'
  done
done
psl explain wavefront.psl wavefront.W | sed -n '1,6p; $p'
psl run "$TMP/wavefront.psl" --set 'source=measurement[timer]' 2>&1 >/dev/null | sed "s|$TMP|TMP|"
