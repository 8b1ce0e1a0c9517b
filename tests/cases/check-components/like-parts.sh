# What a component made by `like` cannot replace, and what to write; `servers`, `discipline` and `firing rule` it can.
cd "$TMP" || exit
for part in 'servers = 3; discipline = priority;' 'servers = unlimited;' 'firing rule = clock > true;' 'servers = 1; servers = 2;' 'servers = 1.5;' \
  'capacity = 5;' 'rate = 5;' 'profile = { number = 0 };' 'profile weight = 0;' 'param capacity = 5;' 'protocol = dataflow;'; do
  echo "use queueing;
component desk like fcfs-station { $part }" > m.psl
  echo "-- $part"
  psl check m.psl 2>&1 | grep -E '^m.psl|^help'
done
