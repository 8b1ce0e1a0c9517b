# A target that is computed from locals is found at once, and its body is in line; where there is no such instance, or the
# request is another one than the walker makes, that is said as by the walker.
psl run placed.psl --profile --format json | perl -MJSON::PP -0777 -ne '
  print "$_\n" for sort map { "$_->{name} $_->{how}" } grep { $_->{name} =~ /^(ask|send)$/ } @{decode_json($_)->{host_times}};'
psl run placed.psl
psl run placed.psl --reference >"$TMP/walked"
psl run placed.psl | cmp - "$TMP/walked" && echo same
psl run placed.psl --set past=5
psl run placed.psl --set past=-2 2>&1 | head -5
psl run placed.psl --set past=-2 --reference 2>&1 | head -5
