# The other reading of the paper: handshake terms always in. Simulation knows none of it; the task graph neither.
model=../../../examples/sweep3d/sweep3d.psl
for comm in 'simulation[MPI-Sim]' 'analysis[task-graph]' 'analysis[LogGP]'; do
  for terms in rendezvous always; do
    psl run "$model" --format csv --set iterations=1 --set px=4 --set py=4 --set "comm=$comm" \
      --set handshake_terms=$terms 2>&1 | awk -F, -v of="$comm, $terms" '$3 == "makespan" { printf "%s: %.6f %s\n", of, $4, $5 } /error/'
  done
done
