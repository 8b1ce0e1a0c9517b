# Solvers as other programs call them: what to write here, at the place.
cat > "$TMP/one.psl" <<'END'
use queueing;
component cpu like fcfs-station { param service = exponential(1 s); profile number = 0; }
component people like closed-customers { param class = people; param visits = [1]; param think = exponential(1 s); }
system office {
  requests:
    selector    = { domain = application, class = people };
    transaction = cycle();
    visits      = 3;
    protocol    = dataflow;
}
END
for solver in 'analysis[layers]' layers 'analysis[LQNS]' 'analysis[convolution]' 'analysis[AMVA]' 'analysis[jackson]' \
  simulated 'simulation[des]' 'analysis[bjb]' 'analysis[asymptotic]'; do
  echo "== $solver"
  psl run "$TMP/one.psl" --set "solver=$solver" 2>&1
done
