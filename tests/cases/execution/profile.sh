# psl run --profile says of each body and request how it is executed, and why not faster. Times differ from run to run and
# stay out. How often calls are made as one is counted by hand: each rank sends and receives 50 times, and a
# rank's first call of MPI is made by itself. --reference walks all.
cat >"$TMP/list.pl" <<'PERL'
use JSON::PP;
local $/;
my @bodies;
for my $row (@{decode_json(<STDIN>)->{host_times}}) {
  my @made = $row->{made_with} ? "with $row->{made_with} $row->{made_as_one}, apart $row->{made_apart}" : ();
  push @bodies, '' if !$row->{depth};
  $bodies[-1] .= join(' | ', map { $_ // '-' } '  ' x $row->{depth} . $row->{name}, @$row{'place', 'how', 'why'}, @made) . "\n";
}
print sort @bodies; # they come in the order of what they have taken
PERL
list() { perl "$TMP/list.pl" | sed 's/\(mpi\|networks\).psl:[0-9]*/\1.psl:*/g' | grep -v '^        '; }
psl run profile-ring.psl --profile --format json | list
psl run profile-ring.psl --profile --format json --reference | list
psl run profile-walked.psl --profile --format json | list
# Every second of the rows' own times is in one row alone, and a row has the time of those below it.
psl run profile-ring.psl --set rounds=200000 --profile --format json | perl -MJSON::PP -0777 -ne '
  my ($own, $all) = (0, 0);
  for my $row (@{decode_json($_)->{host_times}}) {
    $own += $row->{own}{value};
    $all += $row->{seconds}{value} if $row->{depth} == 0;
    print "less than its own\n" if $row->{seconds}{value} < $row->{own}{value} - 1e-9;
  }
  print "there is time: ", ($own > 0 ? "yes" : "no"), ", it adds up: ", (abs($own - $all) < 1e-6 ? "yes" : "no"), "\n";'
# The results are the same.
psl run profile-ring.psl >"$TMP/without"
psl run profile-ring.psl --profile | sed '/^where this computer/,$d' >"$TMP/with"
sed '$!b;/^$/d' "$TMP/with" | diff "$TMP/without" - && echo same
