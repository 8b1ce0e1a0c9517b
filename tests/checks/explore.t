#!/usr/bin/perl
# What is done with the points in the page of `psl report`, in a browser and from a file: rows are filtered, saved as CSV,
# drawn by any axes with small multiples and intervals; values stand under the pointer, a point is chosen, pictures are
# saved; ten thousand points are no burden; all is printed; texts of a model are texts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use JSON::PP;
use Run;

if (!Browser::installed() || $sanitized) {
  skip('points in a browser', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}
my $folder = scratch();
my $json = JSON::PP->new->allow_nonref->canonical;
my $evil = '<img src=x onerror=hacked=1>';
(my $model = slurp("$root/examples/farm/devices.psl")) =~ s/hold seek \+ amount \/ rate;/hold exponential(seek + amount \/ rate);/;
$model .= "param label : string = \"a\";\n";
spew("$folder/farm.psl", $model);
sub made {
  my ($name, @options) = @_;
  my $study = command($folder, $psl, 'study', 'farm.psl', '--quiet', '--db', "$name.db", '-o', "$name.csv", '--format', 'csv', @options);
  my $report = command($folder, $psl, 'report', "$name.db", '--quiet', '-o', "$name.html");
  ok($study->{exit} eq '0' && $report->{exit} eq '0', "the page of $name", $study->{err} . $report->{err});
}
made('farm', '--vary', 'workers=2..16+2', '--vary', 'device=disk,flash', '--vary', 'work=20s,40s', '--repetitions', 3,
     '--report', 'makespan, wait, cost = workers * makespan');
made('many', '--vary', 'workers=1..50', '--vary', 'device=disk,flash', '--vary', 'work=1s..100s+1s');
made('evil', '--vary', "label=\"$evil\",\"=1+1\"", '--vary', 'workers=2,4');

my $browser = Browser->start($folder);
mkdir "$folder/saved";
$browser->call('Browser.setDownloadBehavior', {behavior => 'allow', downloadPath => "$folder/saved"});
sub shown {
  my ($name, $width, $scheme) = @_;
  $browser->window($width // 1280, 900, $scheme // 'light');
  $browser->open("file://$folder/$name.html");
  $browser->until("location.pathname.endsWith('/$name.html') && document.readyState === 'complete' && !!document.querySelector('.picture svg')");
}
sub is_value {
  my ($expression, $wanted, $name) = @_;
  my $got = $browser->value($expression);
  $got = $json->encode($got) if ref $got; # a truth value, too
  $wanted = $json->encode($wanted) if ref $wanted;
  ok(defined $got && $got eq $wanted, $name, "got:    " . ($got // 'nothing') . "\nwanted: $wanted");
}
sub saved { # what stands in the file, once it is whole
  my ($name) = @_;
  for (1 .. 100) {
    my $text = -e "$folder/saved/$name" && !glob("$folder/saved/*.crdownload") ? slurp("$folder/saved/$name") : '';
    return $text if length $text;
    select undef, undef, undef, 0.05;
  }
  return '';
}
my $button = 'const button = (text) => [...document.querySelectorAll("#all-points button")].find((one) => one.textContent === text);';
sub press_button { $browser->value("(() => { $button button('$_[0]').click(); return 1; })()") }
sub choose { # of a list or a box of the plot
  my ($name, $value) = @_;
  $browser->value("(() => { const field = document.querySelector('.explorer [name=$name]'); " .
    "if (field.type === 'checkbox') field.checked = $value; else field.value = [...field.options].find((o) => o.textContent === '$value').value; " .
    "field.dispatchEvent(new Event('change')); return 1; })()");
}
sub filter {
  my ($column, $text) = @_;
  $browser->value("(async () => { const field = document.querySelector('#points [aria-label=\"Filter $column\"]'); field.value = '$text'; " .
    "field.dispatchEvent(new Event('input')); await new Promise((done) => setTimeout(done, 200)); return 1; })()");
}
my $rows = "[...document.querySelectorAll('#points tbody tr:not(.space)')]";
my $points = "$rows.map((row) => row.cells[0].textContent).join(' ')";

# ---- filters, and what is saved ----

# The same study as psl study has written it: an independent account of each row.
my ($head, @lines) = map { [split /,/] } split /\n/, slurp("$folder/farm.csv");
my %at = map { $head->[$_] => $_ } 0 .. $#$head;
sub fulfilling { my ($test) = @_; join ' ', grep { local $_ = $lines[$_]; $test->() } 0 .. $#lines }
sub value { $_->[$at{$_[0]} // die "no column $_[0]: @$head\n"] }

shown('farm');
is_value($points, join(' ', 0 .. 31), 'all points are there at first');
press_button('Filter');
for (['workers', '>= 8', sub { value('workers') >= 8 }],
     ['workers', '4..8, 16', sub { value('workers') == 16 || value('workers') >= 4 && value('workers') <= 8 }],
     ['device', 'FLA', sub { value('device') eq 'flash' }], ['device', '!= disk', sub { value('device') ne 'disk' }],
     ['makespan', '< 9500 ms', sub { value('makespan [s]') < 9.5 }], ['work', '0.02 ks', sub { value('work [s]') == 20 }],
     ['makespan', '4000..9500 ms', sub { value('makespan [s]') >= 4 && value('makespan [s]') <= 9.5 }],
     ['work', '20 s..30', sub { value('work [s]') == 20 }], ['workers', '4,8', sub { value('workers') =~ /^[48]$/ }], ['workers', '-', sub { 0 }],
     ['device', 'nobody', sub { 0 }]) {
  my ($column, $text, $test) = @$_;
  filter($column, $text);
  is_value($points, fulfilling($test), "filter $column by $text");
  filter($column, '');
}
filter('workers', '< x');
is_value("document.querySelector('[aria-label=\"Filter workers\"]').getAttribute('aria-invalid') + ' ' + $rows.length", 'true 32',
  'what is no condition is marked, and leaves all');
for (['workers', 'abc', "workers: 'abc' is no condition; write 8, >= 8 or 2..8"],
     ['makespan', '< 9,5 s', "makespan: '< 9,5 s' is no condition; a number has a point, 0.1, and no comma"],
     ['makespan', '9,5 s', "makespan: '9,5 s' is no condition; a number has a point, 0.1, and no comma"],
     ['work', '1..2 MB', "work: '1..2 MB' is no condition; write < 8, 2..8 or >= 8, of s or another unit of that"]) {
  my ($column, $text, $said) = @$_;
  filter('workers', '');
  filter($column, $text);
  my $field = "document.querySelector('[aria-label=\"Filter $column\"]')";
  is_value("$field.getAttribute('aria-invalid') + ' ' + $rows.length + ' ' + document.getElementById($field.getAttribute('aria-describedby'))?.textContent", "true 32 $said",
    "$column is not filtered by $text, and why is said");
  filter($column, '');
}
is_value("document.querySelector('#all-points .wrong-filter').textContent", '', 'and no more where that is gone');
filter('workers', '>= 12');
filter('device', 'disk');
is_value("document.querySelector('#all-points .tools [role=status]:last-child').textContent || [...document.querySelectorAll('#all-points [role=status]')].map((n) => n.textContent).join('')",
  '6 of 32 rows', 'it is said how many are left');
press_button('Download CSV');
my @table = map { [split /,/] } split /\n/, saved('points.csv');
my @wanted = grep { $_->[$at{workers}] >= 12 && $_->[$at{device}] eq 'disk' } @lines;
my %column = map { $table[0][$_] => $_ } 0 .. $#{$table[0]};
my @off;
for my $r (0 .. $#wanted) {
  for my $name ('workers', 'work [s]', 'makespan [s]', 'makespan.low [s]', 'makespan.high [s]', 'cost [s]') {
    my ($a, $b) = ($table[$r + 1][$column{$name} // 0], $wanted[$r][$at{$name} // 0]);
    push @off, "$name: $a, and $b" unless defined $column{$name} && defined $at{$name} && abs($a - $b) <= 1e-9 * abs $b;
  }
}
ok(@table == 7 && !@off, 'the CSV has these rows, all digits and the intervals, as psl study writes them', join "\n", "@{$table[0]}", @off);

# ---- plots ----

my $drawn = "(() => { const svg = document.querySelector('.picture svg'); return [...svg.querySelectorAll('path[stroke-linecap]')].map((p) => p.getAttribute('d').split('M').length - 1).join(' '); })()";
is_value($drawn, '3 3', 'the plot shows what the filter leaves: a plot for each work');
filter($_, '') for 'workers', 'device';
is_value($drawn, '8 8 8 8', 'by itself it is workers against makespan, by device, for each work');
is_value("[...document.querySelectorAll('.picture svg text[font-weight]')].map((t) => t.textContent).join('; ')", 'work 20 s; work 40 s',
  'small multiples have the values over them');
is_value("document.querySelectorAll('.picture .interval').length + ' ' + document.querySelector('.picture .interval').getAttribute('d').split('M').length",
  '4 9', 'intervals of repetitions are bars');
choose('bars', 'false');
is_value("document.querySelectorAll('.picture .interval').length", '0', 'they can be left out');
choose('of', 'nothing');
is_value("document.querySelectorAll('.picture svg path[d*=\"L\"]').length", '0', 'no line joins several values at one place');
choose('of', 'work');
choose('x', 'device');
is_value("[...document.querySelectorAll('.picture svg text')].map((t) => t.textContent).filter((t) => t === 'flash').length", '3',
  'terms have places across, in both plots, beside the legend');
choose("zero", "false");
choose("by", "workers");
like_value("[...document.querySelectorAll('.picture svg text')].map((t) => t.textContent).join()", qr/,0,/, "bars begin at 0 whatever is chosen");
choose("zero", "true");
choose("by", "device");
choose('x', 'wait');
choose('y', 'cost');
choose('logY', 'true');
ok($browser->value("[...document.querySelectorAll('.picture svg text')].map((t) => t.textContent).join()") =~ /wait \(m?s\).*wait/,
   'any figure against any other one, with its unit');
choose('x', 'workers');
choose('y', 'makespan');
choose('logY', 'false');

# A point under the pointer, by its place: nothing but the axes' ticks says where that is.
$browser->value("document.querySelector('.explorer').scrollIntoView(); 1");
my $spot = $browser->value("(() => { const svg = document.querySelector('.picture svg'), box = svg.getBoundingClientRect(); " .
  "const marks = svg.querySelectorAll('path[stroke-linecap]')[1].getAttribute('d').split('M')[3].split(/[ h]/); " .
  "return [box.left + Number(marks[0]), box.top + Number(marks[1])]; })()");
$browser->point(@$spot);
$browser->until("!document.querySelector('.explorer .tip').hidden", 5);
my $tip = $browser->value("document.querySelector('.explorer .tip').textContent") // '';
ok($tip =~ /^point \d+\nworkers 6\ndevice flash\nwork 20 s\nmakespan [\d.]+ (?:s )?\x{b1} [\d.]+ m?s$/, 'values stand under the pointer', $tip);
$browser->click(@$spot);
$browser->until("!document.querySelector('.explorer .card').hidden", 5);
my ($number) = $tip =~ /^point (\d+)/;
is_value("document.querySelector('.card strong').textContent + '; ' + document.querySelector('.card code').textContent + '; ' + " .
  "document.querySelector('#points tr.chosen').cells[0].textContent", "Point $number; psl report --point $number farm.db farm; $number",
  'a click chooses the point: its figures, how its run is shown, its row');
$browser->value("document.querySelector('.picture').focus(); 1");
$browser->press($_) for 'Home', 'ArrowRight', 'ArrowRight', 'Enter';
like_value("document.querySelector('.picture').getAttribute('aria-valuetext')", qr/^point \d+, workers 6, device disk, work 20 s, /, 'keys go from point to point');
like_value("document.querySelector('.card').textContent", qr/workers6device ?disk/, 'and Return chooses one');
$browser->value("[...document.querySelectorAll('#points td button')].at(-1).click(); 1");
like_value("document.querySelector('.card strong').textContent", qr/^Point 31$/, 'so does the number of a row');
sub like_value {
  my ($expression, $wanted, $name) = @_;
  my $got = $browser->value($expression) // 'nothing';
  ok($got =~ $wanted, $name, "got: $got");
}

# ---- pictures ----

press_button("Download SVG");
my $svg = saved('makespan-workers.svg');
ok($svg =~ /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="800"/ && $svg =~ /makespan \(s\)/ && $svg !~ /<script|foreignObject|href/i,
   'the picture as SVG', substr $svg, 0, 300);
press_button("Download PNG");
my $png = saved('makespan-workers.png');
my ($wide) = length $png > 24 ? unpack 'x16 N', $png : 0;
ok($png =~ /^\x89PNG/ && $wide == 1600, 'the picture as PNG', "$wide wide");
my @errors = $browser->wrong;
ok(!@errors, 'nothing goes wrong meanwhile', join "\n", @errors);

# ---- narrow, dark, in print ----

my $axe = Browser::axe($build);
skip('WCAG AA', 'axe-core is not in the build folder') if !$axe;
for ([1280, 'light'], [400, 'dark']) {
  my ($width, $scheme) = @$_;
  shown('farm', $width, $scheme);
  press_button('Filter');
  $browser->value("document.querySelector('#points td button').click(); 1");
  my @found = $axe ? $browser->violations($axe) : ();
  ok(!@found, "filters and plots at $width columns, $scheme: axe-core finds nothing against WCAG AA", join "\n", @found);
  is_value("document.documentElement.scrollWidth <= innerWidth", "true", "nothing stands beyond $width columns");
}
is_value("(() => { dispatchEvent(new Event('beforeprint')); const ground = document.querySelector('.picture rect').getAttribute('fill'); " .
  "dispatchEvent(new Event('afterprint')); return ground + ' ' + document.querySelector('.picture rect').getAttribute('fill'); })()",
  '#ffffff #1b1f26', 'it is printed on white');

# ---- texts of a model ----

unlink glob "$folder/saved/*";
shown('evil');
is_value("window.hacked === undefined && !document.querySelector('img')", "true", 'a text of a model is a text, also in the plot');
like_value("document.querySelector('.picture svg').textContent", qr/<img src=x onerror=hacked=1>/, 'where it stands as it is');
press_button("Download SVG");
ok(saved('makespan-workers.svg') =~ /&lt;img src=x/, 'and in what is saved');

# ---- many points ----

shown('many');
is_value("$rows.length < 100 && document.querySelectorAll('#points tbody tr').length > 20", "true", 'of ten thousand rows those alone are there that are seen');
is_value("(() => { const started = performance.now(); document.querySelectorAll('#points th button')[4].click(); return performance.now() - started < 3000; })()", "true",
  'they are sorted in a moment');
like_value("(async () => { document.querySelector('#points').closest('.rows').scrollTop = 1e9; await new Promise((done) => setTimeout(done, 300)); return $rows.at(-1).cells[4].dataset.v; })()",
  qr/^100\.[56]\d*$/, 'at the end stands the longest one');
press_button('Filter');
filter('workers', '7');
filter('device', 'disk');
is_value("[...document.querySelectorAll('#all-points [role=status]')].map((n) => n.textContent).join('')", '100 of 10000 rows', 'and filtered');
filter('workers', '');
filter('device', '');
$browser->value("dispatchEvent(new Event('beforeprint')); 1");
is_value("$rows.length", '10000', 'all of them are printed');
$browser->value("dispatchEvent(new Event('afterprint')); 1");
is_value("$rows.length < 100", "true", 'and not kept after that');
@errors = $browser->wrong;
ok(!@errors, 'nothing goes wrong meanwhile', join "\n", @errors);
$browser->end;
finish();
