# The report as JSON, read by a program: the first level of a run that ends, of one that does not, and of a comparison.
read_json() {
  perl -MJSON::PP -0777 -ne '
    my $r = decode_json($_);
    print join(" ", map { my $v = $r->{$_}; ref $v eq "ARRAY" ? "$_\[" . @$v . "]" : ref $v eq "HASH" ? "$_\{" . join(",", sort keys %$v) . "}" : "$_" } sort keys %$r), "\n";
    if ($r->{makespan}) {
      die "no makespan" unless $r->{makespan}{value} =~ /^[-+.eE\d]+$/ && $r->{makespan}{unit} eq "s";
      printf "%s: %s, %s, messages %s, bytes %s\n", map { $_ // "none" } $r->{model} // $r->{system}, @$r{qw(stop evidence messages bytes)};
    }'
}
psl run ../../../examples/mpi/halo2d.psl --format json --by rank | read_json
psl run ../../../examples/sweep3d/sweep3d.psl --set 'comm=analysis[LogGP]' --format json | read_json
psl run ../limits/deadlock.psl --format json --error-format short | read_json
psl compare ../compare/paradigms.psl --vary how --format json | read_json
psl run small.psl --error-format json --set tasks=many 2>&1 >/dev/null | perl -MJSON::PP -ne '
  my $d = decode_json($_); print join(" ", sort keys %$d), "\n"'
