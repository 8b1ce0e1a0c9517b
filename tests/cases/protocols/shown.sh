# How a protocol is drawn, listed and explained; what stands behind it in the tree; what a static task graph has of it.
psl graph rendezvous.psl | grep -o 'put: announce<br align="left"/>rendezvous\|dir=both'
psl graph --format json rendezvous.psl | grep -c '"protocol": "rendezvous"'
psl explain rendezvous.psl sender.put | head -1
psl ast rendezvous.psl | sed -n '/^protocol/,/^component/p' | sed '$d'
psl graph --static rendezvous.psl | sed -n '/graph sender/,/^$/p'
echo 'protocol p{->a;repeat{<-b;}one of{{->c;}{<-b;->c;}}}' >"$TMP/p.psl"
psl fmt "$TMP/p.psl"
