# --trace FILE.prv writes three files for Paraver: states, regions, calls and messages in ns; names; rows.
cat >"$TMP/pair.dim" <<'END'
#DIMEMAS:"pair":0:2(1,1),1
d:1:1:2:0:1
1:0:0:0.5
20:0:0:60000019:3
20:0:0:60000019:4
1:0:0:0.25
20:0:0:60000019:0
20:0:0:60000019:0
2:0:0:1:4000:7:1:0
1:1:0:0.1
3:1:0:0:4000:7:1:0
1:1:0:0.3
END
cat >"$TMP/pair.cfg" <<'END'
#DIMEMAS_CONFIGURATION
"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"", 0, "", 2, 1.0, 0, 3};;
"multi node information" {0, 2, "", 1, 1.0, 0.0, 0.0, 1, 1, 0, 0.004, 1, 1, 0.0};;
"predefined mapping information" {"1 TASKS_PER_NODE"};;
END
psl replay "$TMP/pair.dim" --dimemas "$TMP/pair.cfg" --trace "$TMP/pair.prv" | head -1
cat "$TMP/pair.prv" "$TMP/pair.row"
sed -n '/^STATES/,$p' "$TMP/pair.pcf"
psl replay "$TMP/pair.dim" --trace "$TMP/other.prv" | head -1
grep '^1:.*:2:1:' "$TMP/other.prv"
psl replay "$TMP/pair.dim" --trace "$TMP/other.svg"
