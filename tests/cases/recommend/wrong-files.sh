# Files of cases that are none.
try() { printf "$1" > $TMP/cases; psl recommend wave.psl --data --from $TMP/cases 2>&1 | sed "s|$TMP|TMP|"; }
try 'ranks,block,order,makespan\n4,1,rows,1\n'
try 'cells,ranks,block,order\n200,4,1,rows\n'
try 'cells,ranks,block,order,makespan\n200,4,3,rows,1\n'
try 'cells,ranks,block,order,makespan\n200,4,1,diagonals,1\n'
try 'cells,ranks,block,order,makespan\n200.5,4,1,rows,1\n'
try 'cells,ranks,block,order,makespan [parsec]\n200,4,1,rows,1\n'
try 'cells,ranks,block,order,makespan\n200,4,1,rows,\n200,4,2,rows,1\n'
try 'cells,ranks,block,order,makespan\n200,4,1,rows,\n'
try 'cells,ranks,block,order,makespan\n'
try '[]'
try '[{"cells": 200, "ranks": 4, "block": 1, "order": 7, "makespan": 1}]'
try '{"cells": 200, "ranks": 4, "block": 1, "order": "rows"}'
psl recommend wave.psl --data --from nothing.csv
