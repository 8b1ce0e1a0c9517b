# The session's own commands without their colon: what to write is said, and a name of the model stays one.
psl --keep-going -c farm.psl 2>&1 <<'END'
clear
undo
q
history
history 5
save f
save! f
clear!
set workers=1
set workers 4
:set workers to 4
sett workers 4
comapre --vary workers=1,2
explian worker
set x in [1]
unset workers
load "a b.psl"
type 3
time workers
workers
let clear = 3;
clear
let set = [3, 4];
clear in set
clear != 4
history()
help clear
help workers
help nothing
params workers
END
echo "a param of that name"; printf 'param load : 1/time = 40 s^-1;\nload -> ms^-1\nparam run : time = 3 s;\nrun -> ms\n' | psl 2>&1
