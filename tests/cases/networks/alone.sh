# Messages that share nothing take what LogGP says, to the last bit: on a star, whichever their size.
for size in 0 1 100 1023 1024 4095 4096 123457; do
  for network in 'analysis[LogGP]' 'simulation[flows]'; do
    psl run ring.psl --set "network=$network" --set "message=$size byte" --format json | grep makespan
  done | uniq -c
done
