# What psl trace info says of the trace of a run is what the run's report says: wait is late sender, late receiver and
# collective there, transfer and collective what is left of communication. Calls take no time here, and lie one on another
# or in the midst of a computation: rank 0 posts its receive at 0 s and waits from 1 s on for what is sent at 3 s, whose
# 1000 bytes take L + 999 G = 0.101 s; its rendezvous then waits from 4.101 s to 5 s for its receiver, which is 0.25 s late at
# the end. Of the messages that the allreduce is made of no call is told.
cd "$TMP" || exit
cat >w.tit <<'END'
0 init
0 irecv 1 5 1000
0 sleep 1
0 wait 1 0 5
0 isend 1 6 200000
0 sleep 1
0 wait 0 1 6
0 allreduce 8 0
0 sleep 0.5
0 finalize
1 init
1 sleep 3
1 isend 0 5 1000
1 wait 1 0 5
1 sleep 2
1 recv 0 6 200000
1 sleep 0.25
1 allreduce 8 0
1 finalize
END
costs='--set os=0s --set ol=0s --set L=0.1s --set g=0s --set G=1us/byte --set Gl=1us/byte'
thresholds='--set overhead-threshold=1MB --set handshake-threshold=100kB'
psl replay w.tit $costs $thresholds --by rank --trace w.prv | sed -n '/^where it goes/,/^by component/p'
grep '^[23]' w.prv
psl trace info w.prv --by rank | sed -n '/^operations by/,$p'

echo '--- times of Dimemas: a wait that is not divided is found out by who came when; an operation without a name of MPI is transfer'
cat >m.cfg <<'END'
#DIMEMAS_CONFIGURATION
"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"", 0, "", 2, 1.0, 0, 3};;
"multi node information" {0, 2, "", 1, 1.0, 0.0, 0.0, 1, 1, 0, 0.004, 1, 1, 0.0};;
"predefined mapping information" {"1 TASKS_PER_NODE"};;
END
psl replay w.tit --dimemas m.cfg --trace d.prv | sed -n '/^where it goes/,/^$/p'
grep '^3' d.prv
psl trace info d.prv --by rank | sed -n '/^by rank/,/^$/p'
