# Factors that depend on the work, as psl calibrate writes them: both shares of a nest keep their proportion, and a
# factor's piece is decided where all ranks have their work in it.
cat > "$TMP/nest.psl" <<'END'
use machines;
use message-cost;
param n : int = 1000 in 1 .. 10000;
param ranks : int = 4 in 1 .. 64;
param float-time : time = 0.5 ns;
param load-time : time = 0.25 ns;
param nest-factor : [real] = [1.0, 0.1, 0.2];
param nest-work : [time] = [1 us, 2 us, 3 us];
transaction go();
component one [rank] : 0 <= rank < ranks {
  accepts:
    profile     = { domain = application[nests], node type = one };
    transaction = go();
    protocol    = dataflow;
  body:
    call nest((n * (rank + 1) div ranks - n * rank div ranks) * (30 * float-time + 20 * load-time));
  requests:
    nest(work): selector    = { domain = hardware[processor], node type = processor, machine = machine };
                transaction = execute(work * interpolate(nest-work, nest-factor, work));
                protocol    = call-return;
}
system nests {
  requests: every selector = { domain = application[nests], node type = one }; transaction = go(); protocol = dataflow;
}
END
echo "three quarters are compute, whatever the factor"
for work in '[1us,2us,3us]' '[1us,4us,7us]' '[1us,5us,9us]' '[6us,7us,8us]'; do
  psl derive "$TMP/nest.psl" --set "nest-work=$work" --verify |
    grep -E '^  (compute|memory|in all) =|^      [0-9.-]+ [a-z]*s|one.1.'
done
echo "decided for all ranks"
psl derive "$TMP/nest.psl" --set 'nest-work=[1us,3us,5us]' --decide --range n=900..980
echo "ranks lie in two pieces of the first, and in one of the second"
for knot in 5.01us 4.99us; do
  psl derive "$TMP/nest.psl" --set "nest-work=[1us,$knot,9us]" --set n=1001 --decide | grep -o 'if' | wc -l
done
psl derive "$TMP/nest.psl" -f latex | grep -o 'mathrm{s^[^}]*}}' | sort -u
