# psl params marks what cannot affect the result of the only system, or of the one that is named; where there are two,
# or the params are not good for a run, nothing is marked.
cat > "$TMP/m.psl" <<'END'
param work : time = 4 s in 0 s .. most;
param most : time = 9 s;   /// ranges read it
param idle : int = 3;      /// nothing reads it
param other : time = 2 s;  /// the other system reads it
assert idle > 0;
transaction go(part : time);
component worker {
  accepts:
    profile     = { domain = application };
    transaction = go(part);
    protocol    = call-return;
  body:
    hold part;
}
system s {
  requests:
    selector    = { domain = application };
    transaction = go(work);
    protocol    = call-return;
}
END
cd "$TMP"
psl params m.psl --set idle=4
psl params m.psl --set idle=-4
sed 's/system s/system t/; s/go(work)/go(other)/' m.psl | sed -n '/^system/,$p' >> m.psl
psl params m.psl
psl params m.psl --system t
psl params m.psl --system t --format csv
psl params m.psl --system t --format json
psl params m.psl --system u
psl params m.psl --system t --set idle=-4
