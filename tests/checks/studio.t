#!/usr/bin/perl
# The server of `psl studio`, over HTTP: each request of the page, and what others could try: pages of other names and
# origins, requests without the token, names that lead out of the folder, what is no HTTP, and connections that say
# nothing.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use Run;
use Studio;

$| = 1;

my $json = JSON::PP->new->utf8->canonical->allow_nonref;
my $folder = scratch() . '/models';
mkdir $folder;
mkdir "$folder/inner";
spew("$folder/$_", slurp("$root/examples/farm/$_")) for qw(farm.psl what-if.psl);
spew("$folder/inner/part.psl", "use \"../farm.psl\";\nparam more : int = 2;\n");
spew("$folder/notes.txt", "secret");
spew("$folder/.hidden.psl", "param secret : int = 1;\n");
spew(scratch() . '/outside.psl', "param secret : int = 1;\n");
symlink '../outside.psl', "$folder/link.psl";
symlink '..', "$folder/up";

my $result = command($folder, $psl, 'studio', '--no-browser', 'nothing.psl');
ok($result->{exit} eq '1' && $result->{err} eq "psl: error: nothing.psl: No such file or directory\n",
  'a file that is not there', $result->{err});
$result = command($folder, $psl, 'studio', '--no-browser', 'notes.txt');
ok($result->{exit} eq '1' && $result->{err} eq "psl: error: notes.txt is no folder, and no model: its name does not " .
  "end in .psl\n",
   'a file that is no model', $result->{err});

my $temporary = $ENV{TMPDIR} = scratch() . '/temporary';
mkdir $temporary;
my $studio = Studio->start($folder, 'farm.psl');
if (!$studio->{port}) {
  my $why = slurp($studio->{log});
  waitpid $studio->{pid}, 0;
  if ($why =~ /libmicrohttpd/) {
    skip('the studio', 'libmicrohttpd is not installed');
  } else {
    ok(0, 'the studio starts', $why);
  }
  finish();
  exit;
}
ok($studio->{said} eq "The studio shows $folder/farm.psl. Ctrl-C ends it.\n",
  'it prints its address, and what it shows', $studio->{said});

# ---- what the page asks ----

my $page = $studio->request('GET', '/', '', 'X-PSL-Token' => undef);
ok($page->{status} eq '200' && $page->{headers} =~ m{^Content-Type: text/html; charset=utf-8\r?$}m, 'the page',
  $page->{whole});
for my $header ("Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' NONCE; img-src " .
  "'self' data:; connect-src 'self'; " .
                "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                  'X-Content-Type-Options: nosniff',
                'Referrer-Policy: no-referrer', 'Cross-Origin-Opener-Policy: same-origin',
                  'Cross-Origin-Resource-Policy: same-origin',
                'Cache-Control: no-store') {
  my $pattern = quotemeta($header) =~ s/NONCE/'nonce-[0-9a-f]{32}'/r;
  ok($page->{headers} =~ /^$pattern\r?$/m, 'it says ' . $header =~ s/:.*//r, $page->{headers});
}
ok($page->{body} !~ /<script>|<style|\son\w+=|style=|https?:/, 'it has no script or style in itself, and nothing ' .
  'from elsewhere', $page->{body});
my $whole = length $page->{body};
for my $part ($page->{body} =~ /(?:src|href)="([^"]+)"/g) {
  my $answer = $studio->request('GET', $part);
  ok($answer->{status} eq '200' && $answer->{headers} =~ /^Content-Length: [1-9]/m, "its part $part", $answer->{whole});
}
my %answers = (start => $studio->ask('start'));
my ($first, $words) = ($answers{start}{first} // '', $answers{start}{words} // []);
ok($first eq 'farm.psl' && $answers{start}{folder} eq $folder && (grep { $_ eq 'component' } @$words),
  'start: what is shown, and the words of the language');
my $files = $studio->ask('files');
ok("@{$files->{files}}" eq 'farm.psl inner/part.psl what-if.psl',
  'files: the models of the folder, not what is hidden or reached by links', "@{$files->{files}}");
my $farm = slurp("$folder/farm.psl");
my $read = $studio->ask('read', {path => 'farm.psl'});
ok($read->{text} eq $farm && $read->{version}, 'read: its text');
my $graph = $studio->ask('graph', {path => 'farm.psl', text => $farm});
my $said = JSON::PP->new->decode(command($folder, $psl, qw(graph farm.psl --format json))->{out});
ok(join(' ', map { $_->{name} } @{$graph->{graph}{components}}) eq join(' ', map { $_->{name} } @{$said->{components}}) &&
  @{$graph->{graph}{edges}} == @{$said->{edges}} && @{$said->{edges}} == 2, 'graph: what psl graph says',
  $json->encode($graph));
$graph = $studio->ask('graph', {path => 'farm.psl', text => $farm, instances => JSON::PP::true});
ok(($graph->{picture} // '') =~ /<svg.*>worker</s, 'graph: the picture of all instances', $json->encode($graph));
$graph = $studio->ask('graph', {path => 'inner/part.psl', text => "use \"../farm.psl\";\nsystem other { requests: " .
  "every selector = { domain = application[farm] }; transaction = solve(1 s); protocol = call-return; }\n",
  system => 'other'});
ok((grep { $_->{name} eq 'other' && $_->{system} } @{$graph->{graph}{components}}) == 1, 'graph: of a text that is not saved, with what it uses of the folder above',
  $json->encode($graph));
spew("$folder/more.psl", "use farm;\nlet more : int = workers + 1;\n");
$graph = $studio->ask('graph', {path => 'farm.psl', text => $farm =~ s/^param workers : int  = 8/use more;\nparam workers : int = 3/mr});
ok((grep { $_->{name} eq 'worker' && $_->{instances} == 3 } @{$graph->{graph}{components} // []}) == 1,
  'graph: of a text that is not saved, and used by what it uses', $json->encode($graph));
unlink "$folder/more.psl";
$graph = $studio->ask('graph', {path => 'farm.psl', text => "system s {\n"});
ok($graph->{status_code} eq '200' && $graph->{wrong} =~ /^farm\.psl:1:11: error: expected a name/,
  'graph: why there is none', $json->encode($graph));
# A model may speak of itself by the name of its file.
spew("$folder/selfish.psl", "transaction more(n : int);\nfunction twice(n : int) -> int = selfish.once(n) * 2;\n" .
  "function once(n : int) -> int = n;\nparam two : int = selfish.twice(1);\n");
my $itself = $studio->ask('params', {path => 'selfish.psl', text => slurp("$folder/selfish.psl")});
ok(($itself->{params}[0]{name} // '') eq 'two', 'a text that is saved is known by its name', $json->encode($itself));
unlink "$folder/selfish.psl";
my $params = $studio->ask('params', {path => 'farm.psl', text => $farm, system => 'farm'});
ok(join(' ', map { $_->{name} } @{$params->{params}}) eq 'workers work result', 'params', $json->encode($params));
my $why = $studio->ask('explain', {path => 'farm.psl', text => $farm, subject => 'worker.store'});
my $wanted = command($folder, $psl, 'explain', 'farm.psl', 'worker.store');
ok(($why->{text} // '') eq $wanted->{out}, 'explain: what psl explain says', difference($wanted->{out}, $why->{text} //
  $why->{error}));

my $run = $studio->run(path => 'farm.psl', set => {workers => '16'}, timeline => JSON::PP::true);
my $report = command($folder, $psl, qw(run farm.psl --set workers=16 --format json))->{out};
my ($time) = $report =~ /"makespan": \{"value": ([\d.]+)/;
my $shown = $studio->request('GET', $run->{page} // '/none', '', 'X-PSL-Token' => undef);
ok(defined $run->{status} && $run->{status} eq '0' && $run->{said} eq '' && $shown->{body} =~ /<title>farm/ &&
  index($shown->{body}, sprintf('%.4g s', $time)) >= 0,
   'run: a page with the time that psl run predicts', $json->encode($run));
my $sandboxed = "Content-Security-Policy: sandbox allow-scripts allow-downloads; default-src 'none';";
ok($shown->{headers} =~ /^\Q$sandboxed\E.* frame-ancestors 'self'\r?$/m,
   'it is of no origin, and stands in the page alone', $shown->{headers});
ok($run->{timeline}, 'run: a timeline', $json->encode($run));
my $study = $studio->run(path => 'what-if.psl', name => 'size', study => JSON::PP::true);
$shown = $studio->request('GET', $study->{page} // '/none');
ok(defined $study->{status} && $study->{status} eq '0' && $shown->{body} =~ /A study of predicted performance/,
  'study: the page of psl report', $json->encode($study));
$run = $studio->run(path => 'farm.psl', set => {workers => '0'});
ok($run->{status} eq '2' && $run->{said} =~ /^--set workers:1:1: error: workers = 0 is not in its range$/m &&
  !$run->{page}, 'run: what is wrong', $json->encode($run));

# Two runs of a model are told apart by what they were of: 40 s / 8 + 8 * 0.508 s, and 40 s / 16 + 16 * 0.508 s.
my $first_run = $studio->run(path => 'farm.psl');
spew("$folder/farm.psl", $farm =~ s/^param workers : int  = 8/param workers : int  = 16/mr);
my $second_run = $studio->run(path => 'farm.psl');
spew("$folder/farm.psl", $farm);
my $difference = $studio->run(path => 'farm.psl', runs => [$first_run->{job}, $second_run->{job}], set => {},
  against => {});
$shown = $studio->request('GET', $difference->{page} // '/none');
ok(defined $difference->{status} && $difference->{status} eq '0' && $shown->{body} =~ /\b9\.064 s\b/ &&
  $shown->{body} =~ /\b10\.63 s\b/ && $shown->{body} =~ /param workers/,
   'difference: of two runs, when the text is another one again', $json->encode($difference));
for my $runs ([$first_run->{job}, 99], [$difference->{job}, $first_run->{job}], [$study->{job}, $first_run->{job}], [],
  'a', {}) {
  my $answer = $studio->ask('run', {path => 'farm.psl', runs => $runs});
  ok($answer->{status_code} eq '410' && $answer->{error} eq 'there are no such two runs of the model any more',
    'difference: of runs alone', $json->encode($answer));
}

# One that does not end is stopped, and shows how far it has come.
spew("$folder/long.psl", "component c {\n  accepts:\n    profile = { domain = application[x] };\n    transaction = " .
  "t();\n    protocol = call-return;\n  body:\n" .
                         "    while true { hold 1 s; }\n}\ntransaction t();\nsystem long {\n  requests:\n    " .
                           "selector = { domain = application[x] };\n" .
                         "    transaction = t();\n    protocol = call-return;\n}\n");
my $job = $studio->ask('run', {path => 'long.psl'});
select undef, undef, undef, 0.5;
ok($studio->ask('stop', {job => $job->{job}})->{status_code} eq '200', 'stop', $json->encode($job));
my $state = {news => 0};
$state = $studio->ask('job', {job => $job->{job}, news => $state->{news}}) while !$state->{ended};
ok($state->{stopped} && $state->{status}, 'a run is stopped', $json->encode($state));

# Folders of the command line are found from wherever in the folder a model is.
mkdir "$folder/other";
spew(scratch() . '/more/extra.psl', "param extra : int = 3;\n") if mkdir scratch() . '/more';
{
  my $including = Studio->start($folder, '-I', '../more', 'farm.psl');
  my $found = $including->ask('params', {path => 'other/new.psl', text => "use \"extra.psl\";\n"});
  ok(join(' ', map { $_->{name} } @{$found->{params} // []}) eq 'extra', '--include', $json->encode($found));
  $including->end;
}

# ---- the language server ----

my $editor = $studio->ask('editor')->{editor};
sub told { my ($message) = @_; return $studio->ask('tell', {editor => $editor, message => {jsonrpc => '2.0',
  %$message}}) }
my @heard;
sub hear_until {
  my ($found) = @_;
  for (1 .. 20) {
    for my $message (@heard) { return $message if $found->($message) }
    push @heard, @{$studio->ask('hear', {editor => $editor})->{messages} // last};
  }
  return {};
}
my $uri = "file://$folder/farm.psl";
told({id => 1, method => 'initialize', params => {rootUri => "file://$folder", capabilities => {}}});
told({method => 'textDocument/didOpen', params => {textDocument => {uri => $uri, languageId => 'psl', version => 1,
  text => $farm . "param more : int = workrs;\n"}}});
told({id => 2, method => 'textDocument/hover', params => {textDocument => {uri => $uri}, position => {line => 1,
  character => 8}}});
ok($json->encode(hear_until(sub { ($_[0]{id} // 0) == 2 })) =~ /param workers/, 'tell, hear: the protocol of psl lsp');
ok($json->encode(hear_until(sub { ($_[0]{method} // '') =~ /publishDiagnostics/ })) =~ /did you mean|workrs/,
  'what is wrong is told unasked');
my $hearing = $studio->begin('hear', {editor => $editor});
select undef, undef, undef, 0.2;
my @servers = $studio->children;
ok($studio->ask('leave', {editor => $editor})->{status_code} eq '200' &&
  Studio::answer_of($hearing)->{status_code} eq '410' &&
   $studio->ask('hear', {editor => $editor})->{status_code} eq '410', 'leave, also while the page waits for news');
ok(@servers == 1 && !$studio->children, 'the language server of a page that is left ends', "@servers");
$editor = $studio->ask('editor')->{editor};
for my $evil ("file:///etc/passwd", "file://$folder/../outside.psl", "file://$folder/%2e%2e/outside.psl",
  "file://$folder/%2E./outside.psl",
              "file://$folder%2f..%2foutside.psl", "file://${folder}x/a.psl", "file://$folder/link.psl",
                "file://$folder/up/outside.psl",
              "file://$folder/.hidden.psl", "file://$folder/notes.txt", "file://$folder/a%00.psl",
                "file://$folder/a%zz.psl", "file://$folder/a%2", 'untitled:1') {
  my $answer = told({id => 3, method => 'textDocument/didOpen', params => {textDocument => {uri => $evil,
    languageId => 'psl', version => 1, text => ''}}});
  ok($answer->{status_code} eq '403', "the language server is told nothing of $evil", $json->encode($answer));
}
ok(told({id => 4, method => 'workspace/executeCommand', params => {command => 'psl.run', arguments => [$uri,
  'farm']}})->{status_code} eq '403',
   'and starts no program');

# Names are no URIs.
mkdir "$folder/in a %41 #?";
my $named = "file://$folder/in%20a%20%2541%20%23%3F/b.psl";
$answers{named} = told({method => 'textDocument/didOpen', params => {textDocument => {uri => $named,
  languageId => 'psl', version => 1, text => "let a : int = b;\n"}}});
ok($answers{named}{status_code} eq '200', 'a name that a URI has to be given in other characters',
  $json->encode($answers{named}));

# ---- writing ----

my $written = $studio->ask('write', {path => 'new.psl', text => "// \x{b5}s\n", version => ''});
ok($written->{status_code} eq '200' && slurp("$folder/new.psl") eq "// \xc2\xb5s\n", 'write: a new file',
  $json->encode($written));
my $again = $studio->ask('write', {path => 'new.psl', text => "// 2\n", version => $written->{version}});
ok($again->{status_code} eq '200' && slurp("$folder/new.psl") eq "// 2\n", 'write: again');
my $late = $studio->ask('write', {path => 'new.psl', text => "// 3\n", version => $written->{version}});
ok($late->{status_code} eq '409' && $late->{error} eq 'new.psl has been changed by another program since it was read' &&
  slurp("$folder/new.psl") eq "// 2\n",
   'write: not over what has been changed meanwhile', $json->encode($late));
ok($studio->ask('write', {path => 'new.psl', text => "// 3\n", anyhow => JSON::PP::true})->{status_code} eq '200',
  'write: unless that is meant');
chmod 0440, "$folder/new.psl";
my $protected = $studio->ask('write', {path => 'new.psl', text => "// 4\n", anyhow => JSON::PP::true});
ok($protected->{status_code} eq '403' && $protected->{error} eq 'new.psl is protected against writing' &&
  slurp("$folder/new.psl") eq "// 3\n",
   'write: not what is protected against writing', $json->encode($protected));
chmod 0640, "$folder/new.psl";
$studio->ask('write', {path => 'new.psl', text => "system broken {\n", anyhow => JSON::PP::true});
ok(((stat "$folder/new.psl")[2] & 07777) == 0640 && slurp("$folder/new.psl") eq "system broken {\n",
  'write: a text that is wrong, too; who may read it stays');

# Places of boxes stand beside a model, in a file that is read and written, and is nothing else.
$answers{none} = $studio->ask('read', {path => 'farm.psl.layout'});
ok($answers{none}{status_code} eq '200' && $answers{none}{text} eq '' && $answers{none}{version} eq '',
  'read: where no layout is there, an empty one', $json->encode($answers{none}));
$written = $studio->ask('write', {path => 'farm.psl.layout', text => "worker 1 2\n", version => ''});
$read = $studio->ask('read', {path => 'farm.psl.layout'});
ok($written->{status_code} eq '200' && slurp("$folder/farm.psl.layout") eq "worker 1 2\n" &&
  $read->{text} eq "worker 1 2\n" && $read->{version} eq $written->{version}, 'write: a layout', $json->encode($read));
$late = $studio->ask('write', {path => 'farm.psl.layout', text => '', version => ''});
ok($late->{status_code} eq '409', 'write: not over another layout', $json->encode($late));
ok(!(grep { /layout/ } @{$studio->ask('files')->{files}}), 'files: no layouts');
symlink '../outside.psl', "$folder/link.psl.layout";
for my $request (['run', {}], ['graph', {text => $farm}], ['params', {text => $farm}],
  ['explain', {text => $farm, subject => 'worker'}]) {
  my $answer = $studio->ask($request->[0], {path => 'farm.psl.layout', %{$request->[1]}});
  ok($answer->{status_code} eq '403', "$request->[0]: not of a layout", $json->encode($answer));
}

# A pipe is no file, which whoever reads it would wait for.
system 'mkfifo', "$folder/pipe.psl";
for my $request (['run', {}], ['read', {}], ['write', {text => ''}], ['graph', {text => $farm}]) {
  my $answer = $studio->ask($request->[0], {path => 'pipe.psl', %{$request->[1]}});
  ok($answer->{status_code} eq '403' && $answer->{error} =~ /^pipe\.psl is no file/, "$request->[0]: not of a pipe",
    $json->encode($answer));
}
unlink "$folder/pipe.psl";

# ---- names that lead out of the folder ----

my $outside = slurp(scratch() . '/outside.psl');
for my $name ('link.psl.layout', '../a.psl.layout', '.a.psl.layout', '.psl.layout', 'a.layout', 'a.psl.layout/b',
  'inner/.psl.layout', '../outside.psl', 'inner/../../outside.psl', '/etc/passwd', "$folder/../outside.psl", 'link.psl',
  'up/outside.psl', '.hidden.psl', 'notes.txt',
              './farm.psl', 'inner//part.psl', '', '.', '..', "farm.psl\x01.psl", '..\\outside.psl',
                "\xe2\x80\xae/../outside.psl", 'inner', 'a' x 2000 . '.psl') {
  for my $request (['read', {}], ['write', {text => 'evil', anyhow => JSON::PP::true}], ['graph',
    {text => 'param a : int = 1;'}], ['run', {}]) {
    my ($route, $more) = @$request;
    my $answer = $studio->ask($route, {path => $name, %$more});
    ok($answer->{status_code} =~ /^40[34]$/, "$route: " . ($name =~ s/[^ -~]/?/gr) . ' is refused',
      $json->encode($answer));
  }
}
my $nul = $studio->request('POST', '/api/read', '{"path": "farm.psl\u0000.psl"}');
ok($nul->{status} eq '400', 'a NUL in a name', $nul->{whole});
ok(slurp(scratch() . '/outside.psl') eq $outside && slurp("$folder/notes.txt") eq 'secret',
  'nothing outside has been written');
ok((readlink("$folder/link.psl") // '') eq '../outside.psl', 'the link is still one');
my $used = $studio->ask('params', {path => 'farm.psl', text => "use \"../outside.psl\";\n"});
ok(($used->{wrong} // '') =~ /'\.\.\/outside\.psl' is not in a folder that the model may read/,
  'use does not leave the folder', $json->encode($used));
spew("$folder/leaves.psl", "use \"../outside.psl\";\n$farm");
$run = $studio->run(path => 'leaves.psl');
ok($run->{status} eq '1' && $run->{said} =~ /'\.\.\/outside\.psl' is not in a folder that the model may read/,
  'nor in a run', $json->encode($run));
spew("$folder/native.psl", slurp("$root/tests/cases/foreign/libc.psl"));
$run = $studio->run(path => 'native.psl');
ok($run->{status} && $run->{said} =~ /--allow-native/, 'no C code is loaded', $json->encode($run));

# A link that comes between what is looked at and what is opened: it is read in no moment.
my $swapper = fork();
if (!$swapper) {
  for (1 .. 3000) {
    unlink "$folder/swap.psl";
    symlink '../outside.psl', "$folder/swap.psl";
    unlink "$folder/swap.psl";
    spew("$folder/swap.psl", "// inside\n");
  }
  require POSIX;
  POSIX::_exit(0);
}
my $leaks = 0;
for (1 .. 60) {
  my $answer = $studio->ask('read', {path => 'swap.psl'});
  $leaks++ if ($answer->{text} // '') =~ /secret/;
  $studio->ask('write', {path => 'swap.psl', text => "// evil\n", anyhow => JSON::PP::true});
}
kill 'KILL', $swapper;
waitpid $swapper, 0;
ok($leaks == 0 && slurp(scratch() . '/outside.psl') eq $outside, 'a link that is put in its place is not followed');
unlink "$folder/swap.psl";

# ---- who asks ----

my @routes = slurp("$root/interp/studio/studio_server.c") =~ m{\{"(/api/\w+)", (?:answer_|\.bytes)}g;
ok(@routes > 10, 'the table of requests');
my $token = $studio->{token};
my $near = $token;
substr($near, 31, 1) = $near =~ /0$/ ? '1' : '0';
for my $route (@routes) {
  my %tries = ('no token' => ['X-PSL-Token' => undef], 'a near token' => ['X-PSL-Token' => $near],
    'a part of the token' => ['X-PSL-Token' => substr $token, 0, 31],
               'a longer token' => ['X-PSL-Token' => "${token}0"], 'an empty token' => ['X-PSL-Token' => ''],
               'a foreign name' => [Host => "evil.example:$studio->{port}"], 'another port' => [Host => '127.0.0.1:1'],
               'no name' => [Host => undef], 'a foreign origin' => [Origin => 'http://evil.example'],
                 'no origin' => [Origin => 'null'],
               'a foreign origin without the token' => [Origin => 'http://evil.example', 'X-PSL-Token' => undef],
               'the origin of another port' => [Origin => 'http://127.0.0.1:1'],
                 'a foreign site' => ['Sec-Fetch-Site' => 'cross-site'],
               'a form' => ['Content-Type' => 'application/x-www-form-urlencoded'],
                 'plain text' => ['Content-Type' => 'text/plain']);
  my @taken;
  for my $try (sort keys %tries) {
    my $answer = $studio->request('POST', $route, '{}', @{$tries{$try}});
    push @taken, "$try: $answer->{status}" if $answer->{status} !~ /^(?:400|401|403|415|421)$/ ||
      $answer->{status} eq '400' && $try ne 'no name';
    push @taken, "$try: CORS" if $answer->{headers} =~ /Access-Control/i;
  }
  for my $method (qw(GET PUT DELETE OPTIONS TRACE)) {
    my $answer = $studio->request($method, $route);
    push @taken, "$method: $answer->{status}" if $answer->{status} =~ /^2/;
  }
  my $answer = $studio->request('POST', "$route?token=$token", '{}', 'X-PSL-Token' => undef);
  push @taken, "token in the address: $answer->{status}" if $answer->{status} ne '401';
  ok(!@taken, "$route refuses all others", join "\n", @taken);
}
for my $host ("evil.example:$studio->{port}", '127.0.0.1', "[::1]:$studio->{port}",
  "127.0.0.1:$studio->{port}.evil.example") {
  my $answer = $studio->request('GET', '/', '', Host => $host);
  ok($answer->{status} eq '421' && $answer->{body} !~ /<html/, "the page has no name $host", $answer->{whole});
}
my $preflight = $studio->request('OPTIONS', '/api/read', '', Origin => 'http://evil.example',
  'Access-Control-Request-Method' => 'POST',
                                 'Access-Control-Request-Headers' => 'x-psl-token', 'X-PSL-Token' => undef);
ok($preflight->{status} eq '403' && $preflight->{headers} !~ /Access-Control/i, 'no page of another origin is let in',
  $preflight->{whole});
ok($studio->request('GET', '/', '', Host => "LOCALHOST:$studio->{port}")->{status} eq '200',
  'localhost is a name of it');

# ---- what the editor is made of ----

my $lock = slurp("$root/interp/studio/package-lock.json");
ok($lock =~ /"integrity"/ && $lock !~ m{"resolved"|https?:}, 'the list of packages names no place to get them from');

# ---- addresses ----

for my $address ('/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/studio.js%00.html', '/%00', '//evil.example/',
  '/\\evil.example', '/codemirror.js/../studio.js',
                 '/page/', '/page/' . '0' x 32, '/page/../studio.js', '/page/%2e%2e/x', '/etc/passwd',
                   'http://evil.example/') {
  my $answer = $studio->request('GET', $address);
  ok($answer->{status} =~ /^4/ && $answer->{headers} !~ /^Location:/mi && $answer->{body} !~ /root:/,
    "nothing has the address $address", $answer->{whole});
}

# ---- what is no HTTP, and who says nothing ----

for my $bytes ("\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 'A' x 100_000 . "\r\n\r\n",
               "POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:$studio->{port}\r\nContent-Length: -1\r\n\r\n",
               "POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:$studio->{port}\r\nContent-Length: " .
                 "999999999999999999999\r\n\r\n",
               "POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:$studio->{port}\r\nTransfer-Encoding: " .
                 "chunked\r\n\r\nzz\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00") {
  my $socket = $studio->connect;
  local $SIG{PIPE} = 'IGNORE';
  print $socket $bytes;
  $socket->flush;
  shutdown $socket, 1;
  sysread $socket, my $answer, 1000;
  close $socket;
}
ok($studio->request('GET', '/')->{status} eq '200', 'it lives on after what is no HTTP');
for my $body ('', '[', '[]', '"a"', '{"path": 1}', '{"path": ["farm.psl"]}', '{"path": {}}', '[' x 100_000,
  "{\"path\": \"\xff\"}") {
  my $answer = $studio->request('POST', '/api/read', $body);
  ok($answer->{status} eq '400', 'a body that is no request: ' . (substr($body, 0, 30) =~ s/[^ -~]/?/gr),
    $answer->{whole});
}
ok($studio->request('POST', '/api/read', '{"path": "' . 'a' x (17 << 20) . '"}')->{status} =~ /^(?:413|none)$/,
  'a body of 17 MiB');
for my $run (['-o/tmp/evil', {}], ['farm', {'--output' => '/tmp/evil'}], ['farm', {'-o' => 'x'}]) {
  my $answer = $studio->ask('run', {path => 'farm.psl', name => $run->[0], set => $run->[1]});
  ok($answer->{status_code} eq '400' && $answer->{error} eq 'a name begins with a letter', 'no name becomes an option',
    $json->encode($answer));
}
my $most = sub { return (slurp("/proc/$studio->{pid}/status") // '') =~ /^VmHWM:\s+(\d+)/m ? $1 : 0 };
my $memory = $most->();
my $large = $studio->request('GET', '/', 'a' x (64 << 20));
ok($most->() - $memory < 16 << 10, 'what a request for a part of the page brings with it is not kept',
  $most->() - $memory . ' KiB more');
ok($studio->request('GET', '/')->{status} eq '200', 'and the next one is answered');
my @half = map { $studio->connect } 1 .. 80;
print $_ "GET / HTTP/1.1\r\nHost: " for @half;
$_->flush for @half;
ok($studio->request('GET', '/')->{status} eq '200', 'it answers beside 80 connections that are half open');
close $_ for @half;

# ---- what others see of it ----

my $port = sprintf '%04X', $studio->{port};
my @listening = map { (split)[1] } grep { (split)[3] eq '0A' && (split)[1] =~ /:$port$/ } map { split /\n/, slurp($_) //
  '' } '/proc/net/tcp', '/proc/net/tcp6';
ok("@listening" eq "0100007F:$port", 'it listens on this computer alone', "@listening");
my $lines = join '', map { slurp($_) // '' } glob '/proc/[0-9]*/cmdline';
ok(index($lines, $token) < 0, 'no program is started with the token');
ok(index(slurp($studio->{log}), $token) < 0 && slurp($studio->{log}) eq '', 'and nothing is logged');

# Ctrl-C ends it, with what it has started, and leaves nothing.
$studio->ask('run', {path => 'long.psl'});
my @folders = glob "$temporary/psl-studio-*";
ok(@folders == 1 && !(grep { ((stat $_)[2] & 077) } @folders), 'what it writes is for its user alone', "@folders");
my @children = $studio->children;
my $exit = $studio->end;
ok($exit eq '0', 'Ctrl-C ends it', $exit);
my @left = grep { kill 0, $_ } @children;
ok(@children && !@left, 'and all that it has started', "@left");
ok(!(grep { -e } @folders), 'and nothing is left of what it has written', join ' ', grep { -e } @folders);

# A terminal that is closed ends it in the same way. It does not wait for what takes long.
spew("$folder/slow.psl", "function slow(n : int, k : int) -> int = if n < 1 then k else slow(n - 1, 2 * k) + slow(n " .
  "- 1, 2 * k + 1);\n" .
                         ($farm =~ s/^param workers.*/param workers : int = if slow(40, 1) > 0 then 8 else 9;/mr));
for my $signal ('INT', 'HUP') {
  $studio = Studio->start($folder, 'slow.psl');
  my $asked = $studio->begin('graph', {path => 'slow.psl', text => slurp("$folder/slow.psl")});
  $studio->ask('run', {path => 'long.psl'});
  select undef, undef, undef, 0.5;
  @children = $studio->children;
  my $begun = time;
  $exit = $studio->end($signal);
  ok($exit eq '0' && time - $begun < 8, "SIG$signal ends it while a graph is made", "$exit, after " . (time - $begun) .
    ' s');
  @left = grep { kill 0, $_ } @children;
  ok(@children == 2 && !@left, 'with all that it has started', "@left of @children");
  ok(!glob("$temporary/psl-studio-*"), 'and what it has written');
}

# What it runs does not outlive it, whatever ends it.
$studio = Studio->start($folder);
$studio->ask('run', {path => 'long.psl'});
$studio->ask('editor');
select undef, undef, undef, 0.5;
@children = $studio->children;
$studio->end('KILL');
for (1 .. 100) {
  @left = grep { kill 0, $_ } @children;
  last if !@left;
  select undef, undef, undef, 0.1;
}
ok(@children == 2 && !@left, 'no run and no language server outlives it', "@left of @children");
finish();
