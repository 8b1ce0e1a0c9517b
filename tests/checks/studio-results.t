#!/usr/bin/perl
# Studies in `psl studio`, in a browser: points as they come, in a table and a plot; a point of the page of a study is run,
# and its params are taken; two studies side by side.
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
  skip('studies in the studio', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}
my $folder = scratch() . '/models';
mkdir $folder;
# Points that take some tenths of a second each, as long as `slow` is.
my $model = <<'END';
param workers : int = 4 in 1 .. 1000;
param work : time = 40 s;
param device : term = disk in [disk, flash];
param slow : int = 6000000;
param note : string = "a, \"b\"";
transaction solve(part : time);
component worker [w] : 0 <= w < workers {
  var n : int = 0;
  accepts:
    profile     = { domain = application[farm], node type = worker };
    transaction = solve(part);
    protocol    = call-return;
  body:
    while (n < slow / workers) {
      hold part / slow * workers;
      n = n + 1;
    }
    if (device == disk) {
      hold 2 s;
    }
}
system farm {
  requests:
    every selector = { domain = application[farm], node type = worker };
    transaction    = solve(work / workers);
    protocol       = call-return;
}
study sizes of farm {
  vary workers in [2, 4, 8, 16], device in [disk, flash], note = "c, \"d\"";
  report makespan, cost = workers * makespan;
}
END
spew("$folder/farm.psl", $model);
my $check = command($folder, $psl, 'check', 'farm.psl');
ok($check->{exit} eq '0', 'the model is sound', $check->{err});
my $studio = Studio->for_test('studies in the studio', $folder, 'farm.psl');
my $browser = Browser->start(scratch());
test_page($browser, $studio, 'results');
$browser->window(1280, 900, 'light');
$browser->open($studio->{address});
sub equal { my ($expression, $wanted, $name) = @_; my $got = value($expression) // 'nothing'; ok($got eq $wanted, $name, "got $got\nwanted $wanted") }

comes("document.body.dataset.ready === 'yes' && document.querySelector('#study').options.length === 1", 'the model is open');
value("document.querySelector('#study-run').click(); 1");
# ---- as they come ----
comes("document.querySelectorAll('#live-points tbody tr').length > 1 && !!document.querySelector('#points-view .picture svg')",
  'points stand there while others are run');
my $whole = value("document.querySelector('#job-page iframe') ? 'the page' : document.querySelectorAll('#live-points tbody tr').length");
ok($whole =~ /^[1-7]$/, 'before all have come', $whole);
equal("[...document.querySelectorAll('#live-points th button')].map((b) => b.textContent).slice(0, 5).join()", 'point,workers,device,note,makespan',
  'with the params and what is reported');
my $state = value("document.querySelector('#job-state').textContent");
ok($state =~ m{^\d+ of 8 runs.*; \d+ s so far$}, 'how many have come, and how long that has taken', $state);
my $axe = Browser::axe($build);
my @violations = grep { !/button.title="(?:run|study) / } $axe ? $browser->violations($axe) : (); # of the points
ok(!@violations, 'axe-core finds nothing against WCAG AA in them', join "\n", @violations);
shot('live');
value("document.querySelector('#points-view td button').click(); 1");
comes("[...document.querySelectorAll('#points-view .card button')].some((b) => b.textContent === 'Set the params to it')", 'one is chosen while they come');
comes("!!document.querySelector('#job-page iframe') && document.querySelector('#points-view').hidden", 'in the end there is the page of the study');

# ---- in the page, which is in a frame of no origin: it is asked by its own session ----
my $report = value("new URL(document.querySelector('#job-page iframe').src).pathname");
my $page = $studio->request('GET', $report)->{body};
my ($set) = ($page =~ m{data-set="([^"]*)"}, '{}');
$set =~ s/&quot;/"/g;
my $given = decode_json($set);
ok($given->{note} && $given->{note} eq q(c, "d"), 'the page says what else holds for its points', $set);
sub choose_point {
  my ($number, $what) = @_;
  my $found = 0;
  for (1 .. 100) { # its script may not have run yet
    frame_value("(() => { const row = [...document.querySelectorAll('#points td button')].find((b) => b.textContent === '$number'); if (row) row.click(); return 1; })()");
    last if $found = frame_value("(() => { const b = [...document.querySelectorAll('.card button')].find((one) => one.textContent === '$what'); if (b) b.click(); return !!b; })()");
    select undef, undef, undef, 0.1;
  }
  ok($found, "a point of the page: $what");
}
choose_point(5, 'Set the params to it');
comes("document.body.dataset.side === 'params' && document.querySelector('#param-workers').value === '8' && document.querySelector('#param-device').value === 'flash'",
  'the params are those of the point');
equal("document.querySelector('#param-note').value", '"c, \"d\""', 'and what the study sets besides');
equal("document.querySelector('#param-work').classList.contains('changed') + ' ' + document.querySelector('#params-reset').hidden", 'false false',
  'what the model says itself is not set, and all can be as declared again');
value("document.querySelector('nav [data-show=results]').click(); 1");
choose_point(4, 'Show its run');
comes("document.querySelectorAll('#jobs button').length === 2 && document.querySelector('#jobs [aria-pressed=true]').textContent.includes('point 4') && " .
  "!!document.querySelector('#job-page iframe')", 'its run is made');
my $run = $studio->request('GET', value("new URL(document.querySelector('#job-page iframe').src).pathname"))->{body};
# 40 s of work by 8 workers, and 2 s for the disk.
ok($run =~ /predicted time<\/dt>\s*<dd>7\.000 s/, 'with the params of the point', substr $run, -3000);
# What is no page of a study is not listened to.
value("window.postMessage({psl: 'set', point: 1, set: {workers: '999'}}, '*'); new Promise((done) => setTimeout(done, 200))");
equal("document.querySelector('#param-workers').value", '8', 'what others say is not heard');

# ---- two studies ----
value("(() => { const field = document.querySelector('#param-work'); field.value = '80 s'; field.dispatchEvent(new Event('input', {bubbles: true})); " .
  "const slow = document.querySelector('#param-slow'); slow.value = '1500'; slow.dispatchEvent(new Event('input', {bubbles: true})); " .
  "document.querySelector('#study-run').click(); return 1; })()");
equal("document.querySelector('#status').textContent", 'The study varies workers, device, note itself: what Params has of that holds for single runs.',
  'what a study varies is not held to one point');
comes("document.querySelectorAll('#jobs button').length === 3 && !!document.querySelector('#job-page iframe')", 'another study, of other params');
my $all = () = $studio->request('GET', value("new URL(document.querySelector('#job-page iframe').src).pathname"))->{body} =~ /<td[^>]*>(?:disk|flash)<\/td>/g;
ok($all >= 8, 'it has all its points', $all);
equal("import('/runs.js').then((m) => [m.inShort('4000000 byte', 'byte'), m.inShort('0.002 s', 's'), m.inShort('8', null), m.inShort('disk', null)].join())",
  '4 MB,2 ms,8,disk', 'values are written as a model has them');
comes("!document.querySelector('#compare').hidden && document.querySelector('#compare-with').options.length === 1", 'it can be compared with the first one');
value("document.querySelector('#compare-run').click(); 1");
comes("document.querySelectorAll('#jobs button').length === 4 && !!document.querySelector('#job-page iframe')", 'the two side by side');
my $diff = $studio->request('GET', value("new URL(document.querySelector('#job-page iframe').src).pathname"))->{body};
ok($diff =~ /what is not alike.*<td>work<\/td><td>as declared<\/td><td>80 s<\/td>/s && $diff =~ /makespan B less A/, 'what is not alike, and points of both',
  substr $diff, 0, 200);
shot('difference');
value("document.querySelector('nav [data-show=params]').click(); document.querySelector('#params-reset').click(); 1");
equal("['workers', 'work'].map((name) => document.querySelector('#param-' + name).value).join() + ' ' + document.querySelectorAll('#params .changed').length",
  '4,40 s 0', 'all params are as declared again');
# ---- room ----
value("document.querySelector('nav [data-show=results]').click(); document.querySelector('#splitter').focus(); 1");
my $wide = value("document.querySelector('#results-view').clientWidth");
$browser->press('ArrowLeft') for 1 .. 3;
my $wider = value("document.querySelector('#results-view').clientWidth");
ok($wider > $wide + 60 && value("document.querySelector('#splitter').getAttribute('aria-valuenow')") eq '38', 'the results are given more room by keys', "$wide $wider");
equal("new Set([...document.querySelectorAll('#jobs button')].map((b) => b.offsetTop)).size", '1', 'the runs stand in one row');
my @wrong = $browser->wrong;
ok(!@wrong, 'nothing goes wrong in the page', join "\n", @wrong);
$browser->end;
$studio->end if $studio->can('end');
finish();
