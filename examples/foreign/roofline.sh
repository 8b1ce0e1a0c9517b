# The evaluator is made and found by -I; in this tree the header has another name than where it is installed.
cp ../../interp/include/evaluator.h "$TMP/psl-evaluator.h"
cc -std=c11 -shared -fPIC -I "$TMP" -o "$TMP/roofline.so" roofline.c
psl run --allow-native -I "$TMP" stencil.psl
psl run --allow-native -I "$TMP" stencil.psl --set 'flops=200 flop' | head -n 1
psl run --allow-native -I "$TMP" stencil.psl --set 'bandwidth=0 GB/s' 2>&1 >/dev/null
