# The figures of a network in CSV, JSON, studies and sessions; uncertain demands; the same under --reference.
psl run repair.psl --format csv
psl run repair.psl --format json
psl run repair.psl --set 'solver=analysis[bounds]'
psl run repair.psl --set 'solver=analysis[bounds]' --format csv | grep '^class'
psl run repair.psl > "$TMP/compiled"
psl run repair.psl --reference | diff - "$TMP/compiled" && echo the same
psl study repair.psl --vary machines=1..9*3 --vary 'solver=analysis[MVA],analysis[Bard]' --format csv
cat repair.psl > "$TMP/model.psl"
cat >> "$TMP/model.psl" <<'P'
study growth of repair {
  vary     machines in [2, 4, 8], solver in [analysis[MVA], analysis[bounds]];
  report   repairs = all.throughput, response = all.response, busy = repairmen-all.utilisation, line = repairmen-all.queue,
           visit = repairmen-all.response;
  maximize most = all.throughput;
}
P
(cd "$TMP" && psl study model.psl)
sed 's/hold exponential(2 s)/hold 1.5 s .. 2.5 s/' base.psl > "$TMP/range.psl"
(cd "$TMP" && psl run range.psl | head -1)
cat > "$TMP/questions" <<'P'
run
last.all.throughput * 60 s
last.repairmen-all.queue
last.repairmen-all.utilisation -> %
P
psl -c repair.psl < "$TMP/questions" | tail -3
