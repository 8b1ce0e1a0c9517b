# Commands and options as other programs have them, and what `psl explain` is asked for: each is told what to write.
run() {
  echo "== psl $*"
  psl "$@" 2>&1
}
for word in execute analyze queueing mva lqns; do run "$word" wrong-statements.model; done
run run wrong-statements.model --time 10
run run wrong-statements.model --horizon 10
run explain wrong-statements.model 'client[0].work'
run explain wrong-statements.model 'client[0]'
run explain wrong-statements.model client.done
