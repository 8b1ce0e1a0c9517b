# What functions of evaluators say to be their formulas is what they compute, on either side of each threshold.
# tolerance: 1e-9
for message in 0 1023 1024 4095 4096 8191 8192 1000000; do
  psl derive -q formulas.psl --verify --set "message=$message byte" | tail -1
done
psl derive -q formulas.psl -f psl | tail -n +3
