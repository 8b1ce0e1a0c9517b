# One task, evaluated by an expression, by the instructions of its code on a simulated processor, and by a trace: which one it
# is, is the matter of a description that a database has, and of one param.
riscv64-linux-gnu-gcc -O2 -static ../processor/wavefront.c -o "$TMP/wavefront"
cp *.psl k-block.* advice.json "$TMP"
cd "$TMP"
export PSL_DB=teds.db
psl db add expression.psl simulated.psl traced.psl
psl db add k-block.csv --attributes 'of = k-block-traced, cells = 16' --description 'The sweep of a block, measured'
psl db add advice.json --kind knowledge --name methods
echo; echo 'what there is, and what is found:'
psl db list
psl db search 'domain = task, method = trace-driven'
psl db search simulated processor
psl db show ted/k-block-traced
echo; echo 'a task by three methods:'
for method in analytic instruction-driven trace-driven; do
  printf '%-20s' $method
  psl run sweep.psl --set method=$method | sed -n 's/^predicted time *//p'
done
psl explain sweep.psl sweeper.block | sed -n '/was looked for/,$p'
echo; echo 'what two descriptions of it differ by:'
psl db diff k-block-expression k-block-traced
echo; echo 'the database has grown, and the same is chosen:'
psl db add quicker.psl
psl run sweep.psl | sed -n 's/^predicted time *//p'
psl explain sweep.psl sweeper.block | sed -n '/chosen/,/refused/p'
echo; echo 'without what was written down, both would fit:'
rm sweep.psl.lock
psl run sweep.psl 2>&1
psl db remove k-block-quicker
psl run sweep.psl | sed -n 's/^predicted time *//p'
