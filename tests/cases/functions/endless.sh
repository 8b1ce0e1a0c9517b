# Interrupted, compiled and walked; a computer that is busy may take long to begin.
for engine in '' --reference; do
  for wait in 0.5 3 20; do
    timeout -s INT $wait psl run endless.psl $engine 2>/dev/null | grep 'ended by' && break
  done
done
