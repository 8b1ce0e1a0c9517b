# LAPW0 as an activity diagram, with a cost function for each element: what PSL is made of it, and what it predicts, which
# is what lapw0.psl does. Studios and editors of UML open lapw0.uml.
psl check lapw0.uml
psl graph --activity --format psl lapw0.uml | sed -n '/^let lapw0_processes/,$p'
psl graph --activity --format xml lapw0.uml
for settings in '--set nodes=1' '--set nodes=8' '--set nodes=4 --set nat=64'; do
  for model in lapw0.uml lapw0.psl; do
    psl run $settings $model | sed -n 's/^predicted time *//p'
  done
done
