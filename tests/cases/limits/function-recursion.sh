# How deep is deep depends on the stack at hand.
psl check deep-function.psl 2>&1 | sed 's/: [0-9]* levels/: N levels/'
