# Of sizes that are divided evenly analysis knows what they take where nobody waits, in closed form. Writes to drives, of 64 KiB
# each: a whole row of 4 drives takes 20 us + 1.2 * 65536 / 400e6 s = 216.6 us; half a row of 5 is read before, which takes
# 80 us + 65536 / 400e6 s = 243.84 us more, 460.4 us. 4 MiB on 4 servers take 100 us + 1048576 / 500e6 s = 2.197 ms; 512 KiB, on
# one of them, 100 us + 524288 / 500e6 s = 1.149 ms.
# Other sizes are refused: 150 KiB are no whole row of 192, 128 KiB lie in two rows of three units now and then, 66 KiB are on two
# devices or three, and of 1100 KiB a server has the whole of a stripe, another one less.
# A read of two rows reads the parity between them, too, as it lies.
load() {
  psl run loads.psl --error-format short --quiet --set 'load-by=analysis[queueing]' --set 'request-rate=1e-6 s^-1' \
    --set 'access-latency=0 s' --set 'client-rate=1000 GB/s' "$@" 2>&1 | grep 'error\|^predicted'
}
drives() {
  load --set file-device=blocks --set storage-device=solid-state --set file-servers=1 --set 'server-overhead=0 s' "$@"
}
drives --set 'array=RAID[5]' --set write-part=1 --set 'request-size=192 KiB'
drives --set 'array=RAID[5]' --set write-part=1 --set 'request-size=128 KiB' --set array-disks=5
load --set 'request-size=4 MiB'
load --set 'request-size=512 KiB'
drives --set 'array=RAID[5]' --set write-part=1 --set 'request-size=150 KiB'
drives --set 'array=RAID[5]' --set write-part=1 --set 'request-size=128 KiB'
drives --set 'array=RAID[0]' --set 'request-size=66 KiB'
load --set 'request-size=1100 KiB'
drives --set 'array=RAID[5]' --set write-part=0 --set 'request-size=384 KiB'
exit 0
