# The time of a program on three machines, by three ways to put the time of a block together.
for machine in modern small old; do
  for combination in memory sum maximum; do
    printf '%-7s%-9s' $machine $combination
    psl replay ../what-if/jacobi.tit --model framework.psl --set machine=$machine --set combination=$combination \
      --format csv --quiet | sed -n 's/^result,[a-z]*,makespan,\([^,]*\).*/\1/p'
  done
done
