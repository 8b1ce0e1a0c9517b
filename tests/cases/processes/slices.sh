# FILE.slices holds what each process did when, as interp/include/slices.h says: decoded here by perl.
cat >$TMP/two.psl <<'END'
transaction work(t : time);
component crew [c] : 0 <= c < 2 {
  accepts: profile = { domain = application[crew], node type = crew }; transaction = work(t); protocol = call-return;
  body:
    hold t;
    call use-tool(2 s);
  requests:
    use-tool(t):
      selector    = { domain = hardware[crew], node type = tool };
      transaction = work(t);
      protocol    = call-return;
}
component tool {
  accepts:
    profile = { domain = hardware[crew], node type = tool }; transaction = work(t); protocol = call-return; servers = 1;
  body: hold t;
}
system two {
  requests: every selector = { domain = application[crew] }; transaction = work(1.5 s); protocol = call-return;
}
END
cd $TMP
psl run two.psl --trace two.slices --quiet | head -1
perl -e '
  local $/; open my $f, "<:raw", shift; my $all = <$f>;
  my ($magic, $version, $rows, $components, $activities, $full, $count, $names, $end) = unpack "a8 V4 Q<3 d<", $all;
  print "$magic $version: $rows rows, $count slices, to $end s, full $full\n";
  my @first = unpack "x56 Q<" . ($rows + 1), $all;
  my @slices = map { [unpack "x" . (56 + 8 * ($rows + 1) + 24 * $_) . "d< d< V V", $all] } 0 .. $count - 1;
  for my $row (0 .. $rows - 1) {
    print "row $row: ", join(", ", map { "$_->[0] to $_->[1] component $_->[2] activity $_->[3]" }
      @slices[$first[$row] .. $first[$row + 1] - 1]), "\n";
  }
  print substr $all, -$names;' two.slices
