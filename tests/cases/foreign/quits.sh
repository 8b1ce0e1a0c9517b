# An evaluator that ends the program, or whose thread does, does not pass for success either.
native="$(dirname "$(command -v psl)")/native"
cat >"$TMP/m.psl" <<END_OF_MODEL
use "$native/quits.so";
param how : int = 0;
transaction go();
component a {
  accepts: profile = { node type = a }; transaction = go(); protocol = dataflow;
  body: let x = call quits.now(how); hold x * 1 s;
}
system s { requests: selector = { node type = a }; transaction = go(); protocol = dataflow; }
END_OF_MODEL
for how in 0 1 2; do
  psl run --allow-native "$TMP/m.psl" --set how=$how | grep '^predicted'
  psl run --allow-native "$TMP/m.psl" --set how=$how >"$TMP/out"
  echo "exit $?"
done
psl study --allow-native "$TMP/m.psl" --vary how=0,1,2 --report makespan --format csv
