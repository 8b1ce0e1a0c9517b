# Where the difference lies: of waiting in message passing also for what, in text and for programs.
# Plain build alone: many runs of one model.
cd ../../../examples/sweep3d
for format in text csv; do psl diff sweep3d.psl --set iterations=1 --against machine=cluster -f $format | grep -A9 '^where\|^parts' | grep -v ^figures; done
psl diff sweep3d.psl --set iterations=1 --against machine=cluster -f json | perl -MJSON::PP -0777 -ne '
  my @parts = @{decode_json($_)->{parts}};
  my %of = map { $_->{part} => $_ } @parts;
  for my $side (qw(A B)) {
    my $waits = 0;
    $waits += $of{$_}{$side}{value} // 0 for "late sender", "late receiver", "collective", "transfer", "contention";
    printf "%s: parts of communication come to all of it: %s\n", $side, abs($waits + $of{communicate}{$side}{value} - $of{communication}{$side}{value}) < 1e-9 ? "yes" : "no";
  }'
