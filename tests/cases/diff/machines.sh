# Two machines of one file are taken apart. By hand: alpha 200 us + 10 x 1 us x 1 = 210 us, beta 100 us + 10 x 3 us x 2
# = 160 us; L alone adds 20 us, os alone 10 us, both 50 us: 20 us together, of which each has a half.
psl diff machines.psl --set machine=alpha --against machine=beta
psl diff machines.psl --set machine=alpha --against machine=beta -f csv | grep -c ^changes
# Where more is chosen by the machine than its params and attributes say, it stays one change.
psl diff machines.psl --set machine=alpha --set priced=true --against machine=beta
# A machine that is like the other one with nothing changed, and one that there is not.
psl diff machines.psl --set machine=beta --against machine=beta 2>&1
psl diff machines.psl --set machine=alpha --against machine=gamma 2>&1
