# Help of the program and of each command.
psl
echo "[exit $?]"
psl --help
psl --version
for command in run check compare params explain graph fmt ast help; do
  echo
  psl help $command
done
psl run --help | head -n 1
echo 'a name with several meanings'
psl help half-width
psl help warm-up
for topic in queue random gpu alltoall tutorial 'first of' 'any by' 'one of'; do psl help "$topic"; done
