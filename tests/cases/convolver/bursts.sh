# Bursts that are not in the signature: what stands for its ratio, and what is said of it.
cp ../../../examples/perc/phases.json ../../../examples/perc/phases.psl ../../../examples/perc/phases-signature.psl "$TMP"
cd "$TMP"
sed -i '/"tid":1/s/"burst":"[^"]*12e7/"burst":"0x1200012e7/' phases.json
rank() {
  psl replay phases.json --model phases.psl --set machine=small --by rank --format csv "$@" |
    awk -F, '/^processes,.*1.,compute/ { printf "%.9g\n", $4 }'
}
without=$(rank --set unknown-ratio=0 2> said)
perl -e "printf qq(%.7g\\n), $(rank --set unknown-ratio=10 --quiet) - $without"
perl -e "printf qq(%.7g\\n), $(rank --set unknown-ratio=10 --quiet --reference) - $without"
sed -n 's/.*warning: //p' said
# What was computed in these, and 10 times that.
perl -nle '/"tid":1/ && /"work":([^,]*),"burst":"0x1200012e7/ and $sum += 10 * $1; END { printf "%.7g\n", $sum }' phases.json
