# A trace that was cut off, wherever that is, is refused, or what is lost is said: by psl trace info, which says of how many
# ranks, and by psl replay. Each format is cut at 11 places.
cd "$TMP"
perl -e '
  for my $rank (0 .. 2) {
    my ($next, $last) = (($rank + 1) % 3, ($rank + 2) % 3);
    print map { "$rank $_\n" } "init", (map { ("compute 1e6", "isend $next $_ 1000", "recv $last $_ 1000",
      "wait $rank $next $_", "allreduce 8 0") } 1 .. 20), "finalize";
  }' > whole.tit
psl replay whole.tit --record whole.trace > /dev/null
for format in goal dim prv otf2; do psl trace convert whole.trace whole.$format -q; done
mkdir cut
cp -r whole* cut
# The last bytes may be the end of a line, or fill up a block.
cuts() {
  perl -e '
    my ($name) = @ARGV;
    open my $in, "<:raw", $name or die; local $/; my $all = <$in>;
    my ($silent, $first) = (0, "");
    for my $k (map { int $_ * length($all) / 11 } 0 .. 10) {
      open my $out, ">:raw", "cut/$name"; print $out substr $all, 0, $k; close $out;
      my ($trace) = $name =~ /(whole)\W.*(evt|def)$/ ? "whole.otf2" : $name;
      my $info = `psl trace info cut/$trace --error-format short 2>&1`;
      my $replay = `psl replay cut/$trace --error-format short 2>&1`;
      my $told = $info =~ /error:|^complete +no/m;
      my ($said) = $replay =~ /((?:error|warning): .*)/;
      $silent++, print "$name, $k bytes: silent\n" if !$told || !$said;
      $first = $said if $k > length($all) / 2 && !$first;
    }
    $first =~ s/\d+ (?=events|operations)/N /, $first =~ s/byte \d+/byte N/, $first =~ s/ \(in.*//, $first =~ s/:\d+:/:N:/;
    print "$name: $first\n";
    system "cp", $name, "cut/$name"' "$1"
}
for name in trace tit goal dim prv otf2 def; do cuts whole.$name; done
cuts whole/1.evt
cuts whole/2.def
