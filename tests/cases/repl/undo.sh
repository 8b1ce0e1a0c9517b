# Taking back: declarations, settings, files, in turn; what changed nothing is passed over.
psl --keep-going -c farm.psl 2>&1 <<'END'
:undo
let q = 1;
let q = 2;
let unknown = zz;
workers
:set workers=5
:set workers=0
:unset workers
workers
:undo
workers
:undo
workers
:undo
q
:undo
q
:load stores.psl
workers
:undo
workers
:set workers=3
component worker [w] : 0 <= w < 2 {
  body:
    hold 1 s;
}
:undo
:set
let one = 1;
:clear
:undo
END
echo "[exit $?]"
i=0
while [ $i -lt 105 ]; do echo "let n$i = $i;"; i=$((i + 1)); done >$TMP/many
i=0
while [ $i -lt 101 ]; do echo ":undo"; i=$((i + 1)); done >>$TMP/many
(cat $TMP/many; echo 'n4'; echo 'n5') | psl --keep-going 2>&1 | sed -n '1p;99,$p'
