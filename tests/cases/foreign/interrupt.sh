# Ctrl-C while C is at work: the next function that it calls stops, C gets zeros until it ends, then the run does.
for engine in '' --reference; do
  psl run callback-interrupted.psl --allow-native $engine
  echo "exit $?"
done
