# Figures 3.5 and 3.6 with the processors simulated. What leaves the second rank is what the program alone says, under QEMU;
# a message that is cut short brings something else.
riscv64-linux-gnu-gcc -O2 -static k-block.c -o "$TMP/k-block"
cp ./*.psl "$TMP"
cd "$TMP"
psl run figures.psl | head -16
leaving() {
  psl run -f json "$@" figures.psl | perl -MJSON::PP -0777 -ne '
    ($r) = grep { $_->{name} eq "leaving" } @{decode_json($_)->{records}}; printf "%.12g\n", $r->{last}'
}
qemu-riscv64 ./k-block
leaving
leaving --set message=8byte
leaving --set ruu-size=64 --set 'frequency=240 MHz'
psl run figures.psl --set ruu-size=64 --set 'frequency=240 MHz' | head -1
