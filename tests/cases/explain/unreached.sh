# A component that no request reaches is said, unless a param may choose it, others are like it, or it is another file's;
# the library's templates are no candidates.
psl check ../../../examples/farm/farm.psl 2>&1
cat >$TMP/ring.psl <<'END'
use machines;
use message-cost;
transaction go();
param comm : term = a in [a, b];
component one { accepts: profile = { node type = one, way = a }; transaction = go(); protocol = call-return; }
component other { accepts: profile = { node type = one, way = b }; transaction = go(); protocol = call-return; }
component spare { accepts: profile = { node type = spare }; transaction = go(); protocol = call-return; }
component base { accepts: profile = { node type = base }; transaction = go(); protocol = call-return;
  requests: selector = { domain = hardware[processor], machine = machine }; transaction = execute(1 s); protocol = call-return; }
component made like base { profile node type = two; }
component mine like computer { param L = 1 us; param os = 1 us; param G = 1 ns/byte; profile machine = mine; }
system s {
  requests:
    selector = { node type = one, way = comm }; transaction = go(); protocol = call-return;
    selector = { node type = two }; transaction = go(); protocol = call-return;
}
END
psl check $TMP/ring.psl 2>&1 | sed "s|$TMP|TMP|"
psl explain $TMP/ring.psl made | sed "s|(.*stdlib|(stdlib|; s|$TMP|TMP|"
