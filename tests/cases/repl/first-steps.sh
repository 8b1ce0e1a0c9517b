# The first that people type who have not read the manual: a file behind run, several settings, an index of what is not
# there yet.
psl --no-rc --keep-going -c farm.psl <<'END' 2>&1
run farm.psl
:set workers=4 work=20s
:set workers=4, work=20 s
:set workers = if 1 == 1 then 4 else 5
last[0]
:undo all
:redo all
let t = clock();
use queue;
worker
component disk[4] { }
let l = [1, 2];
l[-1]
l[2]
run -o /dev/null
last.makespan seconds
END
psl study farm.psl --report contention 2>&1
cat >"$TMP/grows.psl" <<'END'
component a {
  var l = [1];
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body:
    l.append(3);
    call-me(3);
}
END
psl check "$TMP/grows.psl" 2>&1
psl help env.timeout
psl help env.process
exit 0
