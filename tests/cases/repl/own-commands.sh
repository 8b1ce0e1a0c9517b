# The session's own commands, rightly and wrongly used.
psl --keep-going -c farm.psl 2>&1 <<'END' | sed 's/^[0-9.e+-]* ms$/N ms/'
:time 1 + 2
:time on
3
:time off
:time
4
:time
5
:type [1 s, 2 s]
:type 1 s + 2
:type
:allow
:allow all
:allow native
:params --format csv
study two of farm { vary workers in [1, 2]; }
study two
study
study --vary workers=1,2 --format csv
check
:unset workers
:quit
6
END
