#!/usr/bin/perl
# The page of `psl studio` in a browser: text, graph, params, runs and studies, as one uses them; with CodeMirror and
# without; in wide and narrow windows, light and dark; and models that would script it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use JSON::PP;
use PageTest;
use Run;
use Studio;

if (!Browser::installed()) {
  skip('the studio in a browser', 'chromium is not installed');
  finish();
  exit;
}
my $folder = scratch() . '/models';
mkdir $folder;
spew("$folder/$_", slurp("$root/examples/farm/$_")) for qw(farm.psl what-if.psl);
spew("$folder/z.psl", slurp("$root/examples/queueing/central-server.psl"));
$| = 1;
my $evil = '</script><img src=x onerror=window.hacked=1><script>window.hacked=1</script>';
(my $hostile = slurp("$folder/farm.psl")) =~ s/^(param work )/\/\/\/ "$evil" <b>&amp;\n$1/m;
spew("$folder/z<img src=x onerror=hacked=1>.psl", $hostile);
spew("$folder/z<img src=x onerror=hacked=1>2.psl", "component a { $evil\n");
mkdir "$folder/parts 50% of #";
spew("$folder/parts 50% of #/part.psl", "param rate : tmie = 1 s;\n");
spew("$folder/uses.psl", "use \"parts 50% of #/part.psl\";\nparam twice : time = 2 * rate;\n");

my $studio = Studio->for_test('the studio in a browser', $folder, 'farm.psl');
my $browser = Browser->start(scratch());
test_page($browser, $studio, 'page');
$browser->window(1280, 800, 'light');
my $begun = time;
$browser->open($studio->{address});
my $ready = $browser->until("document.body && document.body.dataset.ready === 'yes' && " .
  "!!document.querySelector('#picture svg')");
ok($ready, 'the page shows the model and its graph', join "\n", $browser->wrong);
# Waits for the button and presses it at once, before the page may draw it anew.
sub press { my ($button, $name) = @_; comes("(() => { const b = $button; b?.click(); return !!b; })()", $name) }

is_value('location.href', "http://127.0.0.1:$studio->{port}/", 'the token is no part of the address any more');
my $size = 0;
$size += length $studio->request('GET', $_)->{body} for '/',
  map { @{value("performance.getEntriesByType('resource').map((e) => new URL(e.name).pathname)")} } 1;
ok($size < 1 << 20, 'the first load is less than 1 MB', "$size bytes");
is_value("[...document.querySelectorAll('#picture .box')].map((n) => " .
  "n.getAttribute('aria-label')).sort().join(', ')",
           'component disk-drive, component farm, component flash-drive, which nobody asks, component worker',
             'components are boxes that are named');
is_value("[...document.querySelectorAll('#picture .edge')].map((n) => " .
  "n.getAttribute('aria-label')).sort().join('; ')",
           'request every solve of farm, goes to worker; request store: write of worker, goes to disk-drive',
             'requests are edges');

# ---- text and graph ----

my $mirror = value("!!document.querySelector('.cm-editor')");
sub text { return value("document.querySelector('#text').editor.text()") }
# Nothing that was begun before comes in between from now on.
sub calm { $browser->until("document.querySelector('#picture').getAttribute('aria-busy') === 'false'") }
sub click_picture { my ($part) = @_; calm(); $browser->click_on("#picture $part") }
sub go { my ($line, $column) = @_;
  calm();
  value("(() => { const at = {line: $line, character: $column}; " .
    "document.querySelector('#text').editor.select({start: at, end: at}, true); return 1; })()");
}
sub put {
  my $quoted = JSON::PP->new->allow_nonref->ascii->encode($_[0]);
  value("(() => { const e = document.querySelector('#text').editor; e.apply([{range: {start: {line: 0, " .
    "character: 0}, end: {line: 1e6, character: 0}}, newText: $quoted}]); return 1; })()");
}
my $farm = slurp("$folder/farm.psl");
if (!$mirror) {
  skip('the text in CodeMirror', 'psl was built without CodeMirror');
} else {
  ok(text() eq $farm, 'the text is there', text());
  go(8, 3);
  comes("document.querySelector('#picture .node.picked')?.dataset.component === 'worker'",
    'the box of the component that the cursor is in is marked');
  click_picture('.node[data-component="disk-drive"]');
  comes("document.querySelector('#text').editor.view.state.doc.lineAt(" .
    "document.querySelector('#text').editor.view.state.selection.main.from).number - 1 === 23",
    'a click on a box selects its component in the text');
  click_picture('.edge[data-request="store"]');
  comes("document.querySelector('#why pre').textContent.includes('refused: flash-drive (farm.psl:')",
    'a click on an edge says why it goes there, and who was refused');
  is_value("(() => { const s = document.querySelector('#text').editor.view.state; return s.sliceDoc(" .
    "s.selection.main.from, s.selection.main.to); })()", 'store', 'and selects the request');
  value("document.querySelector('#why-close').click()");

  # Drawing.
  comes("document.querySelector('#draw-target').value === 'disk-drive' && !document.querySelector('#drawing').hidden",
    'the request can be sent elsewhere');
  value("(() => { const s = document.querySelector('#draw-target'); s.value = 'flash-drive'; s.dispatchEvent(new " .
    "Event('change')); return 1; })()");
  comes("[...document.querySelectorAll('#picture .edge')].some((e) => e.dataset.to === 'flash-drive')",
    'which the graph then shows');
  (my $flash = $farm) =~ s/node type = disk \};\n      transaction/node type = flash };\n      transaction/;
  ok(text() eq $flash, 'and is a change of its selector alone', difference($flash, text()));
  value("document.querySelector('#undo').click()");
  ok(text() eq $farm, 'which is one step to undo', difference($farm, text()));
  comes("[...document.querySelectorAll('#picture .edge')].some((e) => e.dataset.to === 'disk-drive')",
    'in the graph, too');
  value("document.querySelector('#why-close').click()");
  value("document.querySelector('#zoom-fit').click()");
  click_picture('.node[data-component="disk-drive"]');
  comes("document.querySelector('#drawn-name').textContent === 'disk-drive'", 'a component is chosen');
  value("document.querySelector('#draw-delete').click()");
  comes("document.querySelector('#form').open && document.querySelector('label[for=field-what]').textContent === " .
    "'It alone takes worker.store'", 'what goes to it alone is said before it is deleted');
  value("document.querySelector('#form-done').click()");
  comes("document.querySelector('#form-message').textContent === \"nothing is changed, since the text would be wrong: " .
    "line 18: unknown component 'disk-drive'\"",
        'what others need is not deleted, and it is said why');
  value("document.querySelector('#form-cancel').click()");
  ok(text() eq $farm, 'the text is as it was');
  value("document.querySelector('#draw-rename').click()");
  new_name('drum');
  comes("document.querySelector('#text').editor.text().includes('component flash-drive like drum {')",
    'it is renamed wherever it is used');
  value("document.querySelector('#undo').click()");
  comes("document.querySelector('#text').editor.text() === " .
    JSON::PP->new->allow_nonref->ascii->encode($farm), 'and back');

  calm();
  comes("[...document.querySelectorAll('#picture .node')].map((n) => n.dataset.component).sort().join(' ') === " .
    "'disk-drive farm flash-drive worker'", 'in the graph, too');

  # What is wrong is marked, the last picture stays, and zoom and place with it.
  value("document.querySelector('#zoom-in').click()");
  my $view = value("document.querySelector('#picture svg').getAttribute('viewBox')");
  go(1, 0);
  $browser->type("param broken : ;\n");
  comes("document.querySelectorAll('#problems button.error').length > 0", 'an error is listed as one types');
  comes("document.querySelectorAll('.said-error').length > 0 && !document.querySelector('#graph-message').hidden",
    'and marked in the text');
  comes("document.querySelectorAll('#picture .node').length === 4 && " .
    "document.querySelector('#graph-message').textContent.startsWith('The picture is that of the text before: " .
    "farm.psl:2:')", 'the last good picture stays, and says so');
  $browser->press('Ctrl+z');
  comes("document.querySelector('#graph-message').hidden && !document.querySelector('#problems button.error')",
    'all is well again when it is undone');
  ok(text() eq $farm, 'Ctrl-Z has undone it', text());
  is_value("document.querySelector('#picture svg').getAttribute('viewBox')", $view,
    'zoom and place of the graph have stayed');

  # Completion, hover, definition, rename, the fix that is offered.
  go(18, 0);
  go(17, 18);
  $browser->press('End');
  $browser->press('Enter');
  $browser->type('sel');
  $browser->press('Ctrl+Space');
  comes("[...document.querySelectorAll('.cm-tooltip-autocomplete li')].some((h) => h.textContent === 'selector')",
    'completion offers the attributes of a request');
  $browser->press('Escape');
  $browser->press('Ctrl+z') for 1 .. 4;
  put($farm) if text() ne $farm;
  go(14, 10);
  select undef, undef, undef, 0.3;
  $browser->press('F1');
  comes("!document.querySelector('#tip').hidden && document.querySelector('#tip').textContent.includes('time')",
    'F1 says what a name is');
  my $place = value("(() => { const v = document.querySelector('#text').editor.view, " .
    "c = v.coordsAtPos(v.state.doc.line(2).from + 8); return [c.left + 2, (c.top + c.bottom) / 2]; })()");
  $browser->point(1, 1);
  $browser->point(@$place);
  comes("!document.querySelector('#tip').hidden && document.querySelector('#tip').textContent.includes('param " .
    "workers')", 'and so does the pointer');
  $browser->point(1, 1);
  go(32, 22);
  $browser->press('F12');
  comes("document.querySelector('#text').editor.view.state.doc.lineAt(" .
    "document.querySelector('#text').editor.view.state.selection.main.from).number - 1 !== 32",
    'F12 goes to where it is declared');
  go(1, 8);
  $browser->press('F2');
  new_name('helpers');
  comes("document.querySelector('#text').editor.text().includes('work / helpers')",
    'F2 renames it wherever it is');
  my $star = "[...document.querySelectorAll('#files button')].some((b) => b.textContent === 'what-if.psl *')";
  comes($star, 'in the models that use it, too');
  $browser->press('Ctrl+z');
  ok(text() eq $farm, 'which is one step to undo', text());
  comes("!$star", 'in all of them');
  $browser->press('Ctrl+y');
  comes($star, 'and to do again');
  value("document.querySelector('[data-path=\"what-if.psl\"]').click()");
  comes("document.querySelector('#text').editor.text().includes('vary helpers')",
    'whose text is shown when it is opened');
  value("document.querySelector('#undo').click()");
  comes("!$star", 'and can be undone there');
  value("document.querySelector('[data-path=\"farm.psl\"]').click()");
  comes("document.querySelector('#file-name').textContent === 'farm.psl'", 'back');
  ok(text() eq $farm, 'as it was', text());
  # What the language server knows of the text.
  go(42, 0);
  my $lens = "[...document.querySelectorAll('.lens button')]";
  comes("$lens.map((b) => b.title).join() === 'run farm'", 'a system can be run from the text');
  comes("[...document.querySelectorAll('.lens span')].some((s) => s.textContent.includes('disk-drive'))",
    'where a request goes stands above it');
  comes("[...document.querySelectorAll('.name-class')].some((s) => s.textContent === 'worker')",
    'names have the colours of what they mean');
  go(1, 8);
  $browser->press('Shift+F12');
  comes("document.querySelectorAll('#found li button').length >= 3 && [...document.querySelectorAll('#found li " .
    "button')].some((b) => b.textContent.startsWith('what-if.psl, line '))", 'where a name is used is listed');
  value("[...document.querySelectorAll('#found li button')].find((b) => b.textContent.startsWith('farm.psl, line " .
    "2:')).click()");
  comes("document.querySelector('#text').editor.cursor().line === 1", 'and leads there');
  value("document.querySelector('#found-close').click()");
  comes("(() => { const f = [...document.querySelectorAll('.cm-foldGutter " .
    "span')].find((s) => s.checkVisibility({visibilityProperty: true})); f?.click(); return !!f; })()",
    'a declaration can be folded away');
  comes("!!document.querySelector('.cm-foldPlaceholder')", 'and is');
  go(1, 8);
  $browser->press('Ctrl+Alt+]');
  comes("!document.querySelector('.cm-foldPlaceholder')", 'and unfolded');
  put("$farm\nlet least : int = min(workers 3);\nlet rate = 4 MB/s;\n");
  comes("[...document.querySelectorAll('.hint')].some((h) => h.textContent.includes('data'))",
    'a type that is not written stands there');
  go($farm =~ tr/\n// + 1, 29);
  $browser->type(',');
  comes("document.querySelector('.signature')?.textContent.includes('min(')", 'what a call takes is said');
  $browser->press('Escape');
  comes("!document.querySelector('.signature')", 'until Escape');
  my $wrok = $farm =~ s/solve\(\Kwork/wrok/r;
  put($wrok);
  comes("[...document.querySelectorAll('#problems .fix:not([hidden])')].some((b) => b.textContent.includes('wrok'))",
    'an error with what was meant');
  my ($before) = $wrok =~ /^(.*?)wrok/s;
  go($before =~ tr/\n//, length((split /\n/, $before)[-1]) + 1);
  $browser->press('Ctrl+.');
  comes("document.querySelector('#found li button')?.textContent.startsWith('write \\'work\\'')", 'Ctrl-. offers it');
  value("document.querySelector('#found li button').click()");
  comes("document.querySelector('#text').editor.text() === " . JSON::PP->new->allow_nonref->ascii->encode($farm),
    'and does it');
  put($farm =~ s/solve\(\Kwork/wrok/r);
  press("document.querySelector('#problems .fix:not([hidden])')", 'what was meant is offered');
  comes("document.querySelector('#text').editor.text() === " .
    JSON::PP->new->allow_nonref->ascii->encode($farm), 'and done');
}

# ---- params, runs, studies ----

value("document.querySelector('[data-show=params]').click()");
comes("document.querySelector('#param-workers')?.value === '8' && document.querySelector('#param-work').value === " .
  "'40 s' && document.querySelector('#param-result').value === '50 MB'",
      'params have fields, with their values');
is_value("document.querySelector('#note-workers').textContent", 'int; in 1 .. 1000', 'with type and range');
value("document.querySelector('#param-workers').select(), 1");
value("document.querySelector('#param-workers').focus(), 1");
$browser->type('16');
if ($mirror) {
  comes("!document.querySelector('#param-workers + button').hidden",
    'a value that is given can be written into the text');
  value("document.querySelector('#param-workers + button').click()");
  comes("document.querySelector('#text').editor.text().split('\\n')[1] === 'param workers : int  = 16 in 1 .. 1000;' " .
    "&& document.querySelector('#param-workers').placeholder === '16'", 'and is');
  value("document.querySelector('#undo').click()");
  comes("document.querySelector('#param-workers').placeholder === '8'", 'and undone');
  value("(() => { const f = document.querySelector('#param-workers'); f.value = ''; f.focus(); return 1; })()");
  $browser->type('16');
}
value("document.querySelector('#timeline').click()");
$browser->press('Ctrl+Enter');
comes("!!document.querySelector('#job-page iframe') && !!document.querySelector('#timeline-canvas canvas')",
  'Ctrl-Enter runs the model: a report and a timeline');
is_value("document.querySelector('#jobs button').textContent", 'run 1: workers = 16', 'the run says what was set');
my $report = $studio->request('GET', value("new URL(document.querySelector('#job-page iframe').src).pathname"));
my $time = sprintf '%.4g s', JSON::PP->new->decode(command($folder, $psl, qw(run farm.psl --set workers=16 --format
  json))->{out})->{makespan}{value};
ok(index($report->{body}, $time) >= 0, 'its report has what psl run predicts', $report->{headers});
is_value("(() => { try { return document.querySelector('#job-page iframe').contentDocument === null } catch (e) { " .
  "return true } })()", 1, 'the report is of another origin');
ok(slurp("$folder/farm.psl") eq $farm, 'a setting is no change of the text');
value("[...document.querySelectorAll('#files button')].find((b) => b.dataset.path === 'z.psl').click()");
comes("document.querySelector('#param-solver')?.tagName === 'SELECT' && document.querySelector('#param-solver')" .
  ".value === 'analysis[MVA]' && document.querySelector('#param-jobs').tagName === 'INPUT'",
  'a param that the model offers values for is a choice');
my ($solver) = grep { $_->{name} eq 'solver' } @{JSON::PP->new->decode(command($folder, $psl, qw(params z.psl
  --format json))->{out})->{params}};
is_value("[...document.querySelector('#param-solver').options].map((o) => o.value).join()",
  join(',', @{$solver->{choices}}), 'of those that psl params has');
value("(() => { const f = document.querySelector('#param-solver'); f.value = 'analysis[Bard]'; " .
  "f.dispatchEvent(new Event('input', {bubbles: true})); return 1 })()");
comes("document.querySelector('#param-solver').classList.contains('changed')", 'and one of these is set');
value("[...document.querySelectorAll('#files button')].find((b) => b.dataset.path === 'what-if.psl').click()");
comes("document.querySelector('#study')?.value === 'size' && !document.querySelector('#study-run').hidden",
  'a model with a study offers it');
value("document.querySelector('#study-run').click()");
comes("!!document.querySelector('#job-page iframe') && document.querySelector('#jobs " .
  "[aria-pressed=true]').textContent.startsWith('study')", 'a study, and its page');

# ---- files ----

$browser->call('Page.bringToFront');
value("(() => { const f = document.querySelector('#new-name'); f.value = 'fresh'; " .
  "document.querySelector('#new-form').requestSubmit(); return 1; })()");
comes("document.querySelector('#file-name').textContent === 'fresh.psl'", 'a new model is created and opened');
if ($mirror) {
  go(0, 0);
  $browser->type("system half {\n");
  comes("document.querySelector('#file-state').textContent === 'not saved'", 'that it is not saved is said');
  $browser->press('Ctrl+s');
  comes("document.querySelector('#file-state').textContent === ''", 'Ctrl-S saves it');
  ok(slurp("$folder/fresh.psl") =~ /^system half \{/, 'a text that is wrong, too', slurp("$folder/fresh.psl"));
}

# A farm of workers with a disk from nothing, without a line that is typed.
sub fill {
  my ($button, $name, @values) = @_;
  value("document.querySelector('#$button').click()");
  $browser->until("document.querySelector('#form').open");
  while (my ($field, $text) = splice @values, 0, 2) {
    my $quoted = JSON::PP->new->allow_nonref->encode($text);
    value("(() => { const f = document.querySelector('#form form'); f.elements['$field'].value = $quoted; " .
      "f.dispatchEvent(new Event('input')); return 1; })()");
  }
  $browser->screenshot("$ENV{PSL_SCREENSHOTS}/form-$name.png") if $ENV{PSL_SCREENSHOTS};
  value("document.querySelector('#form-done').click()");
  comes("!document.querySelector('#form').open", "drawn: $name");
}
if ($mirror) {
  value("(() => { const f = document.querySelector('#new-name'); f.value = 'drawn'; " .
    "document.querySelector('#new-form').requestSubmit(); return 1; })()");
  comes("document.querySelector('#file-name').textContent === 'drawn.psl'", 'an empty model');
  value("document.querySelector('[data-show=graph]').click()");
  fill('add-param', 'a param', name => 'workers', type => 'int', value => '8');
  fill('add-param', 'another', name => 'work', type => 'time', value => '40 s');
  fill('add-component', 'workers', name => 'worker', count => 'workers', layer => 'application', of => 'farm',
    transaction => 'solve(part : time)', time => 'part');
  comes("document.querySelector('#picture .node')?.dataset.component === 'worker' && " .
    "document.querySelector('#guide-text').textContent.startsWith('Nothing is run yet')",
        'a component is seen before anything is run');
  fill('add-request', 'a system', from => 'a new system', to => 'worker', request => 'farm', given => 'work / workers');
  fill('add-component', 'a disk', name => 'disk', layer => 'hardware', of => 'storage',
    transaction => 'write(amount : data)', time => 'amount / (100 MB/s)', servers => '1');
  comes("document.querySelector('#picture .node.loose.picked')?.dataset.component === 'disk'",
    'a component that nobody asks is beside them');
  fill('add-request', 'a request', from => 'worker', to => 'disk', request => 'store', given => '50 MB');
  my $drawn = <<'END';
param workers : int = 8;
param work : time = 40 s;

transaction solve(part : time);

component worker [i] : 0 <= i < workers {
  accepts:
    profile     = { domain = application[farm], node type = worker };
    transaction = solve(part);
    protocol    = call-return;
  body:
    hold part;
    call store(50 MB);
  requests:
    store(amount):
      selector    = { domain = hardware[storage], node type = disk };
      transaction = write(amount);
      protocol    = call-return;
}

transaction write(amount : data);

component disk {
  accepts:
    profile     = { domain = hardware[storage], node type = disk };
    transaction = write(amount);
    protocol    = call-return;
    servers     = 1;
  body:
    hold amount / (100 MB/s);
}

system farm {
  requests:
    every selector = { domain = application[farm], node type = worker };
    transaction    = solve(work / workers);
    protocol       = call-return;
}
END
  ok(text() eq $drawn, 'drawn and typed give the same text', difference($drawn, text()));
  comes("document.querySelectorAll('#picture .edge').length === 2 && document.querySelector('#graph-message').hidden",
    'and the graph of it');
  # What cannot be drawn is said in the form, which stays.
  value("document.querySelector('#add-param').click()");
  value("(() => { const f = document.querySelector('#form form'); f.elements.name.value = 'more'; " .
    "f.elements.value.value = 'nonsense'; return 1; })()");
  value("document.querySelector('#form-done').click()");
  comes("document.querySelector('#form').open && document.querySelector('#form-message').textContent === \"nothing " .
    "is changed, since the text would be wrong: line 3: unknown name 'nonsense'\"",
        'what cannot be drawn is said in the form');
  value("document.querySelector('#form-cancel').click()");
  ok(text() eq $drawn, 'and nothing has changed', difference($drawn, text()));
  my $jobs = value("document.querySelectorAll('#jobs button').length");
  value("document.querySelector('#run').click()");
  comes("document.querySelectorAll('#jobs button').length === $jobs + 1 && !!document.querySelector('#job-page " .
    "iframe')", 'it is run');
  my $told = $studio->request('GET', value("new URL(document.querySelector('#job-page iframe').src).pathname"));
  ok($told->{body} =~ /\b9\.000 s\b/ && slurp("$folder/drawn.psl") eq $drawn,
    '5 s of work, and 8 times 0.5 s at the disk', $told->{headers});
  # Another disk, and what it comes to.
  value("document.querySelector('[data-show=graph]').click()");
  $browser->until("document.querySelectorAll('#picture .edge').length === 2");
  value("document.querySelector('#zoom-fit').click()");
  click_picture('.node[data-component="disk"]');
  comes("document.querySelector('#drawn-name').textContent === 'disk'", 'the disk is chosen');
  fill('draw-like', 'one like it', as => 'flash');
  comes("document.querySelector('#picture .node.loose')?.dataset.component === 'flash'", 'another one is beside it');
  $browser->until("document.querySelectorAll('#picture .edge').length === 2");
  value("document.querySelector('#picture .edge[data-request=\"store\"]').dispatchEvent(new MouseEvent('click', " .
    "{bubbles: true}))");
  comes("document.querySelector('#draw-target').value === 'disk'", 'its request is chosen');
  value("document.querySelector('#why-close').click()");
  value("(() => { const s = document.querySelector('#draw-target'); s.value = 'flash'; s.dispatchEvent(new " .
    "Event('change')); return 1; })()");
  comes("[...document.querySelectorAll('#picture .edge')].some((e) => e.dataset.to === 'flash')",
    'and sent to the other');
  value("document.querySelector('[data-show=params]').click()");
  $browser->until("!!document.querySelector('#param-workers')");
  value("(() => { const f = document.querySelector('#param-workers'); f.value = '16'; f.dispatchEvent(new " .
    "Event('input', {bubbles: true})); return 1; })()");
  value("document.querySelector('#run').click()");
  comes("!document.querySelector('#compare').hidden && document.querySelector('#jobs " .
    "[aria-pressed=true]').textContent === 'run 4: workers = 16'", 'a second run can be compared with the first');
  value("document.querySelector('#compare-run').click()");
  comes("document.querySelector('#jobs [aria-pressed=true]').textContent.startsWith('difference 5') && " .
    "!!document.querySelector('#job-page iframe')", 'and is');
  $told = $studio->request('GET', value("new URL(document.querySelector('#job-page iframe').src).pathname"));
  # 40 s / 16 + 16 * 0.5 s = 10.5 s.
  ok($told->{body} =~ /\b9\.000 s\b/ && $told->{body} =~ /\b10\.50 s\b/ && $told->{body} =~ /workers/ &&
    $told->{body} =~ /run 3, drawn\.psl/, 'by what makes them differ',
     value("document.querySelector('#job-said').textContent") . $told->{headers});
  $browser->screenshot("$ENV{PSL_SCREENSHOTS}/difference.png") if $ENV{PSL_SCREENSHOTS};
}

# What is wrong with a file that is used is listed below the text, too; its name may be one that a URI writes in other
# characters.
value("document.querySelector('[data-path=\"uses.psl\"]').click()");
my $used = "[...document.querySelectorAll('#problems button.error')].find((b) => b.textContent.startsWith('parts " .
  "50% of #/part.psl, line 1: error: unknown type'))";
press($used, 'what is wrong with a file that is used is listed');
comes("document.querySelector('#file-name').textContent === 'parts 50% of #/part.psl'", 'and leads there');
press("[...document.querySelectorAll('#problems .fix:not([hidden])')].find((b) => b.textContent.includes('time'))",
  'where what was meant is offered');
comes("![...document.querySelectorAll('#problems button.error')].some((b) => b.textContent.includes('tmie'))",
  'and done');

# ---- texts that would be more ----

for my $name (grep { /^z/ } map { s{.*/}{}r } glob "$folder/z*.psl") {
  my $quoted = JSON::PP->new->allow_nonref->encode($name);
  value("[...document.querySelectorAll('#files button')].find((b) => b.textContent === $quoted).click()");
  comes("document.querySelector('#file-name').textContent === $quoted", 'a model with markup in its name is opened');
  value("document.querySelector('[data-show=params]').click()");
  select undef, undef, undef, 1;
}
value("[...document.querySelectorAll('#files button')].find((b) => " .
  "/onerror=hacked=1>\\.psl/.test(b.textContent)).click()");
comes("/onerror=hacked=1>\\.psl/.test(document.querySelector('#file-name').textContent)", 'it is opened again');
value("document.querySelector('#run').click()");
comes("document.querySelector('#jobs [aria-pressed=true]').textContent.startsWith('run @{[$mirror ? 6 : 3]}') && " .
  "!!document.querySelector('#job-page iframe')", 'and run');
is_value("String(window.hacked) + ' ' + document.querySelectorAll('main img:not(.drawn, .cm-widgetBuffer), " .
  "main script, " .
  "header img').length", 'undefined 0', 'nothing of it is more than text');
my $origins = value("performance.getEntriesByType('resource').map((e) => new URL(e.name).origin).filter((o, i, all) " .
  "=> all.indexOf(o) === i).join(' ')");
ok($origins eq "http://127.0.0.1:$studio->{port}", 'nothing is loaded from elsewhere', $origins);
my @wrong = $browser->wrong;
ok(!@wrong, 'no error in the page', join "\n", @wrong);

# ---- looks ----

my $look = <<'END';
(() => {
  const parts = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const c = parts(color).slice(0, 3).map((v) => {
      v /= 255;
      return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  };
  const contrast = (a, b) => {
    const x = luminance(a), y = luminance(b);
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const ground = (node) => {
    const color = node ? parts(getComputedStyle(node).backgroundColor) : [255, 255, 255];
    if (color[3] === undefined) return "rgb(" + color + ")";
    const below = parts(ground(node.parentElement));
    return "rgb(" + below.map((v, k) => color[k] * color[3] + v * (1 - color[3])) + ")";
  };
  const weak = [], silent = [];
  for (const node of document.querySelectorAll("header *, nav *, main *")) {
    if (!node.checkVisibility() || node.closest("svg, :disabled, option")) continue;
    const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (own && contrast(getComputedStyle(node).color, ground(node)) < 4.5) weak.push(node.outerHTML.slice(0, 100));
    if (node.matches("button, input, select, iframe, [role=toolbar], [role=group]") &&
        !(node.textContent.trim() || node.ariaLabel || node.title || node.labels?.length))
      silent.push(node.outerHTML.slice(0, 100));
  }
  return [
    weak.join("\n"), silent.join("\n"), document.documentElement.scrollWidth <= innerWidth,
    new Set([...document.querySelectorAll("[id]")].map((n) => n.id)).size === document.querySelectorAll("[id]").length
  ];
})()
END
my $axe = Browser::axe($build);
skip('WCAG AA', 'axe-core is not in the build folder') if !$axe;
for my $window ([1280, 'light'], [1280, 'dark'], [400, 'light'], [400, 'dark']) {
  my ($width, $scheme) = @$window;
  $browser->window($width, 800, $scheme);
  for my $view ('files', 'text', 'graph', 'params', 'results') {
    value("document.querySelector('[data-show=$view]').click()");
    my $seen = value($look);
    $browser->screenshot("$ENV{PSL_SCREENSHOTS}/$view-$width-$scheme.png") if $ENV{PSL_SCREENSHOTS};
    ok(ref $seen && $seen->[0] eq '' && $seen->[1] eq '' && $seen->[2] && $seen->[3],
       "$view, $width columns, $scheme: texts stand out, all that can be used has a name, nothing is cut off",
         ref $seen ? join "\n", @$seen : $seen);
    if ($axe) {
      my @found = $browser->violations($axe);
      ok(!@found, "$view, $width columns, $scheme: axe-core finds nothing against WCAG AA", join "\n", @found);
    }
    is_value("document.querySelector('#$view-view').checkVisibility()", 1, 'it is seen') if $width == 400;
  }
}

# ---- attacks of other pages ----

my $foreign = value("fetch('http://localhost:$studio->{port}/api/files', {method: 'POST', headers: {'Content-Type': " .
  "'application/json', 'X-PSL-Token': '$studio->{token}'}, body: '{}'}).then(() => 'let in', () => 'kept out')");
ok($foreign eq 'kept out', 'the page itself asks nobody else', $foreign);
spew(scratch() . '/evil.html', "<!doctype html><title>evil</title><body><iframe id=f " .
  "src='http://127.0.0.1:$studio->{port}/'></iframe><script src='http://127.0.0.1:$studio->{port}/wire.js'></script>");
$browser->open('file://' . scratch() . '/evil.html');
$browser->until("document.readyState === 'complete'");
$foreign = value("fetch('http://127.0.0.1:$studio->{port}/api/read', {method: 'POST', headers: {'Content-Type': " .
  "'application/json', 'X-PSL-Token': '$studio->{token}'}, body: '{\"path\": \"farm.psl\"}'}).then((r) => r.text(), " .
  "() => 'kept out')");
ok($foreign eq 'kept out', 'a page of another origin is let in not even with the token', $foreign);
$foreign = value("fetch('http://127.0.0.1:$studio->{port}/api/read', {method: 'POST', mode: 'no-cors', body: " .
  "'{\"path\": \"farm.psl\"}'}).then((r) => r.type + r.status, () => 'kept out')");
ok($foreign =~ /^(?:opaque0|kept out)$/, 'nor reads what it asks for blindly', $foreign);
my @servers;
for (1 .. 100) {
  @servers = $studio->children;
  last if !@servers;
  select undef, undef, undef, 0.1;
}
ok(!@servers, 'the language server of a page that is left has ended', "@servers");
@wrong = grep { /frame|Refused to (?:frame|display)|CORP|Cross-Origin|NotSameOrigin|blocked/i } $browser->wrong;
ok(@wrong >= 1, 'it cannot frame the page', join "\n", $browser->wrong);

# Without the token there is nothing but a word.
$browser->open("http://127.0.0.1:$studio->{port}/#token=" . '0' x 32);
comes("document.querySelector('#status')?.textContent === 'This page has not the token of its studio: open the " .
  "whole address that psl studio has printed.'",
      'a page without the token says what it lacks');

# ---- the end, and a plain field ----

$browser->open($studio->{address});
$browser->until("document.body && document.body.dataset.ready === 'yes'");
ok($studio->end eq '0', 'Ctrl-C ends the studio while the page is open');
comes("document.querySelector('#status')?.textContent.startsWith('The studio does not answer')",
  'and the page says so');
{
  local $ENV{PSL_NO_CODEMIRROR} = 1;
  $studio = Studio->start($folder);
}
$browser->open($studio->{address});
comes("document.body && document.body.dataset.ready === 'yes' && " .
  "document.querySelector('textarea')?.value.includes('transaction solve')",
  'without CodeMirror the text stands in a plain field');
value("(() => { const t = document.querySelector('textarea'); t.focus(); t.setSelectionRange(0, 0); return 1; })()");
$browser->type("param broken : ;\n");
comes("document.querySelectorAll('#problems button.error').length > 0", 'and what is wrong below it');
$browser->press('Ctrl+z');
comes("!document.querySelector('#problems button.error')", 'and it can be undone');
$browser->end;
ok($studio->end eq '0', 'the end');
finish();
