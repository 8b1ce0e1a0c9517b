# Want of memory ends an input, not the session: its model is made again.
psl --keep-going --max-memory 8MiB -c farm.psl 2>&1 <<'END' | sed 's/[0-9]* KiB were/N KiB were/g'
:set workers=4
let double = 2 * workers;
length([i in 1 .. 10000000 : i])
double
last
END
