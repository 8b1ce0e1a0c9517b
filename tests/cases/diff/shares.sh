# By hand: T = work / workers + workers x (seek + 50 MB / rate). One side 5 + 8 x 0.508 = 9.064 s, the other
# 2.5 + 16 x 0.256 = 6.596 s. In between, by what is of the other side:
#   workers 2.5 + 16 x 0.508 = 10.628, disk 5 + 8 x 0.258 = 7.064, seek 5 + 8 x 0.506 = 9.048,
#   workers and disk 6.628, workers and seek 10.596, disk and seek 5 + 8 x 0.256 = 7.048
# workers: (10.628 - 9.064) / 3 + (6.628 - 7.064) / 6 + (10.596 - 9.048) / 6 + (6.596 - 7.048) / 3 = 0.556
# disk: (7.064 - 9.064) / 3 + (6.628 - 10.628) / 6 + (7.048 - 9.048) / 6 + (6.596 - 10.596) / 3 = -3
# seek: (9.048 - 9.064) / 3 + (10.596 - 10.628) / 6 + (7.048 - 7.064) / 6 + (6.596 - 6.628) / 3 = -0.024
psl diff one.psl other/two.psl
psl diff one.psl other/two.psl --format csv
psl diff one.psl other/two.psl --format json --jobs 2 >"$TMP/json" && perl -MJSON::PP -0777 -ne '
  my $d = decode_json($_); my $sum = 0; $sum += $_->{share}{value} for @{$d->{changes}};
  printf "%s, adds up: %d\n", $d->{method}, abs($sum - $d->{sides}[2]{makespan}{value}) < 1e-12' "$TMP/json"
psl diff one.psl other/two.psl --jobs 2 >"$TMP/two" && psl diff one.psl other/two.psl | cmp - "$TMP/two" && echo 'the same'
# Back again: all changes sign.
psl diff other/two.psl one.psl
# One file under two settings; what both have makes no difference.
psl diff one.psl --set result=80MB --set workers=4 --against workers=10 --against work=20s --against gone=3s
psl diff one.psl one.psl
psl diff one.psl --set workers=9 --against workers=9
