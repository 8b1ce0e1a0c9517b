# What users of other simulators write in a system: where it stands instead.
for setting in 'arrivals = exponential(1 s);' 'arrivals: exponential(1 s);' 'arrival_rate = 3 s^-1;' 'customers = 10;' \
  'think = 5 s;' 'max-time = 10 s;' 'duration: 10 s;' 'seed = 7;' 'repetitions = 5;' 'half-width = 5 %;' \
  'warmup = 10 s;' 'colour = 5;'; do
  echo "== $setting"
  psl check - 2>&1 <<END
transaction begin();
component client {
  accepts:
    profile     = { domain = application, node type = client };
    transaction = begin();
    protocol    = dataflow;
  body:
    hold 1 s;
}
system office {
  $setting
  requests:
    selector    = { domain = application, node type = client };
    transaction = begin();
    protocol    = dataflow;
}
END
done
