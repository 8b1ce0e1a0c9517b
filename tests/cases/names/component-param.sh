# A param of a component is not one of the model: who sets it so is told how.
psl run component-param.txt --set disk.seek=1ms 2>&1
psl compare component-param.txt --vary disk.seek=1ms,2ms 2>&1
psl study component-param.txt --vary disk.seek=1ms,2ms 2>&1
psl run component-param.txt --set disk.sek=1ms 2>&1
# Nor is an attribute of one; and params that are not there are told by those that are.
psl run component-param.txt --set disk.speed=2 2>&1
psl run component-param.txt --set 'disk.Node Type=tape' 2>&1
psl run component-param.txt --set speed=1 2>&1
psl params ../../../examples/sweep3d/sweep3d.psl --set SP2.L=2us 2>&1
true
