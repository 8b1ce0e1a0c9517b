# What the executor has fixed room for is refused by the check: indices, those of outer components with them, and
# parameters of a transaction, declared or implied.
names() { seq -f "$1%g" -s ', ' 1 "$2"; }
bounds() { seq -f "0 <= $1%g < 2" -s ' and ' 1 "$2"; }
cat > "$TMP/indices.psl" <<EOF
component outer [$(names a 40)] : $(bounds a 40) {
  component most [$(names b 24)] : $(bounds b 24) { }
  component more [$(names b 25)] : $(bounds b 25) {
    component inside [d] : 0 <= d < 2 { }
  }
}
EOF
cat > "$TMP/parameters.psl" <<EOF
transaction most($(names a 64));
transaction more($(names a 65));
component c {
  accepts:
    profile     = { domain = application[c] };
    transaction = implied($(names b 66));
    protocol    = dataflow;
}
EOF
cd "$TMP" || exit
psl check --error-format short indices.psl
psl check --error-format short parameters.psl
