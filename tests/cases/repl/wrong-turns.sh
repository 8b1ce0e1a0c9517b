# What works is said where something does not: a coercion before its device, attributes of two words, terms and results.
psl -e 'coercion cycle -> time in hardware[processor] = value / target.frequency' 2>&1
psl -e 'use machines' -e 'coercion cycle -> time in hardware[processor] = value / target.frequency' -e ":help 'float rate'" \
  -e ':help node type' -e ':help makespan' -e ':help late sender' -e ':help abstract' -e ':help hardware[processor]' -e ':help flot rate' 2>&1
