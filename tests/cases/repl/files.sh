# Files: :load takes the place of the one before, what was declared stays; :reload reads what has changed.
cp farm.psl "$TMP/model.psl"
cd "$TMP"
echo 'let a = 1 s;' > one.psl
echo 'let b = 2 s;' > two.psl
echo 'let c = a;' > wrong.psl
psl --keep-going 2>&1 <<'END'
:load one.psl
let twice = 2 * 3;
a
:load two.psl
b; twice
a
:load wrong.psl
b
:load nothing.psl
:load one.psl two.psl
:clear
b
:reload
END
# the files change while the session goes on
says() { until [ "$(tail -n 1 said)" = "$1" ]; do sleep 0.02; done; }
mkfifo pipe
: > said
psl --keep-going -c one.psl < pipe > said 2>&1 &
{
  echo 'let late = 2 * a;'
  echo late
  says '2 s'
  echo 'let a = 5 s;' > one.psl
  echo 'let other = 1;'
  echo '1 * late'
  echo :reload
  echo late
  says '10 s'
  echo 'let z = 5 s;' > one.psl
  echo :reload
  echo '2 * late'
} > pipe
wait
cat said
