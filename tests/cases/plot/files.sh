# Pictures by gnuplot: well-formed SVG with the labels of axes and series, one file a plot; PNG. Two runs give the same bytes.
cd "$TMP" && cp "$OLDPWD/farm.psl" .
psl study farm.psl drives --plot-file plot.svg -o table
ls
psl study farm.psl drives --plot-file again.svg -o table && cmp plot.svg again.svg && cmp plot-2.svg again-2.svg && echo same
perl -0777 -ne '
  my (@open, @texts);
  while (/<(\/?)([\w:]+)[^<>]*?(\/?)>([^<>]*)/g) {
    push @texts, $4 if $2 eq "text" && !$1;
    next if $3;
    if ($1) { pop @open eq $2 or die "not well formed: $2\n" } else { push @open, $2 }
  }
  die "not well formed\n" if @open;
  s/^\s+// for @texts;
  print "$ARGV: ", join(" | ", @texts), "\n"' plot.svg plot-2.svg
psl study farm.psl scaling --plot-file scaling.png --set rate=100MB/s >table
perl -0777 -ne 'print "PNG of ", join(" x ", unpack "x16 NN", $_), "\n" if /^\x89PNG\r\n/' scaling.png
