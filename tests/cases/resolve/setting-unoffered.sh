# A setting that nobody offers is said once, with what is offered, whatever number of requests asks for it.
here=$(pwd)/../program
cd "$TMP" || exit
psl replay "$here/point-to-point.tit" --set network=torus
psl replay "$here/point-to-point.tit" --set network=flows
psl replay "$here/point-to-point.tit" --vary 'network=torus,simulation[NIC]' --report makespan 2>&1 | sed -n '1,6p'
