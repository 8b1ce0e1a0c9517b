# The bounds of predicted times by ranges: 1 us + 2 k us and 1 us + 4 k us.
psl compare uncertain.psl --vary k=1,5
psl compare uncertain.psl --vary L=3us,2us..4us --format csv
psl diff uncertain.psl --against k=5
psl diff uncertain.psl --against L=1us
psl study uncertain.psl --vary k=1,5 --report 'makespan'
psl study uncertain.psl --vary k=1,5 --report 'makespan.low, low = low(makespan), high = high(makespan)'
