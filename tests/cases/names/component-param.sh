# A param of a component is not one of the model: who sets it so is told how.
psl run component-param.txt --set disk.seek=1ms 2>&1
psl compare component-param.txt --vary disk.seek=1ms,2ms 2>&1
psl study component-param.txt --vary disk.seek=1ms,2ms 2>&1
psl run component-param.txt --set disk.sek=1ms 2>&1
true
