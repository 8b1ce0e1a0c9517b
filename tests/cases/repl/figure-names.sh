# A figure counted by an evaluator is a field of 'last' whatever its instance: two takers of 3 of 4 for 2 s, one after another.
psl --no-rc -c stores.psl <<'END'
run
last.allocations-of-pool_0
last.mean-in-use-of-pool_0
last.mean-number-that-wait-at-pool_0
last.mean-in-use-of-grid_1_0
last.mean-in-use-of-pool
END
echo "[exit $?]"
