#!/usr/bin/perl
# Files that are written from several sides at once: by the server of `psl studio` while another program writes them, too,
# and by its page, which asks what is to become of them, by a dialog that keys answer.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use JSON::PP;
use PageTest;
use Run;
use Studio;

my $json = JSON::PP->new->allow_nonref->ascii;
my $folder = scratch() . '/models';
mkdir $folder;
my $farm = slurp("$root/examples/farm/farm.psl");
spew("$folder/farm.psl", $farm);

# ---- the server, on a disk that is slow ----

my $slow = scratch() . '/slow_fsync.so';
my $built = command($root, qw(cc -shared -fPIC -o), $slow, "$root/tests/lib/slow_fsync.c", '-ldl');
if ($sanitized) {
  skip('files that two write at once', 'what a sanitizer loads must come first');
  finish();
  exit;
}
ok($built->{exit} eq '0', 'a disk that is slow', $built->{err});
{
  local $ENV{LD_PRELOAD} = $slow;
  my $studio = Studio->for_test('files that two write at once', $folder);
  my $written = $studio->ask('write', {path => 'a.psl', text => "// 1\n", version => ''});
  my $begin = sub {
    my ($path, $version) = @_;
    my $writing = $studio->begin('write', {path => $path, text => "// page\n", version => $version});
    select undef, undef, undef, 0.2;
    return $writing;
  };
  my $refused = sub {
    my ($writing, $path, $what) = @_;
    my $answer = Studio::answer_of($writing);
    ok($answer->{status_code} eq '409' && $answer->{error} eq "$path has been changed by another program since it was read"
      && slurp("$folder/$path") eq "// other\n", $what, $json->encode([$answer, slurp("$folder/$path")]));
  };
  my $writing = $begin->('a.psl', $written->{version});
  spew("$folder/a.psl", "// other\n");
  $refused->($writing, 'a.psl', 'what another program writes while the page saves is not lost');
  my $read = $studio->ask('read', {path => 'a.psl'});
  $writing = $begin->('a.psl', $read->{version});
  spew("$folder/b", "// other\n");
  rename "$folder/b", "$folder/a.psl";
  $refused->($writing, 'a.psl', '... nor a file that it puts there');
  $writing = $begin->('new.psl', '');
  spew("$folder/new.psl", "// other\n");
  $refused->($writing, 'new.psl', '... nor one where there was none');
  $read = $studio->ask('read', {path => 'a.psl'});
  $writing = $begin->('a.psl', $read->{version});
  symlink 'new.psl', "$folder/link";
  rename "$folder/link", "$folder/a.psl";
  my $answer = Studio::answer_of($writing);
  ok($answer->{status_code} eq '409' && -l "$folder/a.psl" && slurp("$folder/new.psl") eq "// other\n",
    '... nor one that a link leads to', $json->encode($answer));
  unlink "$folder/a.psl";
  $answer = $studio->ask('write', {path => 'a.psl', text => "// page\n", version => $read->{version}});
  ok($answer->{status_code} eq '200' && slurp("$folder/a.psl") eq "// page\n", 'a file that is gone is written anew',
    $json->encode($answer));
  opendir my $entries, $folder;
  my @left = grep { /^\.psl-/ } readdir $entries;
  ok(!@left, 'nothing is left beside them', "@left");
  ok($studio->end eq '0', 'the end');
  unlink map { "$folder/$_" } qw(a.psl new.psl);
}

# ---- the page ----

if (!Browser::installed()) {
  skip('questions of the page', 'chromium is not installed');
  finish();
  exit;
}
spew("$folder/what-if.psl", slurp("$root/examples/farm/what-if.psl"));
spew("$folder/what-if.psl.layout", "worker 7 7\n");
spew("$folder/lapw0.uml", slurp("$root/examples/lapw0/lapw0.uml"));
spew("$folder/costs.psl", slurp("$root/examples/lapw0/costs.psl"));
spew("$folder/measured.csv", slurp("$root/examples/lapw0/measured.csv"));
my $studio = Studio->for_test('questions of the page', $folder, 'farm.psl');
my $browser = Browser->start(scratch());
test_page($browser, $studio, 'files');
$browser->window(1280, 800, 'light');
$browser->open($studio->{address});
sub calm { $browser->until("document.body?.dataset.ready === 'yes' && " .
  "document.querySelector('#picture').getAttribute('aria-busy') === 'false'", 60) }
sub text { return value("document.querySelector('#text').editor.text()") }
sub add {
  my $quoted = $json->encode($_[0]);
  value("(() => { const e = document.querySelector('#text').editor; e.apply([{range: {start: {line: 0, character: 0}, " .
    "end: {line: 0, character: 0}}, newText: $quoted}]); return 1; })()");
  calm();
}
sub open_file {
  my ($path) = @_;
  value("document.querySelector('[data-path=\"$path\"]').click()");
  $browser->until("document.querySelector('#file-name').textContent === '$path'");
}
sub is_text {
  my ($path, $wanted, $what) = @_;
  my $is = '';
  for (1 .. 100) {
    last if ($is = slurp("$folder/$path") // '') eq $wanted;
    select undef, undef, undef, 0.1;
  }
  ok($is eq $wanted, $what, difference($wanted, $is));
}
my $asked = "document.querySelector('#question').open";
my $focus = "document.activeElement.textContent";
calm();

# Saved over what another program has written.
sub conflict {
  add("// page\n");
  spew("$folder/farm.psl", "// other\n$farm");
  value("document.querySelector('.cm-content').focus(), 1");
  $browser->press('Ctrl+s');
  comes($asked, 'one is asked before what another program has written is replaced');
}
conflict();
is_value("document.querySelector('#question').innerText.replace(/\\s+/g, ' ').trim()", 'Replace farm.psl? farm.psl has been ' .
  'changed by another program since it was read. Leave it Replace it by what stands here Take what it has now', 'with a reason');
is_value("(() => { const d = document.querySelector('#question'), by = (name) => d.getAttribute(name).split(' ').map((id) => " .
  "document.getElementById(id).textContent).join(); return [d.getAttribute('role'), by('aria-labelledby'), " .
  "by('aria-describedby')].join('; '); })()", 'alertdialog; Replace farm.psl?; farm.psl has been changed by another program ' .
  'since it was read.', 'which screen readers say');
is_value($focus, 'Leave it', 'the focus is on what does no harm');
shot('question');
my $axe = Browser::axe($build);
for my $window ([1280, 'light'], [400, 'dark']) {
  $browser->window($window->[0], 800, $window->[1]);
  shot("question-$window->[0]");
  my @found = $axe ? $browser->violations($axe) : ();
  ok(!@found, "@$window: axe-core finds nothing against WCAG AA", join "\n", @found);
}
$browser->window(1280, 800, 'light');
$browser->press('Tab') for 1 .. 2;
is_value($focus, 'Take what it has now', 'Tab goes from answer to answer');
$browser->press('Escape');
comes("!$asked && document.querySelector('#status').textContent === 'farm.psl has been changed by another program since it was read'",
  'Escape leaves it');
is_value("document.activeElement.closest('#text') !== null", 1, 'and the focus is where it was');
ok(slurp("$folder/farm.psl") eq "// other\n$farm" && text() eq "// page\n$farm", 'neither is changed', text());
$browser->press('Ctrl+s');
$browser->until($asked);
$browser->press('Tab');
$browser->press('Enter');
is_text('farm.psl', "// page\n$farm", 'Return presses the answer that has the focus: it is replaced');
comes("!$asked && document.querySelector('#status').textContent === 'saved farm.psl'", 'which is said');
value("document.querySelector('#undo').click()");
conflict();
$browser->press('Tab') for 1 .. 2;
$browser->press('Enter');
comes("document.querySelector('#text').editor.text().startsWith('// other') && document.querySelector('#save').disabled",
  'or its text is taken');
value("document.querySelector('#undo').click()");
is_value("document.querySelector('#text').editor.text().startsWith('// page')", 1, 'which can be undone');
$browser->press('Ctrl+s');
comes("document.querySelector('#save').disabled && !$asked", 'and saved, since what is there is known');

# A file that is there already.
spew("$folder/lapw0-diagram.psl", "// mine\n");
open_file('lapw0.uml');
$browser->until("document.querySelectorAll('#diagram-picture .element').length === 5");
sub make { value("[...document.querySelectorAll('#diagram-view button')].find((b) => b.textContent === 'Make PSL').click()");
  $browser->until("document.querySelector('#made').open"); value("document.querySelector('#made-save').click()"); $browser->until($asked) }
make();
is_value("document.querySelector('#question-text').textContent", 'lapw0-diagram.psl is there already.', 'one that is made is written over none unasked');
$browser->press('Enter');
comes("!$asked && document.querySelector('#status').textContent === 'lapw0-diagram.psl is left as it is.'", 'it is left');
ok(slurp("$folder/lapw0-diagram.psl") eq "// mine\n", 'as it is');
value("document.querySelector('#made-close').click()");
make();
$browser->press('Tab');
$browser->press('Enter');
comes("document.querySelector('#file-name').textContent === 'lapw0-diagram.psl'", 'or replaced');
ok(slurp("$folder/lapw0-diagram.psl") =~ /component lapw0/, 'as was meant');
open_file('lapw0.uml');
value("new Promise((done) => setTimeout(done, 400))");
$browser->until("document.querySelector('#diagram-picture').getAttribute('aria-busy') === 'false' && " .
  "document.querySelectorAll('#diagram-picture .element').length === 5");
value("(() => { [...document.querySelectorAll('#diagram-picture [aria-label^=\"opaque prepare\"]')][0].dispatchEvent(new " .
  "MouseEvent('click', {bubbles: true})); return 1; })()");
$browser->until("document.querySelector('#diagram-chosen').textContent.includes('Opaque Action')");
value("document.querySelector('#diagram-remove').click()");
spew("$folder/lapw0.uml", '<other/>');
value("document.querySelector('#save').click()");
comes($asked, 'a diagram is saved over another one after a question');
$browser->press('Tab');
$browser->press('Enter');
comes("document.querySelector('#status').textContent === 'saved lapw0.uml' && document.querySelector('#file-state').textContent === ''",
  'and replaces it');
ok(slurp("$folder/lapw0.uml") =~ /calculate atoms/ && slurp("$folder/lapw0.uml") !~ /name="prepare"/, 'as it is drawn');

# ---- places of boxes, where requests take long and cross ----

spew("$folder/farm.psl", $farm);
open_file('farm.psl');
put_all($farm);
sub put_all {
  my $quoted = $json->encode($_[0]);
  value("(() => { const e = document.querySelector('#text').editor; e.apply([{range: {start: {line: 0, character: 0}, " .
    "end: {line: 1e6, character: 0}}, newText: $quoted}]); return 1; })()");
  calm();
}
calm();
# Reads of places wait, the first of them the longest: what is asked later is answered earlier.
value("(() => { const real = window.fetch; let late = 0; window.fetch = async (address, how) => { if (String(address).endsWith('/read') && " .
  "how.body.includes('.layout')) { const first = !late++; const answer = await real(address, how); await new Promise((d) => setTimeout(d, first ? 900 : 100)); return answer; } " .
  "return real(address, how); }; window.again = () => { late = 0; }; return 1; })()");
sub rename_worker {
  my ($name) = @_;
  value("document.querySelector('#draw-rename').click()");
  new_name($name);
  $browser->until("!!document.querySelector('.node[data-key=$name]')");
}
$browser->click_on('#picture .node[data-key=worker] .box .title');
$browser->until("document.querySelector('#drawn-name').textContent === 'worker'");
rename_worker('helper');
value("document.querySelector('#undo').click()");
calm();
select undef, undef, undef, 2.5;
is_text('what-if.psl.layout', "worker 7 7\n", 'a name that is changed and at once changed back has its place by the old one');
value("document.querySelector('.node[data-key=worker] .box').focus(), again()");
$browser->press('Shift+ArrowRight') for 1 .. 3;
my $stands = value("document.querySelector('.node[data-key=worker]').getAttribute('transform')");
value("(() => { document.querySelector('[data-path=\"what-if.psl\"]').click(); return 1; })()");
$browser->until("document.querySelector('#file-name').textContent === 'what-if.psl'");
open_file('farm.psl');
calm();
is_value("document.querySelector('.node[data-key=worker]').getAttribute('transform')", $stands,
  'a model that is opened again has the places that are just being written');

my @wrong = grep { !/status of 409/ } $browser->wrong;
ok(!@wrong, 'no error in the page', join "\n", @wrong);
$browser->end;
ok($studio->end eq '0', 'the end');
finish();
