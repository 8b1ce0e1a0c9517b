# The same bytes with any number of jobs, and of the same seed; another one learns from other points.
psl recommend wave.psl --set cells=3000 --runs 80 > $TMP/one
psl recommend wave.psl --set cells=3000 --runs 80 --jobs 2 | cmp - $TMP/one && echo same
psl recommend wave.psl --set cells=3000 --runs 80 --seed 0 | cmp - $TMP/one && echo same
psl recommend wave.psl --set cells=3000 --runs 80 --seed 1 | cmp -s - $TMP/one || echo other
