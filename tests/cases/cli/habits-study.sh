# What users of studies type: the message says what is taken.
cp ../../../examples/farm/farm.psl small.psl "$TMP" && cd "$TMP" || exit
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
t study farm.psl --vary workers=4,8 --where 'workers > 4'
t compare farm.psl --vary workers=4,8 --where 'workers > 4'
t study farm.psl --flat
t study farm.psl --resume
t study farm.psl --param workers=4
t report farm.db --list
t graph farm.psl --json
t compare farm.psl --vary workers=4,8 --vary work=1s,2s
t study farm.psl -j -1
# A value that is an option, and an option with its value in one word.
t study farm.psl --vary workers=4,8 --db -q
t run farm.psl -o --format csv
t run farm.psl '--set workers=4'
t run farm.psl -s ' workers = 4' -o - | head -2
# A file of params as editors on Windows write it; a setting in the place of one; what it gives wrongly is an error of usage.
printf '\357\273\277workers = 4\r\n' > given.txt
t run farm.psl --params given.txt | head -2
t run farm.psl --params workers=4
for line in wrkers=4 workers=0 'workers=1 s' workers; do
  echo "$line" > given.txt
  t run farm.psl --params given.txt
done
t run farm.psl --params none.txt
# Formats of traces that --trace does not write.
t run farm.psl --trace run.trace
t replay run.tit --trace run.tit
# Networks of queues of another tool.
for schema in JMTmodel SIMmodeldefinition Archive; do
  printf '<?xml version="1.0"?>\n<model xsi:noNamespaceSchemaLocation="%s.xsd">\n' $schema > net
  t run net
done
