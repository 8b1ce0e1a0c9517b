# Components of four instances and more are clusters, and one edge stands for all of them where it can.
psl graph --dynamic wave.psl
psl graph --dynamic "../../../examples/farm/farm.psl" --set workers=5
