# The search finds a point as good as the best of all 120, under each paradigm, by 50 runs at most.
for comm in 'analysis[LogGP]' 'simulation[MPI-Sim]' 'analysis[task-graph]'; do
  echo "$comm"
  set -- blocking.psl --allow-read ../../../examples --set "comm=$comm" --set px=3 --set py=2 --set iterations=1 --set K=20 --format csv
  psl study "$@" --search always --evaluations 50 --output "$TMP/some.csv" 2>&1 | sed '/ | /d'
  psl study "$@" --output "$TMP/all.csv"
  for file in some all; do sed 1d "$TMP/$file.csv" | cut -d, -f3 | grep . | sort -g | head -1; done
done
