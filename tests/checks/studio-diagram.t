#!/usr/bin/perl
# Activity diagrams in the page of `psl studio`, as one draws with them: opened, drawn, elements added behind the chosen one,
# connected, named, given costs, taken away, undone; marks of the checker; saved as XMI that psl reads; made PSL and C++; run;
# and traces that are shown without a run.
use strict;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use JSON::PP;
use PageTest;
use Run;
use Studio;

if (!Browser::installed() || $sanitized) {
  skip('diagrams in a browser', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}
binmode $_, ':utf8' for *STDOUT, *STDERR;
my $json = JSON::PP->new->allow_nonref->ascii;
my $folder = scratch() . '/models';
mkdir $folder;
spew("$folder/$_", slurp("$root/examples/lapw0/$_")) for qw(lapw0.uml costs.psl measured.csv);
spew("$folder/papyrus.uml", slurp("$root/tests/cases/uml/papyrus.uml"));
spew("$folder/structure.xmi", command($root, $psl, qw(graph --activity --format xmi tests/cases/uml/enterprise-architect.xmi))->{out});
spew("$folder/hostile.uml", slurp("$folder/lapw0.uml") =~ s/name="prepare"/name="&lt;img src=x onerror=document.title=1&gt;"/r);
spew("$folder/papyrus-run.psl", slurp("$root/tests/cases/uml/papyrus.psl") =~ s{use "[^"]*"}{use "papyrus.uml"}r);
spew("$folder/broken.uml", '<a><b></a>');
spew("$folder/farm.psl", slurp("$root/examples/farm/farm.psl"));
command($folder, $psl, qw(run --trace run.prv), "$root/examples/prophet/jacobi.psl");

my $studio = Studio->for_test('diagrams in a browser', $folder, 'lapw0.uml');
my $axe = Browser::axe($build);
my $browser = Browser->start(scratch());
test_page($browser, $studio, 'diagram');
$browser->window(1280, 800, 'light');
$browser->open($studio->{address});
sub calm { $browser->until("document.body?.dataset.ready === 'yes'", 60) }
sub quiet { value("new Promise((done) => setTimeout(done, 400))"); $browser->until("document.querySelector('#diagram-picture').getAttribute('aria-busy') === 'false'", 60) }
sub open_file {
  my ($path) = @_;
  value("document.querySelector('[data-path=\"$path\"]').click()");
  $browser->until("document.querySelector('#file-name').textContent === '$path'");
}
sub button { my ($text, $in) = @_; value("[...document.querySelectorAll('${\($in // '#diagram-view')} button')].find((b) => b.textContent.trim() === " . $json->encode($text) . ").click()"); }
sub pick { my ($name) = @_; value("document.querySelector('#diagram-picture [aria-label^=" . $json->encode($name) . "]').dispatchEvent(new MouseEvent('click', {bubbles: true}))") }
sub field { # what a form's field is given
  my ($label, $text) = @_;
  value("(() => { const l = [...document.querySelectorAll('#diagram-fields label')].find((l) => l.textContent.startsWith(" . $json->encode($label) .
    ")), f = document.getElementById(l.htmlFor); f.value = " . $json->encode($text) . "; f.dispatchEvent(new Event('change')); return 1; })()");
  quiet();
}
my $labels = "[...document.querySelectorAll('#diagram-picture .element')].map((e) => e.getAttribute('aria-label').trim()).join('; ')";
my $flows = "document.querySelectorAll('#diagram-picture .flow').length";
my $problems = "[...document.querySelectorAll('#diagram-problems li')].map((e) => e.textContent).join('\\n')";

# ---- what is there ----

calm();
quiet();
is_value($labels, 'initial start; opaque prepare, ActionPlus; opaque calculate atoms, ActionPlus; opaque add up, Reduce; activity final end', 'elements are drawn with their stereotypes');
is_value($flows, 4, '... and the flows between them');
is_value("[...document.querySelectorAll('#diagram-picture .label')].map((e) => e.textContent).join('; ')", '«Action+»; prepare; CalcPrepare(); «Action+»; calculate atoms; CalcAtoms(pid); «Reduce»; add up; field', '... with what they cost');
is_value($problems, '', 'nothing is wrong with it');
shot('lapw0');
comes("document.querySelectorAll('#diagram-tools button').length >= 18 && !!document.querySelector('#diagram-tools .icon-send')", 'the toolbar is that of the configuration file');
pick('opaque calculate atoms');
is_value("[...document.querySelectorAll('#diagram-fields :is(input, select)')].map((f) => f.value).join('; ')", 'calculate atoms; CalcAtoms(pid); ', 'what is chosen has its properties in a form');
button('Declarations');
is_value("document.querySelector('#diagram-fields textarea').value.startsWith('use costs;')", 1, 'what it declares is a text of several lines');
shot('declarations');
button('gescher_node');
is_value("[...document.querySelectorAll('#diagram-fields input')].map((f) => f.value).join('; ')", 'gescher_node; 16; 4; ', 'the machine has its form');
button('Run', 'header');
comes("document.querySelector('#job-page iframe')", 'it is run');
ok(defined $browser->until("document.querySelector('#job-page iframe')"), 'its report is shown');
shot('run');
value("document.querySelector('[data-show=text]').click(); document.body.dataset.side = 'graph'");

# ---- drawing ----

pick('opaque prepare');
button('Action+');
quiet();
is_value($labels, 'initial start; opaque prepare, ActionPlus; opaque calculate atoms, ActionPlus; opaque add up, Reduce; activity final end; opaque action, ActionPlus', 'an element is added');
is_value("document.querySelector('#diagram-picture .picked').getAttribute('aria-label').trim()", 'opaque action, ActionPlus', '... and chosen');
is_value("!!document.querySelector('#diagram-picture [aria-label=\"flow from prepare to action\"]') && !!document.querySelector('#diagram-picture [aria-label=\"flow from action to calculate atoms\"]')", 1, '... behind the chosen one, in its flow');
field('Name', 'read the field');
field('Cost', 'nat * 2 ms');
is_value("document.querySelector('#diagram-picture .picked').textContent", '«Action+»read the fieldnat * 2 ms', 'it is named and given a cost');
field('Cost', 'nat * 2');
comes("/called with int as its 'cost' here, and with time elsewhere/.test($problems)", 'a cost that is no time is an error');
comes("document.querySelector('#diagram-picture .picked.error .mark')", '... and marks its element');
field('Cost', '(3');
comes("document.querySelector('#diagram-picture .picked.error .mark')", 'a cost that is no expression does, too');
shot('wrong');
field('Cost', '');
comes("/needs the tagged value 'cost', or a body .rule tagged-values/.test($problems)", 'an element without its cost');
value("document.querySelector('#undo').click()") for 1 .. 3;
quiet();
is_value("document.querySelector('#diagram-picture .picked').textContent", '«Action+»read the fieldnat * 2 ms', 'three steps are undone');
is_value($problems, '', '... and so are their errors');
pick('opaque read the field');
button('Decision');
quiet();
comes("/decision/.test($labels)", 'a decision is added');
pick('decision');
button('Action+');
quiet();
comes("/flows without a guard/.test($problems)", 'a decision without guards is an error');
pick('flow from decision to action');
field('Guard', 'pid == 0');
is_value("[...document.querySelectorAll('#diagram-picture .guard')].map((g) => g.textContent).join()", '[pid == 0]', 'a flow has a guard');
pick('opaque action');
button('Merge');
quiet();
pick('opaque action');
value("document.querySelector('#diagram-picture .picked').focus()");
shot('decision');
value("document.querySelector('#diagram-picture .picked').focus()");
$browser->press('ArrowDown');
comes("document.activeElement.classList.contains('branch')", 'the arrows go along the flows');
$browser->press('Delete');
quiet();
comes("!/merge/.test($labels)", 'Delete removes what is chosen');
value("document.querySelector('#undo').click()");
quiet();
pick('merge');
value("(() => { const s = document.querySelector('#diagram-connect'); s.value = [...s.options].find((o) => o.textContent === 'calculate atoms').value; s.dispatchEvent(new Event('change')); return 1; })()");
quiet();
comes("/several flows that lead to it/.test($problems)", 'two elements are connected, which may be wrong');
pick('flow from decision to calculate atoms');
button('Remove');
quiet();
pick('decision');
value("(() => { const s = document.querySelector('#diagram-connect'); s.value = [...s.options].find((o) => o.textContent === 'MergeNode').value; s.dispatchEvent(new Event('change')); return 1; })()");
quiet();
is_value($problems, '', 'a decision whose flows meet in a merge is fine');
shot('drawn');

# ---- saved, and made something of ----

value("document.querySelector('#save').click()");
comes("document.querySelector('#file-state').textContent === ''", 'it is saved');
my $check = command($folder, $psl, qw(check lapw0.uml));
ok($check->{exit} eq '0', 'psl reads what was saved', $check->{err});
my $again = command($folder, $psl, qw(graph --activity --format psl lapw0.uml));
ok($again->{out} =~ /call ActionPlus\("read the field", cost = nat \* 2 ms\);\s+if \(pid == 0\) \{\s+call ActionPlus\("action", cost = 1 ms\);/, 'and finds what was drawn', $again->{out});
my $canonical = command($folder, $psl, qw(graph --activity --format xmi lapw0.uml));
my $sorted = sub { join "\n", sort split /\n/, $_[0] };
ok($sorted->($canonical->{out}) eq $sorted->(slurp("$folder/lapw0.uml")), 'it is what psl itself would write, but for the order of lines', difference($sorted->($canonical->{out}), $sorted->(slurp("$folder/lapw0.uml"))));
button('Make PSL');
comes("/component lapw0 like Process/.test(document.querySelector('#made-text').textContent)", 'PSL is made of it');
button('Close', '#made');
button('C++');
comes("/class lapw0 : public Process/.test(document.querySelector('#made-text').textContent)", 'and a program in C++');
ok(value("document.querySelector('#made-text').textContent") =~ m{^// .* of lapw0\.uml\.$}m, '... which says the name of the diagram');
comes("document.querySelector('#made-how').textContent.includes('$root/interp/uml/runtime/psl-prophet.cpp -o lapw0')", '... and is built with what psl has');
shot('cpp');
button('Save beside it', '#made');
comes("document.querySelector('#status').textContent === 'saved lapw0.cpp' && !document.querySelector('#made').open", '... and saved beside it');
ok(slurp("$folder/lapw0.cpp") =~ /class lapw0 : public Process/, '... as it stands');

# ---- other files ----

value("document.querySelector('#new-name').value = 'fresh.uml'; document.querySelector('#new-form button').click()");
$browser->until("document.querySelector('#file-name').textContent === 'fresh.uml'");
quiet();
is_value($labels, 'initial start; opaque work, ActionPlus; activity final end', 'a new diagram has a process to begin with');
is_value($problems, '', '... which is sound');
pick('initial start');
button('Loop');
quiet();
is_value($problems, '', 'a loop is drawn with what it needs');
is_value($labels, 'initial start; opaque work, ActionPlus; activity final end; merge loop, Loop; decision again', '... a merge node and a decision');
is_value("[...document.querySelectorAll('#diagram-picture .flow')].map((e) => e.getAttribute('aria-label')).sort().join('; ')", 'flow from again to end; flow from again to loop; flow from loop to work; flow from start to loop; flow from work to again', '... around what stands behind it');
pick('merge loop');
button('Remove');
quiet();
is_value("$problems + $labels", 'initial start; opaque work, ActionPlus; activity final end', '... and taken away as a whole');
value("document.querySelector('#undo').click()");
quiet();
pick('flow from work to again');
button('NB send');
quiet();
comes("document.querySelector('#diagram-picture [aria-label=\"flow from work to nb send\"]') && document.querySelector('#diagram-picture [aria-label=\"flow from nb send to again\"]')", 'an element is added in the flow that is chosen');
field('To process', '(pid + 1) mod 4');
button('B recv');
quiet();
pick('flow from b recv to again');
button('NB send');
quiet();
is_value("[...document.querySelectorAll('#diagram-fields input')].map((f) => f.value).join('; ')", 'nb send; pid + 1; 1 kB; ; sent2', 'each request has a name of its own');
value("document.querySelector('#undo').click()");
quiet();
pick('flow from b recv to again');
button('Wait');
quiet();
is_value("[...document.querySelectorAll('#diagram-fields input')].map((f) => f.value).join('; ')", 'wait; sent', '... that is waited for');
is_value($problems, '', 'all of it is sound');
button('Make PSL');
comes("/for k in 1 \\.\\. .10. \\{\\s+call ActionPlus\\(.work., cost = 1 ms\\);\\s+let sent = call NBSend\\([^;]*;\\s+call BRecv\\([^;]*;\\s+call Wait\\(.wait., request = sent\\);\\s+\\}/.test(document.querySelector('#made-text').textContent)", '... and is a loop');
button('Close', '#made');
shot('loop');
is_value("(() => { const text = document.querySelector('#diagram-picture [aria-label^=\"decision again\"] text'), box = text.getBBox(), back = document.querySelector('#diagram-picture [aria-label^=\"flow from again to loop\"] .line').getBBox(); return box.x + box.width < back.x; })()", 1, 'the flow that leads back does not cross what the decision says');
my $size = "document.querySelector('#diagram-picture svg').getBoundingClientRect().height";
my $drawn = value($size);
value("document.querySelector('#diagram-larger').click()");
ok(value($size) > 1.2 * $drawn, 'the picture is larger');
value("document.querySelector('#diagram-fit').click()");
ok(value($size) <= value("document.querySelector('#diagram-picture').clientHeight"), '... and all of it is seen');
pick('flow from again to end');
button('End');
comes("/In a flow nothing begins or ends/.test(document.querySelector('#status').textContent)", 'a flow has no end in it');
button('Run', 'header');
comes("[...document.querySelectorAll('#jobs button')].some((b) => b.textContent === 'run 2' && b.getAttribute('aria-pressed') === 'true') && document.querySelector('#job-page iframe')", '... and runs');
value("document.body.dataset.side = 'graph'");
open_file('papyrus.uml');
quiet();
comes("document.querySelectorAll('#diagram-picture .element').length >= 14", 'a diagram of Papyrus is drawn');
shot('papyrus');
is_value($problems, 'note: names that it does not declare are those of papyrus-run.psl, which Run runs', 'its params are those of the model that uses it');
button('Run', 'header');
comes("[...document.querySelectorAll('#jobs button')].some((b) => b.textContent === 'run 3' && b.getAttribute('aria-pressed') === 'true') && document.querySelector('#job-page iframe')", '... which is run');
value("document.querySelector('[data-show=text]').click(); document.body.dataset.side = 'graph'");
open_file('hostile.uml');
quiet();
is_value("document.querySelectorAll('#diagram-view img').length + document.title", '0hostile.uml - psl studio', 'markup in a diagram is text');
value("document.body.dataset.side = 'graph'");
open_file('structure.xmi');
quiet();
comes("document.querySelectorAll('#diagram-picture .structure').length === 1", 'one of Enterprise Architect, with a structure');
shot('structure');
my $parts = sub { return slurp("$folder/structure.xmi") =~ /bodyPart="([^"]*)"/ ? $1 : 'none' };
my $parts_before = $parts->();
pick('opaque relax');
button('Action+');
quiet();
value("document.querySelector('#save').click()");
comes("document.querySelector('#status').textContent === 'saved structure.xmi'", '... in which an element is added');
ok($parts->() eq "$parts_before _actionplus1", '... and named as a part of the loop, as UML wants it', $parts->());
button('Remove');
quiet();
value("document.querySelector('#status').textContent = ''; document.querySelector('#save').click()");
comes("document.querySelector('#status').textContent === 'saved structure.xmi'", '... and taken away');
ok($parts->() eq $parts_before, '... with its name there', $parts->());
open_file('farm.psl');
comes("document.body.dataset.kind === 'model' && document.querySelector('#file-name').textContent === 'farm.psl'", 'a model of PSL has its text again');
value("document.querySelector('[data-path=\"broken.uml\"]').click()");
comes("/no XML/.test(document.querySelector('#status').textContent)", 'what is no XML is said');
value("document.querySelector('[data-path=\"run.prv\"]').click()");
comes("[...document.querySelectorAll('#jobs button')].some((b) => /run.prv/.test(b.textContent)) && document.querySelector('#job-page iframe')", 'a trace is shown without a run');
shot('trace');

# ---- for everybody ----

open_file('lapw0.uml');
quiet();
pick('opaque prepare');
for ([1280, 'light'], [1280, 'dark'], [400, 'light'], [400, 'dark']) {
  my ($width, $scheme) = @$_;
  $browser->window($width, 800, $scheme);
  value("document.querySelector('[data-show=text]').click(); document.body.dataset.side = 'graph'");
  value("new Promise((done) => setTimeout(done, 100))");
  shot("$width-$scheme");
  is_value("[...document.querySelectorAll('#diagram-tools button')].every((b) => b.getBoundingClientRect().right <= innerWidth)", 1, "$width, $scheme: all elements are offered");
  is_value("document.documentElement.scrollWidth <= innerWidth", 1, "$width, $scheme: nothing is wider than the window");
  my @violations = $axe ? $browser->violations($axe) : ();
  ok(!@violations, "$width, $scheme: no violation of WCAG AA is found", join "\n", @violations);
}

# ---- strangers ----

my $answer = $studio->ask('diagram', {path => '../x.uml', text => '<a/>'});
ok($answer->{status_code} eq '403', 'no diagram outside of the folder', $answer->{status_code});
$answer = $studio->ask('write', {path => 'run.prv', text => 'x', anyhow => JSON::PP::true});
ok($answer->{status_code} eq '403', 'no trace is written', $answer->{status_code});
$answer = $studio->ask('read', {path => 'lapw0.cpp'});
ok($answer->{status_code} eq '403', 'no program is read', $answer->{status_code});
$answer = $studio->ask('diagram', {path => 'farm.psl', text => '<a/>'});
ok($answer->{status_code} eq '400', 'no diagram of another name', $answer->{status_code});
$answer = $studio->ask('diagram', {path => 'x.uml', text => "<!DOCTYPE a [<!ENTITY e SYSTEM 'farm.psl'>]><a>&e;</a>"});
ok(($answer->{wrong} // '') =~ /document type/, 'no entities', $json->encode($answer));

# ---- files of one's own ----

spew("$folder/toolbar.xml", '<toolbar><group name="Own"><tool name="Kernel" node="OpaqueAction" stereotype="Kernel" base="Action"/></group></toolbar>');
spew("$folder/rules.xml", '<rules><check name="names"/></rules>');
$browser->end;
ok($studio->end eq '0', 'the end');
my $own = Studio->start($folder, qw(--toolbar toolbar.xml --rules), "$folder/rules.xml");
ok(($own->ask('toolbar')->{text} // '') =~ /Kernel/, 'a toolbar of a file is taken');
my $unnamed = slurp("$folder/lapw0.uml") =~ s/ name="prepare"//r;
$answer = $own->ask('diagram', {path => 'lapw0.uml', text => $unnamed});
ok(join(' ', map { "$_->{severity} $_->{message}" } @{$answer->{problems} // []}) =~ /^error opaque action with the id '_prepare' has no name, by which reports would show it \(rule names\)/, '... and rules', $json->encode($answer->{problems}));
$own->end;
finish();
