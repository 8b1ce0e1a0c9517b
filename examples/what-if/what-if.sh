# Which upgrade helps which program? By how many percent the time of four programs on 32 ranks changes with one thing
# about the machine, each by one command: half the latency, twice the bandwidth, a processor 1.5 times as fast, a torus in
# place of the fat tree, nodes that hold two ranks of one column of the grid of ranks in place of two of one row.
seconds() { psl replay "$@" --model machine.psl --format csv --quiet | sed -n 's/^result,[a-z]*,makespan,\([^,]*\).*/\1/p'; }
change() { seconds "$trace" "$@" | awk -v before="$before" '{ printf "%+8.1f", ($1 / before - 1) * 100 }'; }
printf '%-11s%9s%8s%8s%8s%8s%8s\n' program time latency band speed torus tiles
for program in jacobi fft cg wavefront; do
  trace=$program.tit before=$(seconds $program.tit)
  printf '%-11s%6.2f ms' "$program" "$(echo "$before" | awk '{ print $1 * 1000 }')"
  change --set 'L=10 us'
  change --set 'G=10 ns/byte'
  change --set speed=1.5
  change --set topology=torus
  change --set mapping=tile --set grid-columns=4
  echo
done
