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
# Figures that are no numbers, and times below 0; what is recorded may be below 0.
try 'cells,ranks,block,order,sent,makespan\n200,4,1,rows,7,1\n200,4,2,rows,7,-3\n'
try 'cells,ranks,block,order,sent,makespan [ms]\n200,4,2,rows,7,nan\n'
try 'cells,ranks,block,order,sent,makespan\n200,4,2,rows,7,1e400\n'
try 'cells,ranks,block,order,sent,makespan\n200,4,2,rows,much,1\n'
try 'cells,ranks,block,order,sent,makespan\n200,4,2,rows,-7,1\n'
try '[{"cells": 200, "ranks": 4, "block": 1, "order": "rows", "makespan": -1}]'
try '[{"cells": 200, "ranks": 4, "block": 1, "order": "rows", "makespan": 1e400}]'
try '[{"cells": 1e400, "ranks": 4, "block": 1, "order": "rows", "makespan": 1}]'
psl recommend wave.psl --data --from nothing.csv
