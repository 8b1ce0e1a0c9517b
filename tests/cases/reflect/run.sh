# Programs that ask a model: what it answers, what it does not, what is inside of what. The clock is the sum of the answers:
# 5 * 3 ms + (0 + 1 + 2 + 3 + 4) s, and 1.001 s + 2.002 s.
cc -I ../../../evaluators/programs/reflector -o "$TMP/uses" uses.c "$PSL_BUILD/libpsl-reflector.a" -pthread -lm
answered="psl reflect --costs none --model answers.psl"
"$TMP/uses" uses | sed 's/clock.*//'
$answered "$TMP/uses" uses
$answered --reference "$TMP/uses" uses | grep predicted
$answered "$TMP/uses" nested | grep -e inside -e predicted
$answered "$TMP/uses" deep | grep -e back -e predicted
$answered "$TMP/uses" steered | grep -e changed -e predicted
psl reflect --costs none "$TMP/uses" uses | grep -e times -e predicted
