# What a component made by `like` cannot replace, and what to write.
cd "$TMP" || exit
for part in 'servers = 3;' 'discipline = priority;' 'firing rule = true;' 'profile = { number = 0 };' 'profile weight = 0;' 'param capacity = 5;'; do
  echo "use queueing;
component desk like fcfs-station { $part }" > m.psl
  psl check m.psl 2>&1 | grep -E '^m.psl|^help'
done
exit 0
