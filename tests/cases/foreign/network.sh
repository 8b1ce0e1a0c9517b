# A network that an evaluator of a user's own solves, what it refuses, and what nobody may call.
sed -e 's/use queueing;/&\nuse "optimist.so";/' ../queueing/repair.psl >"$TMP/m.psl"
cd "$TMP"
psl run --allow-native m.psl --set 'solver=analysis[optimist]'
sed -e 's/like fcfs-station/like priority-station/' m.psl >p.psl
psl run --allow-native p.psl --set 'solver=analysis[optimist]' 2>&1
sed -e '3s/^/use "optimist.so";\n/' "$OLDPWD/../queueing/two-classes.psl" >t.psl
psl run --allow-native t.psl --set 'solver=analysis[optimist]' 2>&1
psl run m.psl 2>&1
psl run "$OLDPWD/../queueing/repair.psl" --set 'solver=analysis[optimist]' 2>&1
psl run "$OLDPWD/../queueing/repair.psl" --set 'solver=analysis[MAV]' 2>&1 >out
psl run "$OLDPWD/../queueing/repair.psl" --set 'solver=simulation[queing]' 2>&1 >out
echo 'use MVA; let x = MVA.solve();' >c.psl
psl check c.psl 2>&1
cat >b.psl <<'P'
use MVA;
transaction go();
component c {
  accepts: profile = { domain = application }; transaction = go(); protocol = call-return;
  body: call MVA.solve();
}
system s { requests: selector = { domain = application }; transaction = go(); protocol = call-return; }
P
psl run b.psl 2>&1
