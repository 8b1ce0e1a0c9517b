# The manual lists the parameters that there are, with their defaults, and no others.
root=../../..
perl -0777 -ne 'print "$1 = $2\n" while /^PARAMETER\("([^"]+)", \w+, \w+, "([^"]*)"/mg' \
  $root/evaluators/processor/parameters.def >"$TMP/there"
perl -ne 'print "$1 = $2\n" if /^\.It Li (\S+) Ta Li (.*?) Ta /' $root/man/psl-processor.7 >"$TMP/listed"
diff "$TMP/there" "$TMP/listed" && wc -l <"$TMP/listed"
# Each default may be set, and changes nothing.
printf 'addiu $2, $0, 1\nsyscall\n' | perl assemble.pl "$TMP/end"
psl simulate -f json -o "$TMP/plain" "$TMP/end"
while read -r name _ value; do
  psl simulate --set "$name=$value" -f json -o "$TMP/set" "$TMP/end"
  cmp "$TMP/plain" "$TMP/set"
done <"$TMP/there"
