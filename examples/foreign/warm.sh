# The library is made and found by -I; a model that loads one has to be allowed to.
cc -std=c11 -shared -fPIC -O2 -o "$TMP/calculus.so" calculus.c -lm
psl check cores.psl
psl run --allow-native -I "$TMP" cores.psl
psl run --allow-native -I "$TMP" cores.psl --set 'cold=2.5 Gflop/s' | head -n 1
