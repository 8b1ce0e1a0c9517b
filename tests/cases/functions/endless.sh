# Ctrl-C, which a function of C sends, breaks off a fold without an end inside a function, compiled and walked.
for engine in '' --reference; do
  psl run endless-fold.psl --allow-native $engine
  echo "exit $?"
done
