# The page of a trace: on standard output, of one that has no times, of one that is cut off; what has no page.
cd "$TMP" || exit
printf '0 init\n0 compute 1e6\n0 send 1 0 100\n0 finalize\n1 init\n1 recv 0 0 100\n1 finalize\n' >t.tit
psl replay t.tit --record t.trace >replay.txt
headings() { grep -oE '<(h1|h2|h3|dt|dd class="value")[^>]*>[^<]*|^<p>[^<]*' | sed 's/<[^>]*>//'; }
psl report t.trace | headings
echo '--- without times'
psl report t.tit | headings
echo '--- no page'
psl report t.trace spread
head -c 70 t.trace >cut.trace
psl report cut.trace | headings | head -n 8
printf '0 init\n0 compute x\n' >w.tit
psl report w.tit -o w.html && headings <w.html | head -n 8
psl report t.trace -o page.svg
ls
echo '--- bandwidth is of time: 1 MB over the time that the one message takes'
printf '0 compute 1e9\n0 send 1 0 1000000\n1 recv 0 0 1000000\n' >m.tit
psl replay m.tit --record m.trace >replay.txt
psl report m.trace | sed -n 's/.*>\([0-9.]* [kMG]*B\/s\)<\/td>.*/\1/p' | tail -n 1
psl trace info m.trace | sed -n 's/^ *1 MiB .* \([0-9.]*\) ms$/\1/p' | awk '{ printf "%.2f MB/s\n", 1000 / $1 }'
