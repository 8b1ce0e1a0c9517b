# A condition may leave out points whose params are outside of the range that the model has for them; what it leaves in and the
# model does not take fails. A search does the same.
cd "$TMP" && cp "$OLDPWD/../../../examples/farm/farm.psl" . || exit 1
cat > some.psl <<'END'
use "farm.psl";
param half : int = workers div 2 in 1 .. 20;
study some of farm { vary workers in [0, 4, 8, 1001]; where workers > 0 and workers < 1001; report makespan; }
study other of farm { vary workers in [1, 8, 60]; where half >= 1 and half <= 20; report makespan; }
study wrong of farm { vary workers in [0, 4]; where workers < 5; report makespan; }
END
psl study some.psl some --format csv --db some.db
sqlite3 some.db "SELECT points FROM study" "SELECT number, workers, status FROM some"
psl study some.psl other --format csv
psl study some.psl wrong --format csv
echo "exit $?"
psl study some.psl some --minimize makespan --search always -j 2 2>&1
