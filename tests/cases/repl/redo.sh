# So many changes are taken back at once, and made again, as long as nothing else is changed since.
psl --keep-going -c farm.psl 2>&1 <<'END'
let a = 1;
:set workers=5
let b = workers;
:undo 2
:redo
workers
b
:redo 2
b
:undo 4
:redo 3
[a, b]
:undo
let wrong = zz;
:redo
b
:undo
let c = 3;
:redo
:undo 2
workers
:load stores.psl
:undo
:redo
workers
:undo 0
:undo two
:redo 1 2
:clear
:redo
END
echo "[exit $?]"
