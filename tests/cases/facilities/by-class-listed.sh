# 300 calls of three classes to two servers, first come, first served, beside a plain list of when each server is free:
# how many were served, mean wait, mean response, part of the servers' time and mean number there, by class.
perl -e '
  my ($seed, $time, $end, @free, %all, @at, @need, @class) = (7, 0, 0, 0, 0);
  sub draw { $seed = ($seed * 1103515245 + 12345) % 2**31; return int($seed / 65536) % $_[0] }
  for (1 .. 300) { $time += draw(4); push @at, $time; push @need, 1 + draw(5); push @class, draw(3) }
  for my $i (0 .. $#at) {
    @free = sort { $a <=> $b } @free;
    my $begin = $at[$i] > $free[0] ? $at[$i] : $free[0];
    $free[0] = $begin + $need[$i];
    $end = $free[0] if $free[0] > $end;
    my $of = $all{$class[$i]} //= [0, 0, 0, 0];
    $of->[0]++;
    $of->[1] += $begin - $at[$i];
    $of->[2] += $free[0] - $at[$i];
    $of->[3] += $need[$i];
  }
  for (sort keys %all) {
    my ($served, $waited, $stayed, $held) = @{$all{$_}};
    printf STDERR "%s %d %.9g %.9g %.9g %.9g\n", $_, $served, $waited / $served, $stayed / $served, $held / (2 * $end), $stayed / $end;
  }
  my $target = "protocol = call-return";
  print "let at = [", join(", ", map { "$_ s" } @at), "]; let need = [", join(", ", map { "$_ s" } @need), "]; ",
    "let kind = [", join(", ", @class), "]; transaction go(); transaction serve(class : int, x : time);",
    "component job [j] : 0 <= j < 300 { accepts: profile = { domain = application[t], node type = job }; transaction = go(); ",
    "protocol = dataflow; body: hold at[j]; call desk(kind[j], need[j]); requests: desk(class, x): ",
    "selector = { domain = application[t], node type = desk }; transaction = serve(class, x); $target; }",
    "component desk { accepts: profile = { domain = application[t], node type = desk }; transaction = serve(class, x); ",
    "$target; servers = 2; body: hold x; } system s { requests: every selector = { domain = application[t], ",
    "node type = job }; transaction = go(); protocol = dataflow; }\n"' >"$TMP/listed.psl" 2>"$TMP/wanted"
cat "$TMP/wanted"
for engine in '' --reference; do
  psl run "$TMP/listed.psl" $engine --format json | perl -ne '
    printf "%s %d %.9g %.9g %.9g %.9g\n", $1, $3, $4, $5, $2, $6
      if /"class": "(.)", "utilisation": (\S+), "served": (\d+),.*"waiting": \{"value": (\S+),.*"response": \{"value": (\S+),.*"queue": (\S+),/' |
    cmp - "$TMP/wanted" && echo "the same $engine"
done
