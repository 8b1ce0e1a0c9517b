# psl trace info: what time was spent for, messages by size, and by rank. Rank 0 computes 3 s and sends 1 and 3 MB to
# rank 1, which computes 1 s and waits for it; both meet in a reduction, to which rank 2 comes first. Messages take no
# time but their bytes, at 1000 MiB/s; so rank 1 waits 2 s, its transfer takes 0.954 and 2.861 ms.
cat >"$TMP/t.dim" <<'END'
#DIMEMAS:"t":0:3(1,1,1),1
d:1:1:3:0:1:2
20:0:0:60000020:1
1:0:0:3
20:0:0:60000020:2
2:0:0:1:1000000:7:1:0
20:0:0:60000020:0
2:0:0:1:3000000:8:1:0
20:0:0:60000020:0
10:0:0:11:1:1:0:8:8:1
1:1:0:1
3:1:0:0:1000000:7:1:0
3:1:0:0:3000000:8:1:0
10:1:0:11:1:0:0:8:8:1
1:2:0:0.5
2:2:0:0:10:1:1:2
10:2:0:11:1:0:0:8:8:1
END
cat >"$TMP/t.cfg" <<'END'
#DIMEMAS_CONFIGURATION
"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"", 0, "", 3, 1000.0, 0, 3};;
"multi node information" {0, 3, "", 1, 1.0, 0.0, 0.0, 1, 1, 0, 0.0, 1, 1, 0.0};;
"predefined mapping information" {"1 TASKS_PER_NODE"};;
END
psl trace info "$TMP/t.dim" --by rank | sed "s|$TMP|TMP|"
psl replay "$TMP/t.dim" --dimemas "$TMP/t.cfg" --record "$TMP/t.trace" | head -1
psl trace info "$TMP/t.trace" --by rank | sed '1,/^regions/d'
psl trace info "$TMP/t.trace" --by rank --format json | sed -n '/"pairs"/,/\]/p'
for r in $(seq 0 19); do echo "$r init
$r send $(((r + 1) % 20)) 1 $((r % 2 * 1000))
$r recv $(((r + 19) % 20)) 1"; done >"$TMP/many.tit"
psl trace info "$TMP/many.tit" --by rank | sed -n '/^messages by size/,$p' | head -14
