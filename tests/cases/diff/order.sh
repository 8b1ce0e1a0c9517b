# Beyond 8 changes each share is what the change does after those before it: T = a x b x c + d + ... + i + settings.
for side in 1 2; do
  {
    for p in a b c d e f g h i; do echo "param $p : real = $side;"; done
    cat <<'END'
transaction start();
component process {
  accepts:
    profile     = { node type = process };
    transaction = start();
    protocol    = dataflow;
  body:
    hold 1 s * (a * b * c + d + e + f + g + h + i);
}
system model { requests: selector = { node type = process }; transaction = start(); protocol = dataflow; }
END
  } >"$TMP/$side.psl"
done
cd "$TMP"
psl diff 1.psl 2.psl
psl diff 1.psl 2.psl --format json | perl -MJSON::PP -0777 -ne '
  my $d = decode_json($_); my $sum = 0; $sum += $_->{share}{value} for @{$d->{changes}};
  printf "%s, %d changes add up to %g s of %g s\n", $d->{method}, scalar @{$d->{changes}}, $sum, $d->{sides}[2]{makespan}{value}'
# Without one of them it is 8, and all orders count.
sed 's/param i : real = 2/param i : real = 1/' 2.psl >3.psl
psl diff 1.psl 3.psl --jobs 2 | head -20
for i in $(seq 61); do echo "param p$i : int = 1;"; done | cat - 1.psl >4.psl
psl diff 1.psl 4.psl
echo "[exit $?]"
