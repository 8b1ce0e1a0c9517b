# A study of a session varies a param that another input has declared than that of the system.
psl -e 'param work : time = 1 s;' -e 'transaction go();
component job {
  accepts:
    profile     = { domain = application[job] };
    transaction = go();
    protocol    = dataflow;
  body:
    hold work;
}
system s {
  requests:
    selector    = { domain = application[job] };
    transaction = go();
    protocol    = dataflow;
}' -e 'study --vary work=1s,2s' -e 'param work : time = 4 s;' -e 'study --vary work=3s'
# So it does where two files are of one name, and one of them has the param.
mkdir "$TMP/one" "$TMP/two"
echo 'param work : time = 5 s;' > "$TMP/one/lib.psl"
echo 'param rest : time = 5 s;' > "$TMP/two/lib.psl"
cat > "$TMP/model.psl" <<END
use "one/lib.psl";
use "two/lib.psl";
transaction go();
component job {
  accepts:
    profile     = { domain = application[job] };
    transaction = go();
    protocol    = dataflow;
  body:
    hold work + rest;
}
system s {
  requests:
    selector    = { domain = application[job] };
    transaction = go();
    protocol    = dataflow;
}
END
cd "$TMP"
psl study model.psl --vary work=1s,2s
