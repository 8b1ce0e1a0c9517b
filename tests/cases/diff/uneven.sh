# What the two sides do not have alike. A record of a time and one of data are two figures.
cp uneven.psl ../../../examples/queueing/central-server.psl "$TMP" && cd "$TMP" || exit 1
sed 's/dt = 2 s/dt = 3 MB/' uneven.psl >data.psl
psl diff uneven.psl data.psl
psl diff uneven.psl data.psl --format json | grep '"desk.dt"'
psl diff uneven.psl data.psl --format csv | grep 'desk.dt'
# Of what some repetitions lack the mean is that of the others, without an interval of the difference.
sed 's/exponential(1 s)/exponential(1.3 s)/' uneven.psl >slow.psl
psl diff uneven.psl slow.psl --repetitions 6
psl diff uneven.psl slow.psl --repetitions 6 --format json | grep 'desk.rare'
# A sum that has overflown in one of them, and in both.
psl diff uneven.psl --set big=0.1 --against big=1.0
psl diff uneven.psl --set big=0.1 --against big=1.0 --format json | grep 'huge.*sum'
psl diff uneven.psl slow.psl --repetitions 2 | grep 'huge.sum'
# At a terminal the times stay, and where there is no room for the paths it is said.
for columns in 80 60 40 30; do
  echo "-- $columns"
  COLUMNS=$columns script -qec 'psl diff central-server.psl --against jobs=3 --quiet --color never' /dev/null </dev/null |
    tr -d '\r' | sed '/^other/,$d'
done
psl diff central-server.psl --against jobs=3 --format vertical | sed '/^other/,$d'
