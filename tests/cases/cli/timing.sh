# Wall-clock figures are printed only with --timing.
psl run small.psl --timing --format json | perl -MJSON::PP -0777 -ne '
  my $timing = decode_json($_)->{timing};
  print "timing: ", join(" ", map { $_->{figure} } @$timing), "\n";'
psl run small.psl --format json | grep -c timing
