# A range of whole numbers is compared as studies walk it: by steps, by factors, among other values; others are refused.
farm=../../../examples/farm/farm.psl
t() {
  echo "$ psl $*"
  psl "$@" 2>&1 | sed '/^$/,$d'
}
for values in 1..3 1..9+2 '1..9 by 4' 1..16*2 '1..16 by * 4' 2..3,8; do
  echo "$values: $(psl compare $farm --vary "workers=$values" | sed -n '3,/^$/s/^  \([0-9]*\) .*/\1/p' | tr '\n' ' ')"
done
t compare $farm --vary workers=1..400
t compare $farm --vary workers=4..1
t compare $farm --vary workers=1..
t compare $farm --vary work=1s..9s
t compare $farm --vary workers=1..4 by 2
