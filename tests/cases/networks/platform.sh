# tolerance: 1e-12
# Nodes 0 to 3 are the cluster's hosts, 4 and 5 are a and b. Messages of 1 MB.
run() {
  echo "$1"
  shift
  psl run transfers.psl --set topology=platform --set 'platform-file="site.xml"' --set network=simulation[flows] \
    --set L=0s --set G=0s/byte --set Gl=0s/byte "$@" --quiet --format csv |
    grep -e '^records,.*m..imum' -e 'utilisation' | cut -d, -f2-
}
run 'in the cluster: 1 + 2 + 1 ms and 2 MB/s' --set 'arrive=[0.504 s]'
run 'two there: the backbone has 3 MB/s' --set 'from=[0, 1]' --set 'to=[2, 3]' --set 'arrive=[0.670666666666667 s]'
run 'from a to b and back: a link that both directions share' --set 'from=[4, 5]' --set 'to=[5, 4]' --set 'arrive=[2.003 s]'
run 'from the cluster to a: 1 + 2 + 10 + 4 ms, 1 MB/s' --set 'to=[4]' --set 'arrive=[1.017 s]'
run 'and back at the same time: links of two directions' --set 'from=[0, 4]' --set 'to=[4, 0]' --set 'arrive=[1.017 s]'
run 'to a and b: the wide link is for both, b asks 4 ms earlier' --set 'from=[0, 1]' --set 'to=[4, 5]' \
  --set 'arrive=[2.013 s, 2.009 s]'
wrong() {
  sed "$1" site.xml >$TMP/wrong.xml
  psl run transfers.psl --allow-read $TMP --set topology=platform --set "platform-file=\"$TMP/wrong.xml\"" --quiet \
    --set network=simulation[flows] --error-format short 2>&1 >/dev/null | sed 's/.*error: //'
}
wrong 's/id="ab" direction="UP"//; s/<link_ctn id="ab"/<link_ctn id="abc"/'
wrong 's/gw_dst="gate"/gw_dst="lr"/'
wrong 's/gw_dst="gate"/gw_dst="door"/'
wrong '/zoneRoute/d'
wrong 's/<route src="a" dst="gate">/<route src="b" dst="a">/'
wrong 's/dst="right"/dst="left2"/'
wrong 's/<host id="b"/<host id="a"/'
wrong 's/id="wide" bandwidth/id="ab2" bandwidth/'
wrong 's/<zone id="right"/<zone id="world"/'
wrong 's/bandwidth="1MBps"/bandwidth="1 apple"/'
wrong 's/latency="4ms"/latency="-4ms"/'
wrong 's/SPLITDUPLEX/FATPIPE/'
wrong 's/routing="Full"/routing="Vivaldi"/'
wrong 's/radical="0-2,4"/radical="2-0"/'
wrong 's/speed="1Gf" bw="2MBps"//'
wrong 's/<cluster/<cluster topology="TORUS"/'
wrong 's/<router id="gate"/<peer id="gate"/'
wrong 's/<platform version="4.1">/<platforms>/; s/platform>$/platforms>/'
wrong '/<\/zone>/d'
wrong 's/<!DOCTYPE.*/<!DOCTYPE platform [<!ENTITY x "\&x;">]>/; s/id="ab" b/id="\&x;" b/'
wrong 's/<zone id="right"/<include file="wrong.xml"\/>&/'
wrong 's/<zoneRoute src="left"/<zoneRoute src="world"/'
psl run transfers.psl --set topology=platform --quiet --set network=simulation[flows] --error-format short 2>&1 >/dev/null |
  sed 's/.*error: //'
psl run transfers.psl --set topology=platform --set 'platform-file="/etc/fstab"' --quiet --set network=simulation[flows] \
  --error-format short 2>&1 >/dev/null | sed 's/.*error: //'
# What is not read of the file is said.
psl run transfers.psl --set topology=platform --set 'platform-file="site.xml"' --set network=simulation[flows] --set 'arrive=[]' --quiet |
  grep 'of the platform'
