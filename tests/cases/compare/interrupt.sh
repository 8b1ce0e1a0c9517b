# Ctrl-C ends a comparison: no difference and no spread of what did not end, and what was not begun is said to be so.
# How far the run has come is left out.
psl compare interrupt.txt --vary rounds=1,1000000000000,3 --allow-native 2>&1 | sed -e 's/\(0 *1 *\)[0-9]* s/\1N s/' -e 's/after [0-9]* s/after N s/'
