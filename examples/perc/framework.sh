# The time of a program on three machines, by three ways to put the time of a block together.
for machine in modern small old; do
  for combination in memory sum maximum; do
    printf '%-7s%-9s' $machine $combination
    psl replay ../what-if/jacobi.tit --model framework.psl --set machine=$machine --set combination=$combination \
      --format csv --quiet | sed -n 's/^result,[a-z]*,makespan,\([^,]*\).*/\1/p'
  done
done
# What the old machine's caches, memory, floating point and network make of the difference from the modern one.
psl diff framework.psl --allow-read ../what-if --set 'trace="../what-if/jacobi.tit"' --against first-level=old \
  --against second-level=old --against main-memory=old --against floating-point=old --against L='computer(machine = old).L' \
  --against G='computer(machine = old).G' | sed -n '1,3p; /^  change/,/^$/p' | sed 's/  *computer(machine = old)\../  old/'
