# Words of the language, `last` before a run, and ways out that other programs have.
psl --keep-going -c farm.psl 2>&1 <<'END'
:help hold
?firing rule
:help record
:help last
:help holdd
last.makespan
let before = last.makespan;
exit
quit
let z = zz + 1;
study few of farm { vary workers in [1, 2]; report makespan, served = disk-drive.firings; maximize compute; }
study few
study twice of farm { vary workers in [1, 2]; report makespan; minimize makespan; }
END
psl check - 2>&1 <<'END'
let x = last.makespan + exit;
END
echo "[exit $?]"
