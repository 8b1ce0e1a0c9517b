# A group without a best point is a row that says why, in every format: no point is fit, all its points failed.
cat >"$TMP/job.psl" <<'END'
param n    : int  = 1 in 1 .. 9;
param each : time = 1 s;
transaction go();
component job {
  accepts:
    profile     = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
  body:
    assert n < 8;
    hold each * n;
}
system jobs {
  requests:
    selector    = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
}
END
cd "$TMP" || exit
jobs() { psl study job.psl --vary n=2,5,8 --vary each=1s,2s --minimize 'makespan by n where makespan > 3 s' "$@" -q 2>/dev/null; }
for format in text csv jsonl; do jobs --best --format $format; done
jobs --format json | sed -n '/"best": /,/^  ]/p'
psl study job.psl --vary n=2,5 --set each=1s --minimize 'makespan where makespan < 1 s' --best --format csv -q
psl study job.psl --vary n=2 --where 'n > 3' --minimize makespan --best --format csv -q
