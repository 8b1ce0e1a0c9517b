# A comparison holds for all values of the param that varies: what is read under one of them has an effect. Formats for
# programs get the note beside them, on standard error.
psl compare reads.psl --vary mode=fast,slow --set when-slow=2s --set if-off=2s --format csv
psl compare reads.psl --vary switch=true,false --set when-slow=2s --set if-off=2s --format csv
psl run reads.psl --set if-off=2s --format json >"$TMP/json" && perl -MJSON::PP -0777 -ne 'decode_json($_)' "$TMP/json"
psl run reads.psl --set if-off=2s --error-format json 2>&1 >"$TMP/text"
psl run reads.psl --set mode=slow --set if-off=2s --set when-slow=3s 2>&1 >"$TMP/text"
