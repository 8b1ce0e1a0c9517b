# :history, and what starts other programs: for a person alone.
cat >$TMP/editor <<'END'
sed -i 's/8/12/' "$1"
END
export EDITOR="sh $TMP/editor"
unset VISUAL
psl -c farm.psl -e 'workers' -e ':edit workers' -e workers -e 'let x = 8' -e :edit -e x -e ':undo' -e x -e :edit \
    -e '!echo said by $((2 + 3)); exit 0' -e ':history' -e ':history 2'
echo "[exit $?]"
psl -c farm.psl -e ':edit wokers'; echo "[exit $?]"
psl -e ':edit'; echo "[exit $?]"
psl -e 1 -e '!exit 3' -e 2; echo "[exit $?]"
psl -e '!'; echo "[exit $?]"
psl -e ':history x'; echo "[exit $?]"
VISUAL='exit 4; #' psl -e 8 -e :edit; echo "[exit $?]"
VISUAL=no-such-editor psl -e 8 -e :edit 2>&1 | grep -v 'not found'
psl --keep-going <<'END'
let two = 8;
function f(n : int) -> int =
  n + 1;
f(1)
!echo never
:edit two
:clear
f(1)
:history
END
echo "[exit $?]"
