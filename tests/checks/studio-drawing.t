#!/usr/bin/perl
# The graph of `psl studio` in a browser, as one draws with it: boxes with ports in layers, where they stand, a request
# that is drawn from its port to an accept, what is taken from the library, and graphs of many components.
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
  skip('drawing in a browser', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}
my $json = JSON::PP->new->allow_nonref->ascii;
my $folder = scratch() . '/models';
mkdir $folder;
my $farm = slurp("$root/examples/farm/farm.psl");
spew("$folder/farm.psl", $farm);
spew("$folder/what-if.psl", slurp("$root/examples/farm/what-if.psl"));
spew("$folder/what-if.psl.layout", "worker 7 7\n");
spew("$folder/office.psl", <<'END');
transaction ask(n : int);
transaction work(t : time);
component office {
  component clerk [k] : 0 <= k < 3 {
    accepts:
      profile     = { domain = runtime[clerk], node type = clerk };
      transaction = work(t);
      protocol    = call-return;
    body:
      hold t;
  }
  component chief {
    accepts:
      profile     = { domain = runtime[clerk], node type = chief };
      transaction = ask(n);
      protocol    = call-return;
    body:
      call pass(1 s);
    requests:
      pass(t):
        selector    = { domain = runtime[clerk], node type = clerk, k = 1 };
        transaction = work(t);
        protocol    = call-return;
  }
  accepts:
    profile     = { domain = application[office], node type = office };
    transaction = ask(n);
    protocol    = call-return;
  body:
    call delegate(n);
  requests:
    delegate(n):
      selector    = { domain = runtime[clerk], node type = chief };
      transaction = ask(n);
      protocol    = call-return;
}
system main {
  requests:
    selector    = { domain = application[office] };
    transaction = ask(3);
    protocol    = call-return;
}
END

spew("$folder/$_.psl", slurp("$root/examples/coercions/$_.psl")) for qw(machine solver);

my $studio = Studio->for_test('drawing in a browser', $folder, 'farm.psl');
my $browser = Browser->start(scratch());
test_page($browser, $studio, 'drawing');
$browser->window(1280, 800, 'light');
$browser->open($studio->{address});
sub calm { $browser->until("document.body?.dataset.ready === 'yes' && " .
  "document.querySelector('#picture').getAttribute('aria-busy') === 'false'", 60) }
sub text { return value("document.querySelector('#text').editor.text()") }
sub put {
  my $quoted = $json->encode($_[0]);
  value("(() => { const e = document.querySelector('#text').editor; e.apply([{range: {start: {line: 0, " .
    "character: 0}, end: {line: 1e6, character: 0}}, newText: $quoted}]); return 1; })()");
  calm();
}
sub open_model {
  my ($path) = @_;
  value("document.querySelector('[data-path=\"$path\"]').click()");
  $browser->until("document.querySelector('#file-name').textContent === '$path'");
  calm();
}
# Where the middle of a part of the picture is in the window.
sub middle {
  my ($part) = @_;
  return @{value("(() => { const b = document.querySelector(" . $json->encode("#picture $part") .
    ").getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")};
}
sub place {
  my ($key) = @_;
  return value("document.querySelector('.node[data-key=\"$key\"]').getAttribute('transform')");
}
sub mouse { my ($type, $x, $y) = @_; $browser->call('Input.dispatchMouseEvent', {type => $type, x => $x, y => $y,
  button => 'left', buttons => 1, clickCount => 1}) }
# The picture has another size then.
sub close_why {
  value("document.querySelector('#why-close').click()");
  value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))");
}
sub drag {
  my ($from, $to) = @_;
  mouse('mouseMoved', @$from);
  mouse('mousePressed', @$from);
  mouse('mouseMoved', ($from->[0] + $to->[0]) / 2, ($from->[1] + $to->[1]) / 2);
  mouse('mouseMoved', @$to);
  mouse('mouseReleased', @$to);
}

# ---- boxes, ports, layers, stacks, edges ----

calm();
is_value("[...document.querySelectorAll('#picture .port')].map((p) => p.getAttribute('aria-label')).sort().join('; ')",
  'accept solve of worker; accept write of disk-drive; accept write of flash-drive; request every solve of farm, ' .
    'goes to worker; request store: write of worker, goes to disk-drive', 'accepts and requests are ports');
is_value("[...document.querySelectorAll('#picture .layers text')].map((t) => t.textContent).join()",
  'application,hardware', 'boxes stand in layers by domain');
my %at = map { $_ => (place($_) =~ /translate\((\S+) (\S+)\)/)[1] } qw(farm worker disk-drive flash-drive);
ok($at{farm} < $at{worker} && $at{worker} < $at{'disk-drive'} && $at{'disk-drive'} == $at{'flash-drive'},
  'the application above the hardware', join ' ', %at);
is_value("[...document.querySelectorAll('#picture .node')].map((n) => n.dataset.key + ' ' + " .
  "n.querySelectorAll('.sheet').length).sort().join()", 'disk-drive 0,farm 0,flash-drive 0,worker 2',
  'an index set is a stack');
my $ends = value("(() => { const line = document.querySelector('.edge[data-request=store] .line'); const m = " .
  "line.getScreenCTM(); const at = (l) => line.getPointAtLength(l).matrixTransform(m); " .
  "const dot = (q) => { const b = " .
  "document.querySelector(q + ' .dot').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }; " .
  "const a = at(0), b = at(line.getTotalLength()), p = dot('.port[data-request=store]'), " .
  "q = dot('.node[data-key=disk-drive] .port'); return Math.max(Math.abs(a.x - p[0]), Math.abs(a.y - p[1]), " .
  "Math.abs(b.x - q[0]), Math.abs(b.y - q[1])); })()");
ok($ends < 8, 'an edge leads from port to port', $ends);

# ---- where boxes stand ----

my %before = map { $_ => place($_) } qw(farm worker disk-drive flash-drive);
put("$farm\ncomponent tape like disk-drive { profile node type = tape; }\n");
comes("!!document.querySelector('.node[data-key=tape]')", 'a component that is typed is a box');
my %after = map { $_ => place($_) } keys %before;
ok((join ' ', map { $before{$_} } sort keys %before) eq (join ' ', map { $after{$_} } sort keys %after),
  'and moves no other one', join "\n", %before, %after);
my $overlaps = "(() => { const boxes = [...document.querySelectorAll('.node:not(.holds) .box > rect')].map((r) => " .
  "r.getBoundingClientRect()); let n = 0; boxes.forEach((a, i) => boxes.forEach((b, k) => { if (i < k && a.left < " .
  "b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) n++; })); return n; })()";
is_value($overlaps, 0, 'nor stands on one');
put($farm);
$browser->until("!document.querySelector('.node[data-key=tape]')");
my @from = middle('.node[data-key=disk-drive] .box .title');
drag(\@from, [$from[0] - 90, $from[1] + 40]);
comes("document.querySelector('#drawn-name').textContent === 'disk-drive' && " .
  "!document.querySelector('#draw-release').hidden", 'a box that is dragged is put there');
my $moved = place('disk-drive');
ok($moved ne $before{'disk-drive'}, 'where it is', $moved);
sub layout {
  my ($name, $wanted) = @_;
  my $text = '';
  for (1 .. 50) {
    $text = slurp("$folder/$name.layout") // '';
    last if $text =~ $wanted;
    select undef, undef, undef, 0.1;
  }
  return $text;
}
value("document.querySelector('.node[data-key=worker] .box').focus(), 1");
$browser->press('Ctrl+z');
comes("document.querySelector('.node[data-key=disk-drive]').getAttribute('transform') === '$before{'disk-drive'}' && " .
  "document.querySelector('#draw-release').hidden", 'Ctrl-Z moves it back');
ok(layout('farm.psl', qr/^$/) eq '' && text() eq $farm, 'which is then kept nowhere', slurp("$folder/farm.psl.layout"));
$browser->press('Ctrl+y');
comes("document.querySelector('.node[data-key=disk-drive]').getAttribute('transform') === '$moved'", 'Ctrl-Y does it again');
my ($x, $y) = $moved =~ /translate\((\S+) (\S+)\)/;
my $kept = sprintf "disk-drive %d %d\n", $x / 10, $y / 10;
ok(layout('farm.psl', qr/disk-drive/) eq $kept && text() eq $farm, 'which is kept beside the model, by a grid',
  slurp("$folder/farm.psl.layout") // 'no file');
spew("$folder/farm.psl.layout", "# by hand\nzebra 1 1\n$kept");
value("document.querySelector('.node[data-key=worker] .box').focus(), 1");
$browser->press('Shift+ArrowRight') for 1 .. 3;
my $right = 30 + ($before{worker} =~ /translate\((\S+)/)[0];
comes("document.querySelector('.node[data-key=worker]').getAttribute('transform').startsWith('translate($right ') " .
  "&& document.activeElement.closest('.node')?.dataset.key === 'worker'", 'a box is moved by keys');
my $cell = $right / 10;
my $lines = layout("farm.psl", qr/worker $cell /);
ok($lines =~ /^# by hand\ndisk-drive \S+ \S+\nworker \S+ \S+\nzebra 1 1\n$/,
  'the file is sorted, and what else it has stays', $lines);
$browser->click_on('#picture .node[data-key=disk-drive] .box .title');
comes("document.querySelector('#drawn-name').textContent === 'disk-drive'", 'the box is chosen');
value("document.querySelector('#draw-rename').click()");
new_name('drum');
comes("document.querySelector('.node[data-key=drum]')?.getAttribute('transform') === '$moved'",
  'a box that is renamed stays where it was put');
$lines = layout('farm.psl', qr/drum/);
ok($lines =~ /^# by hand\ndrum \S+ \S+\nworker/, 'by its new name', $lines);
value("document.querySelector('#undo').click()");
calm();
$lines = layout('farm.psl', qr/disk-drive/);
ok($lines =~ /^# by hand\ndisk-drive/ && place('disk-drive') eq $moved, 'and when that is undone', $lines);
$browser->click_on('#picture .node[data-key=worker] .box .title');
$browser->until("document.querySelector('#drawn-name').textContent === 'worker'");
value("document.querySelector('#draw-rename').click()");
new_name('helper');
$browser->until("!!document.querySelector('.node[data-key=helper]')");
ok(layout('what-if.psl', qr/helper/) eq "helper 7 7\n", 'in other models, too, whose places are not shown',
  slurp("$folder/what-if.psl.layout"));
open_model('what-if.psl');
open_model('farm.psl');
is_value("document.querySelector('.node[data-key=disk-drive]').getAttribute('transform')", $moved,
  'what was put somewhere is there when the model is opened again');
value("document.querySelector('#undo').click()");
calm();
ok(layout('what-if.psl', qr/worker/) eq "worker 7 7\n", 'and back', slurp("$folder/what-if.psl.layout"));
$browser->click_on('#picture .node[data-key=disk-drive] .box .title');
$browser->until("!document.querySelector('#draw-release').hidden");
value("document.querySelector('#draw-release').click()");
$lines = layout('farm.psl', qr/^# by hand\nworker/);
ok($lines =~ /^# by hand\nworker \S+ \S+\nzebra 1 1\n$/ && place('disk-drive') ne $moved,
  'it stands where there is room again when it is released', $lines);

# ---- a request to an accept ----

my $flash = $farm =~ s/node type = disk \};\n      transaction/node type = flash };\n      transaction/r;
my $store = '.node[data-key=worker] .port[data-request=store]';
value("document.querySelector('#zoom-fit').click()");
drag([middle("$store .dot")], [middle('.node[data-key=flash-drive] .port.accept .dot')]);
comes("[...document.querySelectorAll('#picture .edge')].some((e) => e.dataset.to === 'flash-drive')",
  'a request is drawn from its port to an accept');
ok(text() eq $flash, 'and its selector is written, no other byte', difference($flash, text()));
comes("document.querySelector('#why pre').textContent.includes('refused: disk-drive (farm.psl:')",
  'why it goes there is said');
value("document.querySelector('.cm-content').focus(), 1");
$browser->press('Ctrl+z');
calm();
ok(text() eq $farm, 'Ctrl-Z in the text undoes it', difference($farm, text()));
close_why();
drag([middle("$store .dot")], [middle('.node[data-key=flash-drive] .box .title')]);
comes("[...document.querySelectorAll('#picture .edge')].some((e) => e.dataset.to === 'flash-drive')",
  'or to the box');
$browser->until("!document.querySelector('#why').hidden", 60);
value("document.querySelector('#undo').click()");
calm();
close_why();
drag([middle("$store .dot")], [middle('.node[data-key=worker] .port.accept .dot')]);
comes("document.querySelector('#status').textContent.startsWith('no selector makes it go there: it requests write')",
  'where none can it is said why');
ok(text() eq $farm, 'and nothing is changed', difference($farm, text()));

# By keys: the box, then Tab to the port of its request, and then to an accept.
close_why();
value("document.querySelector('.node[data-key=worker] .box').focus(), 1");
$browser->press('Enter');
calm();
value("document.querySelector('.node[data-key=worker] .box').focus(), 1");
my $focused = "document.activeElement.getAttribute('aria-label')";
sub tab_to { my ($label) = @_; for (1 .. 30) { last if (value($focused) // '') eq $label; $browser->press('Tab') }
  return (value($focused) // '') eq $label }
ok(tab_to('request store: write of worker, goes to disk-drive'), 'a port is reached by Tab', value($focused));
$browser->press('Enter');
comes("document.querySelector('#graph-message').textContent.startsWith('store of worker goes to the accept')",
  'a request is chosen by Return');
value("document.querySelector('.node[data-key=worker] .port.request').focus(), 1");
ok(tab_to('accept write of flash-drive'), 'and then an accept', value($focused));
$browser->press('Enter');
comes("[...document.querySelectorAll('#picture .edge')].some((e) => e.dataset.to === 'flash-drive')",
  'where it goes by Return');
ok(text() eq $flash, 'drawn by keys and by the pointer give the same text', difference($flash, text()));
$browser->until("document.querySelector('#why h2').textContent === 'worker.store goes to flash-drive'", 60);
value("document.querySelector('#undo').click()");
calm();
close_why();
value("(() => { const p = document.querySelector('.port[data-request=store]'); p.focus(); p.dispatchEvent(new " .
  "MouseEvent('click', {bubbles: true})); return 1; })()");
$browser->press('Escape');
comes("document.querySelector('#graph-message').hidden", 'Escape leaves it');
close_why();
value("document.querySelector('#zoom-fit').click()");
drag([middle('.node[data-key=farm] .port.request .dot')], [middle('.node[data-key=disk-drive] .port.accept .dot')]);
comes("document.querySelector('#status').classList.contains('bad')", 'that of a system has a port, too');
is_value("document.querySelector('#status').textContent",
  'no selector makes it go there: it requests solve, and no coercion leads to write', 'and a reason');

# ---- from the library ----

sub fill {
  my ($button, @values) = @_;
  value("document.querySelector('#$button').click()");
  $browser->until("document.querySelector('#form').open", 60);
  while (my ($field, $text) = splice @values, 0, 2) {
    my $quoted = $json->encode($text);
    value("(() => { const f = document.querySelector('#form form'); f.elements['$field'].value = $quoted; " .
      "f.dispatchEvent(new Event('input')); return 1; })()");
  }
}
close_why();
fill('add-taken');
my $offered = "[...document.querySelectorAll('#field-what option')].find((o) => o.textContent.startsWith(";
my $value = value("${offered}'storage: file-server, hardware[storage], accepts ')).value");
ok($value, 'components of the library are offered', value("document.querySelector('#form').textContent"));
value("document.querySelector('#form-cancel').click()");
fill('add-taken', what => $value);
is_value("document.querySelector('#field-as').value", 'my-file-server', 'with a name for one of them');
shot('palette');
fill('add-taken', what => $value, as => 'store');
value("document.querySelector('#form-done').click()");
comes("!!document.querySelector('.node.loose.picked[data-key=store]')", 'it is taken into the model');
my $taken = $farm =~ s/^(param workers)/use storage;\n\n$1/mr =~
  s/^(system farm)/component store like file-server {\n  profile node type = store;\n}\n\n$1/mr;
ok(text() eq $taken, 'by what it needs, no other byte', difference($taken, text()));
$browser->press('Escape');
value("document.querySelector('#undo').click()");
calm();
ok(text() eq $farm, 'in one step to undo', difference($farm, text()));
spew("$folder/disks.psl", "transaction write(amount : data);\ncomponent drum {\n  accepts:\n    profile = { domain = " .
  "hardware[storage], node type = drum };\n    transaction = write(amount);\n    protocol = call-return;\n  body:\n" .
  "    hold 1 ms;\n}\n");
fill('add-taken');
ok(value("!!${offered}'disks: drum, hardware[storage], accepts write(amount)'))"), 'and of the folder',
  value("document.querySelector('#form').textContent"));
value("document.querySelector('#form-cancel').click()");

# ---- how a request is evaluated ----

spew("$folder/modes.psl", <<'END');
transaction work(t : time);
component exact {
  accepts:
    profile     = { domain = hardware[processor], node type = core, evaluation mode = simulation[exact] };
    transaction = work(t);
    protocol    = call-return;
  body:
    hold t;
}
component rough like exact { profile evaluation mode = analysis[rough]; }
system main {
  requests:
    selector    = { domain = hardware[processor], evaluation mode = simulation[exact] };  // as exact as it is
    transaction = work(1 s);
    protocol    = call-return;
}
END
my $modes = slurp("$folder/modes.psl");
value("(() => { const f = document.querySelector('#new-name'); f.value = 'first'; " .
  "document.querySelector('#new-form').requestSubmit(); return 1; })()");
$browser->until("document.querySelector('#file-name').textContent === 'first.psl'");
open_model('modes.psl');
$browser->click_on('#picture .port.request .dot');
comes("!document.querySelector('#draw-mode-label').hidden && [...document.querySelector('#draw-mode').options].map((o) " .
  "=> o.value).join() === 'simulation[exact],analysis[rough]' && document.querySelector('#draw-mode').value === " .
  "'simulation[exact]'", 'the evaluation modes that are offered to a request are a choice');
shot('modes');
value("(() => { const s = document.querySelector('#draw-mode'); s.value = 'analysis[rough]'; s.dispatchEvent(new " .
  "Event('change')); return 1; })()");
comes("[...document.querySelectorAll('#picture .edge')].some((e) => e.dataset.to === 'rough')",
  'and the request goes to what offers it');
my $rough = $modes =~ s/simulation\[exact\] \};  /analysis[rough] };  /r;
ok(text() eq $rough, 'by an edit of these letters', difference($rough, text()));
value("document.querySelector('#undo').click()");
calm();
ok(text() eq $modes, 'and back', difference($modes, text()));
close_why();
$browser->click_on('#picture .node[data-key=main] .box .title');
$browser->until("document.querySelector('#drawn-name').textContent === 'main'");
fill('draw-values', value1 => 'analysis[rough]');
is_value("[...document.querySelectorAll('#form-fields legend')].map((l) => l.textContent).join() + ': ' + " .
  "[...document.querySelector('#field-value1').options].map((o) => o.value).join()",
  'request work: simulation[exact],analysis[rough]', 'and among the values of who requests, too');
value("document.querySelector('#form-done').click()");
comes("!document.querySelector('#form').open && document.querySelector('#text').editor.text() === " .
  $json->encode($rough), 'by the same edit');
value("document.querySelector('#undo').click()");
calm();

# ---- components in components ----

open_model('office.psl');
is_value("[...document.querySelectorAll('.node')].map((n) => n.dataset.key).sort().join()",
  'main,office,office.chief,office.clerk', 'components in components are boxes in boxes');
my $inside = "(() => { const r = (k) => document.querySelector(`.node[data-key=\"\${k}\"] .box > " .
  "rect`).getBoundingClientRect(), o = r('office'); return ['office.chief', 'office.clerk'].every((k) => { const i = " .
  "r(k); return i.left > o.left && i.right < o.right && i.top > o.top && i.bottom < o.bottom; }); })()";
ok(value($inside), 'which stand inside');
$browser->click_on('#picture .toggle');
comes("[...document.querySelectorAll('.node')].map((n) => n.dataset.key).sort().join() === 'main,office' && " .
  "document.querySelector('.toggle').getAttribute('aria-expanded') === 'false'", 'and are closed away');
shot('closed');
value("document.querySelector('.toggle').focus(), 1");
$browser->press('Enter');
comes("document.querySelectorAll('.node').length === 4 && document.querySelector('.toggle') === " .
  "document.activeElement", 'and opened, by keys as well');
shot('open');
drag([middle('.node[data-key="office.clerk"] .box .title')],
  [map { $_ + 30 } middle('.node[data-key="office.clerk"] .box .title')]);
ok(layout('office.psl', qr/clerk/) =~ /^office\.clerk -?\d+ -?\d+\n$/ && value($inside),
  'one that is moved is kept by the name of what it is in', slurp("$folder/office.psl.layout") // '');

$browser->click_on('#picture .node[data-key="office.clerk"] .box .title');
comes("document.querySelector('#drawn-name').textContent === 'clerk'", 'it is chosen');
my $office = text();
fill('draw-values', value0 => '0 <= k < 4', value3 => 't t');
value("document.querySelector('#form-done').click()");
comes("document.querySelector('#form-message').textContent.startsWith('nothing is changed, since the text would be wrong')",
  'a value that is none is refused in the form');
value("(() => { document.querySelector('#field-value3').value = '2 * t'; document.querySelector('#form-done').click(); " .
  "return 1; })()");
comes("!document.querySelector('#form').open", 'what is inside of one is filled in');
calm();
my $wanted = $office =~ s/k < 3/k < 4/r =~ s/hold t/hold 2 * t/r;
ok(text() eq $wanted, 'no other letter changes', difference($wanted, text()));
drag([middle('.node[data-key=main] .port.request .dot')], [middle('.node[data-key="office.chief"] .port.accept .dot')]);
comes("document.querySelector('#status').textContent === \"'office.chief' stands in 'office', and only what stands there " .
  "can ask it\"", 'what is inside cannot be asked from elsewhere');
close_why();
drag([middle('.node[data-key=office] .port.request .dot')], [middle('.node[data-key="office.clerk"] .port.accept .dot')]);
comes("document.querySelector('#picture .refusal')?.textContent.startsWith('no selector makes it go there') && " .
  "!!document.querySelector('[data-key=\"office.clerk\"].port.refused')", 'which is said beside the accept');
is_value("document.querySelector('#draw-target').value + getSelection()", 'office.chief', 'it goes where it went');
shot('refused');
value("document.querySelector('.port[data-request=delegate]').dispatchEvent(new MouseEvent('click', {bubbles: true})), 1");
comes("document.querySelector('#draw-target').value === 'office.chief'", 'where it goes is chosen in the list');
$browser->press('Escape');
close_why();
value("document.querySelector('#undo').click()");
calm();

# ---- circles ----

my @circle = (['first', 'second'], ['second', 'third', 'first'], ['third', 'second', 'first']);
spew("$folder/circle.psl", join '', "transaction t(n : int);\n", (map { my ($name, @to) = @$_;
  "component $name {\n  accepts:\n    profile = { domain = application[x], node type = $name };\n    transaction = t(n);\n" .
  "    protocol = dataflow;\n  body:\n    if n > 0 { " . join('', map { "call to-$_(n - 1); " } @to) . "}\n  requests:\n" .
  join('', map { "    to-$_(n):\n      selector = { node type = $_ };\n      transaction = t(n);\n      protocol = " .
  "dataflow;\n" } @to) . "}\n" } @circle), "system s {\n  requests:\n    selector = { node type = first };\n    " .
  "transaction = t(3);\n    protocol = dataflow;\n}\n");
value("(() => { const f = document.querySelector('#new-name'); f.value = 'another'; " .
  "document.querySelector('#new-form').requestSubmit(); return 1; })()");
$browser->until("document.querySelector('#file-name').textContent === 'another.psl'");
open_model('circle.psl');
my $back = value("[...document.querySelectorAll('.edge .line')].map((line) => [line.closest('.edge').dataset.request, " .
  "/^M[^L]*C[^L]*L(\\S+) [^L]*C/.exec(line.getAttribute('d'))?.[1]]).filter(([, x]) => x !== undefined)");
my %lanes = map { $_->[1] => 1 } @{$back // []};
ok(@{$back // []} == 3 && keys %lanes == 3, 'what goes back up does so side by side', $json->encode($back));
shot('circle');

# ---- coercions ----

open_model('solver.psl');
is_value("[...document.querySelectorAll('.coerced .on-edge')].map((t) => t.textContent).join('; ')",
  'work: column -> flop -> cycle -> time; result: time -> cycle', 'coercions stand on the edge that needs them');
is_value("document.querySelector('.coerced').getAttribute('aria-label')", 'request relax of solver, goes to ' .
  'workstation: work: column -> flop -> cycle -> time, cost 3; result: time -> cycle, cost 1', 'with what they cost');

# ---- many components ----

# Each asks the next one, and some one further on.
my @parts = map {
  my $i = $_;
  my @to = grep { $_ < 200 } $i % 5 ? $i + 1 : ($i + 1, $i + 7);
  my $domain = $i < 80 ? 'application' : $i < 140 ? 'runtime' : 'hardware';
  "component part_$i {\n  accepts:\n    profile = { domain = $domain, node type = n$i };\n    transaction = t();\n" .
    "    protocol = call-return;\n  body:\n    hold 1 us;\n" . join('', map { "    call r$_();\n" } @to) .
    (@to ? "  requests:\n" : '') . join('', map { "    r$_():\n      selector = { node type = n$_ };\n" .
      "      transaction = t();\n      protocol = call-return;\n" } @to) . "}\n"
} 0 .. 199;
my $many = join '', "transaction t();\n", @parts, "system many {\n  requests:\n    selector = { node type = n0 };\n" .
  "    transaction = t();\n    protocol = call-return;\n}\n";
spew("$folder/many.psl", $many);
value("(() => { const f = document.querySelector('#new-name'); f.value = 'other'; " .
  "document.querySelector('#new-form').requestSubmit(); return 1; })()");
$browser->until("document.querySelector('#file-name').textContent === 'other.psl'");
open_model('many.psl');
comes("[...document.querySelectorAll('#picture .node')].map((n) => n.dataset.key).join() === 'domain application," .
  "domain runtime,domain hardware,many'", 'of many components there are the domains at first');
my $legible = "Math.min(...[...document.querySelectorAll('#picture .node text')].filter((t) => " .
  "getComputedStyle(t).display !== 'none').map((t) => t.getBoundingClientRect().height))";
ok(value($legible) > 8, 'whose names can be read', value($legible));
is_value("[...document.querySelectorAll('.on-edge')].map((t) => t.textContent).join('; ')", '2 requests; 2 requests',
  'requests between the same two are one');
shot('groups');
value("(() => { const f = document.querySelector('#find'); f.focus(); f.value = 'part_15'; f.dispatchEvent(new " .
  "Event('input')); return 1; })()");
is_value("[...document.querySelectorAll('.node.found')].map((n) => n.dataset.key).join()",
  'domain application,domain hardware', 'what is found stands in some of them');
my $seen = "(() => { const r = document.querySelector('.node.picked .box').getBoundingClientRect(); return " .
  "document.querySelector('.node.picked').dataset.key + ' ' + (r.width > 80); })()";
$browser->press('Enter');
is_value($seen, 'part_15 true', 'which is opened by Return, close enough to be read');
value("(() => { const f = document.querySelector('#find'); f.value = ''; f.dispatchEvent(new Event('input')); " .
  "return 1; })()");
value("document.querySelector('[data-key=\"domain application\"] .box').dispatchEvent(new MouseEvent('click', {bubbles: " .
  "true})), 1");
is_value("document.querySelectorAll('#picture .node').length", 4, 'and closed by the box');
value("document.querySelector('#groups').click()");
is_value("document.querySelector('#groups').getAttribute('aria-pressed') + ' ' + " .
  "document.querySelectorAll('#picture .node').length", 'false 201', '200 components are drawn without groups');
my $took = value("(async () => { const {laidOut} = await import('/boxes.js'); const answer = await fetch('/api/graph', " .
  "{method: 'POST', headers: {'Content-Type': 'application/json', 'X-PSL-Token': '$studio->{token}'}, body: " .
  "JSON.stringify({path: 'many.psl', text: document.querySelector('#text').editor.text()})}); const {graph} = await " .
  "answer.json(); const begun = performance.now(); laidOut(graph, {places: new Map(), closed: new Set(), unfolded: " .
  "new Set()}); return performance.now() - begun; })()");
ok($took < 300, 'they are laid out within 300 ms', "$took ms");
is_value($overlaps, 0, 'none stands on another');
my $clear = "(() => { const p = document.querySelector('#picture').getBoundingClientRect(); return " .
  "[...document.querySelectorAll('.node .box')].every((b) => { const r = b.getBoundingClientRect(); return r.left >= " .
  "p.left - 1 && r.right <= p.right + 1 && r.top >= p.top - 1 && r.bottom <= p.bottom + 1; }); })()";
ok(value($clear), 'all are seen at first');
shot('many');
value("(() => { const f = document.querySelector('#find'); f.focus(); f.value = 'part_12'; f.dispatchEvent(new " .
  "Event('input')); return 1; })()");
is_value("document.querySelectorAll('.node.found').length", 11, 'a filter finds names');
ok(value("document.querySelectorAll('.node.dim').length") > 150, 'and dims what is not near');
$browser->press('Enter');
is_value($seen, 'part_12 true', 'Return goes to the first that is found, close enough to be read');
$browser->press('Enter');
is_value($seen, 'part_120 true', 'and to the next');
shot('found');
value("(() => { const f = document.querySelector('#find'); f.value = ''; f.dispatchEvent(new Event('input')); " .
  "return 1; })()");
value("document.querySelector('#near').click()");
is_value("[...document.querySelectorAll('.node')].filter((n) => getComputedStyle(n).display !== 'none').map((n) => " .
  "n.dataset.key).sort().join()", 'part_119,part_120,part_121,part_127', 'or its neighbours alone');
is_value("document.querySelector('#near').getAttribute('aria-pressed')", 'true', 'which the button says');
shot('near');
value("document.querySelector('#near').click()");
is_value("[...document.querySelectorAll('.node')].filter((n) => getComputedStyle(n).display !== 'none').length", 201, 'all are back');
my %stood = map { @$_ } @{value("[...document.querySelectorAll('.node')].map((n) => [n.dataset.key, " .
  "n.getAttribute('transform')])")};
my $view = value("document.querySelector('#picture svg').getAttribute('viewBox')");
put($many =~ s/^system/component extra like part_3 { profile node type = extra; }\nsystem/mr);
comes("!!document.querySelector('.node[data-key=extra]')", 'one more');
my %stand = map { @$_ } @{value("[...document.querySelectorAll('.node')].map((n) => [n.dataset.key, " .
  "n.getAttribute('transform')])")};
ok(!(grep { $stand{$_} ne $stood{$_} } keys %stood), 'moves none of them');
is_value("document.querySelector('#picture svg').getAttribute('viewBox')", $view, 'nor what is seen');
is_value($overlaps, 0, 'nor stands on one of them');

# ---- looks ----

my $axe = Browser::axe($build);
skip('WCAG AA', 'axe-core is not in the build folder') if !$axe;
for my $model ('farm', 'office', 'solver', 'many') {
  open_model("$model.psl");
  for my $window ([1280, 'light'], [1280, 'dark'], [400, 'light'], [400, 'dark']) {
    my ($width, $scheme) = @$window;
    $browser->window($width, 800, $scheme);
    value("document.querySelector('[data-show=graph]').click()");
    value("document.querySelector('#zoom-fit').click()");
    value("(() => { const p = document.querySelector('.port.request'); p.dispatchEvent(new MouseEvent('click', " .
      "{bubbles: true})); return 1; })()");
    calm();
    $browser->until("document.querySelector('#why pre').textContent !== ''", 5);
    is_value("document.documentElement.scrollWidth <= innerWidth", 1, "$model, $width columns: nothing is cut off");
    shot("$model-$width-$scheme");
    my @found = $axe ? $browser->violations($axe) : ();
    ok(!@found, "$model, $width columns, $scheme: axe-core finds nothing against WCAG AA", join "\n", @found);
    value("document.querySelector('.box').focus(), 1");
    $browser->press('Escape');
    close_why();
  }
}
$browser->window(1280, 800, 'light');

my @wrong = $browser->wrong;
ok(!@wrong, 'no error in the page', join "\n", @wrong);
$browser->end;
ok($studio->end eq '0', 'the end');
finish();
