# What a profile or a signature may not have: each is refused, by the assertion that it does not meet.
base=$PWD/levels-bound.psl
refuse() { # what, a change of the model
  sed "$2" "$base" | sed '/^function close/,$d' > "$TMP/model.psl"
  cmp -s "$TMP/model.psl" "$TMP/same.psl" && echo "$1: nothing changed"
  printf '%s: ' "$1"
  psl check "$TMP/model.psl" --set machine=two 2>&1 | sed -n 's/.*assertion failed: //p' | head -1 | cut -c1-60
}
sed '/^function close/,$d' "$base" > "$TMP/same.psl"
psl check "$TMP/same.psl" --set machine=two 2>&1 | grep -c 'no errors'
refuse 'sets that fall' 's/param sets .*/param sets = [4 KiB, 1 KiB, 16 MiB];/'
refuse 'a set of nothing' 's/param sets .*/param sets = [0 KiB, 1 KiB, 16 MiB];/'
refuse 'fewer rates than sets' 's/param random .*/param random = [4 GB\/s, 0.8 GB\/s];/'
refuse 'a rate of none' 's/param store-strided .*/param store-strided = [4 GB\/s, 0 GB\/s, 1 GB\/s];/'
refuse 'a spread around none' 's/  param strided .*/  param spread = -1 .. 1;\n&/'
refuse 'latencies of two steps' 's/param latencies .*/param latencies = [1 ns, 2 ns];/'
refuse 'latency of two sets' 's/param latency .*/param latency = [1 ns, 2 ns];/'
refuse 'an instruction in no time' 's/  param strided .*/  param instruction-time = -1 ns;\n&/'
refuse 'lines of nothing' 's/lines  *= .32 byte, 128 byte.;/lines = [0 byte, 128 byte];/'
refuse 'less than no loads' 's/\[1600, 1600, 1600, 1600,/[1600, 1600, -1600, 1600,/'
refuse 'a block of 13 numbers' 's/\[1600, 1600, 1600, 1600, 0,/[1600, 1600, 1600, 1600,/'
refuse 'served of one level more' 's/\[0, 1200, 0, 0, 1200,/[0, 0, 0, 0, 0, 0, 0, 1200, 0, 0, 1200,/'
refuse 'chains of seven steps' 's/\[10, 0, 0, 0, 0, 0, 0, 100\]/[10, 0, 0, 0, 0, 0, 100]/'
refuse 'chains of three blocks' 's/\[\[0, 0, 0, 0, 0, 0, 0, 0\], /[/'
refuse 'more loads of numbers than loads' 's/\(1600, 0, 0, 0, 0, 0, 1600, 0, 0, 0, 0, 0\)\]/\1, 1601]/'
