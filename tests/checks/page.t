#!/usr/bin/perl
# The page of `psl report`: it stands alone, no text in it becomes anything else, and in a browser its tables sort, its
# bars choose a process, and it fits a narrow window.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Run;

my $folder = scratch();
my $evil = '</script><script>window.hacked=1</script>';

# A model whose file, texts and database say what a browser must not do.
my $file = 'a<img src=x onerror=hacked=1>&"\'.psl';
(my $model = slurp("$root/tests/cases/plot/farm.psl")) =~ s/^(param spread)/\/\/\/ "$evil" <!-- &amp;\n$1/m;
spew("$folder/$file", $model);
my @study = ($psl, 'study', $file, 'scaling', '--db', 's.db');
my $result = command($folder, @study);
ok($result->{exit} eq '0', 'a study with a database', $result->{err});
$result = command($folder, $psl, 'report', 's.db', '-o', 'clean.html');
ok($result->{exit} eq '0' && $result->{out} eq '' && $result->{err} eq '', 'psl report', $result->{err});
my $page = slurp("$folder/clean.html") // '';
$result = command($folder, $psl, 'report', 's.db');
ok($result->{out} eq $page, 'the same page again, on standard output');

sub alone {
  my ($text) = @_;
  my @wrong;
  push @wrong, $& while $text =~ /\b(?:src|href|action|data|poster)\s*=\s*["'](?!#)[^"']*["']/gi;
  push @wrong, $& while $text =~ /\burl\s*\((?!\s*['"]?#)[^)]*\)|\@import|\bfetch\s*\(|XMLHttpRequest|WebSocket/gi;
  $text =~ s/xmlns(:\w+)?="[^"]*"|"http:\/\/www\.w3\.org\/2000\/svg"//g;
  push @wrong, $& while $text =~ /https?:[^\s"'<]*/gi;
  return @wrong;
}
my @wrong = alone($page);
ok(!@wrong, 'nothing is fetched from elsewhere', join "\n", @wrong);
ok($page !~ /<img|<script>window/i, 'no text of the model becomes an element');
ok($page =~ /a&lt;img src=x onerror=hacked=1&gt;&amp;&quot;'\.psl/, 'the file name is there as text');
my %seen;
ok(!(grep { $seen{$_}++ } $page =~ /\bid=["']([^"']+)["']/g), 'no two elements have one id');

# Times of thousands of seconds, from a model and to a database that are named with their folders.
my @long = ("$folder/counted.psl", 'scaling', '--db', "$folder/long.db", '--vary', 'workers=4..12', '--vary',
            'work=40000 s..50000 s+1000 s');
(my $counted = $model) =~ s/(study scaling.*?report )/$1many = workers * 25000, /s;
spew("$folder/counted.psl", $counted);
$result = command($folder, $psl, 'study', @long);
ok($result->{exit} eq '0', 'a study of long times', $result->{err});
$result = command($folder, $psl, 'report', "$folder/long.db", '-o', 'long.html');
my $long = slurp("$folder/long.html") // '';
ok($result->{exit} eq '0' && index($long, $folder) < 0, 'the page names files without their folders', $result->{err});
ok($long !~ /<title>(?!scaling)/ && $long =~ /aria-label="Plot: [^"]+ against /, 'plots have the names of their own');
ok($long =~ />40000 s</ && $long =~ />100,000</ && $long !~ />\s*[\d.]+e\d/, 'no number of 5 digits is a power of ten');

# A figure that no point has is no column: nothing here counts messages.
command($folder, $psl, 'study', "$root/examples/farm/farm.psl", '--vary', 'workers=2,4', '--db', 'farm.db');
my ($points) = command($folder, $psl, 'report', 'farm.db')->{out} =~ /id="all-points"(.*?)<\/section>/s;
ok(($points // '') =~ />wait<\/button>/ && $points !~ />messages<\/button>/ && $points =~ / No point has a value of messages\.</,
  'columns of points without any value');

# Of many processes a part is traced, another part is shown; each of these has its own waits.
my @many = ("$root/examples/mpi/allreduce.psl", '--quiet');
command($folder, $psl, 'study', @many, '--vary', 'size=1200', '--db', 'many.db');
$result = command($folder, $psl, 'report', 'many.db');
my @transfers = map { (split /,/)[3] } $result->{out} =~ /^\[((?:[\d.e-]+,){4}[\d.e-]+)\]/gm;
my $ranks = command($folder, $psl, 'run', @many, '--set', 'size=1200', qw(--by rank --format csv))->{out};
my %transfer = $ranks =~ /^processes,process\[(\d+)\],transfer,([\d.e-]+),s/gm;
ok(@transfers == 600 && $result->{out} =~ />600 of 1,200 processes are shown/ &&
   !(grep { abs($transfers[$_] - $transfer{2 * $_}) > 1e-15 } 0 .. $#transfers), 'waits of 600 of 1,200 processes');

# A database that somebody has changed: of the format before, whose rows have no sums.
command($folder, "$root/tests/lib/without-sums", 's.db');
(my $quoted = $evil) =~ s/'/''/g;
$result = command($folder, 'sqlite3', 's.db', "UPDATE study SET name = '$quoted', system = 'farm',
  declaration = replace(replace(declaration, '\"name\": \"time\"', '\"name\": \"time$quoted\"'), '7', '[{}')");
ok($result->{exit} eq '0', 'the database is changed', $result->{err});
$result = command($folder, $psl, 'report', 's.db', '-o', 'changed.html');
my $changed = slurp("$folder/changed.html") // '';
ok($result->{exit} eq '0' && $changed =~ /hacked/ && $changed !~ /<script>window/, 'it can say nothing but text', $result->{err});

# ---- in a browser ----

my ($chromium) = grep { -x } map { "$_/chromium" } split /:/, $ENV{PATH};
if (!$chromium || $sanitized) {
  skip('in a browser', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}

my @headless = qw(--headless --no-sandbox --disable-gpu);
my $early = '<script>window.errors = []; window.onerror = function (text) { window.errors.push(text); };</script>';
my $probe = <<'END';
<script>
(function () {
  var out = [];
  function say(name, value) { out.push(name + ": " + value); }
  function column(id, c) {
    return Array.prototype.map.call(document.getElementById(id).tBodies[0].rows, function (row) {
      return row.cells[c].textContent; }).join(" ");
  }
  function head(id, c) { return document.getElementById(id).tHead.rows[0].cells[c]; }
  function sort(id, c) { head(id, c).firstChild.click(); }
  function press(key) {
    document.getElementById("bars").dispatchEvent(new KeyboardEvent("keydown", {key: key, bubbles: true}));
  }
  function chosen() { return document.getElementById("process").value; }
  say("sideways", document.documentElement.scrollWidth > window.innerWidth);
  if (window.innerWidth > 1000) {
    sort("points", 3);
    say("time", column("points", 3).split(" s").slice(0, 4).join(" s") + ", " + head("points", 3).getAttribute("aria-sort"));
    sort("points", 3);
    say("again", column("points", 3).split(" s").slice(0, 3).join(" s") + ", " + head("points", 3).getAttribute("aria-sort"));
    sort("points", 2);
    say("rate", column("points", 2).split(" MB/s").slice(0, 8).join(""));
    say("button", head("points", 0).firstChild.tagName + " " + head("points", 0).firstChild.tabIndex);
    say("first", chosen() + "; " + column("shares", 1));
    press("ArrowRight"); press("ArrowRight");
    say("right", chosen() + "; " + column("shares", 1));
    press("End"); press("ArrowLeft");
    say("end", chosen() + "; " + document.getElementById("bars").getAttribute("aria-valuetext"));
    document.getElementById("process").selectedIndex = 1;
    document.getElementById("process").dispatchEvent(new Event("change"));
    say("select", chosen() + "; " + column("inside", 0) + "; " + column("inside", 1));
    var svg = document.querySelector("#bars svg"), box = svg.getBoundingClientRect();
    svg.dispatchEvent(new MouseEvent("click", {bubbles: true, clientX: box.left + box.width - 8, clientY: box.top + 50}));
    say("click", chosen());
    say("pie", document.querySelector("#pie svg").getAttribute("aria-label"));
  }
  var wrong = document.querySelector("#points td.wrong");
  if (wrong) {
    sort("points", 2);
    say("error", wrong.textContent + " over " + wrong.colSpan + " columns; " + column("points", 0));
  }
  say("hacked", window.hacked !== undefined);
  say("errors", window.errors.join(" | "));
  parent.postMessage(window.innerWidth + "\n" + out.join("\n"), "*");
})();
</script>
END
sub probed {
  my ($name, $text) = @_;
  $text =~ s/<head>/<head>$early/ or return;
  $text =~ s/<\/body>/$probe<\/body>/ or return;
  spew("$folder/$name", $text);
}
probed('probed.html', $page);
probed('probed-changed.html', $changed);
command($folder, $psl, 'study', 'counted.psl', 'farm', '--vary', 'workers=3,0,2', '--report', 'time = makespan', '--db',
        'failed.db');
command($folder, $psl, 'report', 'failed.db', '-o', 'failed.html');
probed('probed-failed.html', slurp("$folder/failed.html"));
spew("$folder/frames.html", <<'END');
<!doctype html><body><pre id="said"></pre><script>
window.addEventListener("message", function (e) { if (typeof e.data === "string") document.getElementById("said").textContent += e.data + "\n"; });
</script><iframe src="probed.html" width="1600" height="900"></iframe>
<iframe src="probed.html" width="400" height="900"></iframe>
<iframe src="probed-changed.html" width="800" height="900"></iframe>
<iframe src="probed-failed.html" width="700" height="900"></iframe></body>
END
$result = command($folder, $chromium, @headless, '--virtual-time-budget=4000', '--window-size=1700,1000',
                  "--user-data-dir=$folder/profile", '--dump-dom', "file://$folder/frames.html");
my ($said) = $result->{out} =~ /<pre id="said">(.*?)<\/pre>/s;
my %said = map { /^(\d+)\n(.*)/s ? ($1 => $2) : () } split /(?=^\d+\n)/m, $said // '';
my $wanted = <<'END';
sideways: false
time: 7.667 s 7.833 s 9.000 s 10.50, ascending
again: 64.62 s 41.00 s 40.50, descending
rate: 50 50 50 50 50 50 50 100
button: BUTTON 0
first: worker[0]; 5.333 s 0 s 0 s 2.333 s
right: worker[2]; 5.333 s 0 s 666.7 ms 1.667 s
end: worker[6]; worker[6]: compute 5.333 s, communicate 0 s, wait 2.000 s, ended early 333.3 ms
select: worker[1]; worker disk-drive; 5.000 s 333.3 ms
click: worker[7]
pie: Shares of worker[7]: compute 69.6 %, communicate 0.0 %, wait 30.4 %, ended early 0.0 %
hacked: false
errors: 
END
ok(($said{1600} // '') eq $wanted, 'tables sort, and a process is chosen by keys, list and click',
   difference($wanted, $said{1600} // $result->{err}));
ok(($said{400} // '') eq "sideways: false\nhacked: false\nerrors: \n", 'a narrow window shows all', $said{400});
ok(($said{800} // '') =~ /hacked: false\nerrors: \n/, 'a changed database runs nothing', $said{800} // $result->{out});
ok(($said{700} // '') eq "sideways: false\nerror: workers = 0 is not in its range over 2 columns; 0 2 1\nhacked: false\n" .
   "errors: \n", 'a point that failed has its error in the place of its figures, and comes last', $said{700});
$result = command($folder, $chromium, @headless, '--hide-scrollbars', '--window-size=1300,900',
                  "--user-data-dir=$folder/other", "--screenshot=$folder/page.png", "file://$folder/clean.html");
ok(length(slurp("$folder/page.png") // '') > 20_000, 'it can be drawn', $result->{err});

# Figures of a column line up.
command($folder, $psl, 'study', 'counted.psl', 'farm', '--vary', 'workers=1..4', '--report', 'part = workers / 8', '--report',
        'whole = 2 * workers', '--db', 'lined.db');
command($folder, $psl, 'report', 'lined.db', '-o', 'lined.html');
$result = command($folder, $chromium, @headless, '--virtual-time-budget=4000', "--user-data-dir=$folder/profile", '--dump-dom',
                  "file://$folder/lined.html");
my ($lined) = $result->{out} =~ /id="all-points"(.*?)<\/section>/s;
my @shown = ($lined // '') =~ /<td[^>]*>([\d.]+)</g;
ok("@shown" =~ /0\.125 2 .*0\.250 4 .*0\.375 6 .*0\.500 8/, 'figures of a column have as many digits behind the point', "@shown");

# What the axis of the processes says, and how far texts and colours stand out from their ground, light and dark.
my $look = <<'END';
<pre id="look"></pre><script>
(function () {
  function parts(color) { return color.match(/[\d.]+/g).map(Number); }
  function luminance(color) {
    var c = parts(color).slice(0, 3).map(function (v) {
      v /= 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  }
  function contrast(a, b) {
    var x = luminance(a), y = luminance(b);
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  }
  function ground(node) { /* of colours that let through what is below */
    var color = node ? parts(getComputedStyle(node).backgroundColor) : [255, 255, 255];
    if (color[3] === undefined) return "rgb(" + color + ")";
    var below = parts(ground(node.parentElement));
    return "rgb(" + below.map(function (v, k) { return color[k] * color[3] + v * (1 - color[3]); }) + ")";
  }
  var texts = 0, least = 99, keys = 99;
  document.querySelectorAll("header *, main *, footer").forEach(function (node) {
    var own = Array.prototype.some.call(node.childNodes, function (n) { return n.nodeType === 3 && n.data.trim(); });
    if (!own || node.closest("svg, script, option")) return;
    texts++;
    least = Math.min(least, contrast(getComputedStyle(node).color, ground(node)));
  });
  document.querySelectorAll(".legend .key").forEach(function (node) {
    keys = Math.min(keys, contrast(getComputedStyle(node).backgroundColor, ground(node.parentElement)));
  });
  document.getElementById("look").textContent = [
    Array.prototype.map.call(document.querySelectorAll("#bars text"), function (t) { return t.textContent; }).join(", "),
    texts > 100, least >= 4.5, keys >= 3, getComputedStyle(document.body).backgroundColor].join("; ");
})();
</script>
END
$long =~ s/<\/body>/$look<\/body>/;
spew("$folder/look.html", $long);
for my $scheme ([1, 'light', 'rgb(244, 245, 247)'], [0, 'dark', 'rgb(19, 22, 27)']) {
  my ($number, $name, $ground) = @$scheme;
  $result = command($folder, $chromium, @headless, '--virtual-time-budget=2000', "--user-data-dir=$folder/$name",
                    "--blink-settings=preferredColorScheme=$number", '--dump-dom', "file://$folder/look.html");
  my ($got) = $result->{out} =~ /<pre id="look">(.*?)<\/pre>/s;
  my $expected = "0 s, 1000 s, 2000 s, 3000 s, 12 processes; true; true; true; $ground";
  ok(($got // '') eq $expected, "ticks say their thousands, and all stands out from its ground, $name",
     difference($expected, $got // $result->{err}));
}

# By axe-core, in wide and narrow windows, light and dark.
my $axe = Browser::axe($build);
skip('WCAG AA', 'axe-core is not in the build folder') if !$axe;
if ($axe) {
  command($folder, $psl, 'run', "$root/examples/farm/farm.psl", qw(--format html -o run.html));
  my $browser = Browser->start($folder);
  for my $name ('long', 'failed', 'run') {
    for my $window ([1280, 'light'], [1280, 'dark'], [400, 'light'], [400, 'dark']) {
      my ($width, $scheme) = @$window;
      $browser->window($width, 800, $scheme);
      $browser->open("file://$folder/$name.html");
      $browser->until("document.readyState === 'complete' && location.pathname.endsWith('/$name.html')");
      my @found = $browser->violations($axe);
      ok(!@found, "$name.html, $width columns, $scheme: axe-core finds nothing against WCAG AA", join "\n", @found);
    }
  }
  $browser->end;
}

# On paper.
my ($gs) = grep { -x } map { "$_/gs" } split /:/, $ENV{PATH};
if (!$gs) {
  skip('heads on each page', 'Ghostscript is not installed');
  finish();
  exit;
}
command($folder, $chromium, @headless, "--user-data-dir=$folder/paper", "--print-to-pdf=$folder/long.pdf",
        "file://$folder/long.html");
$result = command($folder, $gs, qw(-q -dNOPAUSE -dBATCH -sDEVICE=txtwrite -sOutputFile=%d.txt long.pdf));
my @sheets = grep { /^ *\d+ +\d+ +\d+ MB\/s /m } map { slurp($_) } glob "$folder/*.txt";
ok(@sheets > 1 && !(grep { !/point +workers +rate/ } @sheets), 'each sheet of a long table has its heads',
   join "\n----\n", @sheets);
finish();
