# Configuration files of Dimemas: the forms that they have had are the same machine; what they may not say.
cat >"$TMP/t.dim" <<'END'
#DIMEMAS:"t":0:2(1,1),1
d:1:1:2:0:1
1:0:0:0.5
2:0:0:1:1000000:7:1:0
10:0:0:1:1:1:0:400000:0:1
1:1:0:0.1
3:1:0:0:1000000:7:1:0
10:1:0:1:1:0:0:0:400000:1
END
head='"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"a machine", 0, "any", 2, 100.0, 0, 3};;'
tail='"mapping information" {"t.dim", 2, [2] {0, 1}};;
"configuration files" {"", "", "", ""};;'
run() {
  psl replay "$TMP/t.dim" --dimemas "$TMP/m.cfg" --format csv --error-format short "$@" 2>&1 |
    sed -n '/makespan,0,s/d; s/^result,dimemas,makespan,/makespan /p; s/.*error: //p'
}
form() { printf '%s\n' '#DIMEMAS_CONFIGURATION' "$head" "$1" "${2:-$tail}" >"$TMP/m.cfg"; }
form '"multi node information" {0, 2, "", 1, 1.0, 0.0, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;'
run
form '"node information" {0, "", 1, 1.0, 0.0, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;
"node information" {0, "", 1, 1.0, 0.0, 500.0,
  1, 1, 0,  // inside of it
  0.001, 1, 1, 0.0};;'
run
form '"node information" {0, 0, "", 1, 1.0, 0.0, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;
"node information" {0, 1, "", 1, 1.0, 0.0, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;'
run
form '/* "node information" { nothing };;
*/
#7:
"node information" {
  // "machine_id" "a number"
  int "machine_id";
  char "simulated_architecture"[];
};;
"node information" {0, 0, "", 1, 1, 1, 0.0, 0.001, 1.0, 500.0, 0.0};;
"node information" {0, 1, "", 1, 1, 1, 0.0, 0.001, 1.0, 500.0, 0.0};;' '"predefined mapping information" {"t.dim", "INTERLEAVED"};;'
run
nodes='"multi node information" {0, 2, "", 1, 1.0, 0.0, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;'
form "$nodes"
run --set latency=0s
run --set bandwidth=50MiB/s
run --set cpu-ratio=2
run --set eager-limit=1000byte
printf 'Machine globalop: 0 1 CTE MAX 0 MIN\n11 LOG 2MAX LIN S+R 0\n' >"$TMP/operations.cfg"
form "$nodes" '"configuration files" {"", "", "operations.cfg", ""};;
"predefined mapping information" {"FILL_NODES"};;'
run
printf '1 LOG 2MAX TREE S+R 0\n' >"$TMP/operations.cfg"
run
form '"multi node information" {0, 3, "", 1, 1.0, 0.0, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;'; run
form '"multi node information" {0, 1, "", 1, 1.0, 0.0, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;'; run
form '"multi node information" {0, 2, "", 0, 1.0, 0.0, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;'; run
form '"multi node information" {0, 2, "", 1, fast, 0.0, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;'; run
form '"multi node information" {0, 2, "", 1, 1.0, -1, 500.0, 1, 1, 0, 0.001, 1, 1, 0.0};;'; run
form '"multi node information" {0, 2, "", 1, 1.0, 0.0, 500.0, 1.5, 1, 0, 0.001, 1, 1, 0.0};;'; run
form '"multi node information" {0, 2, "", 1};;'; run
form '"multi node information" {0, 2, "", 1'; run
form '"node information" {0, 2, "", 1};;'; run
form '"power information" {0};;'; run
form 'nonsense'; run
form '"accelerator node information" {0, 1, 0.0, 0.0, 0.0, 1, 1.0};;'; run
form "$nodes" '"mapping information" {"t.dim", 2, [2] {0, 2}};;'; run
form "$nodes" '"mapping information" {"t.dim", 2, [2] {0}};;'; run
form "$nodes" '"mapping information" {"t.dim", 1, [1] {0}};;'; run
form "$nodes" '"predefined mapping information" {"ANYHOW"};;'; run
form "$nodes" '"configuration files" {"scheduler.cfg", "", "", ""};;'; run
form "$nodes" '"configuration files" {"", "", "../operations.cfg", ""};;'; run
form "$nodes" '"configuration files" {"", "", "nowhere.cfg", ""};;'; run
form "$nodes" '"modules information" {60000019, 0, 2.0};;'; run
form "$nodes" '"file system parameters" {0.0, 0.0, 8.0, 0};;'; run
form "$nodes" '"file system parameters" {x, 0.0, 8.0, 0, 1.0};;'; run
# What is not simulated is said; disks that take no time say nothing.
printf '# operations\n1 LOG 2MAX LIN S+R 0\nAll of them are quick\n' >"$TMP/operations.cfg"
for latency in 0.0 0.01; do
  form "$nodes" "$tail
\"configuration files\" {\"\", \"disks.cfg\", \"operations.cfg\", \"sensitive.cfg\"};;
\"file system parameters\" {$latency, 0.0, 8.0, 0, 1.0};;"
  psl replay "$TMP/t.dim" --dimemas "$TMP/m.cfg" --format csv --error-format short 2>&1 | sed -n 's/.*warning: //p'
done
printf '#DIMEMAS_CONFIGURATION\n"wide area network information" {"", 2, 0, 4, 0.0, 0.0, 1};;\n' >"$TMP/m.cfg"; run
printf '' >"$TMP/m.cfg"; run
psl replay "$TMP/t.dim" --dimemas "$TMP/nowhere.cfg" 2>&1 | sed "s|$TMP|TMP|"
psl replay "$TMP/t.dim" --dimemas "$TMP/m.cfg" --platform x.xml
