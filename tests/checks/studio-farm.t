#!/usr/bin/perl
# A farm of workers with a disk in the page of `psl studio`, as one who does not know PSL makes it: drawn from nothing by
# buttons and forms, run, its disk changed, and both runs compared. Nothing is typed into the text.
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
  skip('a farm that is drawn', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}
my $json = JSON::PP->new->allow_nonref->ascii;
my $folder = scratch() . '/models';
mkdir $folder;
my $studio = Studio->for_test('a farm that is drawn', $folder);
my $browser = Browser->start(scratch());
test_page($browser, $studio, 'farm');
$browser->window(1280, 800, 'light');
$browser->open($studio->{address});
sub calm { $browser->until("document.body?.dataset.ready === 'yes' && " .
  "document.querySelector('#picture').getAttribute('aria-busy') === 'false'", 60) }
# A button that can be seen and is not covered, as one presses it.
sub press {
  my ($button) = @_;
  my $quoted = $json->encode($button);
  my $seen = value("(() => { const b = document.querySelector($quoted), r = b.getBoundingClientRect(); return " .
    "b.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })()");
  ok($seen eq '1', "$button can be pressed", $seen);
  $browser->click_on($button);
}
# A form, filled in field by field, the first of which has the focus.
sub fill {
  my ($button, $name, @values) = @_;
  press($button);
  comes("document.querySelector('#form').open && document.querySelector('#form').contains(document.activeElement)",
    "$name: a form");
  while (my ($label, $text) = splice @values, 0, 2) {
    my $quoted = $json->encode($text);
    my $done = value("(() => { const l = [...document.querySelectorAll('#form label')].find((one) => one.textContent " .
      "=== '$label' && one.getClientRects().length); if (!l) return 0; const f = document.getElementById(l.htmlFor); " .
      "f.value = f.options ? [...f.options].find((o) => o.text.startsWith($quoted)).value : $quoted; " .
      "f.dispatchEvent(new Event('input', {bubbles: true})); return 1; })()");
    ok($done eq '1', "$name: $label", $done);
  }
  shot($name =~ s/\W+/-/gr);
  press('#form-done');
  comes("!document.querySelector('#form').open", "$name is drawn");
  calm();
}
my $axe = Browser::axe($build);
# In a wide window and in a narrow one, light and dark.
sub looks {
  my ($name) = @_;
  for my $window ([400, 'light'], [400, 'dark'], [1280, 'dark'], [1280, 'light']) {
    $browser->window($window->[0], 800, $window->[1]);
    shot("$name-" . join '-', @$window);
    my @found = $axe ? $browser->violations($axe) : ();
    ok(!@found, "$name, @$window: axe-core finds nothing against WCAG AA", join "\n", @found);
    ok(value('document.documentElement.scrollWidth <= innerWidth'), "$name, @$window: nothing is cut off");
  }
}
sub nodes { return value("[...document.querySelectorAll('#picture .node')].map((n) => n.dataset.key).join(' ')") }
# All boxes are inside of what is seen of the graph.
my $seen = "(() => { const p = document.querySelector('#picture').getBoundingClientRect(); return " .
  "[...document.querySelectorAll('#picture .node')].every((n) => { const r = n.getBoundingClientRect(); return r.left " .
  ">= p.left && r.right <= p.right && r.top >= p.top && r.bottom <= p.bottom; }); })()";

calm();
comes("document.querySelector('#status').textContent.includes('create one')", 'an empty folder says what to do');
value("(() => { document.querySelector('#new-name').focus(); return 1; })()");
$browser->type('farm');
$browser->press('Enter');
comes("document.querySelector('#guide-text').textContent.startsWith('This model has no component yet') && " .
  "!document.querySelector('.bad:not([hidden]):not(:empty)')", 'and so does an empty model, which is no error');
value("document.querySelector('[data-show=graph]').click()");
looks('empty');
fill('[data-does=add-component]', 'the disk', Name => 'disk', Layer => 'hardware', 'Part of' => 'storage',
  'What it is asked to do' => 'write(amount : data)', 'Time that it takes' => 'amount / (100 MB/s)',
  'How many at a time' => '1');
comes("document.querySelector('#guide-text').textContent.startsWith('Nothing is run yet')", 'what comes next is said');
fill('#add-component', 'the workers', Name => 'worker', 'How many there are' => '8',
  'What it is asked to do' => 'solve(work : time)', 'Time that it takes' => 'work');
fill('#add-request', 'a request', From => 'worker', To => 'disk', 'Name of the request' => 'store',
  'What is given' => '50 MB');
fill('[data-does=add-system]', 'the system', 'Name of the system' => 'main', 'What is given' => '10 s');
comes("document.querySelector('#guide').hidden && document.querySelectorAll('#picture .edge').length === 2",
  'it can be run');
ok(value($seen), 'all of it is seen', nodes());
shot('drawn');

# ---- run, change, compare ----

press('#run');
comes("document.querySelector('#job-page iframe') && document.querySelector('#job-state').textContent === ''",
  'it is run');
my $report = sub { $studio->request('GET', value("new URL(document.querySelector('#job-page iframe').src).pathname"))
  ->{body} };
my $beside = "(() => { const [name, figure] = ['dt', 'dd'].map((one) => document.querySelector('.facts ' + one)" .
  ".getBoundingClientRect()); return Math.abs(name.top - figure.top) < 4 ? 1 : name.top + ' ' + figure.top; })()";
my $found;
for (1 .. 100) { # the report may just be coming
  last if defined($found = frame_value($beside)) && $found !~ /wrong/;
  select undef, undef, undef, 0.1;
}
ok(($found // '') eq '1', 'its figures stand beside their names, where there is little room, too', $found);
my ($slow) = $report->() =~ /predicted time.*?([\d.]+ s)/s;
press('[data-show=graph]');
$browser->click_on('#picture .node[data-key=disk] .box .title');
comes("document.querySelector('#drawn-name').textContent === 'disk'", 'the disk is chosen');
press('#draw-values');
comes("document.querySelector('#form').open", 'its values are a form');
looks('values');
value("document.querySelector('#form-cancel').click()");
fill('#draw-values', 'a faster disk', hold => 'amount / (1 GB/s)');
press('#run');
comes("document.querySelectorAll('#jobs button').length === 2 && document.querySelector('#job-page iframe') && " .
  "!document.querySelector('#compare').hidden", 'it is run again');
my ($fast) = $report->() =~ /predicted time.*?([\d.]+ s)/s;
ok(($slow // '') eq '14.00 s' && ($fast // '') eq '10.40 s', 'the disk makes it faster', ($slow // 'none') . ', ' .
  ($fast // 'none'));
press('#compare-run');
comes("document.querySelectorAll('#jobs button').length === 3 && document.querySelector('#job-page iframe')",
  'both are compared');
my $difference = $report->();
ok($difference =~ /14\.00 s.*10\.40 s|10\.40 s.*14\.00 s/s && $difference =~ /disk/, 'with what makes the difference',
  $difference);
shot('compared');

# ---- one that the chosen one asks next, by keys; and what goes with what is deleted ----

press('[data-show=graph]');
value("document.querySelector('#picture .node[data-key=disk] .box').focus(), 1");
$browser->press('n');
comes("document.querySelector('#form').open && document.querySelector('#form-title').textContent === " .
  "'What disk asks next'", 'a key appends one to the box');
my %cable = ('field-name' => 'cable', 'field-layer' => 'hardware', 'field-transaction' => 'move(amount : data)',
  'field-time' => 'amount / (2 GB/s)', 'field-request' => 'by-cable', 'field-given' => 'amount');
value("(() => { document.getElementById('$_').value = '$cable{$_}'; return 1; })()") for keys %cable;
$browser->press('Enter');
comes("document.querySelectorAll('#picture .edge').length === 3 && !!document.querySelector('.node.picked[data-key=cable]')",
  'with its request');
calm();
press('#draw-delete');
comes("document.querySelector('label[for=field-what]')?.textContent === 'It alone takes disk.by-cable'",
  'what would go nowhere without it is said');
press('#form-done');
comes("document.querySelectorAll('#picture .edge').length === 2 && !document.querySelector('.node[data-key=cable]') && " .
  "!document.querySelector('#problems .error')", 'and goes with it');
ok(value("document.querySelector('#text').editor.text()") !~ /cable/, 'from the text, too',
  value("document.querySelector('#text').editor.text()"));

# ---- params: units, ranges, and what is no value ----

my $model = slurp("$root/examples/farm/farm.psl");
spew("$folder/other.psl", $model);
value("(() => { const f = document.querySelector('#new-name'); f.value = 'third'; " .
  "document.querySelector('#new-form').requestSubmit(); return 1; })()");
$browser->until("document.querySelector('#file-name').textContent === 'third.psl'");
value("document.querySelector('[data-path=\"other.psl\"]').click()");
$browser->until("document.querySelector('#file-name').textContent === 'other.psl'");
calm();
press('[data-show=params]');
comes("document.querySelector('#note-workers')?.textContent.includes('in 1 .. 1000') && " .
  "document.querySelector('#note-work').textContent.startsWith('time, as s, ms, us, ns; of the whole job')",
  'a param has its type, units, range and documentation');
sub set_param {
  my ($name, $text) = @_;
  value("(() => { const f = document.querySelector('#param-$name'); f.value = '$text'; f.dispatchEvent(new " .
    "Event('input', {bubbles: true})); return 1; })()");
}
set_param('workers', '2000');
comes("document.querySelector('#wrong-workers').textContent === 'workers = 2000 is not in its range' && " .
  "document.querySelector('#param-workers').getAttribute('aria-invalid') === 'true'", 'a value out of range is refused');
set_param('workers', '16');
set_param('work', '3 MB');
comes("document.querySelector('#wrong-workers').hidden && document.querySelector('#wrong-work').textContent.startsWith(" .
  "\"param 'work' wants time, not data\")", 'and one of another type, with the reason');
shot('params');
set_param('work', '40 s');
comes("document.querySelector('#wrong-work').hidden", 'until it is one');
$browser->click_on('#param-workers + button');
comes("document.querySelector('#text').editor.text().includes('param workers : int  = 16 in 1 .. 1000;')",
  'which is written into the text');

my @wrong = $browser->wrong;
ok(!@wrong, 'no error in the page', join "\n", @wrong);
$browser->end;
ok($studio->end eq '0', 'the end');
finish();
