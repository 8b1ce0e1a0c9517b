# A task graph has no warm-up; nor has an option one that is no time.
psl run ../taskgraph/assign.psl --warm-up 1s | grep "^ended"
for time in 10 -1s soon; do
  psl run shares.psl --warm-up $time
  echo "exit $?"
done
