# M/G/1 whose service is not exponential has a mean by Pollaczek and Khinchine, 1 + 0.5 x 1.5 / 2 / 0.5 = 1.75 s of Erlang's
# two phases of 0.5 s each, and no percentiles: the report says that, and who has them.
for law in 'exponential(1 s)' 'gamma(2, 0.5 s)' 'erlang(2, 1 s)'; do
  sed "/^ *hold exponential(1 s)/s/exponential.*;/$law;/; /^\/\/ /d" ../steady/one-server.psl >"$TMP/one.psl"
  echo "$law"
  psl run "$TMP/one.psl" --set 'solver=analysis[open]' | grep -e ^predicted -e '^  server *visit' -e 'no closed form'
done
