# Measurements belong to the key of a run: other ones, and it is run again.
cp cost.csv "$TMP/cost.csv"
cat > "$TMP/model.psl" <<'M'
fit cost(n : int) -> time from "cost.csv" { terms 1, n; column = "time"; }
param n : int = 4;
transaction go();
component worker {
  accepts:
    profile     = { domain = application[fits], node type = worker };
    transaction = go();
    protocol    = call-return;
  body:
    hold cost(n);
}
system fits {
  requests:
    selector    = { domain = application[fits], node type = worker };
    transaction = go();
    protocol    = call-return;
}
M
cd "$TMP"
psl study model.psl --vary n=4,64 --db runs.db --format csv
echo '16, 8, 1830, b' >> cost.csv
psl study model.psl --vary n=4,64 --db runs.db --format csv
psl study model.psl --vary n=4,64 --db runs.db --format csv --jobs 2
psl check -v model.psl
psl explain model.psl cost
true
