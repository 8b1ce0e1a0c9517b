# Activities are drawn from the file alone; its declarations are of activities only.
psl graph --activity enterprise-architect.xmi
psl graph --activity --format svg papyrus.uml | grep -c '<title>n'
psl graph --format psl by-hand.psl
psl graph --activity by-hand.psl
