# The trace of a program of messages: each flow that begins ends, not before it; what a process does follows each other.
psl run ../../../examples/mpi/halo2d.psl --trace "$TMP/trace.json" --format csv >"$TMP/report.csv"
echo "[exit $?]"
perl -MJSON::PP -0777 -e '
  my $trace = decode_json(<STDIN>);
  my $messages = 0;
  my $end = 0;
  open my $f, "<", $ARGV[0] or die;
  for (<$f>) { $messages = $1 if /,messages,(\d+)/; $end = 1e6 * $1 if /,makespan,([-+.eE\d]+)/ }
  my (%begun, %ended, %last, %thread);
  for my $e (sort { ($a->{ts} // -1) <=> ($b->{ts} // -1) } @{$trace->{traceEvents}}) {
    my $row = join ".", map { $_ // "" } @$e{qw(pid tid)};
    $thread{$row} = $e->{args}{name} if $e->{ph} eq "M" && $e->{name} eq "thread_name";
    die "after the end" if defined $e->{ts} && $e->{ts} + ($e->{dur} // 0) > $end * (1 + 1e-9) + 1e-6;
    if ($e->{ph} eq "X") {
      die "two at a time in $row" if $e->{ts} < ($last{$row} // 0) - 1e-3;
      $last{$row} = $e->{ts} + $e->{dur};
      die "a row without a name" unless defined $thread{$row};
    }
    $begun{$e->{id}} = $e->{ts} if $e->{ph} eq "s";
    $ended{$e->{id}} = $e->{ts} if $e->{ph} eq "f";
  }
  die "a flow without an end" if grep { !defined $ended{$_} || $ended{$_} < $begun{$_} } keys %begun;
  die "an end without a flow" if grep { !defined $begun{$_} } keys %ended;
  print keys(%thread) + 0, " rows, ", keys(%begun) == $messages ? "a flow for each message" : keys(%begun) . " flows of $messages messages", "\n";' \
  "$TMP/report.csv" <"$TMP/trace.json"
