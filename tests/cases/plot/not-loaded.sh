# Why a page does not run its point again where the model is as it was: it cannot be loaded, may not read a file, or was a
# session's.
cd $TMP
page() {
  psl report "$@" -o page.html && grep -oE '(It is not run again|Point [0-9]+)[^<]*' page.html | head -n 2
}
mkdir library && echo 'param work : time = 1 s;' >library/part.psl
cat >model.psl <<'END'
use part;
param n : int = 3;
transaction go();
component worker {
  accepts:
    profile     = { domain = application[work], node type = worker };
    transaction = go();
    protocol    = call-return;
  body:
    hold n * work;
}
system job {
  requests:
    selector    = { domain = application[work], node type = worker };
    transaction = go();
    protocol    = call-return;
}
END
psl study model.psl -I library --vary n=1,2 --db a.db >table
page a.db
page a.db -I library
psl -I library -c model.psl -e 'study job --vary n=1,2 --db b.db' >table
page b.db -I library
psl -I library -c model.psl -e 'let more = 3;' -e 'study job --vary n=1,2 --db c.db' >table
page c.db -I library
psl -I library -c model.psl -e 'let more = 3;' -e ':save whole.psl' >table
psl study whole.psl -I library --vary n=1,2 --db d.db >table
page d.db -I library
mkdir data bases models && cat >data/pair.tit <<'END'
0 init
0 compute 1e6
0 finalize
END
{
  echo 'use program;'
  echo 'param trace-name : string = "data/pair.tit";'
  echo 'let ranks = Program.ranks(trace-name);'
  sed -e 's/n \* work/n * ranks * work/' model.psl
} >models/reading.psl
psl study models/reading.psl job -I library --allow-read data --vary n=1,2 --db bases/e.db >table
page bases/e.db -I library
page bases/e.db -I library --allow-read data
