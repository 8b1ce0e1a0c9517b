# A worker that is killed three times over the same point makes that point a failed one; another time it is run again.
cp ../../../examples/farm/farm.psl $TMP
cd $TMP
cat > killer <<'END'
my $pid = fork;
exec 'psl', qw(study long.psl --jobs 2 --db m.db) if !$pid;
for (1 .. 3) {
  my $worker;
  while (!$worker) {
    select undef, undef, undef, 0.01;
    ($worker) = split ' ', `cat /proc/$pid/task/*/children 2> /dev/null`;
    undef $worker if $worker && $seen{$worker}++;
  }
  select undef, undef, undef, 0.1;
  kill 'KILL', $worker;
}
waitpid $pid, 0;
print "exit ", $? >> 8, "\n";
END
sed '/^system/,$d' farm.psl > long.psl
cat >> long.psl <<'END'
component stone {
  accepts:
    profile     = { domain = application[farm], node type = stone };
    transaction = solve(part);
    protocol    = call-return;
  body:
    while true { hold 0 s; }
}
system farm {
  requests:
    selector    = { domain = application[farm], node type = stone };
    transaction = solve(work);
    protocol    = call-return;
}
study stones of farm { vary work in [1 s]; }
END
perl killer
sqlite3 m.db 'SELECT count(*) FROM run'
