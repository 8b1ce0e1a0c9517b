# A session has set what a study varies: the study varies it, and says so; an option of the command sets it for all.
psl --keep-going -c farm.psl 2>&1 <<'END'
study devices of farm { vary workers in [1, 2]; report makespan; }
:set workers = 16
study devices
study farm --vary workers=4,8
study devices --set workers=2
study devices --vary farm.workers=4 --quiet
study --vary nosuch=1
study nosuch
:set
workers
END
