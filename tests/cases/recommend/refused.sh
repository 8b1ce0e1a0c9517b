# What cannot be learnt from, and what is not to be asked.
for study in 'choice block = 10; minimize makespan' 'choice block in [1, 2]; report makespan' \
             'choice block in [1, 2]; minimize makespan; maximize sent = wave.messages-sent' \
             'choice block in [1, 2]; minimize order' 'vary block in [1, 2]; minimize makespan'; do
  { sed '/^study/,$d' wave.psl; echo "study blocks of run { $study; }"; } > $TMP/m.psl
  psl recommend $TMP/m.psl 2>&1 | sed "s|$TMP|TMP|"
done
psl recommend $TMP/m.psl blocks 2>&1 | sed "s|$TMP|TMP|"
psl recommend $TMP/m.psl nothing 2>&1 | sed "s|$TMP|TMP|"
{ cat wave.psl; echo 'study more of run { choice block in [1, 2]; minimize makespan; }'; } > $TMP/m.psl
psl recommend $TMP/m.psl 2>&1 | sed "s|$TMP|TMP|"
psl recommend wave.psl --data --goal 'makespan < 1 s'
psl recommend wave.psl --data --rules
psl recommend wave.psl --runs 0
psl recommend wave.psl --runs 60 --goal 'makespan < 1 MB'
psl recommend wave.psl --runs 60 --goal 'makespan <'
psl recommend wave.psl --runs 60 --goal 'wave.firings < 3'
psl recommend wave.psl --runs 60 --where 'block > 2000'
psl recommend wave.psl --runs 60 --set cells=0
psl recommend wave.psl --runs 3 --unseen
sed 's/block in \[1, 2, 5, 10, 20, 50, 100\]/block in 1 .. 1000, nodes in 1 .. 1000/; s/^param order/param nodes : int = 1 in 1 .. 1000;\n&/' wave.psl > $TMP/m.psl
psl recommend $TMP/m.psl --runs 24 --unseen=1
# More words than can be told apart.
{ sed '/^study/,$d' wave.psl; echo 'param word : string = "w0";'; echo 'study words of run { choice word in ['; for i in $(seq 0 64); do printf '"w%d", ' $i; done; echo '"x"]; minimize makespan; }'; } > $TMP/m.psl
psl recommend $TMP/m.psl 2>&1 | sed "s|$TMP|TMP|"
