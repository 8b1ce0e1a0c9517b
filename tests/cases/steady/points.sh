# Points whose intervals are wider than wanted: the warning says at which point, and of what the widest is.
psl study one-server.psl --vary between=2s,4s --set 'solver=simulation[queueing]' --set queueing.limit=5000 2>&1
psl compare one-server.psl --vary between=2s,4s --set 'solver=simulation[queueing]' --set queueing.limit=5000 2>&1 | grep -A4 warning
