# The instances of 'last' by their indices, as studies have them, or by the names of its fields.
psl --keep-going -c ../study/instances.psl 2>&1 <<END
run -o $TMP/run
last.stage[1].starved
last.stage[1].starved.mean - last.stage_1.starved.mean
last.stage[ 2 ].starved.sum / last.stage[0].starved.sum
let twice = 2 * last.stage[1].starved.sum;
run --set stages=1 -o $TMP/run
twice
last.stage[0].starved
run --set stages=2 -o $TMP/run
last.stage[7].starved
last.stage[1 + 1].starved
last.stage[1, 1].starved
last.stock[0].level
last.stoge[1]
let stages-of = [0, 1, 2];
last.stage[stages-of[1]].starved
last(stages-of)
let last = { stage = [3, 4] };
last.stage[1]
END
