# Memory as a function of the size: what a stencil takes where its points along a side lie in a range, and runs within.
# PSL names the command.
# tolerance: 1e-6
set -eu
psl=${PSL:-psl}
model=$(dirname "$0")/stencil.psl
"$psl" derive "$model" --decide --verify
for cache in '8 KiB' '32 KiB' '256 KiB'; do
  echo "a cache of $cache, 32 to 256 points along a side"
  "$psl" derive "$model" --set "cache=$cache" --decide --range n=32..256 | grep 'in the ranges' | tail -1
  for n in 32 100 256; do
    "$psl" run -q "$model" --set "cache=$cache" --set n=$n | head -1
  done
done
