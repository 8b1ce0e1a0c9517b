# kill -9 at 20 random moments (of a fixed seed), of psl or of one of its workers, then the study to its end: each
# point is there once, and the table is what one process makes without an accident.
cp ../../../examples/farm/farm.psl $TMP
cd $TMP
study() { psl study farm.psl --vary workers=100..400 --vary result=50MB,60MB --format csv "$@"; }
study > whole
cat > killer <<'END'
use Time::HiRes 'time';
srand(7);
my $begin = time;
system "psl study farm.psl --vary workers=100..400 --vary result=50MB,60MB --format csv --db whole.db > part";
my $whole = time - $begin; # the moments come later and later within it, on a slow computer, too
for my $moment (1 .. 20) {
  my $pid = fork;
  if (!$pid) {
    open STDOUT, '>', 'part';
    exec 'psl', qw(study farm.psl --vary workers=100..400 --vary result=50MB,60MB --format csv --jobs 2 --db farm.db);
  }
  if ($moment == 1) { 1 until `sqlite3 -readonly farm.db 'SELECT count(*) FROM run' 2>&1` > 0 }
  select undef, undef, undef, $whole * $moment / 20 * rand 0.7;
  if ($moment % 4) { kill 'KILL', $pid }
  else {
    my ($worker) = split ' ', `cat /proc/$pid/task/*/children 2>&1`;
    kill 'KILL', $worker if $worker =~ /^\d+$/;
    select undef, undef, undef, $whole * rand 0.1;
    kill 'KILL', $pid;
  }
  waitpid $pid, 0;
}
END
perl killer
ls farm.db* | grep -v -e '-wal$' -e '-shm$' -e '\.new$'
before=$(sqlite3 farm.db 'SELECT count(*) FROM run')
[ $before -gt 0 ] || echo 'nothing was kept'
study --jobs 2 --db farm.db > out
echo "exit $?"
cmp out whole
sqlite3 farm.db 'SELECT count(*), count(DISTINCT key) FROM run; SELECT count(*), min(number), max(number) FROM farm;
  PRAGMA integrity_check; SELECT count(*) FROM study'
study --db farm.db | cmp - whole
