# psl explain: what was considered, why it was refused, what is taken, by class of instances.
for model in none several terms; do
  psl explain ../resolve/$model.psl 2>&1
  echo "[exit $?]"
done
psl explain ../resolve/terms.psl client.ask
psl explain ../resolve/terms.psl clinet 2>&1
psl explain ../resolve/terms.psl client.aks 2>&1
for figure in makespan client.p95 request.response; do
  psl explain ../resolve/terms.psl $figure 2>&1
done
