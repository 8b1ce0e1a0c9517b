# The report of a replay says the machine, the network and the costs that it took, where nobody has set them.
cd ../../../examples/traces
by_default() { psl replay "${trace:-jacobi.tit}" "$@" 2>/dev/null | sed -n '/^by default$/,/^$/p'; }
by_default
by_default --set machine=cluster --set 'network=simulation[NIC]'
by_default --set machine=cluster --set 'network=simulation[NIC]' --set 'costs=analysis[LogGOPS]'
psl replay jacobi.tit --format json 2>/dev/null | tr -d " \n" | sed 's/.*\("params_unset":.*\),"assumptions.*/\1/; s/}]}*$/}]/'; echo
# A file of Dimemas has them all.
trace=jacobi.dim by_default --dimemas cluster.cfg
