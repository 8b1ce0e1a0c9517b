# The certified values of NIST's Statistical Reference Datasets for linear regression
# (https://www.itl.nist.gov/div898/strd/lls/lls.shtml), each to a part of 1e-9: coefficient and its standard deviation
# in turn, then the residual standard deviation and R².
check() { # NAME TERMS VALUE...
  name=$1 terms=$2
  shift 2
  psl fit $name.csv --column y --terms "$terms" --format json > "$TMP/json" || exit 1
  { sed -n 's/.*"term": .*"coefficient": \([^,]*\), "standard_error": \([^,]*\),.*/\1 \2/p' "$TMP/json"
    sed -n 's/.*"sigma": \([^,]*\),.*/\1/p' "$TMP/json"
    sed -n 's/.*"r2": \([^,]*\), "adjusted.*/\1/p' "$TMP/json"; } | tr ' ' '\n' > "$TMP/found"
  printf '%s\n' "$@" | paste "$TMP/found" - | awk -v name=$name '
    { difference = ($1 - $2) / $2; if (difference < 0) difference = -difference
      if (!(difference < 1e-9)) { print name ": " $1 " is not " $2; wrong = 1 } }
    END { print name ": " NR " certified values" (wrong ? ", not all met" : "") }'
}
check norris '1, x' -0.262323073774029 0.232818234301152 1.00211681802045 0.429796848199937E-03 \
  0.884796396144373 0.999993745883712
check pontius '1, x, x^2' 0.673565789473684E-03 0.107938612033077E-03 0.732059160401003E-06 0.157817399981659E-09 \
  -0.316081871345029E-14 0.486652849992036E-16 0.205177424076185E-03 0.999999900178537
check noint1 x 2.07438016528926 0.165289256198347E-01 3.56753034006338 0.999365492298663
check longley '1, x1, x2, x3, x4, x5, x6' -3482258.63459582 890420.383607373 15.0618722713733 84.9149257747669 \
  -0.358191792925910E-01 0.334910077722432E-01 -2.02022980381683 0.488399681651699 \
  -1.03322686717359 0.214274163161675 -0.511041056535807E-01 0.226073200069370 \
  1829.15146461355 455.478499142212 304.854073561965 0.995479004577296
