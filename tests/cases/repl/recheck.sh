# A param that is whole in one run and not in the next has the model checked anew each time: what labels whose parameters have
# no type are given is noted each time, too, and what was noted before is forgotten.
cat >"$TMP/model.psl" <<'END'
param often : real = 1.5;
transaction go();
transaction serve(t : time);
component main {
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body:
    call first(1 s);
    call second(2 s);
    call third(3 s * often);
  requests:
    first(t):  selector = { domain = hardware }; transaction = serve(t); protocol = call-return;
    second(t): selector = { domain = hardware }; transaction = serve(t); protocol = call-return;
    third(t):  selector = { domain = hardware }; transaction = serve(t); protocol = call-return;
}
component station {
  accepts: profile = { domain = hardware }; transaction = serve(t); protocol = call-return;
  body: hold t;
}
system test {
  requests: selector = { domain = application }; transaction = go(); protocol = dataflow;
}
END
for often in $(seq 500); do echo "run --set often=$often --format csv"; echo "run --format csv"; done |
  psl -c "$TMP/model.psl" >"$TMP/out"
echo "[exit $?]"
# 3 s and 3 s for each of `often`: of 1 to 500, and as often of 1.5
awk -F, '/makespan,/ { sum += $4; count++ } END { print count, sum }' "$TMP/out"
