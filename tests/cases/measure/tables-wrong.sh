# Tables of measurements that no computer gives are refused at their row, and nothing is written of them: sets, caches, times,
# processors and names that cannot be, more sets and tests than a profile can have, whatever room they would take.
measure() { psl measure "$@" 2>&1; echo "[$?]"; }
memory() { # a table of loads from three sets, and more rows
  {
    echo 'test,stride,processors,bytes [KiB],time [ns]'
    printf '%s\n' load,1,1,16,0.5 load,1,1,64,1 load,1,1,256,1 load,8,1,16,0.5 load,8,1,64,8 load,8,1,256,8
    printf '%s\n' random,0,1,16,0.5 random,0,1,64,20 random,0,1,256,20 "$@"
  } | measure memory --from -
}
memory cache,0,1,32,0 load,1,1,16,0.5 cache,0,1,32,0
memory cache,0,1,128,0 cache,0,1,32,0
memory cache,0,1,0,0
memory $(for k in 1 2 3 4 5 6 7 8; do echo cache,0,1,$k,0; done)
memory load,1,1,0,0.5
memory load,1,1,0.0001,0.5
memory load,1,1,16,1e-300
memory load,1,1,16,1e-7
memory load,1,1,16,1e19
memory float,0,1,0,0
memory loaf,1,1,16,1
memory load,1,1.5,16,1
memory load,1.5,1,16,1
memory $(for operation in add integer multiply fused divide root forward mixed branch; do echo $operation,0,1,0,1; done) float,0,1,0,0.5 |
  sed -n '/^component/p;$p'
memory $(seq -f load,64,1,%.0f,1 1 1001)
memory $(seq -f load,64,%.0f,1,1 1 100000)
compute() { { echo operation,lanes,chains,time; printf '%s\n' add,1,1,2e-9 add,1,12,1e-9 add,4,1,2e-9 "$@"; } | measure compute --from -; }
compute add,4,12,1e-310
compute add,4.5,12,1e-9
compute add,4,12.5,1e-9
compute add,4,12,2e9
messages() { { echo test,bytes,time; printf 'round-trip,%s,1e-5\n' 1 2 3; printf '%s\n' "$@"; } | measure messages --from -; }
messages round-trip,4,1e-300
messages send,4,1e-300
messages send,4,0 | tail -1
messages $(for k in $(seq 20000); do echo t$k,4,1; done) | tail -1
# At the ends of what can be, what is written is PSL.
for time in 1e-15 1e9; do
  { echo test,stride,processors,bytes,time
    for test in load,1 load,8 random,0 chase,0 store,1 store,8 load,64 load,520 interleaved,1; do
      printf "$test,1,%s,$time\n" 1 1e9 1e18
    done
    printf "%s,1,1,$time\n" float,0 integers,1 copy,1
  } | psl measure memory --from - -o "$TMP/ends.psl"
  psl check "$TMP/ends.psl" | sed 's|.*/||'
  { echo operation,lanes,chains,time
    for operation in add divide; do printf "$operation,%s,$time\n" 1,1 1,1024 1024,1 1024,1024; done
  } | psl measure compute --from - -o "$TMP/ends.psl"
  psl check "$TMP/ends.psl" | sed 's|.*/||'
done
# A name is looked at before the measurement, too, whose table stays.
echo kept > "$TMP/kept.csv"
for what in memory compute 'messages --mpirun none'; do measure $what --name true --table "$TMP/kept.csv"; done
cat "$TMP/kept.csv"
for name in true machine SP2 computer ratio; do echo 'test,bytes,time' | measure messages --name $name --from -; done
