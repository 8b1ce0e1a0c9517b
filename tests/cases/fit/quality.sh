# The first functions of `make fits`: bounds that hold for all of them hold for these. Sanitizers take fewer, which last.
# Plain build alone: many fits like those of the other cases.
cases=60
[ -z "$PSL_SANITIZED" ] || cases=12
../../fit-quality psl $cases | awk '$1 == "all" {
  print ($3 >= 83 ? "predicts" : "does not predict " $3), ($13 <= 5 ? "without spurious terms" : "with spurious terms " $13)
}'
