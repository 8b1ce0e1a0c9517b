#!/usr/bin/perl
# The page of `psl studio` on paper: the text and what stands beside it, dark on white, without what only a screen can use;
# and a report alone, of which all is printed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use MIME::Base64;
use PageTest;
use Run;
use Studio;

if (!Browser::installed() || $sanitized) {
  skip('the page on paper', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}
my $folder = scratch() . '/models';
mkdir $folder;
spew("$folder/farm.psl", slurp("$root/examples/farm/farm.psl"));
spew("$folder/$_", slurp("$root/examples/lapw0/$_")) for qw(lapw0.uml costs.psl measured.csv);
my $studio = Studio->for_test('the page on paper', $folder, 'farm.psl');
my $browser = Browser->start(scratch());
test_page($browser, $studio, 'print');
$browser->window(1280, 800, 'dark');
$browser->open($studio->{address});
comes("document.body?.dataset.ready === 'yes' && !!document.querySelector('#picture .edge')", 'the page is there');

# As on a sheet of paper, which is narrower than any window that has two columns; the reader's screen is dark.
sub on_paper {
  $browser->call('Emulation.setDeviceMetricsOverride', {width => 690, height => 1000, deviceScaleFactor => 1,
    mobile => JSON::PP::false});
  $browser->call('Emulation.setEmulatedMedia', {media => 'print', features => [{name => 'prefers-color-scheme',
    value => 'dark'}]});
  value("new Promise((done) => setTimeout(done, 300))");
}
sub on_screen {
  $browser->call('Emulation.setEmulatedMedia', {media => ''});
  $browser->window(1280, 800, 'dark');
}
sub pdf {
  my ($name) = @_;
  my $paper = decode_base64($browser->call('Page.printToPDF', {})->{data});
  spew("$ENV{PSL_SCREENSHOTS}/print-$name.pdf", $paper) if $ENV{PSL_SCREENSHOTS};
  return $paper;
}
# Which of these are seen, and how bright their texts are: 0 is black.
my $seen = "((list) => list.filter((one) => [...document.querySelectorAll(one)].some((e) => e.getClientRects().length)).join(' '))";
my $bright = "((one) => { const [r, g, b] = getComputedStyle(document.querySelector(one)).color.match(/[\\d.]+/g).map(Number); " .
  "return (r + g + b) / 765; })";

on_paper();
is_value("$seen(['#text-view', '#graph-view', '#picture .node'])", '#text-view #graph-view #picture .node', 'the text and the graph are printed');
is_value("$seen(['header', 'nav', '#files-view', '#splitter', '#graph-tools', '.lens', '#drawing', '#graph-view button'])", '', 'and nothing to press');
ok(value("$bright('.cm-content')") < 0.4 && value("$bright('#graph-view')") < 0.4, 'dark on white, as dark as the screen may be',
  value("$bright('.cm-content')"));
is_value("(() => { const p = document.querySelector('#picture').getBoundingClientRect(); return [...document" .
  ".querySelectorAll('#picture .node')].every((n) => { const r = n.getBoundingClientRect(); return r.left >= p.left && " .
  "r.right <= p.right && r.top >= p.top && r.bottom <= p.bottom; }); })()", 1, 'no box is cut off');
is_value("document.querySelector('#graph-view').getBoundingClientRect().top >= " .
  "document.querySelector('#text-view').getBoundingClientRect().bottom", 1, 'one behind the other');
shot('graph');
ok(length pdf('graph') > 10_000, 'a sheet of paper');
on_screen();
value("document.querySelector('#run').click()");
comes("!!document.querySelector('#job-page iframe') && !!document.querySelector('#job-page a')", 'it is run');
my $alone = value("document.querySelector('#job-page a').getAttribute('href')");
is_value("document.querySelector('#job-page a').target + ' ' + document.querySelector('#job-page a').rel", '_blank noopener', 'its report opens in a tab of its own');
value("document.querySelector('[data-path=\"lapw0.uml\"]').click()");
comes("document.querySelectorAll('#diagram-picture .element').length === 5", 'a diagram');
on_paper();
is_value("$seen(['#diagram-view', '#diagram-picture .element', '#diagram-tools', '#diagram-view button'])",
  '#diagram-view #diagram-picture .element', 'a diagram is printed without its tools');
shot('diagram');
on_screen();
$browser->open("http://127.0.0.1:$studio->{port}$alone");
comes("document.readyState === 'complete' && document.querySelectorAll('table').length > 1", 'the report is there alone, without the token');
on_paper();
is_value("(() => { const last = [...document.querySelectorAll('table')].pop().getBoundingClientRect(); return last.bottom <= " .
  "document.documentElement.scrollHeight && getComputedStyle(document.documentElement).overflow !== 'hidden'; })()", 1, 'and all of it is printed');
pdf('report');

$browser->end;
ok($studio->end eq '0', 'the end');
finish();
