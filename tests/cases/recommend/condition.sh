# What is best where a condition holds: how likely it holds is learnt, too.
{ sed '/^study/,$d' wave.psl; cat <<'STUDY'; } > $TMP/m.psl
study few of run {
  problem  cells in 200 .. 4000 by 100, ranks in 4 .. 256 by * 2;
  choice   block in [1, 2, 5, 10, 20, 50, 100];
  minimize time = makespan where wave.messages-sent < 8000;
}
STUDY
psl recommend $TMP/m.psl --runs 200 --set cells=3000 --set ranks=64 --choices 3 --format csv
psl recommend $TMP/m.psl --runs 200 --unseen=10 | head -n 5
