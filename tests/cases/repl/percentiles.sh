# Percentiles of a component that is no station of a network of queues.
psl -c farm.psl --keep-going 2>&1 <<'END'
p95(disk-drive)
run --format csv -o /dev/null
p95(disk-drive)
last.disk-drive.p95
END
