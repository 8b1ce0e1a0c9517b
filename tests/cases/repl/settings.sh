# :set, :unset, :params, and settings of one command.
psl --keep-going -c farm.psl --set work=20s 2>&1 <<'END'
:set
:set workers=16
:set workers = 4 + 4
work; workers
:set workers=0
workers
:set workers=many
:set worker=3
:set workers
:set =3
:set workers=
params
:unset work
:unset work
:unset
:unset nothing
work
:params
params --format csv
compare --vary workers=4,8 --format csv
workers
END
echo "[exit $?]"
