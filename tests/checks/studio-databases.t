#!/usr/bin/perl
# Databases of studies in `psl studio`, in a browser: those that lie in the folder are listed, opened as pages and set side
# by side, as `psl diff` does it; a run of a point is the very one that the study has made, by its seed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use JSON::PP;
use PageTest;
use Run;
use Studio;

if (!Browser::installed() || $sanitized) {
  skip('databases in the studio', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}
my $folder = scratch() . '/models';
mkdir $_ for $folder, "$folder/kept";
my $model = <<'END_MODEL';
param workers : int = 4 in 1 .. 1000;
param work : time = 40 s;
transaction solve(part : time);
component worker [w] : 0 <= w < workers {
  accepts:
    profile     = { domain = application[farm], node type = worker };
    transaction = solve(part);
    protocol    = call-return;
  body: hold exponential(part);
}
system farm {
  requests:
    every selector = { domain = application[farm], node type = worker };
    transaction    = solve(work / workers);
    protocol       = call-return;
}
END_MODEL
spew("$folder/farm.psl", $model);
spew("$folder/kept/broken.db", 'no database');
sub kept { my ($db, $name, @more) = @_; return command($folder, $psl, 'study', 'farm.psl', '--db', $db, '--name', $name,
  '--vary', 'workers=2,4,8', '--seed', 7, '--repetitions', 3, '--quiet', '-o', scratch() . '/out.txt', @more) }
my @made = (kept('kept/a.db', 'plain'), kept('b.db', 'plain', '--set', 'work=80 s'), kept('b.db', 'short', '--set', 'work=1 s', '--max-time', '0.2s'));
ok(!(grep { $_->{exit} ne '0' } @made), 'three studies in two databases', join '', map { $_->{err} } @made);

# ---- what the command line says of them ----
my $list = command($folder, $psl, 'report', '--list', '-f', 'json', 'b.db');
my $said = eval { decode_json($list->{out}) } // {};
my $of = join ' ', map { join ',', @$_{qw(study system model points repetitions seed)}, $_->{max_time}{value} // 'none' } @{$said->{studies} // []};
ok($of eq 'plain,farm,farm.psl,3,3,7,none short,farm,farm.psl,3,3,7,0.2', 'psl report --list has the studies of a database', "$of\n$list->{err}");

my $studio = Studio->for_test('databases in the studio', $folder, 'farm.psl');
my $answer = $studio->ask('files');
ok(join(' ', @{$answer->{databases}}) eq 'b.db kept/a.db kept/broken.db' && join(' ', @{$answer->{files}}) eq 'farm.psl', 'the server lists databases apart');
my @refused = map { $studio->ask('studies', {path => $_})->{status_code} } '../x.db', 'farm.psl', '/etc/x.db';
ok("@refused" eq '403 403 403', 'of other files it has no studies', "@refused");
my @none = map { $studio->ask('studies', {path => $_})->{wrong} // '' } 'none.db', 'kept/broken.db';
ok($none[0] =~ /there is no database/ && $none[1] =~ /broken.db/, 'why there are none', join "\n", @none);
ok($studio->ask('read', {path => 'b.db'})->{status_code} eq '403' && $studio->ask('write', {path => 'b.db', text => '', version => ''})->{status_code} eq '403',
  'a database is no text that is read or written');
my @wrong_how = map { $studio->ask('run', {path => 'farm.psl', how => {seed => $_}})->{status_code} } '7', -1, [];
ok("@wrong_how" eq '400 400 400', 'a seed is a number', "@wrong_how");

my $browser = Browser->start(scratch());
test_page($browser, $studio, 'databases');
$browser->window(1280, 900, 'light');
$browser->open($studio->{address});
my $names = "[...document.querySelectorAll('#databases button')].map((b) => b.textContent).join('; ')";
comes("$names === 'b.db, plain; b.db, short; kept/a.db; kept/broken.db'", 'the studies of all databases are listed');
sub press_study { my ($name) = @_; value("[...document.querySelectorAll('#databases button')].find((b) => b.textContent === '$name').click(); 1") }
sub page_text { return $studio->request('GET', value("new URL(document.querySelector('#job-page iframe').src).pathname"))->{body} }
press_study('kept/broken.db');
comes("document.querySelector('#job-said').textContent.includes('database')", 'of what is none it is said');
press_study('kept/a.db');
comes("!!document.querySelector('#job-page iframe') && document.querySelectorAll('#jobs button').length === 2", 'the page of a study');
comes("document.querySelectorAll('#compare-with option').length === 2", 'it can be set beside those of the other database');
is_value("document.querySelector('#compare').innerText.trim().split(/\\s{2,}|\\n/)[0].trim().slice(0, 13)", 'Set it beside', 'in these words');
shot('chooser');
my $axe = Browser::axe($build);
my @violations = $axe ? $browser->violations($axe) : ();
ok(!@violations, 'axe-core finds nothing against WCAG AA', join "\n", @violations);
value("document.querySelector('#compare-with').value = 'b.db, plain'; document.querySelector('#compare-run').click(); 1");
comes("!!document.querySelector('#job-page iframe') && document.querySelector('#jobs [aria-pressed=true]').textContent.startsWith('difference')", 'two databases side by side');
my $page = page_text();
my $diff = command($folder, $psl, 'diff', 'b.db', 'kept/a.db', 'plain', 'plain', '-f', 'html');
ok($page =~ /what is not alike/ && $page =~ /<td>work<\/td><td>80 s<\/td><td>as declared<\/td>/, 'what is not alike', substr $page, 0, 300);
my ($table) = $diff->{out} =~ /(<table id="points".*?<\/table>)/s;
my ($shown) = $page =~ /(<table id="points".*?<\/table>)/s;
ok(!$table && $diff->{exit} eq '0' && $page eq $diff->{out} || defined $table && defined $shown && $table eq $shown, 'the same as psl diff says', $diff->{err});
shot('difference');

# ---- the very run of a point ----
value("[...document.querySelectorAll('#jobs button')][1].click(); 1");
comes("!!document.querySelector('#job-page iframe')", 'the study once more');
# The number of the second point, of 4 workers, and one of its seeds.
sub run_point {
  my ($seed) = @_;
  for (1 .. 100) {
    last if frame_value("(() => { const rows = [...document.querySelectorAll('#points td button')]; if (rows[1]) rows[1].click(); " .
      "const field = document.querySelector('.card input[name=seed]'), b = [...document.querySelectorAll('.card button')].find((one) => one.textContent === 'Show its run'); " .
      "if (!b || !field) return false; field.value = '$seed'; b.click(); return true; })()");
    select undef, undef, undef, 0.1;
  }
}
sub predicted { my ($text) = @_; my ($time) = $text =~ /predicted time<\/dt>\s*<dd>([^<]*)/; return $time // 'none' }
for my $seed (7, 9) {
  my $jobs = value("document.querySelectorAll('#jobs button').length");
  run_point($seed);
  comes("document.querySelectorAll('#jobs button').length > $jobs && !!document.querySelector('#job-page iframe') && " .
    "document.querySelector('#jobs [aria-pressed=true]').textContent.includes('seed $seed')", "a run of seed $seed, which its name says");
  my $got = predicted(page_text());
  my $wanted = predicted(command($folder, $psl, 'run', 'farm.psl', '--seed', $seed, '-f', 'html')->{out});
  ok($got eq $wanted && $got ne 'none', "it is the study's run of seed $seed", "$got, wanted $wanted");
  value("[...document.querySelectorAll('#jobs button')][1].click(); 1");
  comes("!!document.querySelector('#job-page iframe')", 'back');
}
# What else was asked of the study's runs holds for one of them.
press_study('b.db, short');
comes("!!document.querySelector('#job-page iframe') && document.querySelector('#jobs [aria-pressed=true]').textContent.includes('short')", 'the study that was ended early');
$page = page_text();
ok($page =~ /data-run="\{&quot;seed&quot;: 7, &quot;repetitions&quot;: 3, &quot;max-time&quot;: 0.2\}"/, 'its page says how its runs were made', ($page =~ /(data-run="[^"]*")/)[0]);
my $job = $studio->run(path => 'farm.psl', how => {'max-time' => 0.2, seed => 7});
ok(($studio->request('GET', $job->{page})->{body}) =~ /200(?:\.0)? ms/, 'and the run ends then, too', $job->{said});
# A difference of a run and a study is none.
my $run = $studio->run(path => 'farm.psl', set => {});
my $mixed = $studio->ask('run', {path => 'farm.psl', runs => [$run->{job}, {path => 'b.db', name => 'plain'}]});
ok($mixed->{status_code} eq '400', 'a run is not set beside a study', $mixed->{error});
my @wrong = $browser->wrong;
ok(!@wrong, 'nothing goes wrong in the page', join "\n", @wrong);
$browser->end;
$studio->end;
finish();
