#!/usr/bin/perl
# The timeline of runs in `psl studio`: windows of it, cells and times beside a witness, the Chrome trace of the same
# run; and in a browser as one uses it: search, keys, a stretch, the causes of a slice, the graph by time.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use JSON::PP;
use List::Util qw(max min sum0);
use PageTest;
use Run;
use Studio;

my $json = JSON::PP->new->canonical->allow_nonref;
my $folder = scratch() . '/models';
mkdir $folder;
spew("$folder/farm.psl", slurp("$root/examples/farm/farm.psl"));
spew("$folder/halo2d.psl", slurp("$root/examples/mpi/halo2d.psl"));
spew("$folder/ranks.psl", <<'END');
param ranks : int = 120 in 1 .. 100_000;
param rounds : int = 250 in 1 .. 1_000_000;
transaction go(n : int);
transaction move(t : time);
component rank [r] : 0 <= r < ranks {
  accepts:
    profile     = { domain = application[ranks], node type = rank };
    transaction = go(n);
    protocol    = call-return;
  body:
    for i in 1 .. n {
      hold (1 + (i * 7 + r * 13) mod 10) * 1 s;
      call part((1 + (i + r) mod 3) * 1 s);
    }
  requests:
    part(t):
      selector    = { domain = hardware[ranks], node type = link, l = r mod 20 };
      transaction = move(t);
      protocol    = call-return;
}
component link [l] : 0 <= l < 20 {
  accepts:
    profile     = { domain = hardware[ranks], node type = link };
    transaction = move(t);
    protocol    = call-return;
    servers     = 1;
  body:
    hold t;
}
system ranks {
  requests:
    every selector = { domain = application[ranks], node type = rank };
    transaction    = go(rounds);
    protocol       = call-return;
}
END
spew("$folder/whole.psl", "use part;\n" . slurp("$root/examples/farm/farm.psl"));
spew("$folder/part.psl", "use whole;\nlet twice : time = 2 * work;\n"); # which is of that name alone
spew("$folder/clock.psl", <<'END');
transaction tick();
component ticker [t] : 0 <= t < 1 {
  accepts: profile = { domain = d, node type = ticker }; transaction = tick(); protocol = dataflow;
  body: hold 1 s;
  requests: selector = { domain = d, node type = ticker, t = t }; transaction = tick(); protocol = dataflow;
}
system endless {
  requests: every selector = { domain = d, node type = ticker }; transaction = tick(); protocol = dataflow;
}
END
# Its times are sums of thirds, which rounding parts where they are one.
spew("$folder/thirds.psl", <<'END');
transaction work();
transaction serve();
component stage [s] : 0 <= s < 6 {
  accepts: profile = { domain = d, node type = stage }; transaction = work(); protocol = call-return;
  body:
    for i in 1 .. 20 {
      hold 2 ms * (1 + s mod 3);
      call send();
    }
  requests: send(): selector = { domain = d, node type = link }; transaction = serve(); protocol = call-return;
}
component link {
  accepts: profile = { domain = d, node type = link }; transaction = serve(); protocol = call-return; servers = 1;
  body: hold 401 us;
}
system thirds {
  requests: every selector = { domain = d, node type = stage }; transaction = work(); protocol = call-return;
}
END
my $studio = Studio->for_test('the timeline', $folder, 'farm.psl');

# ---- the witness: slices of the Chrome trace, by row: [begin, end, component, class, activity] ----

my %class = (compute => 0, communicate => 1);
sub witness {
  my ($model, @options) = @_;
  command($folder, $psl, 'run', $model, @options, '--trace', scratch() . '/trace.json');
  my $trace = $json->decode(slurp(scratch() . '/trace.json'));
  my @rows;
  for my $event (grep { $_->{ph} eq 'X' && ($_->{args}{component} // '') ne '' } @{$trace->{traceEvents}}) {
    push @{$rows[$event->{tid} - 2]}, [$event->{ts} / 1e6, ($event->{ts} + $event->{dur}) / 1e6, $event->{args}{component},
      $class{$event->{cat}} // 2, $event->{cat}];
  }
  return \@rows;
}
sub near { my ($a, $b) = @_; return abs($a - $b) <= 1e-6 * max(abs $a, abs $b) + 1e-11 }

# What the witness has within a window, by activity and by component.
sub times_of {
  my ($rows, $from, $to, @which) = @_;
  my (%activity, %component);
  for my $slice (map { @{$rows->[$_] // []} } @which) {
    my ($begin, $end, $component, $class, $activity) = @$slice;
    my $time = min($end, $to) - max($begin, $from);
    next unless $time > 0;
    my $one = $activity{$activity} //= {time => 0, count => 0, least => 1e9, most => 0};
    $one->{time} += $time;
    $one->{count}++;
    $one->{least} = min($one->{least}, $end - $begin);
    $one->{most} = max($one->{most}, $end - $begin);
    $component{$component}[$class] += $time;
  }
  return (\%activity, \%component);
}

sub same_times {
  my ($rows, $job, $told, $from, $to, $first, $count) = @_;
  my $got = $studio->ask('times', {job => $job, from => $from, to => $to, first => $first, rows => $count});
  my ($activity, $component) = times_of($rows, $from, $to, $first .. $first + $count - 1);
  my @wrong;
  for my $a (0 .. $#{$told->{activities}}) {
    my ($is, $wanted) = ($got->{activities}[$a], $activity->{$told->{activities}[$a]} // {time => 0, count => 0});
    push @wrong, "$told->{activities}[$a]: " . $json->encode([$is, $wanted])
      if grep { !near($is->{$_}, $wanted->{$_}) } $wanted->{count} ? qw(time count least most) : qw(time count);
  }
  for my $c (0 .. $#{$told->{components}}) {
    my $wanted = $component->{$told->{components}[$c]} // [];
    push @wrong, $told->{components}[$c] if grep { !near($got->{components}[$c][$_], $wanted->[$_] // 0) } 0 .. 2;
  }
  return @wrong;
}

sub picture {
  my ($params) = @_;
  my $answer = $studio->request('POST', '/api/picture', $json->encode($params));
  return ($answer->{status}, $answer->{body});
}

{
  my $run = $studio->run(path => 'thirds.psl', timeline => JSON::PP::true);
  my $told = $studio->ask('timeline', {job => $run->{job}});
  my @wrong = same_times(witness('thirds.psl'), $run->{job}, $told, 0, $told->{end}, 0, 6);
  ok(!@wrong, 'what rounding parts is no slice', join "\n", @wrong);
}
for my $case (['farm.psl', 8, 23], ['halo2d.psl', 16], ['ranks.psl', 120]) {
  my ($model, $count, $slices) = @$case;
  my $run = $studio->run(path => $model, timeline => JSON::PP::true);
  my $rows = witness($model);
  my $told = $studio->ask('timeline', {job => $run->{job}});
  ok($told->{status_code} eq '200' && @{$told->{rows}} == $count && $told->{count} == sum0(map { scalar @$_ } grep {
    $_ } @$rows),
    "$model: a timeline of as many processes and slices", $json->encode({%$told,
      rows => scalar @{$told->{rows} // []}}));
  my $end = $told->{end};
  for my $window ([0, $end, 0, $count], [$end * 0.31, $end * 0.62, 2, 5], [$end * 0.5, $end * 0.5001, 0, $count]) {
    my @wrong = same_times($rows, $run->{job}, $told, @$window);
    ok(!@wrong, "$model: times of the window @$window are those of the trace", join "\n", @wrong);
  }

  # All of it exactly, or as cells, then a window exactly.
  my ($status, $bytes) = picture({job => $run->{job}, from => 0, to => $end, first => 0, rows => $count, group => 1,
    columns => 100});
  my ($kind, $lines, $columns) = unpack 'V3', $bytes;
  ok($status eq '200' && $kind == ($count == 120 ? 0 : 1) && $lines == $count, "$model: a picture", "$status, $kind");
  if ($kind == 0) {
    my @wrong;
    my @cells = unpack 'v*', substr $bytes, 16;
    for my $n (map { $_ * 371 % @cells } 1 .. 40) {
      my ($line, $column) = (int($n / $columns), $n % $columns);
      my @share = (0, 0, 0);
      for my $slice (@{$rows->[$line]}) {
        my $time = min($slice->[1], ($column + 1) * $end / $columns) - max($slice->[0], $column * $end / $columns);
        $share[$slice->[3]] += $time / ($end / $columns) if $time > 0;
      }
      push @wrong, "$line, $column: $cells[$n], @share" if $cells[$n] >> 15 != (sum0(@share) > 0 ? 1 : 0) ||
        grep { abs(($cells[$n] >> 5 * $_ & 31) - 31 * $share[$_]) > 0.51 } 0 .. 2;
    }
    ok(@cells == $count * 100 && !@wrong, "$model: cells have the shares of the trace", join "\n", @wrong);
    ($status, $bytes) = picture({job => $run->{job}, from => 0, to => $end, first => 3, rows => 50, group => 7,
      columns => 64});
    ok(join(' ', unpack 'V3', $bytes) eq '0 8 64' && length $bytes == 16 + 2 * 8 * 64, "$model: rows in groups");
    my ($from, $to) = ($end * 0.4, $end * 0.41);
    ($status, $bytes) = picture({job => $run->{job}, from => $from, to => $to, first => 3, rows => 50, group => 1,
      columns => 64});
    $rows = [map { [grep { $_->[1] > $from && $_->[0] < $to } @$_] } @$rows[3 .. 52]];
    ($kind, $lines) = unpack 'V2', $bytes;
  }
  my $all = unpack 'x8 V', $bytes;
  my @first = unpack 'x16 V' . ($lines + 1), $bytes;
  my @begin = unpack 'x' . (16 + 4 * ($lines + 1 + ($lines % 2 == 0))) . "d<$all", $bytes;
  my @wanted = map { map { $_->[0] } @{$_ // []} } @$rows[0 .. $lines - 1];
  ok($kind == 1 && $all == @wanted && $first[-1] == $all && !grep({ !near($begin[$_], $wanted[$_]) } 0 .. $#wanted),
    "$model: slices of a window, one by one", "$kind, $all of " . @wanted);
}
my $run = $studio->run(path => 'farm.psl', timeline => JSON::PP::true);
my %of = (job => $run->{job});
my $slice = $studio->ask('slice', {%of, row => 3, time => 6.2});
ok($slice->{begin} == 5 && near($slice->{end}, 6.524) && $slice->{number} == 1 && $slice->{activity} == 2,
  'the slice at a time', $json->encode($slice));
$slice = $studio->ask('slice', {%of, row => 0, time => 8});
ok(!exists $slice->{begin} && $slice->{status_code} eq '200', 'there may be none', $json->encode($slice));
my $why = $studio->ask('why', {%of, process => 'worker[3]', at => 6.524, depth => 3});
my $said = command($folder, $psl, qw(why farm.psl --process worker[3] --at 6.524s --depth 3 --format json))->{out};
my $wanted = $json->decode($said);
ok($json->encode($why->{why}{chain} // 0) eq $json->encode($wanted->{chain}) && @{$why->{why}{steps}} == 3,
  'causes: what psl why says', $json->encode($why));
my $whole = $studio->run(path => 'whole.psl');
$why = $studio->ask('why', {job => $whole->{job}, process => 'worker[3]', at => 6.524, depth => 1});
ok(($why->{why}{steps}[0]{waited}{line} // '') eq '17', 'of a model that another one uses by its name',
  $json->encode($why));
spew("$folder/whole.psl", slurp("$root/examples/farm/farm.psl"));
$why = $studio->ask('why', {job => $whole->{job}, process => 'worker[3]', at => 6.524, depth => 1});
ok($why->{error}, 'which has to be as it was then', $json->encode($why));
unlink "$folder/whole.psl", "$folder/part.psl";
my $plain = $studio->run(path => 'farm.psl');
for my $case (['picture', {job => $plain->{job}, from => 0, to => 1, first => 0, rows => 1, group => 1,
  columns => 1}, 404,
                'a run without a timeline'],
              ['picture', {%of, from => 0, to => 1, first => 4, rows => 5, group => 1, columns => 1}, 400,
                'rows that there are not'],
              ['picture', {%of, from => 1, to => 1, first => 0, rows => 5, group => 1, columns => 1}, 400, 'no time'],
              ['picture', {%of, from => 0, to => 1, first => 0, rows => 5, group => 0, columns => 1}, 400, 'no group'],
              ['picture', {%of, from => 0, to => 1, first => 0, rows => 5, group => 1, columns => 9000}, 400,
                'too many columns'],
              ['times', {%of, from => '0', to => 1, first => 0, rows => 5}, 400, 'no number'],
              ['timeline', {job => 99}, 410, 'no run'], ['slice', {%of, row => -1, time => 0}, 400,
                'a row below the first'],
              ['why', {%of, process => '--help', at => 1, depth => 1}, 400, 'an option for a process'],
              ['why', {%of, process => 'worker[99]', at => 1, depth => 1}, 422, 'a process that there is not']) {
  my ($name, $params, $status, $what) = @$case;
  my $answer = $studio->ask($name, $params);
  ok($answer->{status_code} eq $status && $answer->{error}, "$name: $what is refused", $json->encode($answer));
}
my $foreign = $studio->request('POST', '/api/picture', $json->encode({%of, from => 0, to => 1, first => 0, rows => 1,
  group => 1, columns => 1}), 'X-PSL-Token' => 'f' x 32);
ok($foreign->{status} eq '401', 'a picture without the token is refused', $foreign->{status});

if (!Browser::installed() || $sanitized) {
  skip('the timeline in a browser', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}

# ---- in a browser ----

my $browser = Browser->start(scratch());
test_page($browser, $studio, 'timeline');
$browser->window(1280, 900, 'light');
$browser->open($studio->{address});
$browser->until("document.body?.dataset.ready === 'yes'", 60);
my $timeline = "document.querySelector('#timeline-canvas').timeline";
my $status = "document.querySelector('.timeline-status').textContent";
sub click_at { # of a row, in a part of the whole time
  my ($row, $part) = @_;
  my ($x, $y) = @{value("(() => { const t = $timeline, b = t.canvas.getBoundingClientRect(); return [b.x + " .
    "(t.labels + " .
    "$part * t.columns) / t.ratio, b.y + (t.yOf($row) + t.view.high / 2) / t.ratio]; })()")};
  $browser->click($x, $y);
}
$browser->press('Ctrl+Enter');
comes("!!document.querySelector('#timeline-offer button')", 'a run without a timeline can be made again with one');
value("document.querySelector('#timeline-offer button').click()");
comes("!!$timeline?.drawn", 'it is drawn');
is_value("(() => { const t = $timeline, at = (row, part) => t.pen.getImageData(t.labels + Math.round(part * " .
  "t.columns), " .
  "t.yOf(row) + 5, 1, 1).data.slice(0, 3).join(); return [at(3, 0.3), at(3, 0.6), at(3, 0.75), at(0, " .
    "0.9)].join(' '); })()",
  '47,98,153 135,145,157 47,98,153 255,255,255', 'with a colour for each activity, where it is');
value("(() => { const t = $timeline, b = t.canvas.getBoundingClientRect(); t.canvas.dispatchEvent(new PointerEvent(" .
  "'pointermove', {clientX: b.x + (t.labels + 0.65 * t.columns) / t.ratio, clientY: b.y + t.yOf(3) / t.ratio + " .
    "5})); " .
  "return 1; })()");
ok(value("$timeline.tip.textContent") =~ /^worker\[3\] at 5\.\d+ s: waits in disk-drive for 1\.524 s$/,
  'what is under the pointer is said', value("$timeline.tip.textContent"));
click_at(3, 0.65);
comes("$status.startsWith('worker[3] waits in disk-drive for 1.524 s, from 5.000 s to 6.524')",
  'a click chooses a slice');
comes("document.querySelector('#causes p')?.textContent === 'worker[3] waits in disk-drive in write at line 16.' && " .
  "document.querySelector('#causes ol').textContent.includes('it had waited for a server of disk-drive from " .
    "5.000 s on " .
  "in write at line 16; worker[2] gave it back at 6.524 s in write at line 16, there at line 33')",
  'and says where it is in the text, and what it waited for');
is_value("document.querySelectorAll('#causes ol > li').length", 1, 'the direct cause first');
value("[...document.querySelectorAll('#causes .link')].find((b) => b.textContent.startsWith('The whole chain, 4 " .
  "')).click()");
comes("document.querySelectorAll('#causes ol > li').length === 4 && $timeline.chain.map((s) => s.row).join() === " .
  "'3,2,1,0'",
  'and the whole chain where it is wanted');
value("[...document.querySelectorAll('#causes .link')].find((b) => b.textContent === 'line 33').click()");
my $mirror = value("!!document.querySelector('.cm-editor')");
comes("(() => { const s = document.querySelector('#text').editor.view.state; return " .
  "s.doc.lineAt(s.selection.main.from)" .
  ".number === 33; })()", 'a step leads to its line') if $mirror;
value("[...document.querySelectorAll('#causes .link')].filter((b) => b.textContent === 'worker[2]').pop().click()");
comes("$status.startsWith('worker[2] ')", 'and to its slice');

# Times, of what is seen and of a stretch.
comes("document.querySelector('#timeline-times tbody')?.textContent.startsWith('compute')", 'times stand below');
my $stretch = "[...document.querySelectorAll('#timeline-canvas label input')]";
value("(() => { const [a, b] = $stretch; a.value = '5 s'; b.value = '5500 ms'; b.dispatchEvent(new " .
  "Event('change')); " .
  "return 1; })()");
comes("document.querySelector('#timeline-times .soft').textContent.startsWith('The selected stretch, 500.0 ms') && " .
  "document.querySelector('#timeline-times .soft').textContent.endsWith('shares are of this time of each of them') && " .
  "[...document.querySelectorAll('#timeline-times tr')].map((r) => [...r.children].map((c) => " .
    "c.textContent).join()).join(';')" .
  " === 'activity,time,share,slices,shortest,mean,longest;compute,500.0 ms,12.5 %,1,508.0 ms,508.0 ms,508.0 ms;" .
  "wait,3.500 s,87.5 %,7,508.0 ms,2.032 s,3.556 s'", 'those of a selected stretch with the least, the mean and ' .
    'the most');

# By keys.
value("$timeline.canvas.focus(), 1");
$browser->press($_) for 'Escape', 'ArrowDown';
is_value($status, 'worker[3]', 'Down chooses the next process');
$browser->press('=');
$browser->press('=');
ok(abs(value("$timeline.view.to - $timeline.view.from") - 9.064 / 4) < 1e-6, 'plus zooms in');
my $from = value("$timeline.view.from");
$browser->press('ArrowRight');
ok(value("$timeline.view.from") > $from, 'Right moves on');
$browser->press('s');
comes("$stretch\[0].value !== ''", 's selects what is seen');
$browser->press('.');
comes("$status.startsWith('worker[3] computes in worker')", 'a full stop chooses a slice');
$browser->press('.');
comes("$status.startsWith('worker[3] waits in disk-drive')", 'and the next');
$browser->press('0');
is_value("$timeline.view.from + ' ' + ($timeline.view.to > 9)", '0 true', '0 shows all');
$browser->press('Escape');
value("(() => { const f = document.querySelector('#timeline-canvas input[type=search]'); f.value = 'R[7'; " .
  "f.dispatchEvent(new " .
  "Event('input')); return 1; })()");
is_value($status, 'worker[7]: 1 of 1 that are found', 'a process is found by its name');

# The graph by time.
value("document.querySelector('#heat-switch').click()");
value("document.querySelector('nav [data-show=graph]').click()");
comes("[...document.querySelectorAll('#picture .heat-value')].map((t) => t.textContent).sort().join() === '31.4 " .
  "%,68.6 %' && " .
  "document.querySelector('#heat').textContent.includes('worker 68.6 %, 40.00 s')",
    'components have their part of the time');
ok(value("getComputedStyle(document.querySelector('.node[data-component=worker] .box > rect')).fill") ne
   value("getComputedStyle(document.querySelector('.node[data-component=flash-drive] .box > rect')).fill"),
   'and are coloured by it');
$browser->screenshot("$ENV{PSL_SCREENSHOTS}/heat.png") if $ENV{PSL_SCREENSHOTS};
my $axe = Browser::axe($build);
if ($axe) {
  for my $look (['light', 1280], ['dark', 1280], ['dark', 400], ['light', 400]) {
    $browser->window($look->[1], 800, $look->[0]);
    for my $view ('graph', 'results') {
      value("document.querySelector('nav [data-show=$view]').click()");
      my @found = $browser->violations($axe);
      ok(!@found, "accessible: $view, @$look", join "\n", @found);
      $browser->screenshot("$ENV{PSL_SCREENSHOTS}/watch-$view-$look->[0]-$look->[1].png") if $ENV{PSL_SCREENSHOTS};
    }
  }
} else { skip('what is accessible', 'axe-core is not there') }

# Without a timeline there are no colours; then there are.
value("document.querySelector('[data-show=results]').click()");
value("document.querySelector('#jobs button').click()");
value("document.querySelector('[data-show=graph]').click()");
comes("!document.querySelector('#picture .heat-value') && !!document.querySelector('#heat button')",
  'the graph has no colours where the run that is shown has no timeline');
value("document.querySelector('#heat button').click()");
comes("document.querySelectorAll('#picture .heat-value').length === 2 && document.body.dataset.side === 'graph'",
  'and has them when it is run again with one');

# As fluent as it has to be, with cells and with slices; tests/frames is of a larger run.
$browser->window(1280, 900, 'light');
value("(() => { document.querySelector('#timeline').checked || document.querySelector('#timeline').click(); " .
  "document.querySelector('[data-path=\"ranks.psl\"]').click(); return 1; })()");
$browser->until("document.querySelector('#file-name').textContent === 'ranks.psl'");
value("document.querySelector('#run').click()");
comes("$timeline?.told.rows.length === 120 && $timeline.fine", 'a larger run');
my $draws = value("(() => { const t = $timeline, took = []; for (let i = 0; i < 40; i++) { t.zoom(0.9, 0.3); " .
  "const b = " .
  "performance.now(); t.draw(); took.push(performance.now() - b); } return took.sort((a, b) => a - b)[20]; })()");
ok($draws < 1000 / 30, 'a picture is drawn within a thirtieth of a second', "$draws ms");

# One that has no end, as it goes on.
value("(() => { document.querySelector('[data-path=\"clock.psl\"]').click(); return 1; })()");
$browser->until("document.querySelector('#file-name').textContent === 'clock.psl'");
value("document.querySelector('#run').click()");
my $figures = "[...document.querySelectorAll('#live dl div')].map((d) => d.textContent).join()";
comes("!document.querySelector('#live').hidden && " .
  "/^simulated[\\d.e+]+ s,events[\\d,]+,events a second[\\d,]+,time so farticker 100 %\$/.test($figures)",
  'a run says how far it has come');
my $before = value($figures);
comes("$figures !== " . $json->encode($before), 'as it goes on');
value("document.querySelector('#live button').click()");
comes("document.querySelector('#job-state').textContent.startsWith('Stopped') && " .
  "document.querySelector('#live').hidden && !!$timeline", 'and is stopped, with a timeline of what there is');
my @wrong = $browser->wrong;
ok(!@wrong, 'nothing went wrong in the page', join "\n", @wrong);
finish();
