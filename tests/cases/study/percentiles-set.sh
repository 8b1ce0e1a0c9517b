# A percentile that the model does not list: what is suggested is taken, beside a study of the model, too, and gives what a
# run of its own gives.
cp ../../../examples/queueing/central-server.psl "$TMP" && cd "$TMP" || exit
simulated='solver=simulation[queueing]'
psl study central-server.psl --report job.p80 --vary jobs=2,4
psl study central-server.psl central-server -q --set "$simulated" --set 'percentiles=[80 %, 99.9 %]' --vary jobs=2,4 \
  --report 'job.p80, half = job.p80.half-width, low = job.p80.low, job.p99_9' --db a.db --jobs 2
psl study central-server.psl load -q --report job.p80 --set "$simulated" --vary jobs=4 --set 'percentiles=[80 %]' \
  --format csv | cut -d, -f15-17
psl run central-server.psl -q --set "$simulated" --set jobs=4 --set 'percentiles=[80 %, 99.9 %]' --format csv |
  grep '^responses.*cycle'
# A declaration is read before anything is set.
sed 's/report rate/report job.p80, rate/' central-server.psl > declared.psl
psl study declared.psl
sed 's/^use queueing;/use queueing { param percentiles = [80 %]; }/' declared.psl > listed.psl
psl check listed.psl
# The percentiles of a session, and of a model without the param.
psl -c central-server.psl -e ':set percentiles=[70 %]' -e "study central-server -q --set $simulated --report job.p70" \
  -e 'study central-server --report job.p75'
