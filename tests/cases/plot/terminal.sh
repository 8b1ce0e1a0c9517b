# Plots in the terminal: the study's own, one given on the command line, bars, intervals of confidence.
psl study farm.psl scaling --plot
psl study farm.psl drives --plot
psl study farm.psl noise --plot | tail -n +8
COLUMNS=60 psl study farm.psl noise --plot='wait against spread by workers' --vary spread=1s..8s*2 --format csv -o /dev/null
# After CSV on standard output a plot goes to standard error.
psl study farm.psl --vary workers=4,8 drives --plot='messages, firings against kind' --format csv
# Colours are of the terminal, or asked for.
psl study farm.psl drives --plot='time against kind' --color always | sed 's|\x1b|ESC|g' | tail -n 5
NO_COLOR=1 psl study farm.psl drives --plot='time against kind' | tail -n 3
# What --report asks for is drawn, but for what is no number.
COLUMNS=50 psl study farm.psl farm --vary workers=4,8 --report 'kind, time = makespan, wait' --plot
psl study farm.psl farm --vary workers=4,8 --report 'kind' --plot
