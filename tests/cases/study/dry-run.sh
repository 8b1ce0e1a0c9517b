# What a study would run: its points, how many values each param takes, and which runs a database has already. Nothing is
# run, and the database stays as it is: counted again here by a run of the same study.
cp farm.psl "$TMP" && cd "$TMP" || exit 1
psl study farm.psl farm --vary workers=2,3,4 --vary work=20s,40s --dry-run
psl study farm.psl farm --vary workers=2,3 --db kept.db -q >/dev/null
sum=$(cksum <kept.db)
psl study farm.psl farm --vary workers=2,3,4 --dry-run --db kept.db
psl study farm.psl farm --vary workers=2,3,4 --dry-run --db kept.db --repetitions 2 --where 'workers != 3' --format json
psl study farm.psl farm --vary workers=2,3,4 --dry-run --db kept.db --format csv
psl study farm.psl farm --vary workers=2,3,4 --dry-run --db none.db && ls
[ "$sum" = "$(cksum <kept.db)" ] && echo 'the database is as it was'
psl study farm.psl farm --vary workers=2,3,4 --db kept.db --format csv -q | wc -l
psl study farm.psl farm --vary workers=2,3,4 --dry-run --db kept.db --format json | grep _count
psl study farm.psl farm --vary workers=2,3 --minimize makespan --search always --dry-run
psl study farm.psl farm --vary workers=2,3 --dryrun
