# The report as JSON and CSV: read by a program, the same figures as the text.
psl run small.psl --format json --by rank | perl -MJSON::PP -0777 -ne '
  my $r = decode_json($_);
  print "makespan $r->{makespan}{value} $r->{makespan}{unit}\n";
  print join(" ", sort keys %$r), "\n";
  print "stop $r->{stop}, evidence $r->{evidence}, messages $r->{messages}, bytes $r->{bytes}\n";'
psl run small.psl --format json --by rank
psl run small.psl --format csv --by rank
psl run small.psl --by rank
