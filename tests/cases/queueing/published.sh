# Published answers, to the digits that were printed: what, published, computed.
figures() { psl run "$1" --set "solver=analysis[$2]" $3 --format csv > "$TMP/out.csv" || exit 1; }
show() { # WHAT TABLE QUANTITY DIGITS PUBLISHED...: the figures of a table in its order
  what=$1; table=$2; quantity=$3; digits=$4; shift 4
  perl -e '
    my ($file, $what, $table, $quantity, $digits, @published) = @ARGV;
    my @got;
    open my $in, "<", $file or die;
    while (<$in>) {
      my @f = map { s/^"(.*)"$/$1/r } /("[^"]*"|[^,\n]*)(?:,|\n)/g;
      push @got, sprintf("%.*f", $digits, $f[3]) if $f[0] eq $table && $f[2] eq $quantity;
    }
    s/^0\././ for @got;
    printf "%-34s %-30s %s\n", $what, "@published", "@got" eq "@published" ? "the same" : "@got";
  ' "$TMP/out.csv" "$what" "$table" "$quantity" "$digits" "$@"
}

echo "Lazowska et al. (1984), p. 117"
figures lazowska.psl MVA
show "exact, X" classes throughput 6 .151516
show "exact, R" classes response 6 4.799825
figures lazowska.psl Schweitzer
show "Schweitzer, X" classes throughput 6 .150986
show "Schweitzer, R" classes response 6 4.869409
show "Schweitzer, Q" stations queue 4 .0973 .4021 .2359
figures lazowska.psl Linearizer
show "Linearizer, X" classes throughput 6 .151516
show "Linearizer, R" classes response 6 4.799933
figures lazowska.psl Bard
show "Bard, X" classes throughput 6 .147146
show "Bard, R" classes response 6 5.387879

echo "Jain (1991), example 3.42"
figures jain.psl MVA
show "exact, Q" stations queue 3 1.991 16.177 .500
psl run jain.psl --format csv |
  awk -F, '/^stations/ && $3 == "throughput" {x[$2] = $4} /^stations/ && $3 == "queue" {printf " %.3f", $4 / x[$2]}
           END {print ""}' | sed 's/^/exact, R a visit, .373 4.854 .300:/'

echo "Bolch et al., 8.3"
figures bolch.psl MVA
show "exact, U" stations utilisation 3 .198 .794 .794 .595
show "exact, X" stations throughput 3 9.920 3.968 1.984 .992

echo "Two classes, exact: queues by station 4/19 5/19 15/19 14/19, 3/19 2/19"
figures two-classes.psl MVA
show "exact, Q" classes_at_stations queue 6 .210526 .263158 .789474 .736842
show "exact, X" classes throughput 6 .157895 .105263
echo "Two classes, Schweitzer"
figures two-classes.psl Schweitzer "--set published=2"
show "Schweitzer, Q" classes_at_stations queue 3 .192 .248 .808 .752
show "Schweitzer, X" classes throughput 3 .154 .104
