#!/usr/bin/perl
# What is kept in a repository stays there: whoever writes at the same time, is killed, finds no space, or comes with a psl of
# another format; names and texts hold whatever they like; 100,000 entries are found in. What a table of attributes says
# is asked for once more by SQL of the test's own.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX ();
use Run;
use Time::HiRes qw(time sleep);

my $folder = scratch();
my $cases = "$root/tests/cases/database";
sub sql { my ($db, $sql) = @_; my $r = command($folder, 'sqlite3', $db, $sql); return $r->{out} . $r->{err} }
sub psl_db { return command($folder, 'psl', 'db', @_) }
sub entries { # names by SQL
  my ($db) = @_;
  return split /\n/, sql($db, 'SELECT name FROM entry ORDER BY kind, name');
}

# ---- a database of the format before is moved up ----
for my $write (0, 1) {
  unlink glob "$folder/old.db*";
  command($folder, "sqlite3 old.db <$cases/format-7.sql");
  my $before = sql('old.db', 'SELECT * FROM point; SELECT * FROM run; SELECT * FROM study; SELECT * FROM farm');
  spew("$folder/note.txt", "remember");
  my $result = $write ? psl_db(qw(add --db old.db note.txt)) : psl_db(qw(list --db old.db));
  my $version = sql('old.db', 'PRAGMA user_version');
  chomp $version;
  ok($result->{exit} eq '0' && $version == ($write ? 8 : 7), $write ? 'writing moves it up' : 'reading leaves it as it is',
     "$result->{err} version $version");
  same($before, sql('old.db', 'SELECT * FROM point; SELECT * FROM run; SELECT * FROM study; SELECT * FROM farm'),
       'with all that was in it');
}
same("measured\n", sql('old.db', "SELECT 'measured' FROM entry WHERE name = 'note'"), 'and what was added');
my $list = command($folder, 'psl report old.db --list');
ok($list->{exit} eq '0' && $list->{out} =~ /farm/, 'its studies are there', $list->{err});

# ---- a newer one is refused and left ----
command($folder, 'cp old.db newer.db');
sql('newer.db', 'PRAGMA user_version = 99');
my $bytes = slurp("$folder/newer.db");
for my $words ([qw(list)], [qw(add note.txt)], [qw(remove note)]) {
  my $result = psl_db($words->[0], '--db', 'newer.db', @$words[1 .. $#$words]);
  ok($result->{exit} eq '1' && $result->{err} =~ /newer\.db: the database was written by a newer psl: its format is 99, this psl knows 8/,
     "a newer one: @$words", $result->{err});
}
ok($bytes eq slurp("$folder/newer.db"), 'and is left as it is');

# ---- names and texts ----
my @names = ("'; DROP TABLE entry; --", 'a"b', "it's", '%', '_', '*', '$(touch x)', "\x{c3}\x{a4}", 'x' x 200, '-n', 'NEAR(a b)', "\\");
my $number = 0;
for my $name (@names) {
  my $text = "words number " . ++$number . " of '\"; DELETE FROM entry; -- $name\n";
  spew("$folder/text.txt", $text);
  my $result = psl_db(qw(add --db names.db text.txt), "--name=$name", "--description=$name");
  ok($result->{exit} eq '0', "added: $name", $result->{err});
  $result = psl_db(qw(export --db names.db), "knowledge/$name");
  same($text, $result->{out}, "comes back: $name");
}
ok(entries('names.db') == @names, 'each is there');
my $found = psl_db(qw(search --db names.db --format csv), '"number 3"');
ok($found->{out} =~ /it's/ && ($found->{out} =~ tr/\n//) == 2, 'words find one', $found->{out});
for my $query ('"', "x' OR 1=1 --", 'a AND', '*', ')', 'NEAR(', "kind:x") {
  my $result = psl_db(qw(search --db names.db), "--", $query);
  ok($result->{exit} =~ /^[01]$/, "a search for: $query", $result->{exit});
}
psl_db(qw(remove --db names.db), "knowledge/$_") for @names;
same('', sql('names.db', "SELECT name FROM entry; SELECT id FROM content; SELECT * FROM attribute; SELECT rowid FROM words WHERE words MATCH 'number'"),
     'what is removed is gone, with all of it');

# ---- what is large ----
my $large = join '', map { "$_,$_\n" } 1 .. 2_000_000;
spew("$folder/large.csv", "n,time [s]\n$large");
my $result = psl_db(qw(add --db large.db large.csv));
ok($result->{exit} eq '0', 'a table of 30 MB', $result->{err});
$result = command($folder, 'psl db export --db large.db large -o back.csv');
ok($result->{exit} eq '0' && slurp("$folder/back.csv") eq slurp("$folder/large.csv"), 'comes back to the last byte', $result->{err});

# ---- two writers ----
for my $writer (1, 2) {
  next if fork;
  for my $n (1 .. 15) {
    spew("$folder/w$writer.txt", "of writer $writer, number $n");
    my $code = system("cd $folder && $psl db add --db both.db w$writer.txt --name w$writer-$n >/dev/null 2>>both.err");
    POSIX::_exit(1) if $code;
  }
  POSIX::_exit(0);
}
my $failed = 0;
while (wait() > 0) { $failed += $? != 0 }
ok(!$failed && entries('both.db') == 30, 'two writers at once lose nothing', slurp("$folder/both.err"));

# ---- killed in the middle ----
my $model = join "\n", 'transaction serve(t : time);', map { <<"E" } 1 .. 400;
component disk_$_ {
  accepts:
    profile     = { domain = hardware[storage], node type = disk, number = $_, machine = m@{[$_ % 7]} };
    transaction = serve(t);
    protocol    = call-return;
  body:
    hold t * $_;
}
E
spew("$folder/disks.psl", $model);
psl_db(qw(add --db killed.db note.txt));
my ($whole, $none, $wrong) = (0, 0, '');
for my $turn (1 .. 12) {
  my $pid = fork // die;
  if (!$pid) { chdir $folder; open STDOUT, '>', '/dev/null'; exec $psl, qw(db add --db killed.db disks.psl) or die }
  sleep 0.03 * $turn;
  kill KILL => $pid;
  waitpid $pid, 0;
  my $count = entries('killed.db');
  $count == 401 ? $whole++ : $count == 1 ? $none++ : ($wrong .= " $count");
  my $state = psl_db(qw(search --db killed.db remember));
  $wrong .= " $state->{err}" unless $state->{out} =~ /note/;
  psl_db('remove', '--db', 'killed.db', map { "disk_$_" } 1 .. 400) if $count == 401;
}
ok($wrong eq '', "killed in the middle a file is added whole ($whole), or not at all ($none)", $wrong);

# ---- no space ----
command($folder, 'cp killed.db full.db');
$result = command($folder, "ulimit -f 600; psl db add --db full.db disks.psl large.csv");
ok($result->{exit} eq '1' && $result->{err} =~ /full\.db: the database cannot be written: no space is left/, 'no space is said', $result->{err});
$result = psl_db(qw(show --db full.db note));
ok($result->{exit} eq '0' && $result->{out} =~ /knowledge/, 'and what was there stays', $result->{err});

# ---- damage ----
sql('both.db', 'PRAGMA wal_checkpoint(TRUNCATE)');
command($folder, 'cp both.db damaged.db');
sql('damaged.db', "UPDATE entry SET description = 'another' WHERE name = 'w1-3'; UPDATE content SET data = x'00' WHERE id = (SELECT content FROM entry WHERE name = 'w2-4')");
for my $name ('w1-3', 'w2-4') {
  $result = psl_db(qw(export --db damaged.db), $name);
  ok($result->{exit} eq '1' && $result->{err} =~ /knowledge '$name' is damaged: it is not what psl has written\nhelp: remove it, and add it again/,
     "an entry that is not what was written: $name", $result->{err});
}
$result = psl_db(qw(export --db damaged.db w1-4));
ok($result->{exit} eq '0', 'others are fine', $result->{err});
$result = psl_db(qw(remove --db damaged.db w1-3 w2-4));
ok($result->{exit} eq '0' && entries('damaged.db') == 28, 'it can be removed', $result->{err});
my $image = slurp("$folder/both.db");
substr($image, length($image) / 2, 5000) = "\xa5" x 5000;
spew("$folder/torn.db", $image);
$result = psl_db(qw(list --db torn.db));
ok($result->{exit} eq '1' && $result->{err} =~ /torn\.db: the database is damaged/, 'a file that is torn is refused', $result->{err});

# ---- many ----
my $many = $sanitized ? 2_000 : 100_000;
command($folder, 'cp killed.db many.db');
psl_db(qw(add --db many.db disks.psl));
# As psl writes rows, by SQL, but for their sums, which no SQL shell knows: what is listed so is called damaged.
sql('many.db', <<"SQL");
BEGIN;
WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < $many)
INSERT INTO entry (kind, name, format, description, origin, attributes, details, text, content, hash, sum)
SELECT 'component', 'made-' || n, 'psl', 'made', '', 'machine = x' || (n % 1000), '{}', 'body ' || n, (SELECT min(id) FROM content), x'00', 0 FROM n;
INSERT INTO words (rowid, name, description, attributes, text) SELECT id, name, description, attributes, text FROM entry WHERE name GLOB 'made-*';
INSERT INTO attribute (entry, place, profile, name, type, value, qualifier, number, unit, shown, sum)
SELECT id, 0, 0, 'machine', 'term', 'x' || (substr(name, 6) % 1000), NULL, NULL, '', 'x', 0 FROM entry WHERE name GLOB 'made-*';
INSERT INTO attribute (entry, place, profile, name, type, value, qualifier, number, unit, shown, sum)
SELECT id, 1, 0, 'number', 'number', '', NULL, CAST(substr(name, 6) AS REAL), '', 'n', 0 FROM entry WHERE name GLOB 'made-*';
COMMIT;
SQL
for my $search (['machine = x17, number < 5000', int((($many < 5000 ? $many : 4999) - 17) / 1000) + 1], ['number in 40 .. 49', 20], ['body 31', 2]) {
  my $begin = time;
  $result = psl_db(qw(search --db many.db --format csv), $search->[0]);
  my $seconds = time - $begin;
  my $rows = ($result->{out} =~ tr/\n//) - 1;
  ok($rows == $search->[1], "among $many entries: $search->[0]", "$rows rows, $result->{err}");
  ok($sanitized || $seconds < 30, sprintf('in %.1f s', $seconds));
}
finish();
