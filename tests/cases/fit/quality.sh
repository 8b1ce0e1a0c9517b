# The first functions of `make fits`: bounds that hold for all of them hold for these.
../../fit-quality psl 60 | awk '$1 == "all" {
  print ($3 >= 83 ? "predicts" : "does not predict " $3), ($13 <= 5 ? "without spurious terms" : "with spurious terms " $13)
}'
