# What other languages assign by.
psl --keep-going -c farm.psl 2>&1 <<'END'
workers = 5
workers + 1 = 5
workers =< 5
workers => 5
  part = 3;
:set workers = 5
workers
END
