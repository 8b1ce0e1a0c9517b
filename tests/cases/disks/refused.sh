# What disks, arrays and loads are not: each is refused at the place that says why.
load() { psl run loads.psl --error-format short --quiet "$@" 2>&1 >/dev/null; }
blocks='--set file-device=blocks --set load-by=analysis[queueing]'
load --set 'array=RAID[1]' --set array-disks=3
load --set 'array=RAID[5]' --set array-disks=2
load --set 'array=RAID[6]'
load --set 'array-unit=0 byte'
load --set 'cache-size=1 KiB'
load --set arm-discipline=LIFO
load --set cache-policy=MRU
load --set 'request-rate=0 s^-1'
load --set 'region=1 KiB'
load $blocks --set 'request-rate=1000000 s^-1'
load $blocks --set 'request-rate=4000 s^-1'
load $blocks --set 'request-rate=4000000 s^-1' --set storage-device=solid-state --set 'server-overhead=0 s'
load --set 'load-by=analysis[queueing]' --set 'request-rate=100000 s^-1'
load $blocks --set arm-discipline=SSTF
load $blocks --set 'cache-size=1 MiB'
load $blocks --set access-pattern=sequential
load $blocks --set access-pattern=sequential --set file-servers=1 --set 'array=RAID[0]' --set 'request-size=4 KiB'
load $blocks --set access-pattern=sequential --set file-servers=1 --set 'array=RAID[5]'
load $blocks --set storage-device=tape
load --set file-device=blocks --set storage-device=HP97560 --set 'region=100 GB' --set 'request-rate=1 s^-1'
exit 0
