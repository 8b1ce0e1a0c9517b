# Customers that no analysis can tell apart are refused, and simulated together: those who start at one place with other
# arguments, those who come there from sources that are not alike. So are stations that share the clock of their instance.
cd "$TMP" || exit
both() {
  cat > model.psl
  psl run model.psl --error-format short 2>&1 | grep error:
  psl run model.psl --set 'solver=simulation[queueing]' | sed -n '/^by class/,/^$/p'
}
both <<'END'
param solver : term = analysis[MVA];
transaction cycle(think : time);
component customer [c] : 0 <= c < 1 {
  accepts:
    profile     = { node type = customer, evaluation mode = solver };
    transaction = cycle(think);
    protocol    = dataflow;
    servers     = unlimited;
  body:
    hold think;
  requests:
    selector = { node type = customer, c = c }; transaction = cycle(think); protocol = dataflow;
}
system two {
  requests:
    selector = { node type = customer }; transaction = cycle(1 s); protocol = dataflow;
    selector = { node type = customer }; transaction = cycle(3 s); protocol = dataflow;
}
END
both <<'END'
use queueing;
component source [s] : 0 <= s < 2 {
  accepts:
    profile     = { node type = source, evaluation mode = solver };
    transaction = arrive();
    protocol    = dataflow;
  body:
    if s == 0 { hold exponential(2 s); } else { hold 2 s; }
  requests:
    selector = { node type = visitor, class = all }; transaction = cycle(); protocol = dataflow;
    selector = { node type = source, s = s }; transaction = arrive(); protocol = dataflow;
}
component desk like fcfs-station { param service = exponential(0.5 s); profile number = 0; }
component guest like visitors { param class = all; param visits = [1]; }
system two {
  requests: every selector = { node type = source }; transaction = arrive(); protocol = dataflow;
}
END
both <<'END'
param solver : term = analysis[MVA];
transaction first();
transaction second();
component shop [s] : 0 <= s < 1 {
  accepts:
    profile     = { node type = shop, evaluation mode = solver };
    transaction = first();
    protocol    = dataflow;
  body:
    hold exponential(1 s);
  requests:
    selector = { node type = shop, s = s }; transaction = second(); protocol = dataflow;
  accepts:
    transaction = second();
    protocol    = dataflow;
  body:
    hold exponential(1 s);
  requests:
    selector = { node type = shop, s = s }; transaction = first(); protocol = dataflow;
}
system shared {
  requests: selector = { node type = shop }; transaction = first(); visits = 2; protocol = dataflow;
}
END
