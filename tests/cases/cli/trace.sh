# --trace writes Chrome's trace format: read by its schema; --timeline a picture.
psl run small.psl --trace "$TMP/trace.json" --timeline "$TMP/timeline.svg" >"$TMP/report.txt"
echo "[exit $?]"
perl -MJSON::PP -e '
  local $/;
  open my $f, "<", $ARGV[0] or die;
  my $trace = decode_json(<$f>);
  my $events = ref $trace eq "HASH" ? $trace->{traceEvents} : $trace;
  my %count;
  my %open;
  for my $e (@$events) {
    die "no phase" unless defined $e->{ph};
    $count{$e->{ph}}++;
    if ($e->{ph} eq "M") {
      die "metadata without a name" unless $e->{name} && ref $e->{args} eq "HASH";
      next;
    }
    for my $key (qw(name pid tid ts)) { die "no $key" unless defined $e->{$key} }
    die "a time before 0" if $e->{ts} < 0;
    die "no duration" if $e->{ph} eq "X" && !(defined $e->{dur} && $e->{dur} >= 0);
    die "a flow without id" if $e->{ph} =~ /^[stf]$/ && !defined $e->{id};
    $open{$e->{id}}++ if $e->{ph} eq "s";
    die "a flow that ends before it begins" if $e->{ph} eq "f" && !$open{$e->{id}};
    die "a phase that is none: $e->{ph}" unless $e->{ph} =~ /^[XMstfBEC]$/;
  }
  print join(", ", map { "$_ $count{$_}" } sort keys %count), "\n";' "$TMP/trace.json"
perl -0777 -ne '
  my @open;
  s/<\?.*?\?>|<!--.*?-->//gs;
  while (m{<(/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(/?)>}g) {
    if ($1) { die "</$2>" unless pop(@open) eq $2 } elsif (!$4) { push @open, $2 }
  }
  my $rest = s{<(/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(/?)>}{}gr;
  print "well formed\n" if !@open && $rest !~ /[<>]/;' "$TMP/timeline.svg"
grep -c '<rect' "$TMP/timeline.svg"
