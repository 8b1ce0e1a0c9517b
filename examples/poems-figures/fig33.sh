# Figure 3.3: the static task graph of Sweep3D's sweep, derived from the processes of the library's wavefront, and the
# communication of the dynamic one on 3 x 3 processors, for the first four octants: who sends to whom.
sweep=../sweep3d/sweep3d.psl
psl graph --static $sweep | sed -n '/^graph wavefront/,$p'
psl graph --static --condense $sweep | head -2
psl graph --dynamic -f text $sweep --set comm='analysis[task-graph]' --set px=3 --set py=3 --set iterations=1 |
  perl -e '
    while (<>) {
      if (/^task (\d+) \S+ \S+ \S+ (\S.*)$/) { $name{$1} = $2 } elsif (/^edge (\d+) (\d+)/) { push @edges, [$1, $2] }
    }
    for (@edges) {
      my ($from, $to) = @name{@$_};
      next unless $from =~ /^send\[(\d), (\d), ([0-3]), 0,/;
      my ($i, $j, $o) = ($1, $2, $3);
      $seen{$o}{"$i$j-$1$2"} = 1 if $to =~ /^recv\[(\d), (\d),/;
    }
    print scalar(keys %name), " tasks, ", scalar(@edges), " edges\n";
    print "octant $_: ", join(" ", sort keys %{ $seen{$_} }), "\n" for sort keys %seen;'
