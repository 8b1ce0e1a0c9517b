# Percentiles that an analysis does not know: one note for all columns of a study.
psl study ../../../examples/queueing/central-server.psl central-server --vary jobs=2,4 \
  --report 'job.p95, m = job.p50, disk.p95' 2>&1
