# How do four disks of 1992 bear small requests, as which arrays? By queueing analysis; and the last point of these simulated, too.
for array in 'RAID[0]' 'RAID[1]' 'RAID[5]'; do
  echo "$array"
  psl compare load.psl --set "array=$array" --vary 'request-rate=20 s^-1,40 s^-1,60 s^-1' | sed -n '2,6p'
done
echo 'simulated'
psl run load.psl --quiet --set 'array=RAID[5]' --set 'load-by=simulation[storage]' | grep response
